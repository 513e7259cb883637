export const lookupStyle = `
.means-of{margin:0 0 1rem;max-width:44rem}
.means-of dt{font-weight:600;margin-top:1rem}
.means-of dt code{font-weight:400;color:var(--quiet);white-space:nowrap}
.means-of dd{margin:.125rem 0 0}
.lookup h2{margin-top:2.25rem;padding-top:0;border-top:0;font-size:1.375rem}
.lookup .asked{margin:.75rem 0 1rem}
.lookup .outcome{margin-top:1rem}
.lookup .means+form,.lookup .outcome+form,.lookup p:not(.lead)+form{margin-top:1.75rem}
.ascii{margin-top:-.75rem;color:var(--quiet)}
.go{display:inline-block;min-height:2.75rem;padding:.5rem 1.25rem;border:2px solid var(--accent);border-radius:7px;font-weight:600;text-decoration:none}
.go:hover{text-decoration:underline}
.quoted{max-width:44rem;margin:0 0 1.5rem;padding:.75rem 1.25rem;border-left:4px solid var(--strong-line);background:var(--band);white-space:pre-wrap;overflow-wrap:anywhere}
.digest{overflow-wrap:anywhere}
.again{margin-top:3rem;padding-top:1.5rem;border-top:1px solid var(--line)}
@media print{.go,.decision,.again{display:none}.lookup h2{margin-top:1.25rem}}`;
