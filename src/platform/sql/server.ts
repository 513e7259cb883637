import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Addresses } from './address.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { ConnectionFailed } from './errors.ts';
import { ServerList } from './server-list.ts';

const PROBE_INTERVAL_MS = 100;
/** A probe that hears nothing does not hold up the next one, and ends itself after a while. */
const NEXT_PROBE_MS = 250;
const PROBE_TIMEOUT_MS = 1_000;
/** How long a caller waits for a connection. Of a database that has been gone for longer it hears at once. */
const MAX_WAIT_MS = 1_500;
const MAX_WAIT_IN_OUTAGE_MS = 1_000;
const LOOK_INTERVAL_MS = 100;
/** Where statements wait and no answer at all has come for so long, it is asked whether there is a server still. */
const SILENCE_MS = 400;
const CHECK_TIMEOUT_MS = 1_000;
const LEAVE_INTERVAL_MS = 200;

type Outage = { readonly since: number; failure: unknown; readonly over: Promise<void> };
type Opening = Omit<ConnectionOptions, 'generation'>;
type Wait = { looksLeft: number; readonly giveUp: (failure: unknown) => void };
/** Somebody with callers in a queue. */
type Queue = { expireWaiting(): void };

export type ServerEvents = {
  readonly outageBegan?: (failure: unknown) => void;
  readonly outageEnded?: (seconds: number) => void;
};

/**
 * The database behind its address, or behind one of several. While it cannot be reached or does not answer, everything
 * fails at once and one probe at a time looks for it: a circuit breaker for all pools together.
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
  /** Nothing has begun to be away that was never there. */
  #wasReached = false;
  #generation = 0;
  #leftAt = Number.NEGATIVE_INFINITY;
  #lookedAt = performance.now();

  constructor(addresses: Addresses, events: ServerEvents = {}) {
    this.#servers = new ServerList(addresses);
    this.#events = events;
    this.#timer = setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
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
        // A caller that tries again at once must not keep the probe from being answered.
        await setImmediate();
        throw outage.failure;
      }
      await Promise.race([outage.over, sleep(left)]);
    }
  }

  get isAvailable(): boolean {
    return this.#outage === undefined;
  }

  /** Has the callers in a queue looked at now and then. */
  watch(queue: Queue): void {
    this.#queues.push(queue);
  }

  /**
   * The server behind a connection takes no writes any more: the connections to it are replaced when they are at rest.
   * Where the new ones are no better, each write that fails would replace all of them again, so it is not done at once.
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

  /** An attempt that hears nothing is left to itself when the time is over, or when the server proves to be away. */
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

  /** Waits in looks, not by a timer: what has come while this process was held up is read before the time is over. */
  async #within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    const wait = { looksLeft: Math.ceil(timeoutMs / LOOK_INTERVAL_MS), giveUp };
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

  #look(): void {
    const now = performance.now();
    const isLate = now - this.#lookedAt > 2 * LOOK_INTERVAL_MS;
    this.#lookedAt = now;
    if (this.#isClosed && this.#connections.size === 0) clearInterval(this.#timer);
    // This process was held up itself: answers that have come meanwhile are read first.
    if (isLate) return;
    for (const queue of this.#queues) queue.expireWaiting();
    for (const wait of this.#waits) if (--wait.looksLeft < 0) wait.giveUp(noAnswer());
    for (const connection of this.#connections) if (connection.isOverdue(now)) connection.destroy();
    if (!this.#isSilent(now)) return;
    if (this.#outage && !isAnswer(this.#outage.failure)) this.#destroyConnections();
    else if (!this.#isChecking) void this.#check();
  }

  #isSilent(now: number): boolean {
    let isAwaited = false;
    for (const { heardAt, waitingSince } of this.#connections) {
      if (heardAt > now - SILENCE_MS) return false;
      isAwaited ||= waitingSince !== undefined && waitingSince <= now - SILENCE_MS;
    }
    return isAwaited;
  }

  /** A statement may take its time; a server that answers nobody else meanwhile is away. */
  async #check(): Promise<void> {
    this.#isChecking = true;
    const began = performance.now();
    const opening = { settings: {}, pipeline: false };
    try {
      const connection = await this.#openWithin(opening, CHECK_TIMEOUT_MS);
      await this.#requireAnswer(connection, CHECK_TIMEOUT_MS);
    } catch (error) {
      const isHeard = [...this.#connections].some(({ heardAt }) => heardAt > began);
      if (isHeard || isAnswer(error)) return;
      this.#beginOutage(error, opening, began - SILENCE_MS);
      this.#destroyConnections();
    } finally {
      this.#isChecking = false;
    }
  }

  /** Whoever waits for an answer over one of them would wait in vain. */
  #destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** The server behind a connection carries out a statement; then the connection is closed. */
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

/** The server itself has refused something, and is therefore there. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ConnectionFailed && error.cause instanceof pg.DatabaseError;
