import { type Html, html, type Language } from '../../html/layout.ts';
import { passkeysAddress } from '../assets.ts';
import { consoleAddress, type Visit } from '../console-page.ts';

/** With it the script asks, before a form is sent, whether its sender is still logged in; the value is of the page. */
export const LOGIN_CHECK_HEADER = 'x-login-check';

/** Who has opened a page, and for whom: a form must not be sent by anybody else. */
export const ownerMark = ({ personId, registrarId }: Visit['session']): string =>
  `${personId}-${registrarId}`;

type DialogTexts = { readonly title: string; readonly lead: string; readonly cancel: string };

const english: DialogTexts = {
  title: 'Log in to continue',
  lead: 'What you filled in stays here, and is sent after the login.',
  cancel: 'Cancel',
};

const estonian: DialogTexts = {
  title: 'Jätkamiseks logi sisse',
  lead: 'Täidetud vorm jääb siia ja saadetakse pärast sisselogimist.',
  cancel: 'Loobu',
};

const TEXTS: Readonly<Record<Language, DialogTexts>> = { en: english, et: estonian };

/** The frame of the login over a form; the script puts the pages of the login into it. */
export function loginDialog({ session, lang }: Visit): Html {
  const { title, lead, cancel } = TEXTS[lang];
  const otherLogin = consoleAddress('', { notice: 'otherLogin' });
  return html`<dialog id="login-dialog" aria-labelledby="login-title" data-owner="${ownerMark(session)}" data-email="${session.email}" data-other="${otherLogin}" data-login="${consoleAddress('/login')}" data-passkeys="${passkeysAddress}"><h2 id="login-title">${title}</h2>
<p class="lead">${lead}</p>
<div></div>
<form method="dialog"><button class="plain">${cancel}</button></form></dialog>
`;
}
