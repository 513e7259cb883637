import { type Html, html, type Language } from '../../html/layout.ts';
import { ownStatusWords } from './own-statuses.ts';

/** The code that other interfaces show is on hover; a status of a later version has nothing else. */
export function statusWord(status: string, lang: Language): Html {
  const words = ownStatusWords(lang, status);
  return words ? html`<span title="${status}">${words.title}</span>` : html`<code>${status}</code>`;
}
