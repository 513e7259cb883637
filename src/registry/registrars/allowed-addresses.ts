import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, identifier, sql } from '../../platform/sql/statement.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import type { OperatorChange } from '../operator-change.ts';

export type AllowedAddresses = {
  readonly registrar: string;
  readonly range: string;
  readonly note: string;
  readonly since: Date;
};

/** API users and people come from different places: servers and offices. */
export type AddressPurpose = 'api' | 'console';
const TABLES = {
  api: identifier('allowed_addresses'),
  console: identifier('console_addresses'),
} as const satisfies Record<AddressPurpose, unknown>;
const WHAT: Readonly<Record<AddressPurpose, string>> = { api: 'addresses', console: 'console addresses' };

/** Far above the number of a registrar's own networks. */
const MAX_RANGES = 256;

/** Allows an address range for a registrar's users. The first one excludes all other addresses, within seconds on every server. */
export async function allowAddresses(
  db: Sql,
  registrar: string,
  { range, note }: { range: string; note: string },
  change: OperatorChange,
  purpose: AddressPurpose = 'api',
): Promise<'allowed' | 'no such registrar' | 'already allowed' | 'too many'> {
  const found = await db.maybe(sql<{ id: number; ranges: number }>`
    select id, (select count(*)::int from ${TABLES[purpose]} where registrar_id = r.id) as ranges from registrars r where code = ${registrar}`);
  if (!found) return 'no such registrar';
  if (found.ranges >= MAX_RANGES) return 'too many';
  const done = await changeList(
    db,
    `allow ${WHAT[purpose]}`,
    range,
    change,
    sql`
    insert into ${TABLES[purpose]} (registrar_id, range, note, created_at)
    values (${found.id}, network(${range}::inet), ${note}, ${change.at}) on conflict do nothing`,
  );
  return done ? 'allowed' : 'already allowed';
}

/** False if the registrar has no such range. Without ranges any address is allowed. */
export function disallowAddresses(
  db: Sql,
  registrar: string,
  range: string,
  change: OperatorChange,
  purpose: AddressPurpose = 'api',
): Promise<boolean> {
  return changeList(
    db,
    `disallow ${WHAT[purpose]}`,
    range,
    change,
    sql`
    delete from ${TABLES[purpose]}
    where registrar_id = (select id from registrars where code = ${registrar}) and range = network(${range}::inet)`,
  );
}

export function listAllowedAddresses(
  db: Sql,
  registrar?: string,
  purpose: AddressPurpose = 'api',
): Promise<AllowedAddresses[]> {
  return db.rows(sql<AllowedAddresses>`
    select r.code as registrar, a.range::text as range, a.note, a.created_at as since
    from ${TABLES[purpose]} a join registrars r on r.id = a.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null}
    order by r.code, a.range`);
}

/** Whether a registrar's list allows an address, and which range decides. */
export async function testAddress(
  db: Sql,
  registrar: string,
  address: string,
  purpose: AddressPurpose = 'api',
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  const ranges = (await listAllowedAddresses(db, registrar, purpose)).map(({ range }) => range);
  if (ranges.length === 0) return { allowed: true, reason: `${registrar} has no list: any address may come` };
  const matched = ranges.find((range) => addressMatcher([range])(address));
  return matched === undefined
    ? { allowed: false, reason: `none of the ranges of ${registrar} has it: ${ranges.join(', ')}` }
    : { allowed: true, reason: `${matched} has it` };
}

/** The update increments the registrar's version, so that every server reloads it. */
async function changeList(
  db: Sql,
  operation: string,
  range: string,
  { actor, at, reason, requestId }: OperatorChange,
  change: Fragment,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with listed as (${change} returning registrar_id),
    changed as (update registrars set version = version where id in (select registrar_id from listed) returning id, code)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id, after)
    select ${at}, 'registrar', id, code, ${operation}, id, ${actor}, ${reason ?? null}, ${requestId ?? null}, jsonb_build_object('range', ${range}::text) from changed
    returning 1`);
  return rows.length === 1;
}
