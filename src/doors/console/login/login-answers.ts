import type { FastifyReply, FastifyRequest } from 'fastify';
import { normaliseAddress } from '../../../platform/values/ip-addresses.ts';
import {
  beginSession,
  endSession,
  type Factor,
  findSession,
  type PersonSession,
  type SessionClient,
} from '../../../registry/people/person-sessions.ts';
import { type FormOwner, findSessionOwner } from '../../../registry/people/held-forms.ts';
import { languageOf } from '../../html/language.ts';
import { redirectTo, sendConsolePage } from '../send-page.ts';
import { sessionCookie, tokenOf } from '../cookie.ts';
import { type FrameSetting, framedLoggedOut } from '../frame.ts';
import { type ConsoleParts, consoleAddress, type View } from '../console-page.ts';
import { loginPage } from './login-page.ts';
import { loginTexts } from './login-texts.ts';
import { refusedLogin } from './refused-login.ts';

/** What a person has proved, and where it goes then. */
export type Proved = { readonly personId: number; readonly factor: Factor; readonly next: string };

/** What all ways of logging in answer. */
export class LoginAnswers {
  readonly #parts: ConsoleParts;
  readonly #setting: FrameSetting;

  constructor(parts: ConsoleParts, setting: FrameSetting) {
    this.#parts = parts;
    this.#setting = setting;
  }

  /** A page for somebody who is not logged in, in the language of the request. */
  show(request: FastifyRequest, reply: FastifyReply, view: View, next: string): FastifyReply {
    const lang = languageOf(request);
    const link = consoleAddress('/login', { lang: lang === 'en' ? 'et' : 'en', next });
    const page = framedLoggedOut(view, lang, this.#setting, link);
    return sendConsolePage(reply.code(view.status ?? 200), page);
  }

  /** Refuses an address that has used up its failed logins, before the body of its form is read. */
  readonly refuseLimitedAddress = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const { logins, identity, log } = this.#parts;
    try {
      logins.limits.requireFreeAddress(request.ip);
      return undefined;
    } catch (error) {
      const lang = languageOf(request);
      const fault = refusedLogin(error, lang, loginTexts(lang).wrong);
      log.info({ address: request.ip, reason: 'limit of the address' }, 'login of a person rejected');
      const next = consoleAddress('');
      return this.show(request, reply, loginPage({ identity, next, lang, fault }), next);
    }
  };

  /** Begins a session, for the same registrar as before where the same person logs in once more. */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { personId, factor, next }: Proved,
  ): Promise<FastifyReply> {
    const { database, wallClock, identity } = this.#parts;
    const lang = languageOf(request);
    const previous = await this.previous(request);
    const before = previous ?? (await this.#ownerBefore(request));
    const registrarId = before?.personId === personId ? before.registrarId : undefined;
    const client = { ...clientOf(request), requestId: request.id };
    const begun = { personId, registrarId, factor, ...client };
    const token = await beginSession(database.writes, begun, wallClock.now());
    if (token === undefined) {
      const fault = { text: loginTexts(lang).nowhere, status: 403 };
      return this.show(request, reply, loginPage({ identity, next, lang, fault }), next);
    }
    // A token that was there before a login is worth nothing afterwards.
    if (previous) await endSession(database.writes, previous, wallClock.now());
    return redirectTo(reply.header('set-cookie', sessionCookie(token)), next);
  }

  /** Whose session the browser had, where it has ended. */
  async #ownerBefore({ headers }: FastifyRequest): Promise<FormOwner | undefined> {
    const { database, wallClock } = this.#parts;
    const token = tokenOf(headers.cookie);
    return token === undefined ? undefined : findSessionOwner(database.reads, token, wallClock.now());
  }

  /** The session of a browser before it logs in, or out. */
  async previous(request: FastifyRequest): Promise<PersonSession | undefined> {
    const { database, wallClock } = this.#parts;
    const token = tokenOf(request.headers.cookie);
    return token === undefined
      ? undefined
      : findSession(database.reads, token, clientOf(request), wallClock.now());
  }
}

export const clientOf = (request: FastifyRequest): SessionClient => ({
  address: normaliseAddress(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
});
