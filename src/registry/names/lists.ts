import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Change } from '../registrars/operator.ts';

export type Holder = 'operator' | 'portal';
export type ReservedRow = {
  readonly name: string;
  readonly heldBy: Holder;
  /** Of a reservation that was paid for. */
  readonly invoice: number | null;
  readonly expiresAt: Date | null;
};
/** Which reserved names somebody wants to see; what is left out does not matter. */
export type ReservedFilter = {
  /** A part of the name. */
  readonly part?: string | undefined;
  readonly heldBy?: Holder | undefined;
  /** Those that end before then. */
  readonly before?: Date | undefined;
  /** Those that never end. */
  readonly forGood?: boolean | undefined;
};
export type BlockedRow = { readonly name: string; readonly reason: string | null };

/** Keeps a name for whoever has the code, for good or until a time. False when somebody has a code for it already. */
export async function reserveName(
  db: Sql,
  { name, code, expiresAt }: { name: string; code: string; expiresAt: Date | null },
  { actor, at, reason }: Change,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with reserved as (
      insert into reserved_names (name, code, expires_at, created_at) values (${name}, ${code}, ${expiresAt}, ${at})
      on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = null
      where reserved_names.expires_at <= ${at}
      returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'name', 0, name, 'reserve', ${actor}, ${reason ?? null} from reserved returning 1`);
  return rows.length === 1;
}

/** False when the name is not reserved. */
export async function releaseName(db: Sql, name: string, { actor, at, reason }: Change): Promise<boolean> {
  const rows = await db.rows(sql`
    with released as (delete from reserved_names where name = ${name} returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'name', 0, name, 'release', ${actor}, ${reason ?? null} from released returning 1`);
  return rows.length === 1;
}

export async function blockName(db: Sql, name: string, { actor, at, reason }: Change): Promise<void> {
  await db.run(sql`
    with blocked as (
      insert into blocked_names (name, reason, created_at) values (${name}, ${reason ?? null}, ${at})
      on conflict (name) do update set reason = excluded.reason)
    ${nameHistory('block', name, { actor, at, reason })}`);
}

/** False when the name is not blocked. */
export async function unblockName(db: Sql, name: string, { actor, at, reason }: Change): Promise<boolean> {
  const rows = await db.rows(sql`
    with freed as (delete from blocked_names where name = ${name} returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'name', 0, name, 'unblock', ${actor}, ${reason ?? null} from freed returning 1`);
  return rows.length === 1;
}

/** Reservations in force, with their codes: whoever shows them leaves those out unless he was asked for them. */
export async function listReserved(
  db: Sql,
  { part, heldBy, before, forGood }: ReservedFilter,
  now: Date,
): Promise<(ReservedRow & { readonly code: string })[]> {
  return db.rows(sql<ReservedRow & { readonly code: string }>`
    select r.name, case when r.reservation_id is null then 'operator' else 'portal' end as "heldBy", v.invoice_number as invoice,
      r.expires_at as "expiresAt", r.code
    from reserved_names r left join reservations v on v.id = r.reservation_id
    where (r.expires_at is null or r.expires_at > ${now})
      ${part === undefined ? sql`` : sql`and strpos(r.name, ${part}) > 0`}
      ${heldBy === undefined ? sql`` : sql`and (r.reservation_id is null) = ${heldBy === 'operator'}`}
      ${before === undefined ? sql`` : sql`and r.expires_at < ${before}`}
      ${forGood ? sql`and r.expires_at is null` : sql``}
    order by r.name`);
}

export async function listBlocked(db: Sql): Promise<BlockedRow[]> {
  return db.rows(sql<BlockedRow>`select name, reason from blocked_names order by name`);
}

/** Names are no objects of their own: their history goes by name. */
const nameHistory = (operation: string, name: string, { actor, at, reason }: Change) =>
  sql`
  insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
  values (${at}, 'name', 0, ${name}, ${operation}, ${actor}, ${reason ?? null})`;
