export const formStyle = `
.search{max-width:44rem;margin:0 0 2rem}
.search label,.field label{display:block;font-weight:600;margin-bottom:.25rem}
.hint{margin:0 0 .375rem;color:var(--quiet);font-size:.9375rem}
.asks{display:flex;flex-wrap:wrap;gap:.5rem}
.asks input{flex:1 1 14rem;min-width:0}
.search input,.field input,.field textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);
border:1px solid var(--control);border-radius:7px}
.asks input{width:auto}
.field textarea{display:block;min-height:10rem;resize:vertical}
.field{max-width:44rem;margin:0 0 1.25rem}
.field.wrong{padding-left:1rem;border-left:4px solid var(--bad)}
.fault{margin:0 0 .375rem;color:var(--bad);font-weight:600}
.field.wrong input,.field.wrong textarea{border:2px solid var(--bad)}
.search button{min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;cursor:pointer;border:2px solid var(--accent);border-radius:7px;
background:var(--accent);color:var(--accent-ink)}
.search button:hover{text-decoration:underline;text-underline-offset:.2em}
fieldset{min-width:0;max-width:44rem;margin:0 0 1.25rem;padding:.75rem 1rem 0;border:1px solid var(--line);border-radius:7px}
legend{padding:0 .375rem;font-weight:600}
.field.check{margin-bottom:.5rem}
.field.check label{display:flex;align-items:center;gap:.625rem;min-height:2.75rem;margin:0;cursor:pointer}
.field.check input{flex:none;width:1.5rem;height:1.5rem;min-height:0;margin:0;accent-color:var(--accent)}
.outcome ul{margin:0;padding-left:1.25rem}
@media print{.search{display:none}}`;
