import type { Metrics } from '../metrics.ts';
import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';
import { type Mail, TRIED_FOR_DAYS } from './mail.ts';

export type SentMail = Mail & { readonly id: number; readonly sentAt: Date };
export type UnsentMail = {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly attempts: number;
  readonly createdAt: Date;
  /** None once it was given up. */
  readonly nextAttemptAt: Date | null;
  readonly gaveUpAt: Date | null;
  readonly lastError: string | null;
};

/** The newest first. */
export function listSent(db: Sql, limit: number): Promise<SentMail[]> {
  return db.rows(sql<SentMail>`
    select id, recipient as "to", subject, text, html, sent_at as "sentAt" from mails
    where sent_at is not null order by sent_at desc, id desc limit ${limit}`);
}

export async function findSent(db: Sql, id: number): Promise<SentMail | undefined> {
  return db.maybe(sql<SentMail>`
    select id, recipient as "to", subject, text, html, sent_at as "sentAt" from mails where id = ${id} and sent_at is not null`);
}

/** What waits for its next attempt and what was given up, in the order in which it was written. */
export function listUnsent(db: Sql, limit: number): Promise<UnsentMail[]> {
  return db.rows(sql<UnsentMail>`
    select id, recipient as "to", subject, attempts, created_at as "createdAt",
      case when gave_up_at is null then next_attempt_at end as "nextAttemptAt", gave_up_at as "gaveUpAt", last_error as "lastError"
    from (
      select * from mails where sent_at is null and gave_up_at is null
      union all select * from mails where gave_up_at is not null) unsent
    order by id limit ${limit}`);
}

export async function countWaiting(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from mails where sent_at is null and gave_up_at is null`);
  return counted.count;
}

export async function countGivenUp(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from mails where gave_up_at is not null`);
  return counted.count;
}

/** Makes a mail due at once and grants it another few days; false where there is none that is still to be sent. */
export async function retryMail(db: Sql, id: number, now: Date): Promise<boolean> {
  return (
    (await db.run(sql`
    update mails set attempts = 0, next_attempt_at = ${now}, gave_up_at = null,
      try_until = ${now}::timestamptz + make_interval(days => ${TRIED_FOR_DAYS})
    where id = ${id} and sent_at is null`)) > 0
  );
}

/** Removes what was sent or given up so long ago, a batch at a time: it holds addresses and words of people. */
export async function forgetOldMails(db: Sql, now: Date, days: number): Promise<number> {
  return db.run(sql`
    delete from mails where id = any(array(
      select id from mails where sent_at < ${now}::timestamptz - make_interval(days => ${days})
      union all select id from mails where gave_up_at < ${now}::timestamptz - make_interval(days => ${days})
      limit 1000))`);
}

/** The same figures on every process, since they tell of the database: take the largest, not the sum. */
export function registerMailMetrics(metrics: Metrics, db: Sql): void {
  metrics.watch('cadastre_mails_waiting', 'Mails that are still to be sent', () => countWaiting(db));
  metrics.watch('cadastre_mails_given_up', 'Mails that could not be delivered', () => countGivenUp(db));
}
