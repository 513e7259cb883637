import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Addresses } from './address.ts';
import type { Connection, ConnectionOptions } from './database-connection.ts';
import { ConnectionFailed } from './database-errors.ts';
import { ServerList } from './server-list.ts';

const PROBE_INTERVAL_MS = 100;
/** An unanswered probe does not delay the next one, and times out by itself. */
const NEXT_PROBE_MS = 250;
/** Soon, because one of several servers may be silent, but for one probe in some, which a slow server can answer. */
const PROBE_TIMEOUT_MS = 1_000;
const PATIENT_PROBE_TIMEOUT_MS = 10_000;
const PATIENT_PROBE_EVERY = 8;
/** How long a caller waits for a connection that a slow server opens. In an outage it fails at once. */
const MAX_WAIT_MS = 15_000;
const MAX_WAIT_IN_OUTAGE_MS = 1_000;
const CHECK_INTERVAL_MS = 100;
/** If answers are pending and nothing at all has arrived for this long, the server is probed. */
const SILENCE_TIMEOUT_MS = 400;
/** With the time above it makes three seconds: a server that says nothing for as long is away, not slow. */
const CHECK_TIMEOUT_MS = 2_600;
const LEAVE_INTERVAL_MS = 200;

type Outage = { readonly since: number; failure: unknown; readonly over: Promise<void> };
type Opening = Omit<ConnectionOptions, 'generation'>;
type Tracked = { bytesReceived: number; readonly isProbe: boolean };
type Wait = { checksLeft: number; readonly isProbe: boolean; readonly giveUp: (failure: unknown) => void };
/** A queue of callers with deadlines. */
type Queue = { expireWaiting(): void };

export type ServerEvents = {
  readonly outageBegan?: (failure: unknown) => void;
  readonly outageEnded?: (seconds: number) => void;
};

/**
 * The database behind one or several addresses. While it is unreachable, everything fails at once and one probe at a
 * time tries to connect: a circuit breaker shared by all pools.
 */
export class Server {
  readonly #servers: ServerList;
  readonly #events: ServerEvents;
  readonly #isPooled: boolean;
  /** Those that are being opened included. */
  readonly #connections = new Map<Connection, Tracked>();
  readonly #queues: Queue[] = [];
  readonly #waits = new Set<Wait>();
  readonly #timer: NodeJS.Timeout;
  #outage: Outage | undefined;
  #isChecking = false;
  #isClosed = false;
  /** A database that was never reached reports no outage. */
  #wasReached = false;
  #generation = 0;
  #leftAt = Number.NEGATIVE_INFINITY;
  #checkedAt = performance.now();
  /** The checks in a row at which answers were pending and nothing had arrived. */
  #silentChecks = 0;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(addresses: Addresses, events: ServerEvents = {}) {
    this.#servers = new ServerList(addresses);
    this.#isPooled = addresses.isPooled;
    this.#events = events;
    this.#timer = setInterval(() => this.#checkAll(), CHECK_INTERVAL_MS).unref();
  }

  async connect(opening: Opening): Promise<Connection> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const outage = this.#outage;
      if (outage === undefined) {
        const began = performance.now();
        try {
          return await this.#openWithin(opening, deadline - began);
        } catch (error) {
          // A server that answers others is slow: whether it is silent is for the check to find.
          if (error instanceof NoAnswer && this.#outage === undefined) throw error;
          this.#beginOutage(error, opening, began);
          continue;
        }
      }
      const left = Math.min(deadline, outage.since + MAX_WAIT_IN_OUTAGE_MS) - performance.now();
      if (left <= 0 || this.#isClosed) {
        // A caller that retries at once must not starve the probe of event loop turns.
        await setImmediate();
        throw outage.failure;
      }
      await Promise.race([outage.over, sleep(left)]);
    }
  }

  get isAvailable(): boolean {
    return this.#outage === undefined;
  }

  /** Checks the deadlines of the queue at each interval. */
  watch(queue: Queue): void {
    this.#queues.push(queue);
  }

  /**
   * The server of a connection has become read-only: its connections are replaced when idle. Rate-limited, because if
   * the new ones are read-only too, each failed write would replace all of them again.
   */
  leave({ generation }: Connection): void {
    const now = performance.now();
    if (generation !== this.#generation || now < this.#leftAt + LEAVE_INTERVAL_MS) return;
    this.#generation += 1;
    this.#leftAt = now;
  }

  isOutdated(connection: Connection): boolean {
    return connection.isOld || connection.generation !== this.#generation;
  }

  /** To be called before its pools are closed. */
  close(): void {
    this.#isClosed = true;
    for (const { isProbe, giveUp } of this.#waits) if (!isProbe) giveUp(new NoAnswer());
    for (const [connection, { isProbe }] of this.#connections)
      if (this.#outage || !(connection.isOpen || isProbe)) connection.destroy();
  }

  async #open(opening: Opening, isProbe: boolean): Promise<Connection> {
    const connection = await this.#servers.open({
      ...opening,
      generation: this.#generation,
      begun: (attempt) => this.#track(attempt, isProbe),
    });
    this.#wasReached = true;
    return connection;
  }

  /** An attempt without an answer is abandoned at the timeout, or when an outage begins. */
  async #openWithin(opening: Opening, timeoutMs: number, isProbe = false): Promise<Connection> {
    const opened = this.#open(opening, isProbe);
    try {
      return await this.#within(timeoutMs, opened, isProbe);
    } catch (error) {
      opened.then(
        (late) => late.close(),
        () => {},
      );
      throw error;
    }
  }

  /**
   * Counts intervals instead of using a timer: answers that arrived while this process was blocked are read before the
   * timeout.
   */
  async #within<T>(timeoutMs: number, work: Promise<T>, isProbe: boolean): Promise<T> {
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    const wait = { checksLeft: Math.ceil(timeoutMs / CHECK_INTERVAL_MS), isProbe, giveUp };
    this.#waits.add(wait);
    try {
      return await Promise.race([work, givenUp]);
    } finally {
      this.#waits.delete(wait);
    }
  }

  #track(connection: Connection, isProbe: boolean): void {
    // Statements that still run are checked to the end.
    if (this.#isClosed && (this.#outage || !isProbe)) throw new NoAnswer();
    this.#connections.set(connection, { bytesReceived: 0, isProbe });
    connection.whenEnded(() => this.#connections.delete(connection));
  }

  #checkAll(): void {
    const now = performance.now();
    const isLate = now - this.#checkedAt > 2 * CHECK_INTERVAL_MS;
    this.#checkedAt = now;
    if (this.#isClosed && this.#connections.size === 0) clearInterval(this.#timer);
    // This process was blocked itself: answers that arrived meanwhile are read first.
    if (isLate) return;
    for (const queue of this.#queues) queue.expireWaiting();
    for (const wait of this.#waits) if (--wait.checksLeft < 0) wait.giveUp(new NoAnswer());
    for (const connection of this.#connections.keys()) if (connection.isOverdue(now)) connection.destroy();
    this.#listen(now);
    if (this.#silentChecks * CHECK_INTERVAL_MS < SILENCE_TIMEOUT_MS) return;
    if (this.#outage && !isAnswer(this.#outage.failure)) this.#destroyConnections();
    else if (!this.#isChecking) void this.#check();
  }

  /** Whatever arrives counts. A pooler greets by itself, so that a new connection to it says nothing of the server. */
  #listen(now: number): void {
    let isAwaited = false;
    for (const [connection, tracked] of this.#connections) {
      const { bytesReceived, isOpen, isAwaiting } = connection;
      if (bytesReceived !== tracked.bytesReceived && (isOpen || !this.#isPooled)) this.#heardAt = now;
      tracked.bytesReceived = bytesReceived;
      isAwaited ||= isAwaiting && !tracked.isProbe;
    }
    this.#silentChecks = isAwaited && this.#heardAt !== now ? this.#silentChecks + 1 : 0;
  }

  /** A statement may take long, and a busy server too; one that meanwhile answers nothing at all is unreachable. */
  async #check(): Promise<void> {
    this.#isChecking = true;
    const began = performance.now();
    const opening = { settings: {}, pipeline: false };
    try {
      const connection = await this.#openWithin(opening, CHECK_TIMEOUT_MS, true);
      await this.#requireAnswer(connection, CHECK_TIMEOUT_MS);
      this.#silentChecks = 0;
    } catch (error) {
      if (this.#heardAt > began || isAnswer(error)) return;
      this.#beginOutage(error, opening, began - SILENCE_TIMEOUT_MS);
      this.#destroyConnections();
    } finally {
      this.#isChecking = false;
    }
  }

  /** Pending answers on them would never arrive. */
  #destroyConnections(): void {
    for (const [connection, { isProbe }] of this.#connections)
      if (connection.isOpen && !isProbe) connection.destroy();
  }

  /** Verifies that the server executes a statement, then closes the connection. */
  async #requireAnswer(connection: Connection, timeoutMs: number): Promise<void> {
    const answer = connection.sendText('select 1');
    try {
      await this.#within(timeoutMs, answer, true);
      void connection.close();
    } catch (error) {
      answer.catch(() => {});
      connection.destroy();
      throw error;
    }
  }

  #beginOutage(failure: unknown, opening: Opening, since: number): void {
    if (this.#outage) return;
    const outage = { since, failure, over: Promise.resolve() };
    this.#outage = outage;
    const events = this.#wasReached ? this.#events : {};
    events.outageBegan?.(failure);
    for (const { giveUp } of this.#waits) giveUp(failure);
    outage.over = this.#probe(outage, opening).then(() => {
      this.#outage = undefined;
      this.#silentChecks = 0;
      // Those that are still unanswered are of no use any more.
      for (const [connection, { isProbe }] of this.#connections) if (isProbe) connection.destroy();
      if (!this.#isClosed) events.outageEnded?.((performance.now() - since) / 1000);
    });
  }

  async #probe(outage: Outage, opening: Opening): Promise<void> {
    let isFound = false;
    const attempt = async (timeoutMs: number) => {
      try {
        const probing = { ...opening, pipeline: false, connectTimeoutMs: timeoutMs };
        const connection = await this.#open(probing, true);
        await this.#requireAnswer(connection, timeoutMs);
        isFound = true;
      } catch (error) {
        outage.failure = error;
      }
    };
    for (let number = 0; !isFound && !this.#isClosed; number++) {
      const interval = sleep(PROBE_INTERVAL_MS, undefined, { ref: false });
      const isPatient = number % PATIENT_PROBE_EVERY === 0;
      const timeoutMs = isPatient ? PATIENT_PROBE_TIMEOUT_MS : PROBE_TIMEOUT_MS;
      await Promise.race([attempt(timeoutMs), sleep(NEXT_PROBE_MS, undefined, { ref: false })]);
      if (!isFound) await interval;
    }
  }
}

class NoAnswer extends ConnectionFailed {
  constructor() {
    super(new Error('the server does not answer'));
  }
}

/** A refusal by the server itself proves that it is reachable. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ConnectionFailed && error.cause instanceof pg.DatabaseError;
