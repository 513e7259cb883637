import type { FastifyInstance } from 'fastify';
import { endSession } from '../../../registry/people/person-sessions.ts';
import { askForCode } from '../../../registry/people/second-factor.ts';
import { languageOf } from '../../html/language.ts';
import { redirectTo } from '../send-page.ts';
import { ENDED_COOKIE } from '../cookie.ts';
import type { FrameSetting } from '../frame.ts';
import { readForm, readInput } from '../input.ts';
import { invitationRoutes } from '../invitation/invitation-routes.ts';
import { type ConsoleParts, consoleAddress } from '../console-page.ts';
import { codePage, codeRoutes } from './code-routes.ts';
import { identityRoutes } from './identity-provider-routes.ts';
import { LoginAnswers } from './login-answers.ts';
import { loginPage, safeNext } from './login-page.ts';
import { loginTexts } from './login-texts.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { refusedLogin } from './refused-login.ts';

const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_000;
const REASONS = ['loggedOut', 'ended', 'stepUp', 'codeExpired', 'passwordSet'] as const;

export function loginRoutes(app: FastifyInstance, parts: ConsoleParts, setting: FrameSetting): void {
  const { database, wallClock, logins, mode, identity, log } = parts;
  const answers = new LoginAnswers(parts, setting);
  codeRoutes(app, parts, answers);
  passkeyRoutes(app, parts, answers);
  identityRoutes(app, parts, answers);
  recoveryRoutes(app, parts, setting, answers);
  invitationRoutes(app, parts, setting, answers);

  app.get('/login', { exposeHeadRoute: true }, async (request, reply) => {
    const { query } = readInput(request);
    const [reason] = REASONS.filter((known) => known === query('reason'));
    const next = safeNext(query('next'));
    const email = reason === 'stepUp' ? (await answers.previous(request))?.email : undefined;
    return answers.show(
      request,
      reply,
      loginPage({ identity, next, lang: languageOf(request), reason, email }),
      next,
    );
  });

  app.post('/login', { onRequest: answers.refuseLimitedAddress }, async (request, reply) => {
    const { field } = readForm(request);
    const lang = languageOf(request);
    const [email, password] = [field('email').slice(0, MAX_EMAIL), field('password').slice(0, MAX_PASSWORD)];
    const next = safeNext(field('next'));
    try {
      const verified = await logins.verify({ email, password, address: request.ip }, wallClock.now());
      const { personId, hasCodeGenerator, hasOtherWay } = verified;
      // A password alone must not outrank the passkey that its person has.
      if (!hasCodeGenerator && !(mode === 'production' && hasOtherWay))
        return await answers.begin(request, reply, { personId, factor: 'password', next });
      const step = await askForCode(database.writes, personId, next, wallClock.now());
      return answers.show(request, reply, codePage({ step, lang }), next);
    } catch (error) {
      const fault = refusedLogin(error, lang, loginTexts(lang).wrong);
      log.info({ user: email, address: request.ip, reason: 'password' }, 'login of a person rejected');
      return answers.show(request, reply, loginPage({ identity, email, next, lang, fault }), next);
    }
  });

  app.post('/logout', async (request, reply) => {
    const session = await answers.previous(request);
    if (session) await endSession(database.writes, session, wallClock.now());
    reply.header('set-cookie', ENDED_COOKIE);
    return redirectTo(reply, consoleAddress('/login', { reason: 'loggedOut', lang: languageOf(request) }));
  });
}
