export const referenceStyle = `
.reference{display:grid;grid-template-columns:16rem minmax(0,1fr);gap:3rem;align-items:start}
.reference .text,.guide,.reference article>:not(.call,table,.found){max-width:48rem}
.reference article>.facts{max-width:none}
.contents{font-size:.875rem;line-height:1.4}
.contents ul{list-style:none;margin:0 0 1rem;padding:0}
.contents a{display:block;padding:.3125rem .5rem;color:var(--ink);text-decoration:none;border-radius:3px}
.contents a:hover{background:var(--band);text-decoration:underline}
.contents a[aria-current]{background:var(--band);color:var(--accent);font-weight:600;box-shadow:inset 3px 0 var(--accent)}
.contents .here{margin:.25rem 0 .5rem .5rem;border-left:1px solid var(--line);scroll-target-group:auto}
.contents .here a,.calls a{display:flex;gap:.625rem}
.contents .here a:target-current{background:var(--band);box-shadow:inset 3px 0 var(--accent)}
.contents .method,.calls .method{flex:0 0 3.25rem;border:0;padding:0;font-size:.6875rem;line-height:1.8;text-align:left}
.beside{position:sticky;top:1.5rem;max-height:calc(100vh - 3rem);overflow-y:auto;padding:.25rem .5rem .25rem .25rem}
.folded{display:none}
.part{margin:0 0 .5rem}
.part>summary{padding:.3125rem 0;font-weight:600}
.folded .whole{border:1px solid var(--line);border-radius:7px;background:var(--band)}
.whole>summary{padding:.625rem 1rem;font-weight:600}
.whole[open]{padding-bottom:.5rem}
.whole>:not(summary){margin-left:.75rem;margin-right:.75rem}
.find{margin:0 0 1.25rem;max-width:44rem}
.find label{display:block;font-weight:600;margin-bottom:.25rem}
.find div{display:flex;gap:.375rem}
.find input{flex:1;min-width:0;min-height:2.5rem;padding:.375rem .625rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--control);border-radius:7px}
.find button{min-height:2.5rem;padding:.375rem .75rem;font:inherit;font-weight:600;cursor:pointer;color:var(--accent);background:none;border:1px solid var(--accent);border-radius:7px}
.found li{margin-bottom:.75rem}
.found p{margin:0;font-size:.9375rem}
.calls{list-style:none;padding:0}
.calls li{padding:.1875rem .5rem}
.calls li:target{background:var(--mark)}
.calls a{text-decoration:none}
.calls a:hover{text-decoration:underline}
.call{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,clamp(22rem,30vw,32rem));grid-template-rows:auto 1fr;column-gap:clamp(1.5rem,2.5vw,3rem);margin:0 0 2.5rem;padding-top:2rem;border-top:1px solid var(--line)}
.call .text{grid-column:1}
.call .code{grid-column:2;grid-row:1 / span 2;align-self:start;position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow-y:auto;padding:.25rem}
.setup pre{margin-top:.5rem}
.call h2{margin:0 0 .75rem;padding:0;border:0;font-size:1.375rem}
.call h3{font-size:.9375rem;margin:1.5rem 0 .5rem;font-family:inherit}
.call h3 .quiet{font-weight:400}
.languages{display:flex;flex-wrap:wrap;gap:.125rem;list-style:none;margin:0 0 .5rem;padding:0;font-size:.8125rem}
.languages a{display:block;padding:.25rem .625rem;border-radius:3px;text-decoration:none}
.languages a:hover{text-decoration:underline}
.languages a[aria-current]{background:var(--accent);color:var(--accent-ink)}
.also{margin-top:3rem;font-size:.875rem}
.guide h2{margin-top:2.5rem}
.anchor{color:inherit;text-decoration:none}
.anchor:hover{text-decoration:underline}
.call:target .line{background:var(--mark)}
.line{display:flex;align-items:baseline;gap:.75rem;max-width:none;padding:.5rem .75rem;background:var(--band);border:1px solid var(--line);border-radius:7px}
.line code{font-size:.9375rem}
.line var{font-style:normal;color:var(--accent)}
.method{font:600 .75rem/1.6 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;letter-spacing:.04em}
.method.get{color:var(--accent)}.method.post{color:var(--good)}.method.put,.method.patch{color:var(--warn)}.method.delete{color:var(--bad)}
.status{font-weight:600;font-variant-numeric:tabular-nums}
.status.good{color:var(--good)}.status.bad{color:var(--bad)}
.call .label{margin:0 0 .25rem;font-size:.8125rem}
.try{display:inline-block;padding:.375rem .875rem;border:1px solid var(--accent);border-radius:7px;text-decoration:none;font-weight:600}
.try:hover{background:var(--band);text-decoration:underline}
.trial .field textarea{font:.875rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.trial select{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--control);border-radius:7px}
.required,.optional{font-size:.75rem;color:var(--bad);white-space:nowrap}
.optional{color:var(--quiet)}
.parent{color:var(--quiet)}
.limits code{white-space:nowrap}
.limits{display:block;font-size:.8125rem;color:var(--quiet)}
.json-name{color:var(--accent)}.json-text{color:var(--good)}.json-plain{color:var(--warn)}
summary{cursor:pointer}
summary:hover{text-decoration:underline;text-underline-offset:.2em}
td summary{padding-left:1.125rem;text-indent:-1.125rem}
td details pre{margin:.5rem 0 .25rem;overflow-x:auto}
.fields>summary{color:var(--accent);padding:.25rem 0}
.fields table{margin-top:.5rem}
@media(min-width:40.01rem){
.parameters td:first-child{width:22%}.parameters td:nth-child(2){width:10%}.parameters td:nth-child(3){width:12%}
.members td:first-child{width:38%}.members td:nth-child(2){width:20%}
.outcomes{table-layout:fixed;width:100%}
.outcomes th:first-child,.outcomes th:nth-child(2){width:4.5rem}}
@media(max-width:40rem){
.limits code{white-space:normal;overflow-wrap:anywhere}
.reference tr{display:flex;flex-wrap:wrap;column-gap:.75rem;align-items:baseline}
.reference td{display:block;width:auto;max-width:100%}
.reference td:empty{display:none}
.reference td::before{content:none}
.reference td:last-child{flex:1 0 100%}
.reference .parameters td:not(:first-child,:last-child),.reference .members td:nth-child(2){font-size:.8125rem;color:var(--quiet)}}
@media(max-width:75rem){
.call{display:block}
.call .code{position:static;max-height:none;margin-top:1.5rem;max-width:48rem}}
@media(max-width:60rem){
.reference{grid-template-columns:minmax(0,1fr);gap:1.5rem}
.beside{display:none}
.folded{display:block}}`;
