import { type Html, html, type Piece } from './layout.ts';

/** Code as it is, which scrolls by itself where the screen is too narrow; hence the keyboard can reach it. */
export function codeBlock(label: string, code: Piece): Html {
  return html`<pre role="group" aria-label="${label}" tabindex="0"><code>${code}</code></pre>`;
}

/** A command to paste: one click selects the whole of it, with no script. */
export function commandBlock(label: string, command: string): Html {
  return html`<pre class="command" role="group" aria-label="${label}" tabindex="0"><code>${command}</code></pre>`;
}
