import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../../platform/values/ip-addresses.ts';
import { relyingPartyOf } from '../../../registry/people/passkey-ceremony.ts';
import { beginPasskeyLogin, verifyPasskey } from '../../../registry/people/passkeys.ts';
import { languageOf } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { redirectTo } from '../send-page.ts';
import { passkeysAddress } from '../assets.ts';
import { readForm } from '../input.ts';
import { type ConsoleParts, consoleAddress } from '../console-page.ts';
import type { LoginAnswers } from './login-answers.ts';
import { loginPage, safeNext } from './login-page.ts';
import { loginTexts } from './login-texts.ts';
import { passkeyForm } from './passkey-form.ts';

/** Each is a row that anybody can have written, until it is deleted. */
const MAX_BEGUN_PER_MINUTE = 60;

export function passkeyRoutes(
  app: FastifyInstance,
  { database, wallClock, publicUrl, identity, log }: ConsoleParts,
  answers: LoginAnswers,
): void {
  const begun = new RateLimiter<string>(MAX_BEGUN_PER_MINUTE);
  const party = () => relyingPartyOf(publicUrl());

  for (const path of ['/login/passkey', '/login/passkey/answer'])
    app.get(path, async (_request, reply) => redirectTo(reply, consoleAddress('/login')));

  /** Before the body of the form is read. */
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const { allowed } = begun.take(addressBucket(request.ip));
    if (allowed) return undefined;
    const [lang, next] = [languageOf(request), consoleAddress('')];
    const fault = { text: loginTexts(lang).tooMany(1), status: 429 };
    return answers.show(request, reply, loginPage({ identity, next, lang, fault }), next);
  };
  app.post('/login/passkey', { onRequest }, async (request, reply) => {
    const lang = languageOf(request);
    const texts = loginTexts(lang);
    const next = safeNext(readForm(request).field('next'));
    const asked = await beginPasskeyLogin(database.writes, party(), next, wallClock.now());
    const form = passkeyForm({
      kind: 'get',
      request: asked,
      button: texts.passkeyAgain,
      failed: texts.passkeyFailed,
      action: consoleAddress('/login/passkey/answer', { lang }),
    });
    const body = html`<h1>${texts.passkeyTitle}</h1>
<p class="lead">${texts.passkeyLead}</p>
${form}<p><a href="${consoleAddress('/login', { lang, next })}">${texts.startOver}</a></p>
`;
    return answers.show(
      request,
      reply,
      { title: texts.passkeyTitle, body, scripts: [passkeysAddress] },
      next,
    );
  });

  app.post('/login/passkey/answer', async (request, reply) => {
    const { field } = readForm(request);
    const lang = languageOf(request);
    const answer = { token: field('step'), response: field('response') };
    const proved = await verifyPasskey(database.writes, party(), answer, wallClock.now());
    if (proved) return answers.begin(request, reply, proved);
    log.info({ address: request.ip, reason: 'passkey' }, 'login of a person rejected');
    const fault = { text: loginTexts(lang).wrongPasskey, status: 401 };
    const next = consoleAddress('');
    return answers.show(request, reply, loginPage({ identity, next, lang, fault }), next);
  });
}
