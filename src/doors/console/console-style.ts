/** What the console has besides the pages of everybody. */
export const consoleStyle = `
.console .columns{flex:1;display:grid;grid-template-columns:13rem minmax(0,1fr);gap:2rem;align-items:start}
.console .columns.alone{grid-template-columns:minmax(0,1fr);max-width:32rem}
.console .menu{padding-top:1.5rem}
.console .menu ul{list-style:none;margin:0;padding:0;display:grid;gap:.125rem}
.console .menu a{display:block;min-height:2.75rem;padding:.5rem .75rem;border-left:3px solid transparent;text-decoration:none;color:inherit}
.console .menu a:hover{text-decoration:underline}
.console .menu a[aria-current]{border-left-color:var(--accent);background:var(--band);font-weight:600}
.console h2{margin-top:2rem}
.console .field textarea{min-height:0}
.console .check label{overflow-wrap:anywhere}
.plain-list{list-style:none;margin:0;padding:0;overflow-wrap:anywhere}
.closed{margin:0 0 1.5rem}
.closed summary{min-height:2.75rem;padding:.625rem 0;cursor:pointer}
.closed dl{margin:0}
.closed dt{font-weight:600}
.closed dd{margin:0 0 .5rem}
.person{margin-left:auto;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;font-size:.9375rem}
.person p{margin:0}
.person form{margin:0}
.person .label{color:var(--quiet)}
button.plain{min-height:2.75rem;padding:.25rem .5rem;border:0;background:none;color:var(--accent);font:inherit;text-decoration:underline;text-underline-offset:.2em;cursor:pointer}
main form button:not(.plain){min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;cursor:pointer;border:2px solid var(--accent);border-radius:4px;background:var(--accent);color:var(--accent-ink)}
main form button:not(.plain):hover{text-decoration:underline;text-underline-offset:.2em}
td form{margin:0}
.ways li{padding:.375rem 0}
.qr{width:14rem;max-width:100%;height:auto;border-radius:4px}
.secret{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.codes{columns:2;max-width:28rem;font-family:ui-monospace,monospace;list-style:none;padding:0}
.codes li{padding:.25rem 0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
select{max-width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--control);border-radius:4px}
.filter{margin:0 0 1.5rem;padding:1rem;border:1px solid var(--line);border-radius:4px;background:var(--band)}
.filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:0 1rem}
.filters .field{margin-bottom:1rem}
.filters select{width:100%}
.filters .hint{margin:.125rem 0 0;font-size:.875rem}
.filter button,.act{min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;cursor:pointer;border:2px solid var(--accent);border-radius:4px;background:var(--accent);color:var(--accent-ink)}
.filter button:hover,.act:hover{text-decoration:underline;text-underline-offset:.2em}
.console div.lead{margin-bottom:1.25rem}
.files{display:inline-flex;gap:1.25rem}
.files a{display:inline-flex;align-items:center;min-height:2.75rem;min-width:2.75rem}
a.act{display:inline-flex;align-items:center;text-decoration:none}
.clear,.pager a,.found a{display:inline-flex;align-items:center;min-height:2.75rem}
.clear{padding:0 .75rem}
.found{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:0 1.5rem}
.found p{margin:0}
.pager{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin-top:1rem}
.console main{min-width:0}
.actions{list-style:none;margin:0 0 1rem;padding:0;display:flex;flex-wrap:wrap;gap:0 1.25rem}
.actions form{margin:0}
.actions a{display:inline-flex;align-items:center;min-height:2.75rem}
ul.tasks{list-style:none;padding:0}
.tasks a{display:inline-flex;align-items:center;min-height:2.75rem;font-weight:600}
.tasks p{margin:0 0 .75rem;color:var(--quiet)}
.choice{display:flex;align-items:center;gap:.625rem;min-height:2.75rem;overflow-wrap:anywhere}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--accent)}
@media(min-width:40.01rem){td .choice{margin:-.5rem 0}}
.low{color:var(--bad)}
fieldset.choices{margin:0 0 1.25rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:4px}
.choices legend{font-weight:600;padding:0 .25rem}
.choices label{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;font-weight:400;cursor:pointer}
.choices input{width:1.25rem;height:1.25rem;flex:none;accent-color:var(--accent)}
.choices .hint{margin:0;color:var(--quiet);font-size:.875rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:0 2rem}
.charts figure{margin:0;max-width:30rem}
.charts h2{font-size:1.125rem;margin:1.5rem 0 .5rem;padding:0;border:0}
.chart{display:block;width:100%;height:auto}
.chart text{font-size:11px;fill:var(--quiet)}
.chart .grid{stroke:var(--line)}
.chart .bar,.chart .dot{fill:var(--accent)}
.chart .line{fill:none;stroke:var(--accent);stroke-width:2}
.changes{margin:.25rem 0 0;padding-left:1.25rem;font-size:.875rem;overflow-wrap:anywhere}
@media(max-width:48rem){.console .columns{grid-template-columns:minmax(0,1fr);gap:0}
.console .menu ul{display:flex;flex-wrap:wrap;gap:0 .25rem}
.console .menu a{border-left:0;border-bottom:3px solid transparent;padding:.5rem}
.console .menu a[aria-current]{border-bottom-color:var(--accent)}
.person{margin-left:0}}
`;
