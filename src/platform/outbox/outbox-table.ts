import type { DueTime } from '../jobs/repair-due-times.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, type Statement, sql, text } from '../sql/statement.ts';
import { type Backoff, maxBackoffMs, nextAttempt, type Retried } from './backoff.ts';
import type { Failure } from './outbox.ts';
import { dueRows, type Queue } from './queue.ts';

/** A queue with the columns `attempts`, `next_attempt_at` and `last_error`; its user says what giving up is, or it is `gave_up_at`. */
export type RetriedQueue<Item extends Claimed = Claimed> = Queue & {
  /** What of a claimed row is returned, besides its key and its attempts. */
  readonly columns: Statement<Omit<Item, 'key' | 'attempts'>>;
  /** How many are claimed and attempted at once. */
  readonly batch: number;
  /** Longer than an attempt can take: until then the claim is exclusive, afterwards its process counts as dead. */
  readonly leaseMs: number;
  readonly backoff: Backoff;
};

/** The same of rows that are sent, or given up after some days, and stay; with `try_until` and `gave_up_at`. */
export type OutboxTable<Item extends Claimed = Claimed> = RetriedQueue<Item> & {
  readonly sentAt: Fragment;
  readonly retryDays: number;
};

/** A row claimed for an attempt, which is already counted. */
export type Claimed = Retried & { readonly key: number | string };

/** Claims and postpones rows of a queue. */
export function retriedRows<Item extends Claimed>(db: Sql, queue: RetriedQueue<Item>) {
  const { key, columns, waits, batch, leaseMs, backoff } = queue;
  const table = text(queue.table);
  return {
    claim: (now: Date): Promise<Item[]> =>
      db.rows(sql<Item>`
        update ${table} set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + leaseMs)}
        where ${key} = any(array(${dueRows(queue, now, batch)}))
        returning ${key} as key, attempts, ${columns}`),

    nextAttempt: (item: Item, _error: Error, now: Date): Date | undefined => nextAttempt(backoff, item, now),

    /** A worker whose claim expired must not overwrite the state of the attempt that replaced it. */
    async markFailed(item: Item, now: Date, { nextAttemptAt, reason }: Failure): Promise<void> {
      const state = nextAttemptAt ? sql`next_attempt_at = ${nextAttemptAt}` : sql`gave_up_at = ${now}`;
      await db.run(sql`
        update ${table} set ${state}, last_error = ${reason}
        where ${key} = ${item.key} and attempts = ${item.attempts} and ${waits}`);
    },
  };
}

/** False when it was marked already: of two attempts that both succeeded, the first to be recorded counts. */
export async function markSent(
  db: Sql,
  { table, key, sentAt }: OutboxTable,
  item: Claimed,
  now: Date,
): Promise<boolean> {
  const rows = await db.run(sql`
    update ${text(table)} set ${sentAt} = ${now}, gave_up_at = null, last_error = null
    where ${key} = ${item.key} and ${sentAt} is null`);
  return rows > 0;
}

/** The assignments that make a row due at once and extend its retries by some days. */
export const dueAgain = (now: Date, { retryDays }: Pick<OutboxTable, 'retryDays'>): Fragment => sql`
  next_attempt_at = ${now}, gave_up_at = null, try_until = ${now}::timestamptz + make_interval(days => ${retryDays})`;

export const dueTimeOf = (
  what: string,
  { table, waits, backoff, retryDays }: RetriedQueue & Partial<Pick<OutboxTable, 'retryDays'>>,
): DueTime => ({
  what,
  table,
  column: 'next_attempt_at',
  maxAheadMs: maxBackoffMs(backoff),
  where: waits,
  ...(retryDays !== undefined && { repair: (now) => dueAgain(now, { retryDays }) }),
});
