import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { moveBy } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OperatorChange } from '../operator-change.ts';
import { findNameStates } from './availability.ts';

export type Holder = 'operator' | 'portal';
export type ReservedRow = {
  readonly name: string;
  readonly heldBy: Holder;
  /** The invoice of a paid reservation. */
  readonly invoice: number | null;
  readonly expiresAt: Date | null;
};
/** Filters of the list; absent ones match everything. */
export type ReservedFilter = {
  /** A substring of the name. */
  readonly part?: string | undefined;
  readonly heldBy?: Holder | undefined;
  /** Those that expire before this context. */
  readonly before?: Date | undefined;
  /** Those without expiry. */
  readonly forGood?: boolean | undefined;
};
export type BlockedRow = { readonly name: string; readonly reason: string | null };

/** Reserves a name for the holder of the code, permanently or until a time. False if it is reserved already. */
export async function reserveName(
  db: Sql,
  { name, code, expiresAt }: { name: string; code: string; expiresAt: Date | null },
  { actor, at, reason }: OperatorChange,
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

/** False if the name is not reserved. */
export async function releaseName(
  db: Sql,
  name: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with released as (delete from reserved_names where name = ${name} returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'name', 0, name, 'release', ${actor}, ${reason ?? null} from released returning 1`);
  return rows.length === 1;
}

export async function blockName(db: Sql, name: string, { actor, at, reason }: OperatorChange): Promise<void> {
  await db.run(sql`
    with blocked as (
      insert into blocked_names (name, reason, created_at) values (${name}, ${reason ?? null}, ${at})
      on conflict (name) do update set reason = excluded.reason)
    ${nameHistory('block', name, { actor, at, reason })}`);
}

/** False if the name is not blocked. */
export async function unblockName(
  db: Sql,
  name: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with freed as (delete from blocked_names where name = ${name} returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, 'name', 0, name, 'unblock', ${actor}, ${reason ?? null} from freed returning 1`);
  return rows.length === 1;
}

/** Reservations in force, with their codes: callers must omit these unless they were requested explicitly. */
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

/** Names are not objects with an id: their history is keyed by name. */
const nameHistory = (operation: string, name: string, { actor, at, reason }: OperatorChange) =>
  sql`
  insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
  values (${at}, 'name', 0, ${name}, ${operation}, ${actor}, ${reason ?? null})`;

/** A random code is generated if none is given. */
export type ReservedNameInput = {
  readonly name: string;
  readonly code?: string | undefined;
  readonly expiresAt: Date | null;
};

export type Extended = { readonly until: Date } | 'not reserved' | 'for good' | 'no duration';

/** Extends a reservation by a duration counted from its current expiry. */
export async function extendReserved(
  db: Sql,
  { name, duration }: { readonly name: string; readonly duration: string },
  { timeZone }: Policy,
  { actor, at, reason }: OperatorChange,
): Promise<Extended> {
  const known = await db.maybe(sql<{ expiresAt: Date | null }>`
    select expires_at as "expiresAt" from reserved_names where name = ${name} and (expires_at is null or expires_at > ${at})`);
  if (!known) return 'not reserved';
  if (known.expiresAt === null) return 'for good';
  const until = moveBy(known.expiresAt, duration, timeZone);
  if (!until || until <= known.expiresAt) return 'no duration';
  const rows = await db.rows(sql`
    with extended as (
      update reserved_names set expires_at = ${until} where name = ${name} and expires_at = ${known.expiresAt} returning name)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, before, after)
    select ${at}, 'name', 0, name, 'extend', ${actor}, ${reason ?? null}, ${json({ expires_at: known.expiresAt.toISOString() })},
      ${json({ expires_at: until.toISOString() })} from extended returning 1`);
  return rows.length === 1 ? { until } : 'not reserved';
}

export type Imported = { readonly reserved: number; readonly asBefore: number };
export type ImportConflict = { readonly name: string; readonly reason: 'registered' | 'reserved already' };

/** Reserves many names, all or none. Identical reservations are skipped, so an import can be repeated. */
export async function importReserved(
  db: Sql,
  items: readonly ReservedNameInput[],
  change: OperatorChange,
): Promise<Imported | readonly ImportConflict[]> {
  const names = items.map(({ name }) => name);
  const expiries = await expiriesOf(db, names, change.at);
  const states = new Map((await findNameStates(db, names, change.at)).map((state) => [state.name, state]));
  const fresh = items.filter(({ name, code, expiresAt }) => {
    const known = states.get(name)?.reservationCode ?? null;
    const isSame = known !== null && (code === undefined || code === known);
    return !isSame || expiries.get(name) !== (expiresAt?.getTime() ?? null);
  });
  const obstacles = fresh.flatMap(({ name }): ImportConflict[] => {
    const state = states.get(name);
    if (state?.registered) return [{ name, reason: 'registered' }];
    return expiries.has(name) ? [{ name, reason: 'reserved already' }] : [];
  });
  if (obstacles.length > 0) return obstacles;
  await reserveMany(db, fresh, change);
  return { reserved: fresh.length, asBefore: items.length - fresh.length };
}

/** Expiries of the reservations in force. */
async function expiriesOf(db: Sql, names: readonly string[], at: Date): Promise<Map<string, number | null>> {
  const rows = await db.rows(sql<{ name: string; expiresAt: Date | null }>`
    select name, expires_at as "expiresAt" from reserved_names
    where name = any(${names as string[]}::text[]) and (expires_at is null or expires_at > ${at})`);
  return new Map(rows.map(({ name, expiresAt }) => [name, expiresAt?.getTime() ?? null]));
}

/** If one of the names was taken concurrently, the whole statement fails. */
async function reserveMany(
  db: Sql,
  items: readonly ReservedNameInput[],
  { actor, at, reason }: OperatorChange,
): Promise<void> {
  const codes = items.map(({ code }) => code ?? randomBytes(16).toString('hex'));
  const ends = items.map(({ expiresAt }) => expiresAt?.toISOString() ?? null);
  await db.run(sql`
    with reserved as (
      insert into reserved_names (name, code, expires_at, created_at)
      select name, code, expires_at, ${at}
      from unnest(${items.map(({ name }) => name)}::text[], ${codes}::text[], ${ends}::timestamptz[]) as n(name, code, expires_at) order by name
      on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = null
      where reserved_names.expires_at <= ${at}
      returning name),
    recorded as (
      insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
      select ${at}, 'name', 0, name, 'reserve', ${actor}, ${reason ?? null} from reserved)
    select require_unchanged(count(*) = ${items.length}) from reserved`);
}
