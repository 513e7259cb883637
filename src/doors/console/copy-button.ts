import { type Html, html, type Language } from '../html/layout.ts';
import { icon } from './icons.ts';

type CopyTexts = {
  readonly copy: (what: string) => string;
  readonly done: string;
  readonly failed: string;
};

const TEXTS: Readonly<Record<Language, CopyTexts>> = {
  en: { copy: (what) => `Copy: ${what}`, done: 'Copied', failed: 'Not copied' },
  et: { copy: (what) => `Kopeeri: ${what}`, done: 'Kopeeritud', failed: 'Ei kopeeritud' },
};

/** For the script of copying: without it, or where it may not write to the clipboard, there is no button. `what` names a secret value. */
export function copyButton(value: string, lang: Language, what = value): Html {
  const { copy, done, failed } = TEXTS[lang];
  const label = copy(what);
  return html`<button type="button" class="copy" data-copy="${value}" data-done="${done}" data-failed="${failed}" aria-label="${label}" title="${label}" hidden>${icon('copy')}</button>`;
}
