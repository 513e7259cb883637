import { MAX_CLOCK_DIFFERENCE_MS } from '../clock/clock.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, identifier, sql } from '../sql/statement.ts';

/** A column that says when something that waits is due. The product sets it no further ahead than `maxAheadMs`. */
export type DueTime = {
  /** What waits, such as "mails". */
  readonly what: string;
  readonly table: string;
  readonly column: string;
  readonly maxAheadMs: number;
  /** Restricts the rows to those of an index; all rows if left out. */
  readonly where?: Fragment;
  /** What makes such a row due, as a list of assignments; by default its time becomes the present. */
  readonly repair?: (now: Date) => Fragment;
};

const isAhead = ({ column, maxAheadMs, where = sql`true` }: DueTime, now: Date): Fragment => sql`
  ${where} and ${identifier(column)} > ${new Date(now.getTime() + maxAheadMs + MAX_CLOCK_DIFFERENCE_MS)}::timestamptz`;

const setToNow =
  (column: string) =>
  (now: Date): Fragment =>
    sql`${identifier(column)} = ${now}`;

/** The schema of the release before may lack a table. */
async function inSchema(db: Sql, dueTimes: readonly DueTime[]): Promise<readonly DueTime[]> {
  const rows = await db.rows(sql<{ name: string }>`
    select name from unnest(${dueTimes.map(({ table }) => table)}::text[]) as t(name) where to_regclass(name) is not null`);
  const present = new Set(rows.map(({ name }) => name));
  return dueTimes.filter(({ table }) => present.has(table));
}

/** Makes due what a clock that was ahead has postponed; returns the number of rows. */
export async function repairDueTimes(db: Sql, dueTimes: readonly DueTime[], now: Date): Promise<number> {
  let repaired = 0;
  for (const dueTime of await inSchema(db, dueTimes)) {
    const { table, column, repair = setToNow(column) } = dueTime;
    repaired += await db.run(
      sql`update ${identifier(table)} set ${repair(now)} where ${isAhead(dueTime, now)}`,
    );
  }
  return repaired;
}

export type AheadCount = { readonly what: string; readonly count: number };

/** What waits for a time that the product does not set, and how many rows of it; nothing that has none. */
export async function countAhead(db: Sql, dueTimes: readonly DueTime[], now: Date): Promise<AheadCount[]> {
  const counts: AheadCount[] = [];
  for (const dueTime of await inSchema(db, dueTimes)) {
    const { count } = await db.one(sql<{ count: number }>`
      select count(*) as count from ${identifier(dueTime.table)} where ${isAhead(dueTime, now)}`);
    if (count > 0) counts.push({ what: dueTime.what, count });
  }
  return counts;
}
