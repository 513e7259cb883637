import type { IdentityProvider } from '../../../registry/people/identity-provider.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { html, type Language } from '../../html/layout.ts';
import { passkeysAddress } from '../assets.ts';
import { consoleAddress, type View } from '../console-page.ts';
import { loginTexts } from './login-texts.ts';
import { recoveryTexts } from './recovery-texts.ts';

export type LoginState = {
  readonly email?: string | undefined;
  /** Where to go afterwards. */
  readonly next: string;
  readonly lang: Language;
  readonly identity: Pick<IdentityProvider, 'isConfigured'>;
  /** Why the last attempt failed. */
  readonly fault?: { readonly text: string; readonly status: number };
  readonly reason?: 'loggedOut' | 'ended' | 'stepUp' | 'codeExpired' | 'passwordSet' | undefined;
};

/** Only pages of the console: never another site. */
export function safeNext(next: string): string {
  const base = 'http://console.invalid';
  if (!URL.canParse(next, base)) return consoleAddress('');
  const { origin, pathname, search } = new URL(next, base);
  const isOurs =
    origin === base && /^\/console(?:\/|$)/.test(pathname) && !pathname.startsWith('/console/log');
  return isOurs ? pathname + search : consoleAddress('');
}

export function loginPage({ email, next, lang, fault, reason, identity }: LoginState): View {
  const texts = loginTexts(lang);
  const fields: Field[] = [
    {
      name: 'email',
      label: texts.email,
      type: 'email',
      autocomplete: 'username',
      value: email,
      fault: fault?.text,
    },
    { name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' },
  ];
  return {
    title: texts.title,
    scripts: [passkeysAddress],
    status: fault?.status ?? 200,
    body: html`<h1>${texts.title}</h1>
${reason !== undefined && html`<p class="outcome" role="status">${texts[reason]}</p>\n`}<p class="lead">${texts.lead}</p>
${faultSummary(texts.again, fields)}<form method="post" action="${consoleAddress('/login', { lang })}">
${fields.map(field)}<input type="hidden" name="next" value="${next}">
<p><button>${texts.logIn}</button></p>
</form>
<p><a href="${consoleAddress('/login/recovery', { lang })}">${recoveryTexts(lang).link}</a></p>
<form method="post" action="${consoleAddress('/login/passkey', { lang })}" data-passkeys hidden>
<input type="hidden" name="next" value="${next}">
<p><button class="plain">${texts.byPasskey}</button></p>
</form>
${identity.isConfigured && html`<p><a class="way" href="${consoleAddress('/login/identity', { lang, next })}">${texts.byIdentity}</a></p>\n`}`,
  };
}
