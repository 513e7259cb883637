import type { Socket } from 'node:net';
import pg from 'pg';
import type { Address } from './address.ts';
import { CopyIn, CopyOut } from './copy-protocol.ts';
import { DeadlineQuery, type Limits, limitsText, PREPARED_CHECK } from './deadline-query.ts';
import { ConnectionFailed, ConnectionLost, DEADLINE_PASSED } from './database-errors.ts';
import type { Statement } from '../sql/statement.ts';
import { type Answer, type Answered, type Sending, type Shape, StatementQuery } from './statement-query.ts';
import { parsers } from '../sql/values.ts';

export type { Answer } from './statement-query.ts';

/** Settings of a session, sent in the startup message. */
export type Settings = Readonly<Record<string, string | number>>;

/** Called for each statement with its text, without values, and its times on the monotonic clock. */
export type StatementListener = (text: string, startedAt: number, endedAt: number, failure?: unknown) => void;

export type ConnectionOptions = {
  readonly settings: Settings;
  readonly pipeline: boolean;
  /** Whether it keeps its statements for itself, so that each is described once; see statement-query.ts. */
  readonly keepsStatements?: boolean;
  /** How long a statement may be unanswered before the connection is destroyed; unlimited if undefined. */
  readonly answerTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number;
  /** Called before anything is sent, so that it is known whether the server answers meanwhile. */
  readonly begun?: (connection: Connection) => void;
  readonly statementEnded?: StatementListener | undefined;
  /** Whether the server rolls back statements that end too late; see deadline-query.ts. */
  readonly checksDeadlines?: boolean;
  /** Counts the changes of server, see Server.leave. */
  readonly generation?: number;
};

/** Of one attempt; callers give up earlier, see Server.connect. */
const CONNECT_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 1_000;
const CLOSE_BUSY_TIMEOUT_MS = 5_000;
/** The server refuses a statement that it has not begun by then. */
const BEGIN_TIMEOUT_MS = 2_000;
const NO_ROWS: Answer<object> = { rows: [], count: 0, command: 'COPY' };
const CLOCK = `select (extract(epoch from pg_catalog.clock_timestamp()) * 1000)::float8 as ms`;
const CLOCK_ATTEMPTS = 3;
const CLOCK_PRECISION_MS = 100;
/** Prepared statements and caches of a backend grow; replacing it now and then frees their memory. */
const MAX_AGE_MS = 45 * 60_000;

/** One connection and its state. Nothing is sent once it is known to be lost. */
export class Connection {
  readonly #client: pg.Client;
  readonly #openedAt = performance.now();
  readonly #answerTimeoutMs: number;
  readonly #statementEnded: StatementListener | undefined;
  readonly #described: Map<string, Shape> | undefined;
  readonly #isPipelined: boolean;
  #isGathering = false;
  readonly checksDeadlines: boolean;
  readonly generation: number;
  #loss: { readonly cause: unknown } | undefined;
  #isOpen = false;
  #inFlight = 0;
  #waitingSince = 0;
  /** The offset of the server's clock from the monotonic clock of this process, in milliseconds. */
  #clockAhead: number | undefined;
  /** Additional time for the statements of one transaction. */
  extraTimeMs = 0;
  /** Ended because of a change of the schema, with whatever else was sent on it. */
  hadStalePlan = false;
  readonly #whenEnded: (() => void)[] = [];

  private constructor(
    client: pg.Client,
    {
      answerTimeoutMs = Number.POSITIVE_INFINITY,
      generation = 0,
      checksDeadlines = false,
      keepsStatements = false,
      pipeline,
      statementEnded,
    }: ConnectionOptions,
  ) {
    this.#client = client;
    this.#described = keepsStatements ? new Map() : undefined;
    this.#isPipelined = pipeline;
    this.checksDeadlines = checksDeadlines;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.generation = generation;
    this.#statementEnded = statementEnded;
    // Without a listener the loss of an idle connection would crash the process.
    client.on('error', (error) => this.#end(error));
    client.on('end', () => this.#end(new Error('the connection was closed')));
  }

  static async open(address: Address, options: ConnectionOptions): Promise<Connection> {
    const client = new pg.Client({
      ...address,
      pipeline: options.pipeline,
      application_name: 'cadastre',
      options: optionsOf(options.settings),
      connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types: parsers,
    });
    const connection = new Connection(client, options);
    options.begun?.(connection);
    try {
      await client.connect();
      if (options.checksDeadlines) await connection.#prepareDeadlines();
    } catch (error) {
      connection.destroy();
      throw new ConnectionFailed(error);
    }
    connection.#isOpen = true;
    return connection;
  }

  get isUsable(): boolean {
    return this.#loss === undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isOld(): boolean {
    return performance.now() - this.#openedAt > MAX_AGE_MS;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether an answer is pending, to a statement or to the attempt to connect. */
  get isAwaiting(): boolean {
    return !this.#isOpen || this.#inFlight > 0;
  }

  /** What has arrived from the server, also of an answer that is not complete. */
  get bytesReceived(): number {
    return this.#stream.bytesRead;
  }

  /** Whether what is sent now is written together with what was sent before. */
  get isGathering(): boolean {
    return this.#isGathering;
  }

  /** Outside of any transaction, failed ones included. */
  get isIdle(): boolean {
    return this.isUsable && this.#client.getTransactionStatus() === 'I';
  }

  /** The server limits each statement itself; true if it did not, or is unreachable. */
  isOverdue(now: number): boolean {
    return this.#inFlight > 0 && now > this.#waitingSince + this.#answerTimeoutMs + this.extraTimeMs;
  }

  /** Runs a prepared statement, or one planned for these values. */
  send<Row extends object>(statement: Statement<Row>, isPrepared: boolean): Promise<Answer<Row>> {
    const sending = this.#sending(isPrepared);
    return this.#submit<Row>(statement.text, (answered) => {
      if (this.#isPipelined) this.#gather();
      this.#client.query(new StatementQuery(statement, sending, answered));
    });
  }

  /** The same, but rolled back if it ends after `endBy`. */
  sendInTime<Row extends object>(
    statement: Statement<Row>,
    isPrepared: boolean,
    endBy: number,
  ): Promise<Answer<Row>> {
    const [sending, limits] = [this.#sending(isPrepared), this.#limits(endBy)];
    return this.#submit<Row>(statement.text, (answered) => {
      this.#client.query(new DeadlineQuery(statement, sending, limits, answered));
    });
  }

  /** Commits, unless the server reaches it after `endBy`. */
  commitInTime(endBy: number): Promise<Answer<object>> {
    return this.sendText(`${limitsText(this.#limits(endBy))}; commit`);
  }

  /** Runs one or several statements without values; returns the answer to the last. */
  sendText(text: string): Promise<Answer<object>> {
    return this.#query({ text });
  }

  /** The result of COPY … TO STDOUT, which fails where the statement does. */
  async *copyOut(text: string): AsyncGenerator<Buffer> {
    let copy: CopyOut | undefined;
    const answered = this.#submit<object>(text, (end) => {
      copy = new CopyOut(text, (error) => end(error, error ? undefined : NO_ROWS));
      this.#client.query(copy);
    });
    answered.catch(() => {});
    let isRead = false;
    try {
      if (copy) yield* copy.blocks();
      isRead = true;
    } finally {
      // The rest of the answer of a reader that stopped early would block the connection.
      if (!isRead) this.destroy();
    }
    await answered;
  }

  /** Runs COPY … FROM STDIN with these bytes. */
  async copyIn(text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#submit<object>(text, (end) => {
      this.#client.query(new CopyIn(text, source, (error) => end(error, error ? undefined : NO_ROWS)));
    });
  }

  /** Calls the listener once when the connection is lost or closed; at once if it already is. */
  whenEnded(listener: () => void): void {
    if (this.isUsable) this.#whenEnded.push(listener);
    else listener();
  }

  /** Lets pending statements be answered, and aborts them after a timeout. */
  async close(): Promise<void> {
    if (!this.isUsable) return;
    const timeoutMs = this.#inFlight === 0 ? CLOSE_TIMEOUT_MS : CLOSE_BUSY_TIMEOUT_MS;
    this.#end(new Error('the connection was closed'));
    const cutOff = setTimeout(() => this.destroy(), timeoutMs);
    await this.#client.end().catch(() => {});
    clearTimeout(cutOff);
  }

  destroy(): void {
    this.#end(new Error('the connection was closed'));
    // The driver's own end would wait for an answer that may never arrive.
    this.#stream.destroy();
  }

  /** The driver replaces it where the connection is secured. */
  get #stream(): Socket {
    return (this.#client as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #sending(isPrepared: boolean): Sending {
    return { isPrepared, described: this.#described };
  }

  /** What is sent in a turn of the event loop is written at its end, by one call of the system. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const stream = this.#stream;
    stream.cork();
    setImmediate(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** The limits in the server's time. */
  #limits(endBy: number): Limits {
    const now = performance.now();
    const ahead = this.#clockAhead;
    if (ahead === undefined) throw new Error('the clock of the server was not measured');
    const serverTime = (at: number) => new Date(at + ahead).toISOString();
    const latest = now + Math.min(this.#answerTimeoutMs + this.extraTimeMs, MAX_AGE_MS);
    return { beginBy: serverTime(now + BEGIN_TIMEOUT_MS), endBy: serverTime(Math.min(endBy, latest)) };
  }

  async #prepareDeadlines(): Promise<void> {
    await this.#query({ ...PREPARED_CHECK, values: ['infinity', 'infinity'] });
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < CLOCK_ATTEMPTS && best > CLOCK_PRECISION_MS; attempt++) {
      const sentAt = performance.now();
      const { rows } = await this.#query<{ ms: number }>({ text: CLOCK });
      const receivedAt = performance.now();
      if (receivedAt - sentAt >= best || rows[0] === undefined) continue;
      best = receivedAt - sentAt;
      // A lower bound of the offset, since the server read its clock before we received it: what passes the check is in
      // time.
      this.#clockAhead = rows[0].ms - receivedAt;
    }
  }

  /** For results that the driver reads itself: several statements have several results. */
  #query<Row extends object>(query: pg.QueryConfig): Promise<Answer<Row>> {
    return this.#submit<Row>(query.text, (answered) => {
      this.#client.query<Row>(query, (error, results) => {
        const result = Array.isArray(results) ? results[results.length - 1] : results;
        if (error || result === undefined) answered(error ?? new Error('an answer without a result'));
        else answered(undefined, { rows: result.rows, count: result.rowCount ?? 0, command: result.command });
      });
    });
  }

  async #submit<Row extends object>(
    text: string,
    send: (answered: Answered<Row>) => void,
  ): Promise<Answer<Row>> {
    if (this.#loss) throw new ConnectionLost(this.#loss.cause);
    const startedAt = performance.now();
    if (this.#inFlight === 0) this.#waitingSince = startedAt;
    this.#inFlight += 1;
    let failure: unknown;
    try {
      return await new Promise<Answer<Row>>((resolve, reject) => {
        send((error, answer) => (answer ? resolve(answer) : reject(error)));
      });
    } catch (error) {
      failure = this.#explained(error);
      throw failure;
    } finally {
      this.#inFlight -= 1;
      const endedAt = performance.now();
      this.#waitingSince = endedAt;
      this.#statementEnded?.(text, startedAt, endedAt, failure);
    }
  }

  /** Errors of the server are passed on unchanged; the driver's errors of a lost connection have no code. */
  #explained(error: unknown): unknown {
    if (error instanceof pg.DatabaseError) {
      if (error.severity === 'FATAL' || error.severity === 'PANIC') this.#end(error);
      // After a jump of the server's clock a new connection measures the offset again.
      if (isStale(error)) this.hadStalePlan = true;
      if (isStale(error) || error.code === DEADLINE_PASSED) this.destroy();
      Error.captureStackTrace(error);
      return error;
    }
    return this.#loss ? new ConnectionLost(this.#loss.cause) : error;
  }

  #end(cause: unknown): void {
    if (this.#loss) return;
    this.#loss = { cause };
    for (const listener of this.#whenEnded) listener();
  }
}

/** The schema changed since the statement was prepared, or the session lost it: it was not executed. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

const optionsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
