import { setTimeout as sleep } from 'node:timers/promises';
import { requireTime } from '../work-scope.ts';
import type { Answer, Connection } from './database-connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Sender, Sql } from '../sql/executor.ts';
import { type Statement, sql } from '../sql/statement.ts';

/** How long a statement waits for a standby before the primary answers it. */
const MAX_WAIT_MS = 50;
const CHECK_INTERVAL_MS = 2;

/** Who answered, and why it was not the standby. */
export type ReplicaOutcome = 'replica' | 'behind' | 'unavailable';
export type ReplicaCounts = Readonly<Record<ReplicaOutcome, number>>;

type Position = { readonly position: number; readonly cluster: string };

/** What a standby must have replayed to know everything that is committed now. */
const CURRENT_POSITION = sql<Position>`
  select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as position,
    (select system_identifier::text from pg_control_system()) as cluster`;

/**
 * Sends statements to a standby that has replayed everything that was committed when they were requested: a client sees
 * its own writes, whichever process made them. If the standby is behind or fails, the primary answers.
 */
export class Replica implements Sender {
  readonly #pool: ConnectionPool;
  readonly #primary: Sender;
  readonly #primaryReads: Sql;
  readonly #counts: Record<ReplicaOutcome, number> = { replica: 0, behind: 0, unavailable: 0 };
  #reading: Promise<Position> | undefined;
  #nextReading: Promise<Position> | undefined;

  constructor(pool: ConnectionPool, primary: Sender, primaryReads: Sql) {
    this.#pool = pool;
    this.#primary = primary;
    this.#primaryReads = primaryReads;
  }

  get counts(): ReplicaCounts {
    return this.#counts;
  }

  async send<Row extends object>(statement: Statement<Row>): Promise<Answer<Row>> {
    const answer = await this.#sendToReplica(statement).catch(() => 'unavailable' as const);
    this.#counts[typeof answer === 'string' ? answer : 'replica'] += 1;
    // An error of the statement itself is the primary's to report.
    return typeof answer === 'string' ? this.#primary.send(statement) : answer;
  }

  sendText(text: string): Promise<unknown> {
    return this.#primary.sendText(text);
  }

  async #sendToReplica<Row extends object>(statement: Statement<Row>): Promise<Answer<Row> | 'behind'> {
    const committed = await this.#currentPosition();
    const connection = await this.#pool.take();
    try {
      const giveUpAt = performance.now() + MAX_WAIT_MS;
      // On the connection of the statement: another one may lead to another standby.
      while (!(await hasReplayed(connection, committed))) {
        if (performance.now() > giveUpAt) return 'behind';
        await sleep(CHECK_INTERVAL_MS);
      }
      requireTime();
      return await connection.send(statement, true);
    } catch (error) {
      if (error instanceof NoStandby) this.#pool.leaveServer(connection);
      throw error;
    } finally {
      this.#pool.give(connection);
    }
  }

  /** One reading serves all who asked for it before it was sent. */
  #currentPosition(): Promise<Position> {
    this.#nextReading ??= this.#readAfter(this.#reading);
    return this.#nextReading;
  }

  async #readAfter(earlier: Promise<Position> | undefined): Promise<Position> {
    await earlier?.catch(() => {});
    const reading = this.#primaryReads.one(CURRENT_POSITION);
    this.#reading = reading;
    this.#nextReading = undefined;
    return reading;
  }
}

class NoStandby extends Error {
  override name = 'NoStandby';
}

/**
 * Positions of different clusters cannot be compared, nor those of a server that follows no other: it was promoted, or
 * its primary is gone.
 */
async function hasReplayed(connection: Connection, { position, cluster }: Position): Promise<boolean> {
  const { rows } = await connection.send(
    sql<{ isUsable: boolean; hasReplayed: boolean | null }>`
      select (select system_identifier::text from pg_control_system()) = ${cluster}
          and exists (select from pg_stat_get_wal_receiver() where pid is not null) as "isUsable",
        (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 >= ${position}::float8 as "hasReplayed"`,
    true,
  );
  if (!rows[0]?.isUsable) throw new NoStandby('the server does not follow the primary');
  return rows[0].hasReplayed ?? false;
}
