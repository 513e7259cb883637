/** Of the pages of the documentation, beside what they share with the reference. */
export const guideStyle = `
.drawing{--drawn-core:#d8e8f6;--drawn-process:#e0f0e3;--drawn-store:#f3ead6;--drawn-refusal:#f9dede}
@media screen and (prefers-color-scheme:dark){.drawing{--drawn-core:#16405f;--drawn-process:#1d4629;--drawn-store:#4d3f1c;--drawn-refusal:#5c2626}}
.site{grid-template-columns:15rem minmax(0,1fr) 14rem;gap:2.5rem}
.site article{max-width:50rem}
.reference.site article>*{max-width:none}
.site .contents .here{scroll-target-group:none}
.own .here a{display:block}
.own .deep a,.inside .deep a{padding-left:1.5rem;color:var(--quiet)}
.own>p{margin:0 0 .25rem .5rem}
.inside{display:none;margin:0 0 1.5rem}
.inside .whole{border:1px solid var(--line);border-radius:7px;background:var(--band)}
.trail{margin:0 0 .5rem;font-size:.875rem}
.guide h2,.guide h3,.guide h4{scroll-margin-top:1rem}
.guide h4{font-size:1rem;margin:1.5rem 0 .5rem}
.guide :target{background:var(--mark)}
.guide tr:has(:target){background:var(--mark)}
.guide blockquote{margin:0 0 1rem;padding:.5rem 1rem;border-left:4px solid var(--accent);background:var(--band)}
.guide blockquote>:last-child{margin-bottom:0}
.guide img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:7px}
.drawing{display:block;margin:1rem 0 1.5rem;overflow-x:auto}
.drawing svg{display:block;max-width:100%;height:auto}
.drawing text{fill:var(--ink)}
.drawing .cluster polygon{fill:var(--band);stroke:none}
.drawing .node polygon,.drawing .node path{fill:var(--paper);stroke:var(--control)}
.drawing .core polygon,.drawing .core path{fill:var(--drawn-core)}
.drawing .process polygon,.drawing .process path{fill:var(--drawn-process)}
.drawing .store polygon,.drawing .store path{fill:var(--drawn-store)}
.drawing .refusal polygon,.drawing .refusal path{fill:var(--drawn-refusal)}
.drawing .edge path{fill:none;stroke:var(--control)}
.drawing .edge polygon{fill:var(--control);stroke:var(--control)}
.copyable{position:relative}
.copy{position:absolute;top:.375rem;right:.375rem;min-height:1.75rem;padding:.125rem .5rem;font:inherit;font-size:.75rem;cursor:pointer;color:var(--accent);background:var(--paper);border:1px solid var(--control);border-radius:7px}
.copyable>pre{padding-right:4.5rem}
.neighbours{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1rem;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
.neighbours a{max-width:22rem}
.neighbours span{display:block;font-size:.8125rem}
.neighbours .next{margin-left:auto;text-align:right}
.hljs-comment,.hljs-meta{color:var(--quiet)}
.hljs-keyword,.hljs-built_in,.hljs-name,.hljs-tag,.hljs-section,.hljs-type,.hljs-title{color:var(--accent)}
.hljs-string,.hljs-attribute{color:var(--good)}
.hljs-attr,.hljs-number,.hljs-literal,.hljs-variable,.hljs-symbol{color:var(--warn)}
@media(min-width:40.01rem){
.guide td:first-child code{overflow-wrap:break-word}}
@media(max-width:75rem){
.site{grid-template-columns:15rem minmax(0,1fr)}
.site .own{display:none}
.inside{display:block}}
@media(max-width:60rem){
.site{grid-template-columns:minmax(0,1fr);gap:1.5rem}}
@media print{
.copy,.neighbours,.trail{display:none}
.site{display:block}}`;
