import type { OpenRecovery } from '../../../registry/people/recover-password.ts';
import { MAX_PASSWORD_LENGTH } from '../../../registry/users/password-length.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { html, type Language } from '../../html/layout.ts';
import { accountTexts } from '../account/account-texts.ts';
import { consoleAddress, type View } from '../console-page.ts';
import { loginTexts } from './login-texts.ts';
import { recoveryTexts } from './recovery-texts.ts';

type Fault = { readonly fault: string; readonly status: number };

/** Asks for the address of the account. */
export function recoveryRequest(lang: Language, refused?: Fault): View {
  const texts = recoveryTexts(lang);
  const { email, startOver } = loginTexts(lang);
  const fields: Field[] = [
    { name: 'email', label: email, type: 'email', autocomplete: 'username', fault: refused?.fault },
  ];
  return {
    title: texts.title,
    status: refused?.status ?? 200,
    body: html`<h1>${texts.title}</h1>
${faultSummary(texts.refused, fields)}<p class="lead">${texts.lead}</p>
<form method="post" action="${consoleAddress('/login/recovery', { lang })}">
${fields.map(field)}<p><button>${texts.send}</button></p>
</form>
<p><a href="${consoleAddress('/login', { lang })}">${startOver}</a></p>
`,
  };
}

/** The same whether there is such an account or not. */
export function recoverySent(lang: Language): View {
  const texts = recoveryTexts(lang);
  return {
    title: texts.sentTitle,
    body: html`<h1>${texts.sentTitle}</h1>
<p class="lead" role="status">${texts.sent}</p>
<p><a href="${consoleAddress('/login', { lang })}">${loginTexts(lang).logIn}</a></p>
`,
  };
}

export type PasswordFaults = { readonly chosen?: string; readonly repeated?: string };

/** Where the link leads. Opening it decides nothing: programs open the links of mails too. */
export function recoveryForm(
  { email }: OpenRecovery,
  address: string,
  lang: Language,
  faults: PasswordFaults = {},
): View {
  const texts = recoveryTexts(lang);
  const password = accountTexts(lang).password;
  const secret = { type: 'password', maxLength: MAX_PASSWORD_LENGTH, autocomplete: 'new-password' } as const;
  const fields: Field[] = [
    { ...secret, name: 'chosen', label: password.chosen, hint: password.hint, fault: faults.chosen },
    { ...secret, name: 'repeated', label: password.repeated, fault: faults.repeated },
  ];
  return {
    title: texts.title,
    status: Object.keys(faults).length > 0 ? 400 : 200,
    body: html`<h1>${texts.title}</h1>
${faultSummary(password.again, fields)}<p class="lead">${texts.consequence}</p>
<form method="post" action="${address}">
<input class="hidden" type="text" name="username" value="${email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${fields.map(field)}<p><button>${texts.set}</button></p>
</form>
`,
  };
}

/** The same for every link that opens nothing. */
export function closedRecovery(lang: Language): View {
  const texts = recoveryTexts(lang);
  return {
    title: texts.closedTitle,
    status: 404,
    body: html`<h1>${texts.closedTitle}</h1>
<p class="lead">${texts.closed}</p>
<p><a href="${consoleAddress('/login/recovery', { lang })}">${texts.again}</a></p>
`,
  };
}
