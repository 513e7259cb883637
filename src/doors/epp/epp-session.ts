import { randomUUID } from 'node:crypto';
import { type Refusal, type Refusals, Refused } from '../../operations/refusal.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { wallClock } from '../../platform/clock/clock.ts';
import { ByteBudget } from '../../platform/concurrency/byte-budget.ts';
import { Deadline } from '../../platform/concurrency/deadline.ts';
import { withDeadline } from '../../platform/work-scope.ts';
import type { Allowance, RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/database/database.ts';
import { continueTrace } from '../../platform/tracing/trace.ts';
import { withTrace } from '../../platform/work-scope.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Authenticator, CertificateMode } from '../../registry/access/authenticator.ts';
import type { CallCounts } from '../../registry/activity/call-counts.ts';
import { type ApiUser, hasRight } from '../../registry/actor.ts';
import type { Context } from '../../registry/operation.ts';
import type { SessionLease, SessionLeases } from '../../registry/sessions/session-leases.ts';
import { changeOwnPassword } from '../../registry/users/change-own-password.ts';
import { reportDatabaseFailure } from '../database-failure.ts';
import { costOf, costOfFrame } from './command-cost.ts';
import { qualifiedName } from './command-reader.ts';
import { HANDLERS } from './commands/handlers.ts';
import { poll } from './commands/poll.ts';
import { refusal, refuse } from './frame-refusals.ts';
import { greeting } from './greeting.ts';
import { readLogin } from './login.ts';
import { dialectOf, NAMESPACES } from './namespaces.ts';
import { type Command, isWrite, readObjectRequest, readRequest, UnreadableFrame } from './epp-request.ts';
import { refusedResponse, type Success, successResponse, type TransactionIds } from './response.ts';
import type { EppAnswer, EppPeer, EppSession } from './wire/session-handler.ts';
import type { XmlElement } from './xml/element.ts';
import { MAX_SLICE_BYTES, NotWellFormed, parseXml } from './xml/parse.ts';

/** Such as hello, a login with a typing error, and the login. */
const MAX_FRAMES_BEFORE_LOGIN = 3;
/** Of all sessions of a process: a frame takes a multiple of its size while it is parsed. */
const parsing = new ByteBudget<number>(32 * 1024 * 1024);

/** Beyond the rate limit; a session has one command at a time, so its client cannot repeat refused ones at full speed. */
const LIMITED_ANSWER_DELAY_MS = 300;
const MAX_LIMITED_ANSWER_DELAY_MS = 5_000;

type SessionDependencies = {
  readonly database: Database;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The base URL of links in mails. */
  readonly publicUrl: () => string;
  readonly authenticator: Pick<Authenticator, 'logIn'>;
  readonly certificates: CertificateMode;
  readonly leases: Pick<SessionLeases, 'open'>;
  readonly rateLimiter: RequestLimiter<number>;
  readonly calls: Pick<CallCounts, 'add'>;
  /** Why no command can be carried out now, such as maintenance. */
  readonly unavailable: () => Refusal | undefined;
  readonly answerTimeoutMs: number;
  readonly serverName: string;
};

type LoggedIn = {
  readonly principal: ApiUser;
  readonly lease: SessionLease;
  readonly services: ReadonlySet<string>;
};

/** What log and metrics say of a command. */
type Measured = { command: string; code: number; write: boolean };

/** The session of one connection: greeting, login, commands one after another, logout. */
export function openEppSession(dependencies: SessionDependencies, peer: EppPeer): EppSession {
  return new Session(dependencies, peer);
}

class Session implements EppSession {
  readonly #dependencies: SessionDependencies;
  readonly #peer: EppPeer;
  #user: LoggedIn | undefined;
  #isClosed = false;
  #framesBeforeLogin = 0;
  #deadline: Deadline | undefined;

  constructor(dependencies: SessionDependencies, peer: EppPeer) {
    this.#dependencies = dependencies;
    this.#peer = peer;
  }

  get registrar(): string | undefined {
    return this.#user?.principal.registrarCode;
  }

  greeting(envelope: string = NAMESPACES.envelope.ietf): string {
    return greeting(envelope, this.#dependencies.serverName, wallClock.now());
  }

  refuseFrame(): string {
    const ids = { client: undefined, server: randomUUID() };
    const { log, metrics } = this.#dependencies;
    const refused = refusal('tooMuchIsReceived');
    metrics.eppCommands.observe({ command: 'none', result: refused.code }, 0);
    log.warn({ reqId: ids.server, registrar: this.registrar }, 'a large frame was refused');
    return refusedResponse(NAMESPACES.envelope.ietf, [refused], ids, { reader: undefined });
  }

  close(): void {
    this.#isClosed = true;
    this.#deadline?.abandon();
    void this.#end();
  }

  async handle(frame: Buffer): Promise<EppAnswer> {
    const started = performance.now();
    const requestId = randomUUID();
    const measured: Measured = { command: 'none', code: 2001, write: false };
    // A logout ends with nobody logged in, and a login begins so.
    const user = this.#user;
    this.#deadline = Deadline.in(this.#dependencies.answerTimeoutMs);
    const answer = await withTrace(continueTrace(undefined, requestId), () =>
      withDeadline(this.#deadline, () => this.#answer(frame, requestId, measured)),
    );
    this.#report(requestId, measured, performance.now() - started);
    this.#count(this.#user ?? user, measured);
    return answer;
  }

  async #answer(frame: Buffer, server: string, measured: Measured): Promise<EppAnswer> {
    let envelope: string = NAMESPACES.envelope.ietf;
    let ids: TransactionIds = { client: undefined, server };
    let command: Command | undefined;
    try {
      if (!this.#user) this.#requireToBeAwaited();
      const request = readRequest(await this.#parse(frame));
      envelope = request.envelope;
      if (request.kind === 'hello') {
        Object.assign(measured, { command: 'hello', code: 1000 });
        return { xml: this.greeting(envelope) };
      }
      command = request;
      ids = { client: command.clientTransactionId, server };
      Object.assign(measured, { command: command.verb, write: isWrite(command) });
      const success = await this.#run(command, ids, measured, frame.length);
      measured.code = success.code;
      return {
        xml: successResponse(envelope, success, ids),
        ...(success.code === 1500 && { ends: true }),
      };
    } catch (error) {
      if (error instanceof UnreadableFrame) {
        envelope = error.envelope;
        ids = { client: error.clientTransactionId, server };
      }
      const refusals = this.#refusalsOf(error, server);
      const { code, ends } = endingCode(refusals[0], command?.verb);
      measured.code = code ?? refusals[0].code;
      if (refusals[0].name === 'tooManyRequests')
        await new Promise((resolve) => setTimeout(resolve, limitedDelayMs(frame)));
      return {
        xml: refusedResponse(envelope, refusals, ids, {
          reader: command?.reader,
          ...(code !== undefined && { code }),
        }),
        ...(ends && { ends }),
      };
    }
  }

  /** Before the bytes of a stranger are parsed. */
  #requireToBeAwaited(): void {
    this.#framesBeforeLogin += 1;
    if (this.#framesBeforeLogin > MAX_FRAMES_BEFORE_LOGIN) refuse('framesBeforeLogin');
    if (this.#dependencies.certificates === 'required' && this.#peer.fingerprint === undefined)
      refuse('certificateMissing');
  }

  /** What is parsed at once waits for nobody. Beyond the rate limit a large frame is refused unread, and large frames of a registrar are parsed one after the other. */
  async #parse(frame: Buffer): Promise<XmlElement> {
    if (frame.length <= MAX_SLICE_BYTES) return parseXml(frame);
    const { userId, registrarId } = this.#user?.principal ?? refuse('notLoggedIn');
    requireRate(this.#dependencies.rateLimiter.peek(userId));
    return parsing.run(registrarId, frame.length, () => parseXml(frame));
  }

  async #run(
    command: Command,
    ids: TransactionIds,
    measured: { command: string },
    frameBytes: number,
  ): Promise<Success> {
    const { unavailable, rateLimiter } = this.#dependencies;
    const refused = unavailable();
    if (command.verb === 'login') {
      if (refused) throw new Refused(refused);
      return this.#logIn(command, ids);
    }
    const user = this.#user ?? refuse('notLoggedIn');
    if (command.verb === 'logout') {
      await this.#end();
      return { code: 1500 };
    }
    user.lease.countCommand();
    if (refused) throw new Refused(refused);
    requireRate(rateLimiter.take(user.principal.userId, costOf(command, frameBytes)));
    const context = this.#contextOf(user.principal, ids);
    return command.verb === 'poll'
      ? this.#poll(command, user, context)
      : this.#runOnObject(command, user, context, measured);
  }

  async #runOnObject(
    command: Command,
    { services }: LoggedIn,
    context: Context,
    measured: { command: string },
  ): Promise<Success> {
    const { database, policy } = this.#dependencies;
    const request = readObjectRequest(command);
    measured.command = `${request.kind} ${request.verb}`;
    command.reader.kind = request.kind;
    const handler =
      HANDLERS[request.kind][request.verb] ??
      refuse('unimplementedCommand', { command: request.verb, object: request.kind });
    const extensions = new Map<string, XmlElement>();
    for (const each of command.extensions) {
      const name = qualifiedName(each);
      if (!handler.extensions.includes(name)) refuse('unimplementedExtension', { namespace: each.namespace });
      if (extensions.has(name)) command.reader.refuse('unexpectedElement', each);
      extensions.set(name, each);
    }
    return handler.handle({
      ...request,
      database,
      policy,
      context,
      reader: command.reader,
      extension: (name) => extensions.get(name),
      isExpected: (namespace) => request.dialect === 'ee' || services.has(namespace),
    });
  }

  #poll(command: Command, { services }: LoggedIn, context: Context): Promise<Success> {
    const { database, policy } = this.#dependencies;
    const namespace = pollNamespace(command.envelope, services);
    const dialect = dialectOf(namespace);
    const isExpected = (uri: string) => dialect === 'ee' || services.has(uri);
    return poll({ command, database, policy, context, namespace, dialect, isExpected });
  }

  async #logIn(command: Command, ids: TransactionIds): Promise<Success> {
    if (this.#user) refuse('loggedInAlready');
    command.reader.kind = 'login';
    const login = readLogin(command);
    const { authenticator, certificates, leases, database } = this.#dependencies;
    const { username, password, newPassword, services, userAgent } = login;
    const { address } = this.#peer;
    const user = await authenticator.logIn({ username, password }, this.#peer, certificates);
    const principal: ApiUser = { ...user, interface: 'epp' };
    if (!hasRight(principal, 'objects')) refuse('notAllowed');
    const lease = await leases.open(principal, {
      address,
      userAgent,
      fingerprint: this.#peer.fingerprint,
      end: (reason: string) => this.#peer.end(reason),
    });
    this.#user = { principal, lease, services };
    try {
      if (newPassword !== undefined)
        await changeOwnPassword(database, newPassword, { ...this.#contextOf(principal, ids), principal });
    } catch (error) {
      await this.#end();
      throw error;
    }
    // The connection may have been lost while the password was verified.
    if (this.#isClosed) await this.#end();
    return { code: 1000 };
  }

  async #end(): Promise<void> {
    const { lease } = this.#user ?? {};
    this.#user = undefined;
    await lease?.release();
  }

  #contextOf(principal: ApiUser, { client, server }: TransactionIds): Context {
    const { clock, policy, publicUrl } = this.#dependencies;
    return {
      principal,
      now: clock.now(),
      requestId: server,
      policy,
      publicUrl: publicUrl(),
      requestKey: undefined,
      dryRun: false,
      ...(client !== undefined && { clientTransactionId: client }),
    };
  }

  #refusalsOf(error: unknown, requestId: string): Refusals {
    const { log, metrics } = this.#dependencies;
    if (error instanceof Refused) return error.refusals;
    if (error instanceof NotWellFormed) {
      log.info({ reqId: requestId, reason: error.message }, 'malformed frame');
      return [refusal('malformedFrame')];
    }
    const failure = reportDatabaseFailure(error, requestId, { log, metrics });
    if (failure) return [refusal(failure === 'unavailable' ? 'databaseAway' : 'overload')];
    log.error({ err: error, reqId: requestId }, 'unexpected error');
    return [refusal('fault', { requestId })];
  }

  #count(user: LoggedIn | undefined, { command: call, code: result }: Measured): void {
    if (user) this.#dependencies.calls.add({ userId: user.principal.userId, interface: 'epp', call, result });
  }

  #report(reqId: string, { command, code, write }: Measured, ms: number): void {
    const { log, metrics } = this.#dependencies;
    const { username: user, registrarCode: registrar } = this.#user?.principal ?? {};
    metrics.eppCommands.observe({ command, result: code }, ms / 1000);
    log.info(
      {
        reqId,
        address: this.#peer.address,
        command,
        write,
        code,
        ms: Math.round(ms * 100) / 100,
        user,
        registrar,
      },
      'EPP command',
    );
  }
}

/** A large frame has taken time already, to be received and decrypted. */
const limitedDelayMs = ({ length }: Buffer): number =>
  Math.min(LIMITED_ANSWER_DELAY_MS * (1 + costOfFrame(length)), MAX_LIMITED_ANSWER_DELAY_MS);

function requireRate({ allowed, secondsToReset }: Allowance): void {
  if (!allowed) refuse('tooManyRequests', { seconds: secondsToReset });
}

/** Poll has no object: the client's services tell which domains it knows, of two dialects the one of the envelope. */
function pollNamespace(envelope: string, services: ReadonlySet<string>): string {
  const known = Object.values(NAMESPACES.domain).filter((uri) => services.has(uri));
  const dialect = dialectOf(envelope);
  return known.find((uri) => dialectOf(uri) === dialect) ?? known[0] ?? NAMESPACES.domain[dialect];
}

/** A failed login ends the connection: wrong credentials with 2501, no place for another session with 2502. */
function endingCode(
  { code, kind, name }: Refusal,
  verb: Command['verb'] | undefined,
): { readonly code?: number; readonly ends?: true } {
  if (code === 2501) return { ends: true };
  if (verb !== 'login') return {};
  if (kind === 'unauthenticated' || name === 'notAllowed') return { code: 2501, ends: true };
  return code === 2502 ? { ends: true } : {};
}
