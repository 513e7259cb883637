import { type Html, html, type Language } from '../html/layout.ts';
import { MENU, MENU_KEYS } from './menu.ts';
import { frameTexts } from './frame-texts.ts';

type ShortcutsTexts = {
  readonly title: string;
  readonly use: string;
  readonly close: string;
  readonly keys: readonly (readonly [keys: string, meaning: string])[];
};

const english: ShortcutsTexts = {
  title: 'Keyboard shortcuts',
  use: 'Use these keys in this browser',
  close: 'Close',
  keys: [
    ['Ctrl K', 'Search everything'],
    ['/', 'Filter of the list'],
    ['j', 'Next line'],
    ['k', 'Previous line'],
    ['Enter', 'Open the line'],
    ['x', 'Select the line'],
    ['s', 'Postpone the line of the overview'],
    ['e', 'What can be changed; in the inbox: mark as read'],
    ['r', 'Renew the domain'],
    ['z', 'Undo what was just done'],
    ['Esc', 'Close; clear the selection'],
  ],
};

const estonian: ShortcutsTexts = {
  title: 'Kiirklahvid',
  use: 'Kasuta selles brauseris neid klahve',
  close: 'Sulge',
  keys: [
    ['Ctrl K', 'Otsi kõigest'],
    ['/', 'Loendi filter'],
    ['j', 'Järgmine rida'],
    ['k', 'Eelmine rida'],
    ['Enter', 'Ava rida'],
    ['x', 'Vali rida'],
    ['s', 'Lükka ülevaate rida edasi'],
    ['e', 'Mida saab muuta; postkastis: märgi loetuks'],
    ['r', 'Pikenda domeeni'],
    ['z', 'Võta äsja tehtu tagasi'],
    ['Esc', 'Sulge; tühista valik'],
  ],
};

const TEXTS: Readonly<Record<Language, ShortcutsTexts>> = { en: english, et: estonian };

/** Shown by the script that the keys need. */
export const shortcutsButton = (lang: Language): Html =>
  html`<p class="zone"><button type="button" class="plain" popovertarget="shortcuts" hidden>${TEXTS[lang].title} <kbd>?</kbd></button></p>`;

/** All keys, and the choice not to use them: speech recognition types letters, too. */
export function shortcutsHelp(lang: Language): Html {
  const { title, use, close, keys } = TEXTS[lang];
  const { items } = frameTexts(lang);
  const pages = MENU.flatMap((group) => group.items).flatMap((item) => {
    const key = MENU_KEYS[item];
    return key === undefined ? [] : [[`g ${key}`, items[item]] as const];
  });
  return html`<div id="shortcuts" role="dialog" popover aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${title}</h2>
<dl>${[...keys, ...pages].map(([key, meaning]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${meaning}</dd></div>\n`)}</dl>
<label class="choice"><input type="checkbox" autocomplete="off"> ${use}</label>
<p><button type="button" class="act second" popovertarget="shortcuts" popovertargetaction="hide">${close}</button></p></div>
`;
}
