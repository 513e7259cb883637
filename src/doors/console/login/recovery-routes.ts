import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../../platform/values/ip-addresses.ts';
import { hashPassword } from '../../../registry/access/passwords.ts';
import { isAcceptablePassword } from '../../../registry/people/change-person-password.ts';
import { emailKey } from '../../../registry/people/person.ts';
import {
  findRecovery,
  type OpenRecovery,
  recoverPassword,
  requestRecovery,
} from '../../../registry/people/recover-password.ts';
import { languageOf } from '../../html/language.ts';
import { accountTexts } from '../account/account-texts.ts';
import { type ConsoleParts, consoleAddress, type View } from '../console-page.ts';
import { type FrameSetting, framedLoggedOut } from '../frame.ts';
import { readForm, readInput } from '../input.ts';
import { redirectTo, sendConsolePage } from '../send-page.ts';
import type { LoginAnswers } from './login-answers.ts';
import { loginTexts } from './login-texts.ts';
import {
  closedRecovery,
  type PasswordFaults,
  recoveryForm,
  recoveryRequest,
  recoverySent,
} from './recovery-pages.ts';

const PATH = '/login/recovery';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MAX_EMAIL = 254;
/** Of one address, and of one account at one address; the database limits an account over all of them. */
const MAX_PER_MINUTE = 10;
const MAX_OF_ACCOUNT_PER_MINUTE = 3;
/** Requests that were answered and are being worked on. */
const MAX_UNDER_WAY = 64;

/** A new password for somebody who has forgotten it, by a link in a mail. Nothing says whether there is an account. */
export function recoveryRoutes(
  app: FastifyInstance,
  parts: ConsoleParts,
  setting: FrameSetting,
  answers: LoginAnswers,
): void {
  requestRoutes(app, parts, answers);
  linkRoutes(app, parts, setting);
}

function requestRoutes(app: FastifyInstance, parts: ConsoleParts, answers: LoginAnswers): void {
  const { database, clock, wallClock, policy, publicUrl, log } = parts;
  const byAddress = new RateLimiter<string>(MAX_PER_MINUTE);
  const byAccount = new RateLimiter<string>(MAX_OF_ACCOUNT_PER_MINUTE);
  let underWay = 0;

  app.get(PATH, { exposeHeadRoute: true }, async (request, reply) =>
    answers.show(request, reply, recoveryRequest(languageOf(request)), consoleAddress('')),
  );

  /** Before the body of the form is read, by the address alone. */
  const refuseLimited = async (request: FastifyRequest, reply: FastifyReply) => {
    const { allowed, secondsToReset } = byAddress.take(addressBucket(request.ip));
    if (allowed) return undefined;
    const lang = languageOf(request);
    const fault = loginTexts(lang).tooMany(Math.max(1, Math.ceil(secondsToReset / 60)));
    reply.header('retry-after', String(secondsToReset));
    log.info({ address: request.ip }, 'recovery of a password refused: limit of the address');
    return answers.show(request, reply, recoveryRequest(lang, { fault, status: 429 }), consoleAddress(''));
  };

  app.post(PATH, { onRequest: refuseLimited }, async (request, reply) => {
    const email = readForm(request).field('email').slice(0, MAX_EMAIL);
    const isCounted = byAccount.take(`${addressBucket(request.ip)} ${emailKey(email)}`).allowed;
    log.info({ address: request.ip }, 'recovery of a password requested');
    // The answer is the same and goes out first: its time must not tell whether there is an account.
    const answered = answers.show(request, reply, recoverySent(languageOf(request)), consoleAddress(''));
    if (isCounted && underWay < MAX_UNDER_WAY) void send(email);
    return answered;
  });

  async function send(email: string): Promise<void> {
    underWay += 1;
    try {
      const moment = { now: wallClock.now(), registryTime: clock.now() };
      await requestRecovery(database.writes, { email, publicUrl: publicUrl(), policy, ...moment });
    } catch (error) {
      log.error({ err: error }, 'the mail for a new password could not be written');
    } finally {
      underWay -= 1;
    }
  }
}

function linkRoutes(
  app: FastifyInstance,
  { database, clock, wallClock, log }: ConsoleParts,
  setting: FrameSetting,
): void {
  /** Its address is a secret. */
  const showSecretly = (request: FastifyRequest, reply: FastifyReply, view: View) => {
    const lang = languageOf(request);
    const other = recoveryAddress(tokenOf(request), lang === 'en' ? 'et' : 'en');
    const page = framedLoggedOut(view, lang, setting, other);
    return sendConsolePage(reply.code(view.status ?? 200), page, { 'referrer-policy': 'no-referrer' });
  };
  const find = async (request: FastifyRequest): Promise<OpenRecovery | undefined> => {
    const token = tokenOf(request);
    return TOKEN.test(token) ? findRecovery(database.writes, token, wallClock.now()) : undefined;
  };

  app.get(`${PATH}/:token`, { exposeHeadRoute: true }, async (request, reply) => {
    const lang = languageOf(request);
    const recovery = await find(request);
    const address = recoveryAddress(tokenOf(request), lang);
    return showSecretly(
      request,
      reply,
      recovery ? recoveryForm(recovery, address, lang) : closedRecovery(lang),
    );
  });

  app.post(`${PATH}/:token`, async (request, reply) => {
    const lang = languageOf(request);
    const recovery = await find(request);
    if (!recovery) return showSecretly(request, reply, closedRecovery(lang));
    const { field } = readForm(request);
    const chosen = field('chosen');
    const texts = accountTexts(lang).password;
    const faults: PasswordFaults = {
      ...(!isAcceptablePassword(chosen) && { chosen: texts.unacceptable }),
      ...(field('repeated') !== chosen && { repeated: texts.different }),
    };
    if (Object.keys(faults).length > 0)
      return showSecretly(
        request,
        reply,
        recoveryForm(recovery, recoveryAddress(tokenOf(request), lang), lang, faults),
      );
    const passwordHash = await hashPassword(chosen);
    const moment = { now: wallClock.now(), registryTime: clock.now(), requestId: request.id };
    const isDone = await recoverPassword(database.writes, tokenOf(request), recovery, {
      passwordHash,
      ...moment,
    });
    if (!isDone) return showSecretly(request, reply, closedRecovery(lang));
    log.info({ address: request.ip }, 'password of a person recovered');
    return redirectTo(reply, consoleAddress('/login', { reason: 'passwordSet', lang }));
  });
}

const tokenOf = (request: FastifyRequest): string => readInput(request).params.token ?? '';
const recoveryAddress = (token: string, lang: string): string =>
  consoleAddress(`${PATH}/${encodeURIComponent(token)}`, { lang });
