import type { DatabaseMetric } from '../database-metrics.ts';
import { type Fragment, sql, text } from '../sql/statement.ts';
import type { OutboxTable } from './outbox-table.ts';

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
export const unsentRows = ({ table, waits }: OutboxTable): Fragment => sql`(
  select * from ${text(table)} where ${waits} union all select * from ${text(table)} where gave_up_at is not null)`;

/** Its rows that wait, since when the oldest of them does, and those given up. */
export const outboxMetrics = (
  { table, waits }: OutboxTable,
  { name, waiting, givenUp }: { readonly name: string; readonly waiting: string; readonly givenUp: string },
): readonly DatabaseMetric[] => [
  {
    name: `cadastre_${name}_waiting`,
    help: waiting,
    query: sql`select count(*) as value from ${text(table)} where ${waits}`,
  },
  {
    name: `cadastre_${name}_oldest_waiting_timestamp_seconds`,
    help: `${waiting}: when the oldest was written; no sample if there are none`,
    query: sql`
      select extract(epoch from min(created_at)) as value from ${text(table)}
      where ${waits} having count(*) > 0`,
  },
  {
    name: `cadastre_${name}_given_up`,
    help: givenUp,
    query: sql`select count(*) as value from ${text(table)} where gave_up_at is not null`,
  },
];
