import { requireTime } from '../work-scope.ts';
import { type Answer, type Connection, type ConnectionOptions, isStale } from './database-connection.ts';
import { ConnectionFailed } from './database-errors.ts';
import type { Sender } from '../sql/executor.ts';
import type { PoolStatus } from './pool-status.ts';
import type { Server } from './database-server.ts';
import type { Statement } from '../sql/statement.ts';

/**
 * As many statements of a turn are sent on one connection, since another write costs as much as a short statement. More
 * would wait behind a long one.
 */
const MAX_TOGETHER = 4;

/**
 * A few shared connections, for short reads only: statements are sent without waiting for earlier answers. A read whose
 * connection is lost is repeated on another, since it changes nothing.
 */
export class PipelinedPool implements Sender {
  readonly #server: Server;
  readonly #options: Omit<ConnectionOptions, 'pipeline'>;
  readonly #max: number;
  readonly #open = new Set<Connection>();
  #opening: Promise<Connection> | undefined;
  #isClosed = false;

  constructor(server: Server, options: Omit<ConnectionOptions, 'pipeline'>, max: number) {
    this.#server = server;
    this.#options = options;
    this.#max = max;
  }

  async send<Row extends object>(statement: Statement<Row>): Promise<Answer<Row>> {
    requireTime();
    let connection = this.#leastBusy() ?? (await this.#grow());
    let isPrepared = true;
    for (let moved = 0; ; moved++) {
      try {
        return await connection.send(statement, isPrepared);
      } catch (error) {
        if (connection.isUsable && !isStale(error)) throw error;
        // After a change of the schema the connections end one after the other, each with the reads on it.
        if (moved > (connection.hadStalePlan ? this.#max : 0)) throw error;
        // A stale one without its name: a pooler would reuse the statement that it prepared under it.
        if (isStale(error)) isPrepared = false;
        connection = await this.#another(connection);
      }
    }
  }

  async sendText(text: string): Promise<unknown> {
    return (this.#leastBusy() ?? (await this.#grow())).sendText(text);
  }

  get status(): PoolStatus {
    const inFlight = Array.from(this.#open, (connection) => connection.inFlight);
    return {
      max: this.#max,
      open: inFlight.length,
      inUse: inFlight.filter((count) => count > 0).length,
      waiting: inFlight.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #another(lost: Connection): Promise<Connection> | Connection {
    this.#open.delete(lost);
    return this.#leastBusy() ?? this.#grow();
  }

  /** Pending statements are still answered. */
  #retire(connection: Connection): void {
    this.#open.delete(connection);
    void connection.close();
  }

  /** Opens a further connection in the background if all are busy. */
  #leastBusy(): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of this.#open) {
      if (this.#server.isOutdated(connection)) this.#retire(connection);
      else if (connection.isGathering && connection.inFlight < MAX_TOGETHER) return connection;
      else if (best === undefined || connection.inFlight < best.inFlight) best = connection;
    }
    if (best !== undefined && best.inFlight > 0 && this.#open.size < this.#max) this.#grow().catch(() => {});
    return best;
  }

  #grow(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new ConnectionFailed(new Error('the pool is closed')));
    this.#opening ??= this.#server
      .connect({ ...this.#options, pipeline: true })
      .then((connection) => {
        this.#open.add(connection);
        connection.whenEnded(() => this.#open.delete(connection));
        return connection;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}
