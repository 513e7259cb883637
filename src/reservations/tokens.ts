import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock/clock.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { tokenHash } from '../platform/values/token.ts';
import { type NamedToken, revokeByName, tokenColumns } from '../registry/named-tokens.ts';
import type { OperatorChange } from '../registry/operator-change.ts';

/** Creates a token of the portal. False if the name was used before. */
export async function createToken(
  db: Sql,
  { name, token, expiresAt }: { name: string; token: string; expiresAt: Date | null },
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with created as (
      insert into portal_tokens (name, token_hash, created_at, expires_at) values (${name}, ${tokenHash(token)}, ${at}, ${expiresAt})
      on conflict (name) do nothing returning id)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'portal token', id, ${name}, 'create', ${actor}, ${reason ?? null}, jsonb_build_object('expires_at', ${expiresAt}::timestamptz)
    from created returning 1`);
  return rows.length === 1;
}

/** All tokens ever created, newest first; only their hashes are stored. */
export const listTokens = (db: Sql, now: Date): Promise<NamedToken[]> =>
  db.rows(sql<NamedToken>`select name, ${tokenColumns(now)} from portal_tokens order by id desc`);

/** False if there is no active token of that name. */
export const revokeToken = (db: Sql, name: string, change: OperatorChange): Promise<boolean> =>
  revokeByName(db, { table: sql`portal_tokens`, kind: 'portal token' }, name, change);

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
