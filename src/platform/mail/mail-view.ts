import type { Purge } from '../jobs/run-purge.ts';
import { dueAgain } from '../outbox/outbox-table.ts';
import { outboxMetrics, type Unsent, unsentColumns, unsentRows } from '../outbox/outbox-view.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';
import { mailOutbox } from './deliver-mails.ts';
import type { Mail } from './enqueue-mails.ts';

export type SentMail = Omit<Mail, 'replyTo'> & { readonly replyTo: string | null } & {
  readonly id: number;
  readonly sentAt: Date;
};
export type UnsentMail = Unsent & { readonly id: number; readonly to: string; readonly subject: string };

/** Newest first. */
export function listSent(db: Sql, limit: number): Promise<SentMail[]> {
  return db.rows(sql<SentMail>`
    select id, recipient as "to", subject, text, html, reply_to as "replyTo", sent_at as "sentAt" from mails
    where sent_at is not null order by sent_at desc, id desc limit ${limit}`);
}

export async function findSent(db: Sql, id: number): Promise<SentMail | undefined> {
  return db.maybe(sql<SentMail>`
    select id, recipient as "to", subject, text, html, reply_to as "replyTo", sent_at as "sentAt" from mails where id = ${id} and sent_at is not null`);
}

/** Mails that wait for their next attempt and those given up, in the order of their creation. */
export function listUnsent(db: Sql, limit: number): Promise<UnsentMail[]> {
  return db.rows(sql<UnsentMail>`
    select id, recipient as "to", subject, ${unsentColumns} from ${unsentRows(mailOutbox)} unsent order by id limit ${limit}`);
}

/** Makes unsent mails due at once and extends their retries by a few days. */
export const retriedMails = (ids: readonly number[], now: Date): Fragment => sql`
  update mails set attempts = 0, ${dueAgain(now, mailOutbox)} where id = any(${[...ids]}::bigint[]) and sent_at is null
  returning id, id::text as name`;

const oldMails = (now: Date, days: number): Fragment => sql`
  select id from mails where sent_at < ${now}::timestamptz - make_interval(days => ${days})
  union all select id from mails where gave_up_at < ${now}::timestamptz - make_interval(days => ${days})`;

/** Mails that were sent or given up this long ago: they contain personal data. */
export const mailPurge = (days: number): Purge => ({
  step: 'delete mails',
  table: sql`mails`,
  due: (time) => oldMails(time, days),
  removeSome: (db, time) =>
    db.run(sql`delete from mails where id = any(array(${oldMails(time, days)} limit 1000))`),
});

export const mailMetrics = outboxMetrics(mailOutbox, {
  name: 'mails',
  waiting: 'Mails that are still to be sent',
  givenUp: 'Mails that could not be delivered',
});
