import type { OpenInvitation } from '../../../registry/people/find-invitation.ts';
import { MAX_PASSWORD_LENGTH } from '../../../registry/users/password-length.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { accountTexts } from '../account/account-texts.ts';
import { consoleAddress, type View } from '../console-page.ts';
import { invitationTexts } from './invitation-texts.ts';

export type Shown = {
  readonly invitation: OpenInvitation;
  readonly token: string;
  readonly lang: Language;
};
export type Entered = {
  readonly name: string;
  readonly faults: { readonly name?: string | undefined; readonly password?: string | undefined };
};

export const invitationAddress = (token: string, lang: Language): string =>
  consoleAddress(`/invitation/${encodeURIComponent(token)}`, { lang });

/** For somebody without an account: its name and its password. */
export function newPersonPage({ invitation, token, lang }: Shown, entered?: Entered): View {
  const { email, name } = invitation;
  const texts = invitationTexts(lang);
  const { hint } = accountTexts(lang).password;
  const fields: Field[] = [
    {
      name: 'name',
      label: texts.name,
      autocomplete: 'name',
      fault: entered?.faults.name,
      // Without a name the invitation has the address in its place.
      value: entered?.name ?? (name === email ? '' : name),
    },
    {
      name: 'password',
      label: accountTexts(lang).password.chosen,
      hint,
      type: 'password',
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH,
      fault: entered?.faults.password,
    },
  ];
  const body = html`${faultSummary(texts.again, fields)}<p>${texts.email}: <strong>${isolated(email)}</strong></p>
<form method="post" action="${invitationAddress(token, lang)}">
<input class="hidden" type="text" name="username" value="${email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${fields.map(field)}<p><button>${texts.accept}</button></p>
</form>`;
  return framedInvitation({ invitation, token, lang }, body, entered ? 400 : 200);
}

/** For somebody who is logged in with the invited address. */
export function memberPage(shown: Shown): View {
  const texts = invitationTexts(shown.lang);
  return framedInvitation(
    shown,
    html`<p>${texts.loggedIn}</p>
<form method="post" action="${invitationAddress(shown.token, shown.lang)}"><p><button>${texts.accept}</button></p></form>`,
    200,
  );
}

/** For somebody who has an account, and is not logged in with it. */
export function existingPersonPage(shown: Shown, status: number): View {
  const { invitation, token, lang } = shown;
  const texts = invitationTexts(lang);
  const login = consoleAddress('/login', { lang, next: invitationAddress(token, lang) });
  return framedInvitation(
    shown,
    html`<p>${texts.existing(invitation.email)}</p>
<p><a class="way" href="${login}">${texts.logIn}</a></p>`,
    status,
  );
}

function framedInvitation({ invitation, lang }: Shown, body: Html, status: number): View {
  const { title, lead } = invitationTexts(lang);
  return {
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${lead(invitation.registrarName)}</p>
${body}
`,
  };
}

/** The same for every token that opens nothing. */
export function closedPage(lang: Language): View {
  const texts = invitationTexts(lang);
  return {
    title: texts.closedTitle,
    status: 404,
    body: html`<h1>${texts.closedTitle}</h1>
<p class="lead">${texts.closed}</p>
<p><a href="${consoleAddress('/login', { lang })}">${texts.toLogin}</a></p>
`,
  };
}
