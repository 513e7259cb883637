export const referenceStyle = `
.reference{display:grid;grid-template-columns:16rem minmax(0,1fr);gap:3rem;align-items:start}
.reference>div{max-width:56rem}
.contents{font-size:.875rem;line-height:1.4}
.contents ul{list-style:none;margin:0 0 1rem;padding:0}
.contents p{margin:0 0 .25rem;font-weight:600}
.contents p a{color:inherit}
.contents a{display:block;padding:.3125rem .5rem;text-decoration:none;border-radius:3px}
.contents li a{display:flex;gap:.625rem;color:var(--ink)}
.contents li a:hover{background:var(--band);text-decoration:underline}
.contents .method{flex:0 0 3.25rem;border:0;padding:0;font-size:.6875rem;line-height:1.8;text-align:left}
.beside{position:sticky;top:1.5rem;max-height:calc(100vh - 3rem);overflow-y:auto;padding-right:.5rem}
.folded{display:none;border:1px solid var(--line);border-radius:4px;background:var(--band)}
.folded summary{padding:.625rem 1rem;font-weight:600}
.folded details[open]{padding-bottom:.5rem}
.folded details>:not(summary){margin-left:.75rem;margin-right:.75rem}
.call{margin:0 0 3.5rem}
.reference h2.api{margin-top:4rem}
.reference h3.group{font-size:1.5rem;margin-top:3rem}
.call h4{font-size:1.25rem;margin-top:2.5rem}
.call h5{font-size:.9375rem;margin:1.5rem 0 .5rem}
.call h5 .quiet{font-weight:400}
.anchor{color:inherit;text-decoration:none}
.anchor:hover{text-decoration:underline}
.call:target .line{background:var(--mark)}
.line{display:flex;align-items:baseline;gap:.75rem;max-width:none;padding:.5rem .75rem;background:var(--band);border:1px solid var(--line);border-radius:4px}
.line code{font-size:.9375rem}
.line var{font-style:normal;color:var(--accent)}
.method{font:600 .75rem/1.6 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;letter-spacing:.04em}
.method.get{color:var(--accent)}.method.post{color:var(--good)}.method.put,.method.patch{color:var(--warn)}.method.delete{color:var(--bad)}
.status{font-weight:600;font-variant-numeric:tabular-nums}
.status.good{color:var(--good)}.status.bad{color:var(--bad)}
.call .label{margin:0 0 .25rem;font-size:.8125rem}
.try{display:inline-block;padding:.375rem .875rem;border:1px solid var(--accent);border-radius:4px;text-decoration:none;font-weight:600}
.try:hover{background:var(--band);text-decoration:underline}
.trial .field textarea{font:.875rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.trial select{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--control);border-radius:4px}
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
@media(max-width:60rem){
.reference{grid-template-columns:minmax(0,1fr);gap:1.5rem}
.beside{display:none}
.folded{display:block}}`;
