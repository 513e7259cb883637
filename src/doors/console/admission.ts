import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Principal } from '../../registry/actor.ts';
import { type FormOwner, findSessionOwner } from '../../registry/people/held-forms.ts';
import { hasPersonRight } from '../../registry/people/person.ts';
import { findSession, noteSeen, type PersonSession } from '../../registry/people/person-sessions.ts';
import { needsSecondFactor } from './account/second-factor-demand.ts';
import {
  type ConsolePage,
  type ConsoleParts,
  consoleAddress,
  isOpenTo,
  isRecentLogin,
  type Visit,
} from './console-page.ts';
import { tokenOf } from './cookie.ts';
import { costOfRequest } from './form-size.ts';
import type { ConsoleAnswers } from './console-answers.ts';
import { readInput } from './input.ts';
import { clientOf } from './login/login-answers.ts';
import { ownerMark } from './login/login-dialog.ts';
import { redirectTo, sendStatus } from './send-page.ts';

type Dependencies = ConsoleParts & {
  /** Of the requests of people, by their ids. */
  readonly requestLimiter: RequestLimiter<number>;
};
/** Whether the form of the request is held for somebody who has to log in. */
export type Hold = (owner: FormOwner, reason: 'ended' | 'stepUp') => boolean;
type Asked = Pick<ConsolePage, 'right' | 'alsoRight' | 'beforeSecondFactor' | 'needsRecentLogin'> & {
  /** Who must ask, by the mark of a page; left out for anybody. */
  readonly owner?: string | readonly string[];
};

/** Who may see a page or change something. */
export class Admission {
  readonly #parts: Dependencies;
  readonly #answers: ConsoleAnswers;

  constructor(parts: Dependencies, answers: ConsoleAnswers) {
    this.#parts = parts;
    this.#answers = answers;
  }

  /**
   * Undefined where somebody is not let in; the answer was sent then, unless the form is held until the login. `next` is
   * where a login leads that is too old.
   */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    next: () => string,
    hold: Hold = () => false,
  ): Promise<Visit | undefined> {
    const visit = await this.#visitOf(request, reply, asked, (owner) => hold(owner, 'ended'));
    if (!visit) return undefined;
    if (asked.owner !== undefined && asked.owner !== ownerMark(visit.session)) {
      sendStatus(reply, 409);
      return undefined;
    }
    if (!isOpenTo(asked, visit)) {
      this.#answers.sendProblem(request, reply, 'notAllowed', 403);
      return undefined;
    }
    if (asked.needsRecentLogin && !isRecentLogin(visit.session, this.#parts.wallClock.now())) {
      if (hold(visit.session, 'stepUp')) return undefined;
      redirectTo(reply, consoleAddress('/login', { reason: 'stepUp', next: next() }));
      return undefined;
    }
    return visit;
  }

  /** Undefined where nobody is logged in, or not by as much as is demanded. */
  async #visitOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { beforeSecondFactor = false }: Asked,
    hold: (owner: FormOwner) => boolean,
  ): Promise<Visit | undefined> {
    const { database, wallClock, clock, requestLimiter } = this.#parts;
    const now = wallClock.now();
    const token = tokenOf(request.headers.cookie);
    const session = token && (await findSession(database.reads, token, clientOf(request), now));
    if (!session) {
      const owner = token && (await this.#ownerBefore(request, token));
      if (owner && hold(owner)) return undefined;
      askForLogin(request, reply, token !== undefined);
      return undefined;
    }
    const { allowed, secondsToReset } = requestLimiter.take(session.personId, costOfRequest(request));
    if (!allowed) {
      reply.header('retry-after', String(secondsToReset));
      this.#answers.sendProblem(request, reply, 'tooMany', 429);
      return undefined;
    }
    if (!session.isAddressAllowed) {
      this.#answers.sendProblem(request, reply, 'otherAddress', 403);
      return undefined;
    }
    if (needsSecondFactor(this.#parts, session) && !beforeSecondFactor) {
      redirectTo(reply, consoleAddress('/account/code'));
      return undefined;
    }
    await noteSeen(database.writes, session, now);
    const visit: Visit = {
      session,
      principal: principalOf(session),
      lang: session.language,
      requestId: request.id,
      client: clientOf(request),
      now: clock.now(),
      may: (right) => hasPersonRight(session.roles, right),
    };
    this.#answers.visits.set(request, visit);
    request.registrarCode = session.registrarCode;
    return visit;
  }

  /** Of a form only: pages hold nothing. */
  async #ownerBefore({ method }: FastifyRequest, token: string): Promise<FormOwner | undefined> {
    const { database, wallClock } = this.#parts;
    return method === 'POST' ? findSessionOwner(database.reads, token, wallClock.now()) : undefined;
  }
}

function askForLogin(request: FastifyRequest, reply: FastifyReply, hasEnded: boolean): void {
  const next = request.method === 'POST' ? consoleAddress('') : request.url;
  const lang = readInput(request).query('lang');
  const query = { ...(hasEnded && { reason: 'ended' }), ...(lang !== '' && { lang }), next };
  redirectTo(reply, consoleAddress('/login', query));
}

/** Without roles of API users: what a person may do was checked by the page. */
const principalOf = (session: PersonSession): Principal => ({
  username: session.email,
  registrarId: session.registrarId,
  registrarCode: session.registrarCode,
  registrarName: session.registrarName,
  roles: [],
  interface: 'console',
});
