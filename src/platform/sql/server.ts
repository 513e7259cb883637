import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Addresses } from './address.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { ConnectionFailed } from './errors.ts';
import { ServerList } from './server-list.ts';

const PROBE_INTERVAL_MS = 100;
/** An unanswered probe does not delay the next one, and times out by itself. */
const NEXT_PROBE_MS = 250;
const PROBE_TIMEOUT_MS = 1_000;
/** How long a caller waits for a connection. In an outage that has lasted longer it fails at once. */
const MAX_WAIT_MS = 1_500;
const MAX_WAIT_IN_OUTAGE_MS = 1_000;
const CHECK_INTERVAL_MS = 100;
/** If statements are pending and no answer at all has arrived for this long, the server is probed. */
const SILENCE_TIMEOUT_MS = 400;
const CHECK_TIMEOUT_MS = 1_000;
const LEAVE_INTERVAL_MS = 200;

type Outage = { readonly since: number; failure: unknown; readonly over: Promise<void> };
type Opening = Omit<ConnectionOptions, 'generation'>;
type Wait = { checksLeft: number; readonly giveUp: (failure: unknown) => void };
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
  readonly #connections = new Set<Connection>();
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

  constructor(addresses: Addresses, events: ServerEvents = {}) {
    this.#servers = new ServerList(addresses);
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
    if (this.#outage) this.#destroyConnections();
  }

  async #open(opening: Opening): Promise<Connection> {
    const connection = await this.#servers.open({ ...opening, generation: this.#generation });
    this.#wasReached = true;
    return this.#track(connection);
  }

  /** An attempt without an answer is abandoned at the timeout, or when an outage begins. */
  async #openWithin(opening: Opening, timeoutMs: number): Promise<Connection> {
    const opened = this.#open(opening);
    try {
      return await this.#within(timeoutMs, opened);
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
  async #within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    const wait = { checksLeft: Math.ceil(timeoutMs / CHECK_INTERVAL_MS), giveUp };
    this.#waits.add(wait);
    try {
      return await Promise.race([work, givenUp]);
    } finally {
      this.#waits.delete(wait);
    }
  }

  #track(connection: Connection): Connection {
    this.#connections.add(connection);
    connection.whenEnded(() => this.#connections.delete(connection));
    return connection;
  }

  #checkAll(): void {
    const now = performance.now();
    const isLate = now - this.#checkedAt > 2 * CHECK_INTERVAL_MS;
    this.#checkedAt = now;
    if (this.#isClosed && this.#connections.size === 0) clearInterval(this.#timer);
    // This process was blocked itself: answers that arrived meanwhile are read first.
    if (isLate) return;
    for (const queue of this.#queues) queue.expireWaiting();
    for (const wait of this.#waits) if (--wait.checksLeft < 0) wait.giveUp(noAnswer());
    for (const connection of this.#connections) if (connection.isOverdue(now)) connection.destroy();
    if (!this.#isSilent(now)) return;
    if (this.#outage && !isAnswer(this.#outage.failure)) this.#destroyConnections();
    else if (!this.#isChecking) void this.#check();
  }

  #isSilent(now: number): boolean {
    let isAwaited = false;
    for (const { lastReceivedAt, waitingSince } of this.#connections) {
      if (lastReceivedAt > now - SILENCE_TIMEOUT_MS) return false;
      isAwaited ||= waitingSince !== undefined && waitingSince <= now - SILENCE_TIMEOUT_MS;
    }
    return isAwaited;
  }

  /** A statement may take long; a server that meanwhile answers nothing else is unreachable. */
  async #check(): Promise<void> {
    this.#isChecking = true;
    const began = performance.now();
    const opening = { settings: {}, pipeline: false };
    try {
      const connection = await this.#openWithin(opening, CHECK_TIMEOUT_MS);
      await this.#requireAnswer(connection, CHECK_TIMEOUT_MS);
    } catch (error) {
      const hasAnswered = [...this.#connections].some(({ lastReceivedAt }) => lastReceivedAt > began);
      if (hasAnswered || isAnswer(error)) return;
      this.#beginOutage(error, opening, began - SILENCE_TIMEOUT_MS);
      this.#destroyConnections();
    } finally {
      this.#isChecking = false;
    }
  }

  /** Pending answers on them would never arrive. */
  #destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Verifies that the server executes a statement, then closes the connection. */
  async #requireAnswer(connection: Connection, timeoutMs: number): Promise<void> {
    const answer = connection.sendText('select 1');
    try {
      await this.#within(timeoutMs, answer);
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
      if (!this.#isClosed) events.outageEnded?.((performance.now() - since) / 1000);
    });
  }

  async #probe(outage: Outage, opening: Opening): Promise<void> {
    let isFound = false;
    const attempt = async () => {
      try {
        const connection = await this.#open({
          ...opening,
          pipeline: false,
          connectTimeoutMs: PROBE_TIMEOUT_MS,
        });
        await this.#requireAnswer(connection, PROBE_TIMEOUT_MS);
        isFound = true;
      } catch (error) {
        outage.failure = error;
      }
    };
    while (!isFound && !this.#isClosed) {
      const interval = sleep(PROBE_INTERVAL_MS, undefined, { ref: false });
      await Promise.race([attempt(), sleep(NEXT_PROBE_MS, undefined, { ref: false })]);
      if (!isFound) await interval;
    }
  }
}

const noAnswer = (): Error => new ConnectionFailed(new Error('the server does not answer'));

/** A refusal by the server itself proves that it is reachable. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ConnectionFailed && error.cause instanceof pg.DatabaseError;
