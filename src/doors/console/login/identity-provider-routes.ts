import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../../platform/values/ip-addresses.ts';
import { findByIdentity, linkIdentity } from '../../../registry/people/identities.ts';
import type { Identified } from '../../../registry/people/identity-provider.ts';
import { languageOf } from '../../html/language.ts';
import { isForeignLink } from '../../http/cross-site.ts';
import { redirectTo } from '../send-page.ts';
import { ENDED_STEP_COOKIE, stepCookie, stepTokenOf } from '../cookie.ts';
import { readInput } from '../input.ts';
import { type ConsoleParts, consoleAddress, isRecentLogin } from '../console-page.ts';
import type { LoginAnswers } from './login-answers.ts';
import { loginPage, safeNext } from './login-page.ts';
import { type LoginTexts, loginTexts } from './login-texts.ts';

const CALLBACK = '/login/identity/callback';
/** Each is a row, and a question to the issuer perhaps. */
const MAX_BEGUN_PER_MINUTE = 60;

type IdentityFailure = 'identityUnavailable' | 'identityRefused' | 'identityUnknown' | 'identityTaken';

/** The way over the identity provider. It begins with a link: the policy of the pages keeps forms on this site. */
export function identityRoutes(app: FastifyInstance, parts: ConsoleParts, answers: LoginAnswers): void {
  const { database, wallClock, identity, publicUrl, log } = parts;
  if (!identity.isConfigured) return;
  const begun = new RateLimiter<string>(MAX_BEGUN_PER_MINUTE);
  const callback = () => new URL(consoleAddress(CALLBACK), publicUrl());

  const showFailure = (
    request: FastifyRequest,
    reply: FastifyReply,
    what: IdentityFailure,
    status: number,
  ) => {
    const lang = languageOf(request);
    const text: LoginTexts[IdentityFailure] = loginTexts(lang)[what];
    const next = consoleAddress('');
    return answers.show(request, reply, loginPage({ ...parts, next, lang, fault: { text, status } }), next);
  };

  const begin = async (request: FastifyRequest, reply: FastifyReply, who: Omit<Identified, 'identity'>) => {
    if (!begun.take(addressBucket(request.ip)).allowed)
      return showFailure(request, reply, 'identityUnavailable', 429);
    try {
      const asked = { ...who, redirectUri: callback().href };
      const { address, token } = await identity.begin(database.writes, asked, wallClock.now());
      return redirectTo(reply.header('set-cookie', stepCookie(token)), address);
    } catch (error) {
      log.warn({ err: error }, 'the identity provider did not answer');
      return showFailure(request, reply, 'identityUnavailable', 502);
    }
  };

  app.get('/login/identity', async (request, reply) =>
    begin(request, reply, { personId: null, next: safeNext(readInput(request).query('next')) }),
  );

  // Another site must not begin this: it could have logged the browser in at the issuer as somebody else before.
  app.get('/login/identity/link', async (request, reply) => {
    const session = await answers.previous(request);
    const next = consoleAddress('/account');
    if (!session || isForeignLink(request.headers, parts.isOwnOrigin)) return redirectTo(reply, next);
    if (!isRecentLogin(session, wallClock.now()))
      return redirectTo(reply, consoleAddress('/login', { reason: 'stepUp', next }));
    return begin(request, reply, { personId: session.personId, next });
  });

  app.get(CALLBACK, async (request, reply) => {
    const token = stepTokenOf(request.headers.cookie);
    reply.header('set-cookie', ENDED_STEP_COOKIE);
    const cameBackTo = new URL(request.url, publicUrl());
    const identified = token && (await finish(parts, token, cameBackTo));
    if (!identified) return showFailure(request, reply, 'identityRefused', 401);
    if (identified.personId !== null) return link(request, reply, identified);
    const personId = await findByIdentity(database.reads, identified.identity);
    if (personId === undefined) return showFailure(request, reply, 'identityUnknown', 403);
    const { next } = identified;
    return answers.begin(request, reply, { personId, factor: 'identity provider', next });
  });

  async function link(
    request: FastifyRequest,
    reply: FastifyReply,
    { identity: linked, personId }: Identified,
  ) {
    const session = await answers.previous(request);
    if (!session || session.personId !== personId) return showFailure(request, reply, 'identityRefused', 401);
    const { email, registrarId } = session;
    const change = { personId, email, registrarId, requestId: request.id, now: wallClock.now() };
    if (!(await linkIdentity(database.writes, linked, change)))
      return showFailure(request, reply, 'identityTaken', 409);
    return redirectTo(reply, consoleAddress('/account', { notice: 'identityLinked' }));
  }
}

async function finish(
  { identity, database, wallClock, log }: ConsoleParts,
  token: string,
  cameBackTo: URL,
): Promise<Identified | undefined> {
  try {
    return await identity.finish(database.writes, token, cameBackTo, wallClock.now());
  } catch (error) {
    log.warn({ err: error }, 'what the identity provider said was refused');
    return undefined;
  }
}
