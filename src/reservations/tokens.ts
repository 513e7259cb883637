import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock/clock.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { tokenHash } from '../platform/values/token.ts';
import { type NamedToken, tokenColumns } from '../registry/named-tokens.ts';

/** All tokens ever created, newest first; only their hashes are stored. */
export const listTokens = (db: Sql, now: Date): Promise<NamedToken[]> =>
  db.rows(sql<NamedToken>`select name, ${tokenColumns(now)} from portal_tokens order by id desc`);

export type KnownToken = { readonly id: number; readonly name: string };

type Row = KnownToken & { readonly hash: Buffer; readonly expiresAt: Date | null };

/** The active tokens, cached in memory so that requests need no query. They are reloaded every second. */
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

  /** Compares with every token in constant time, so that timing reveals nothing. */
  find(token: string): KnownToken | undefined {
    const hash = tokenHash(token);
    const now = this.#clock.now();
    const equal = this.#rows.filter((row) => timingSafeEqual(row.hash, hash));
    return equal.find(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }
}
