import type { DatabaseMetric } from '../database-metrics.ts';
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

/** The assignments that make a row due at once and extend its retries by some days. */
export const dueAgain = (now: Date, days: number): Fragment => sql`
  next_attempt_at = ${now}, gave_up_at = null, try_until = ${now}::timestamptz + make_interval(days => ${days})`;

/** Its rows that wait, since when the oldest of them does, and those given up. */
export const outboxMetrics = (
  { name: table, sentAt }: OutboxTable,
  { name, waiting, givenUp }: { readonly name: string; readonly waiting: string; readonly givenUp: string },
): readonly DatabaseMetric[] => [
  {
    name: `cadastre_${name}_waiting`,
    help: waiting,
    query: sql`select count(*) as value from ${table} where ${sentAt} is null and gave_up_at is null`,
  },
  {
    name: `cadastre_${name}_oldest_waiting_timestamp_seconds`,
    help: `${waiting}: when the oldest was written; no sample if there are none`,
    query: sql`
      select extract(epoch from min(created_at)) as value from ${table}
      where ${sentAt} is null and gave_up_at is null having count(*) > 0`,
  },
  {
    name: `cadastre_${name}_given_up`,
    help: givenUp,
    query: sql`select count(*) as value from ${table} where gave_up_at is not null`,
  },
];
