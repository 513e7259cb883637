import { hashPassword } from '../../../registry/access/passwords.ts';
import {
  changePersonPassword,
  isAcceptablePassword,
} from '../../../registry/people/change-person-password.ts';
import { MAX_PASSWORD_LENGTH } from '../../../registry/users/password-length.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { html, type Language } from '../../html/layout.ts';
import { refusedLogin } from '../login/refused-login.ts';
import {
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  definePage,
  type View,
  type Visit,
} from '../console-page.ts';
import { accountTexts } from './account-texts.ts';
import { personChangeOf } from './person-change.ts';

type FieldName = 'current' | 'chosen' | 'repeated';
type Faults = { readonly [name in FieldName]?: string | undefined };

/** Changes one's own password. */
export const passwordPage = definePage({
  path: '/account/password',
  right: undefined,
  load: async () => ({}),
  view: (_loaded, { lang, session }) => passwordForm(lang, session.email),
});

export const passwordChange: ConsoleChange = {
  path: '/account/password',
  right: undefined,
  run: async (parts, visit, input) => {
    const texts = accountTexts(visit.lang).password;
    const chosen = input.field('chosen');
    const again = (faults: Faults, status: number) => ({
      ...passwordForm(visit.lang, visit.session.email, faults),
      status,
    });
    const faults: Faults = {
      ...(chosen === input.field('current') && { chosen: texts.same }),
      ...(!isAcceptablePassword(chosen) && { chosen: texts.unacceptable }),
      ...(input.field('repeated') !== chosen && { repeated: texts.different }),
    };
    if (Object.keys(faults).length > 0) return again(faults, 400);
    const refused = await currentRefused(parts, visit, input.field('current'));
    if (refused) return again({ current: refused.text }, refused.status);
    const hash = await hashPassword(chosen);
    await changePersonPassword(parts.database.writes, hash, visit.session, personChangeOf(parts, visit));
    return { to: consoleAddress('/account'), notice: 'passwordChanged' };
  },
};

/** Failures count as those of the login: an open session must not be a way to guess passwords. */
async function currentRefused(
  { logins, wallClock }: ConsoleParts,
  { session, client, lang }: Visit,
  password: string,
): Promise<{ readonly text: string; readonly status: number } | undefined> {
  try {
    const { email } = session;
    const attempt = { email, password: password.slice(0, MAX_PASSWORD_LENGTH), address: client.address };
    await logins.verify(attempt, wallClock.now());
    return undefined;
  } catch (error) {
    const { wrong } = accountTexts(lang).password;
    return refusedLogin(error, lang, wrong);
  }
}

function passwordForm(lang: Language, email: string, faults: Faults = {}): View {
  const { password: texts, changePassword } = accountTexts(lang);
  const secret = { type: 'password', maxLength: MAX_PASSWORD_LENGTH } as const;
  const fields: Field[] = [
    {
      ...secret,
      name: 'current',
      label: texts.current,
      fault: faults.current,
      autocomplete: 'current-password',
    },
    {
      ...secret,
      name: 'chosen',
      label: texts.chosen,
      hint: texts.hint,
      fault: faults.chosen,
      autocomplete: 'new-password',
    },
    {
      ...secret,
      name: 'repeated',
      label: texts.repeated,
      fault: faults.repeated,
      autocomplete: 'new-password',
    },
  ];
  return {
    title: changePassword,
    body: html`<h1>${changePassword}</h1>
${faultSummary(texts.again, fields)}<p>${texts.otherSessions}</p>
<form method="post" action="${consoleAddress('/account/password')}">
<input class="hidden" type="text" name="username" value="${email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${fields.map(field)}<p><button>${texts.change}</button></p>
</form>
<p><a href="${consoleAddress('/account')}">${texts.back}</a></p>
`,
  };
}
