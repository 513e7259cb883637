import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock/clock.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { hashOfToken } from './tokens.ts';

export type KnownToken = { readonly id: number; readonly name: string };

type Row = KnownToken & { readonly hash: Buffer; readonly expiresAt: Date | null };

/** The tokens in force, held in memory: no request asks the database who calls. They are read anew every second. */
export class KnownTokens {
  readonly #sql: Sql;
  readonly #clock: Clock;
  #rows: readonly Row[] = [];

  constructor(db: Sql, clock: Clock) {
    this.#sql = db;
    this.#clock = clock;
  }

  async refresh(): Promise<void> {
    this.#rows = await this.#sql.rows(sql<Row>`
      select id, name, token_hash as hash, expires_at as "expiresAt" from portal_tokens where revoked_at is null`);
  }

  /** Compares with every token, whichever is the right one, so that the time it takes tells nothing. */
  find(token: string): KnownToken | undefined {
    const hash = hashOfToken(token);
    const now = this.#clock.now();
    const equal = this.#rows.filter((row) => timingSafeEqual(row.hash, hash));
    return equal.find(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }
}
