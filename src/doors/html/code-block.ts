import { type Html, type HtmlValue, html } from './layout.ts';

/** Preformatted code that scrolls on narrow screens; focusable, so that it can be scrolled by keyboard. */
export function codeBlock(label: string, code: HtmlValue): Html {
  return html`<pre role="group" aria-label="${label}" tabindex="0"><code>${code}</code></pre>`;
}

/** A command to paste; one click selects all of it, without a script. */
export function commandBlock(label: string, command: string): Html {
  return html`<pre class="command" role="group" aria-label="${label}" tabindex="0"><code>${command}</code></pre>`;
}

export type CurlRequest = {
  /** `name:password`, or a shell expression for it such as "$USER:$PASSWORD" with its double quotes. */
  readonly user?: string | undefined;
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A request as one command to paste into a shell, one part per line. */
export function curl({ user, method = 'GET', url, headers = {}, body }: CurlRequest): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`];
  if (user) parts.push(`-u ${user.startsWith('"') ? user : quoted(user)}`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) {
    parts.push(`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(indented(body))}`);
  }
  return parts.join(' \\\n  ');
}

function indented(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
