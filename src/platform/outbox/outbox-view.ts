import type { Metrics } from '../metrics.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';

/** The table of an outbox, and its column with the time of sending. */
export type OutboxTable = { readonly name: Fragment; readonly sentAt: Fragment };

/** The state of an unsent row. */
export type Unsent = {
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null once it was given up. */
  readonly nextAttemptAt: Date | null;
  readonly gaveUpAt: Date | null;
  readonly lastError: string | null;
};
export const unsentColumns = sql`
  attempts, created_at as "createdAt", case when gave_up_at is null then next_attempt_at end as "nextAttemptAt",
  gave_up_at as "gaveUpAt", last_error as "lastError"`;

/** The rows that wait for their next attempt and those given up, each from its own index. */
export const unsentRows = ({ name, sentAt }: OutboxTable): Fragment => sql`(
  select * from ${name} where ${sentAt} is null and gave_up_at is null
  union all select * from ${name} where gave_up_at is not null)`;

export async function countWaiting(db: Sql, { name, sentAt }: OutboxTable): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from ${name} where ${sentAt} is null and gave_up_at is null`);
  return count;
}

export async function countGivenUp(db: Sql, { name }: OutboxTable): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from ${name} where gave_up_at is not null`);
  return count;
}

/** The assignments that make a row due at once and extend its retries by some days. */
export const dueAgain = (now: Date, days: number): Fragment => sql`
  next_attempt_at = ${now}, gave_up_at = null, try_until = ${now}::timestamptz + make_interval(days => ${days})`;

/** Every process reports the same values, which come from the database: take the maximum, not the sum. */
export function registerOutboxMetrics(
  metrics: Metrics,
  db: Sql,
  table: OutboxTable,
  { name, waiting, givenUp }: { readonly name: string; readonly waiting: string; readonly givenUp: string },
): void {
  metrics.watch(`cadastre_${name}_waiting`, waiting, () => countWaiting(db, table));
  metrics.watch(`cadastre_${name}_given_up`, givenUp, () => countGivenUp(db, table));
}
