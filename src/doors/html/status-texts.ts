import { englishStatuses } from './english-statuses.ts';
import { estonianStatuses } from './estonian-statuses.ts';
import { type Html, html, type Language } from './layout.ts';
import type { ShownStatus, StatusTexts, StatusWords } from './status-words.ts';

const TEXTS: Readonly<Record<Language, StatusTexts>> = { en: englishStatuses, et: estonianStatuses };

export const statusTexts = (lang: Language): StatusTexts => TEXTS[lang];

/** Undefined for a status that has no words, such as one of a later schema. */
export const wordsOf = (lang: Language, status: string): StatusWords | undefined =>
  Object.hasOwn(TEXTS[lang], status) ? TEXTS[lang][status as ShownStatus] : undefined;

/** Each status with the reason for it; `note` adds what is known of this very domain. */
export function statusList(
  statuses: readonly string[],
  words: (status: string) => StatusWords | undefined,
  note: (status: string) => Html | undefined = () => undefined,
): Html {
  return html`<dl class="means-of">${statuses.map((status) => {
    const said = words(status);
    return html`<dt>${said?.title} <code>${status}</code></dt>${said && html`<dd>${said.explanation}</dd>`}${note(status)}\n`;
  })}</dl>
`;
}
