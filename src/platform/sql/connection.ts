import pg from 'pg';
import { ConnectionFailed, ConnectionLost } from './errors.ts';
import type { Statement } from './statement.ts';
import { parsers } from './values.ts';

export type Address = {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database: string;
  readonly ssl?: boolean | { readonly rejectUnauthorized: boolean };
};

export type Answer<Row> = { readonly rows: Row[]; readonly count: number; readonly command: string };

/** Settings of a session, sent with its start. */
export type Settings = Readonly<Record<string, string | number>>;

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;
/** A backend keeps what it has prepared and cached; a new one now and then begins small. */
const MAX_AGE_MS = 45 * 60_000;

/** One connection and what became of it. Nothing is ever sent over one that is known to be lost. */
export class Connection {
  readonly #client: pg.Client;
  readonly #openedAt = performance.now();
  readonly generation: number;
  #loss: { readonly cause: unknown } | undefined;
  #inFlight = 0;
  /** Told once, when the connection is lost or closed. */
  onEnd: (connection: Connection) => void = () => {};

  private constructor(client: pg.Client, generation: number) {
    this.#client = client;
    this.generation = generation;
    // Without a listener the loss of an idle connection would end the process.
    client.on('error', (error) => this.#end(error));
    client.on('end', () => this.#end(new Error('the connection was closed')));
  }

  static async open(
    address: Address,
    settings: Settings,
    pipeline: boolean,
    generation = 0,
  ): Promise<Connection> {
    const client = new pg.Client({
      ...address,
      pipeline,
      application_name: 'cadastre',
      options: optionsOf(settings),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types: parsers,
    } as pg.ClientConfig);
    const connection = new Connection(client, generation);
    try {
      await client.connect();
    } catch (error) {
      connection.destroy();
      throw new ConnectionFailed(error);
    }
    return connection;
  }

  get isUsable(): boolean {
    return this.#loss === undefined;
  }

  get isOld(): boolean {
    return performance.now() - this.#openedAt > MAX_AGE_MS;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Between transactions, and not in the midst of one or of a failed one. */
  get isAtRest(): boolean {
    return this.isUsable && this.#client.getTransactionStatus() === 'I';
  }

  /** Runs a statement by its name, or planned for these very values. */
  send<Row extends object>(statement: Statement<Row>, isPrepared: boolean): Promise<Answer<Row>> {
    const query = { text: statement.text, values: [...statement.values] };
    return this.#query<Row>(isPrepared ? { ...query, name: statement.name } : query);
  }

  /** Runs a text of one or several statements without values. */
  sendText(text: string): Promise<Answer<object>> {
    return this.#query({ text });
  }

  /** Lets whatever was sent be answered, and cuts it off after a time. */
  async close(): Promise<void> {
    if (!this.isUsable) return;
    this.#end(new Error('the connection was closed'));
    const cutOff = setTimeout(() => this.destroy(), CLOSE_TIMEOUT_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(cutOff);
  }

  destroy(): void {
    this.#end(new Error('the connection was closed'));
    // The driver's own end would wait for an answer that may never come.
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  async #query<Row extends object>(query: pg.QueryConfig): Promise<Answer<Row>> {
    if (this.#loss) throw new ConnectionLost(this.#loss.cause);
    this.#inFlight += 1;
    try {
      const result = await this.#client.query<Row>(query);
      return { rows: result.rows, count: result.rowCount ?? 0, command: result.command };
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** What the server says is told as it is; what the driver says of a lost connection has no code of its own. */
  #explained(error: unknown): unknown {
    if (error instanceof pg.DatabaseError) {
      if (error.severity === 'FATAL' || error.severity === 'PANIC') this.#end(error);
      if (isStale(error)) this.destroy();
      return error;
    }
    return this.#loss ? new ConnectionLost(this.#loss.cause) : error;
  }

  #end(cause: unknown): void {
    if (this.#loss) return;
    this.#loss = { cause };
    this.onEnd(this);
  }
}

/** The schema has changed since the statement was prepared, or the session has forgotten it: it was not carried out. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));

const optionsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');
