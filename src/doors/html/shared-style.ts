import { createHash } from 'node:crypto';
import { fontFaces } from './fonts.ts';
import { confirmStyle } from './confirmation-style.ts';
import { guideStyle } from './guide-style.ts';
import { lookupStyle } from './lookup-style.ts';
import { referenceStyle } from './reference-style.ts';
import { formStyle } from './form-style.ts';

/** The values are those of the console's tokens. */
const colours = `
:root{color-scheme:light dark;--paper:#fff;--band:#f5f7f9;--ink:#14202b;--quiet:#46545f;--line:#e3e8ed;--strong-line:#ccd5dd;--control:#7d8c99;
--accent:#0b4a7a;--accent-ink:#fff;--code:#f5f7f9;--mark:#fdf0d5;--good:#145a32;--warn:#7a4b00;--bad:#8f1d17}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0f161d;--band:#141d26;--ink:#e8eef3;--quiet:#b9c5cf;--line:#23303c;--strong-line:#33434f;--control:#70828f;
--accent:#8cc8f5;--accent-ink:#0b2236;--code:#141d26;--mark:#3a2b0b;--good:#8fdcab;--warn:#f4cb79;--bad:#ffa9a1}}`;

const text = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);
font:1rem/1.55 "IBM Plex Sans Variable",system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1,h2,h3{font-weight:650;line-height:1.25;text-wrap:balance}
h1{font-size:clamp(1.5rem,1.2rem + 1.5vw,2rem);margin:0 0 1rem;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:3rem 0 .75rem;padding-top:1.5rem;border-top:1px solid var(--line)}
h3{font-size:1.0625rem;margin:2rem 0 .5rem}
p,ol,ul,dl{margin:0 0 1rem;max-width:44rem}
.lead{font-size:1.125rem;color:var(--quiet)}
.quiet{color:var(--quiet)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
main:focus{outline:none}
code,pre,kbd{font-family:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:.875em}
code{overflow-wrap:anywhere}
a code{color:inherit}
pre{margin:0 0 1rem;padding:.875rem 1rem;background:var(--code);border:1px solid var(--line);border-radius:7px;
overflow-x:auto;line-height:1.5;font-size:.8125rem;tab-size:2}
pre code{font-size:inherit;overflow-wrap:normal}
.command code{user-select:all;-webkit-user-select:all}`;

const frame = `
.frame{width:100%;max-width:60rem;margin:0 auto;padding:0 1.25rem}
.wide .frame{max-width:100rem}
.skip{position:absolute;left:-100vw;padding:.5rem 1rem;background:var(--accent);color:var(--accent-ink)}
.skip:focus{left:0;z-index:2}
.top{border-top:4px solid var(--accent);border-bottom:1px solid var(--line);background:var(--band)}
.top .frame{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .875rem;padding-top:.75rem;padding-bottom:.75rem}
.name{display:inline-flex;align-items:center;gap:.625rem;color:inherit;text-decoration:none;font-weight:650;font-size:1.125rem;line-height:1}
.name:hover{text-decoration:underline}
.badge{padding:.125rem .5rem;border-radius:5px;background:var(--mark);font-size:.75rem;font-weight:650;color:var(--warn)}
.top nav{margin-left:auto;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.9375rem}
.top nav+nav{margin-left:.375rem}
.top nav a{padding:.25rem 0}
main{flex:1;padding-top:2.5rem!important;padding-bottom:4rem!important}
.bottom{border-top:1px solid var(--line);background:var(--band);font-size:.875rem;color:var(--quiet)}
.bottom .frame{padding-top:1.25rem;padding-bottom:1.25rem}
.bottom p{margin:0;max-width:none}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1px;max-width:none;margin:2rem 0;
background:var(--line);border:1px solid var(--line);border-radius:7px;overflow:hidden}
.facts div{background:var(--paper);padding:.75rem 1rem}
.facts dt{font-size:.8125rem;color:var(--quiet)}
.facts dd{margin:0;font-variant-numeric:tabular-nums}
.steps{list-style:none;padding:0;max-width:none;counter-reset:step}
.steps>li{counter-increment:step;position:relative;padding-left:2.75rem;margin-bottom:1.75rem}
.steps>li::before{content:counter(step);position:absolute;left:0;top:0;width:1.75rem;height:1.75rem;border:1px solid var(--strong-line);
border-radius:50%;text-align:center;line-height:1.65rem;font-size:.875rem;color:var(--quiet);font-variant-numeric:tabular-nums}
.steps p{margin-bottom:.5rem}
.letter{white-space:pre-wrap;overflow-wrap:anywhere}`;

const tables = `
table{width:100%;border-collapse:collapse;margin:0 0 1.25rem;font-size:.9375rem;line-height:1.5}
caption{text-align:left;font-weight:600;padding-bottom:.375rem}
th{text-align:left;font-weight:600;font-size:.8125rem;color:var(--quiet);border-bottom:1px solid var(--strong-line);padding:.375rem .75rem .375rem 0;vertical-align:bottom}
td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
td:last-child,th:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
@media(max-width:40rem){
table,tbody,tr,td,caption{display:block;width:100%}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{padding:.625rem 0;border-bottom:1px solid var(--line)}
tbody tr:last-child{border-bottom:0}
.command{white-space:pre-wrap}
.command code{overflow-wrap:anywhere}
tbody tr:first-child{border-top:1px solid var(--strong-line)}
td,td.number{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.75rem;padding:.125rem 0;border:0;text-align:left;white-space:normal}
td::before{content:attr(data-label);font-size:.8125rem;line-height:1.85;color:var(--quiet)}
td:empty{display:none}
.top nav,.top nav+nav{margin-left:0;width:100%}
.steps>li{padding-left:0}
.steps>li>p:first-child{padding-left:2.5rem;min-height:1.75rem}}`;

const print = `
@media print{
.skip,.top nav,.contents{display:none!important}
body{font-size:10pt}
pre{white-space:pre-wrap}
pre,tr{break-inside:avoid}
h2,h3{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}}`;

export const stylesheet = [
  fontFaces,
  colours,
  text,
  frame,
  tables,
  referenceStyle,
  guideStyle,
  confirmStyle,
  formStyle,
  lookupStyle,
  print,
]
  .join('')
  .replaceAll('\n', '');

/** Allows this sheet in a policy that forbids all other inline styles. */
export const stylesheetHash = `'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`;
