import type { Metrics } from '../metrics.ts';
import {
  dueAgain,
  type OutboxTable,
  registerOutboxMetrics,
  type Unsent,
  unsentColumns,
  unsentRows,
} from '../outbox/outbox-view.ts';
import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';
import { type Mail, TRIED_FOR_DAYS } from './mail.ts';

export type SentMail = Mail & { readonly id: number; readonly sentAt: Date };
export type UnsentMail = Unsent & { readonly id: number; readonly to: string; readonly subject: string };

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

const MAILS: OutboxTable = { name: sql`mails`, sentAt: sql`sent_at` };

/** What waits for its next attempt and what was given up, in the order in which it was written. */
export function listUnsent(db: Sql, limit: number): Promise<UnsentMail[]> {
  return db.rows(sql<UnsentMail>`
    select id, recipient as "to", subject, ${unsentColumns} from ${unsentRows(MAILS)} unsent order by id limit ${limit}`);
}

/** Makes a mail due at once and grants it another few days; false where there is none that is still to be sent. */
export async function retryMail(db: Sql, id: number, now: Date): Promise<boolean> {
  const retried = await db.run(sql`
    update mails set attempts = 0, ${dueAgain(now, TRIED_FOR_DAYS)} where id = ${id} and sent_at is null`);
  return retried > 0;
}

/** Removes what was sent or given up so long ago, a batch at a time: it holds addresses and words of people. */
export async function forgetOldMails(db: Sql, now: Date, days: number): Promise<number> {
  return db.run(sql`
    delete from mails where id = any(array(
      select id from mails where sent_at < ${now}::timestamptz - make_interval(days => ${days})
      union all select id from mails where gave_up_at < ${now}::timestamptz - make_interval(days => ${days})
      limit 1000))`);
}

export function registerMailMetrics(metrics: Metrics, db: Sql): void {
  registerOutboxMetrics(metrics, db, MAILS, {
    name: 'mails',
    waiting: 'Mails that are still to be sent',
    givenUp: 'Mails that could not be delivered',
  });
}
