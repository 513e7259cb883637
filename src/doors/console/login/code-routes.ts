import type { FastifyInstance } from 'fastify';
import { verifyCode } from '../../../registry/people/second-factor.ts';
import { faultSummary, field } from '../../html/form.ts';
import { languageOf } from '../../html/language.ts';
import { html, type Language } from '../../html/layout.ts';
import { redirectTo } from '../send-page.ts';
import { readForm } from '../input.ts';
import { type ConsoleParts, consoleAddress, type View } from '../console-page.ts';
import type { LoginAnswers } from './login-answers.ts';
import { loginTexts } from './login-texts.ts';
import { refusedLogin } from './refused-login.ts';

const MAX_CODE = 40;

type CodeState = {
  /** Names the login whose password was right. */
  readonly step: string;
  readonly lang: Language;
  readonly fault?: { readonly text: string; readonly status: number };
};

/** The second step of a login by password. */
export function codePage({ step, lang, fault }: CodeState): View {
  const texts = loginTexts(lang);
  const code = {
    name: 'code',
    label: texts.code,
    hint: texts.codeHint,
    fault: fault?.text,
    maxLength: MAX_CODE,
    autocomplete: 'one-time-code',
  };
  return {
    title: texts.codeTitle,
    status: fault?.status ?? 200,
    body: html`<h1>${texts.codeTitle}</h1>
${faultSummary(texts.again, [code])}<form method="post" action="${consoleAddress('/login/code', { lang })}">
${field(code)}<input type="hidden" name="step" value="${step}">
<p><button>${texts.logIn}</button></p>
</form>
<p><a href="${consoleAddress('/login', { lang })}">${texts.startOver}</a></p>
`,
  };
}

export function codeRoutes(
  app: FastifyInstance,
  { database, wallClock, logins, authenticatorKeys: keys, log }: ConsoleParts,
  answers: LoginAnswers,
): void {
  // After a reload, or with the address out of the history of the browser.
  app.get('/login/code', async (_request, reply) => redirectTo(reply, consoleAddress('/login')));

  app.post('/login/code', { onRequest: answers.refuseLimitedAddress }, async (request, reply) => {
    const form = readForm(request);
    const lang = languageOf(request);
    const [step, code] = [form.field('step'), form.field('code').slice(0, MAX_CODE)];
    try {
      const attempt = { token: step, code, address: request.ip };
      const now = wallClock.now();
      const proved = await verifyCode(database.writes, keys, logins.limits, attempt, now);
      if (proved === 'unreadable secret') {
        log.error('the secret of an authenticator app cannot be decrypted: see cadastre doctor');
        const fault = { text: loginTexts(lang).unreadableSecret, status: 503 };
        return answers.show(request, reply, codePage({ step, lang, fault }), consoleAddress(''));
      }
      if (proved && 'secondsToWait' in proved) {
        log.info({ address: request.ip, reason: 'limit of codes' }, 'login of a person rejected');
        const minutes = Math.ceil(proved.secondsToWait / 60);
        const fault = { text: loginTexts(lang).tooManyCodes(minutes), status: 429 };
        return answers.show(request, reply, codePage({ step, lang, fault }), consoleAddress(''));
      }
      if (!proved) return redirectTo(reply, consoleAddress('/login', { reason: 'codeExpired', lang }));
      return await answers.begin(request, reply, proved);
    } catch (error) {
      const fault = refusedLogin(error, lang, loginTexts(lang).wrongCode);
      log.info({ address: request.ip, reason: 'code' }, 'login of a person rejected');
      return answers.show(request, reply, codePage({ step, lang, fault }), consoleAddress(''));
    }
  });
}
