import type { Sql } from '../../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../../platform/sql/statement.ts';
import type { HoldCause } from '../rules/domain-statuses.ts';

/** A condition on a row `d` of domains. */
export const isHeldBy = (cause: HoldCause): Fragment =>
  sql`exists (select from domain_hold_causes h where h.domain_id = d.id and h.cause = ${cause})`;

export type HoldSince = { readonly cause: HoldCause; readonly since: Date };

/** Why a domain has serverHold, and since when. */
export const readHolds = (db: Sql, name: string): Promise<HoldSince[]> =>
  db.rows(sql<HoldSince>`
    select h.cause, h.since from domain_hold_causes h join domains d on d.id = h.domain_id where d.name = ${name} order by h.since, h.cause`);

export type HeldCount = { readonly cause: HoldCause; readonly count: number };

export const countHeld = (db: Sql): Promise<HeldCount[]> =>
  db.rows(sql<HeldCount>`
    select cause, count(*)::int as count from domain_hold_causes group by cause order by cause`);

/** Some domains whose rows in the table are not their causes. */
export async function findWrongHolds(db: Sql, limit: number): Promise<string[]> {
  const rows = await db.rows(sql<{ name: string }>`
    select d.name from (
      select domain_id from domain_statuses where status = 'serverHold' union select domain_id from domain_hold_causes) as held
    join domains d on d.id = held.domain_id
    cross join lateral (select coalesce(jsonb_agg(h.cause), '[]') as causes from domain_hold_causes h where h.domain_id = d.id) as written
    where not (written.causes @> d.hold_causes and written.causes <@ d.hold_causes)
    order by d.name limit ${limit}`);
  return rows.map(({ name }) => name);
}
