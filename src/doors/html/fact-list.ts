import { type Html, type HtmlValue, html } from './layout.ts';

/** Labels with their values; facts without a value are left out. */
export function factList(facts: readonly (readonly [string, HtmlValue])[]): Html {
  const known = facts.filter(([, value]) => value !== false && value !== null && value !== undefined);
  return html`<dl class="asked">${known.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
`;
}
