import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql, text } from '../sql/statement.ts';

/** Rows that wait for a time. In its conditions the table is called `waiting`. */
export type Queue = {
  readonly table: string;
  readonly key: Fragment;
  /** The condition of the index of those that wait. */
  readonly waits: Fragment;
  /** When one is due; the column next_attempt_at if left out. */
  readonly dueAt?: Fragment;
  /** The columns of the index, the time first. */
  readonly order: Fragment;
  /** Which of those that wait may be taken, if not all. */
  readonly isNext?: Fragment;
  /** Which of those that are due nobody has taken; all, where taking a row sets its time. */
  readonly isFree?: (now: Date) => Fragment;
};

const NEXT_ATTEMPT = sql`next_attempt_at`;
const EVERY = sql`true`;

export const isDue = (
  { waits, dueAt = NEXT_ATTEMPT, isNext = EVERY, isFree = () => EVERY }: Queue,
  now: Date,
): Fragment => sql`${waits} and ${dueAt} <= ${now} and ${isNext} and ${isFree(now)}`;

/** The rows that are due, the longest due first, without those that others are taking. */
export const dueRows = (
  queue: Queue,
  now: Date,
  limit: number | Fragment,
  columns: Fragment = queue.key,
): Fragment => sql`
  select ${columns} from ${text(queue.table)} waiting where ${isDue(queue, now)}
  order by ${queue.order} limit ${limit} for update skip locked`;

/** Whether a row is due. */
export const hasDue = (queue: Queue, now: Date): Fragment =>
  sql`exists (select from ${text(queue.table)} waiting where ${isDue(queue, now)})`;

/** When the next row is due; undefined if none waits for a time. */
export async function nextDue(
  db: Sql,
  { table, waits, dueAt = NEXT_ATTEMPT, isNext = EVERY, order }: Queue,
): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date | null }>`
    select ${dueAt} as at from ${text(table)} waiting where ${waits} and ${isNext} order by ${order} limit 1`);
  return row?.at ?? undefined;
}
