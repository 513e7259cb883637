export const confirmStyle = `
.asked{display:grid;grid-template-columns:minmax(0,1fr);max-width:44rem;margin:1.5rem 0;border-top:1px solid var(--strong-line)}
.asked div{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:0 1rem;padding:.625rem 0;border-bottom:1px solid var(--line)}
.asked dt{color:var(--quiet)}
.asked dd{margin:0;overflow-wrap:anywhere}
.asked .zone{color:var(--quiet);white-space:nowrap}
.means{padding-left:1.25rem}
.means li{margin-bottom:.375rem}
.names{overflow-wrap:anywhere}
.decision{display:flex;flex-wrap:wrap;gap:.75rem;max-width:44rem;margin:2rem 0}
.decision button{flex:1 1 14rem;min-height:3.25rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;line-height:1.3;cursor:pointer;
border:2px solid var(--accent);border-radius:7px;background:var(--paper);color:var(--accent)}
.decision button:hover{text-decoration:underline;text-underline-offset:.2em}
.decision .confirm{background:var(--accent);color:var(--accent-ink)}
.decision .grave{background:var(--bad);border-color:var(--bad);color:var(--paper)}
.outcome{max-width:44rem;margin:0 0 1.5rem;padding:1rem 1.25rem;border:1px solid var(--line);border-left:6px solid var(--strong-line);border-radius:7px;background:var(--band)}
.outcome p{margin:0 0 .5rem}
.outcome p:last-child{margin:0}
.outcome p:first-child{font-weight:600}
.outcome.confirmed{border-left-color:var(--good)}
.outcome.failed{border-left-color:var(--bad)}
.outcome.lapsed{border-left-color:var(--warn)}
@media(max-width:40rem){
.asked div{grid-template-columns:minmax(0,1fr)}
.asked dt{font-size:.875rem}}`;
