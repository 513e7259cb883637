import { codeBlock } from '../../html/code-block.ts';
import { type Html, html } from '../../html/layout.ts';

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

/** Formatted JSON in which member names are highlighted. */
export function prettyJson(label: string, value: unknown): Html {
  const text = JSON.stringify(value, null, 2) ?? '';
  const pieces: (Html | string)[] = [];
  let end = 0;
  for (const token of text.matchAll(TOKENS)) {
    const [whole, string, colon, plain] = token;
    pieces.push(text.slice(end, token.index));
    if (colon !== undefined) pieces.push(html`<span class="json-name">${string}</span>${colon}`);
    else if (string !== undefined) pieces.push(html`<span class="json-text">${string}</span>`);
    else pieces.push(html`<span class="json-plain">${plain}</span>`);
    end = token.index + whole.length;
  }
  return codeBlock(label, [...pieces, text.slice(end)]);
}

/** Text in which `backticks` mark code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
