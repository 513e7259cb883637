import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** A reservation in force. */
export type ReservedName = { readonly name: string; readonly code: string; readonly expiresAt: Date | null };

const CODE_BYTES = 16;
export const newReservationCode = (): string => randomBytes(CODE_BYTES).toString('hex');

const isInForce = (now: Date): Fragment => sql`(r.expires_at is null or r.expires_at > ${now})`;

export const findReserved = (db: Sql, names: readonly string[], now: Date): Promise<ReservedName[]> =>
  db.rows(sql<ReservedName>`
    select r.name, r.code, r.expires_at as "expiresAt" from reserved_names r
    where r.name = any(${names}::text[]) and ${isInForce(now)}`);

/** Rows (name, code, expires_at) to reserve; takes the place of reservations that are over, and of no others. */
export const insertReserved = (names: readonly ReservedName[], now: Date) => sql`
  insert into reserved_names as r (name, code, expires_at, created_at)
  select n.name, n.code, n.expires_at, ${now}
  from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ code }) => code)}::text[],
    ${names.map(({ expiresAt }) => expiresAt?.toISOString() ?? null)}::timestamptz[]) as n(name, code, expires_at)
  order by n.name
  on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = null
  where r.expires_at <= ${now}
  returning r.name`;
