import type { DueTime } from '../jobs/due-times.ts';
import type { Logger } from '../logging.ts';
import { backoff, sendDue } from '../outbox/outbox.ts';
import { dueAgain } from '../outbox/outbox-view.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';
import { MAX_RETRY_DAYS, type Mailer, type OutgoingMail, Undeliverable } from './mail.ts';

type Dependencies = { readonly sql: Sql; readonly mailer: Mailer; readonly log: Logger };

const MINUTE_MS = 60_000;

const MAX_RETRY_INTERVAL_MS = 60 * MINUTE_MS;

/** Exponential backoff from a minute up to an hour. */
export const retryAt = backoff({ firstMs: MINUTE_MS, longestMs: MAX_RETRY_INTERVAL_MS });

export const mailDueTime: DueTime = {
  what: 'mails',
  table: 'mails',
  column: 'next_attempt_at',
  maxAheadMs: MAX_RETRY_INTERVAL_MS,
  where: sql`sent_at is null and gave_up_at is null`,
  repair: (now) => dueAgain(now, MAX_RETRY_DAYS),
};

/** A mail that is sent again, because its outcome is unknown, has the same Message-ID. */
export function deliverMails({ sql: db, mailer, log }: Dependencies, now: Date): Promise<void> {
  return sendDue(
    {
      claim: (at) => claimDue(db, at),
      send: (mail) => mailer.send(mail),
      nextAttempt: ({ attempts, tryUntil }, failure, at) =>
        failure instanceof Undeliverable ? undefined : retryAt(attempts, at, tryUntil),
      markSent: (mail, at) => markSent(db, mail, at),
      postpone: (mail, later, reason) => postpone(db, mail, later, reason),
      giveUp: (mail, at, reason) => giveUp(db, mail, at, reason),
      report({ id, attempts }, outcome, failure) {
        if (outcome === 'sent') return log.info({ mail: id, attempts }, 'mail sent');
        // The server's answer may name the recipient, so it is stored in the table but not logged.
        const text = outcome === 'postponed' ? 'mail is tried again' : 'mail given up';
        log.warn({ mail: id, attempts, code: codeOf(failure) }, text);
      },
    },
    now,
  );
}

function codeOf(error: Error | undefined): string | number | undefined {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown };
  return [responseCode, code].find((value) => typeof value === 'string' || typeof value === 'number');
}

export type ClaimedMail = OutgoingMail & { readonly attempts: number; readonly tryUntil: Date };

const BATCH = 10;
/** Longer than an attempt can take: until then the claim is exclusive, afterwards its process counts as dead. */
const ATTEMPT_MINUTES = 5;

/** Claims the longest due mails; skips those that others have claimed. */
async function claimDue(db: Sql, now: Date): Promise<ClaimedMail[]> {
  const rows = await db.rows(sql<Claimed>`
    update mails set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + make_interval(mins => ${ATTEMPT_MINUTES})
    where id = any(array(
      select id from mails where ${isDue(now)}
      order by next_attempt_at, id limit ${BATCH} for update skip locked))
    returning id, message_id as "messageId", recipient as "to", subject, text, html, reply_to as "replyTo", created_at as "createdAt",
      attempts, try_until as "tryUntil",
      (select json_agg(json_build_object('name', a.name, 'mediaType', a.media_type, 'content', encode(a.content, 'base64')) order by a.position)
        from mail_attachments a where a.mail_id = mails.id) as attached`);
  return rows.map(({ attached, replyTo, ...mail }) => ({
    ...mail,
    ...(replyTo !== null && { replyTo }),
    ...(attached && { attachments: attached.map(read) }),
  }));
}

type Claimed = Omit<ClaimedMail, 'replyTo'> & {
  readonly replyTo: string | null;
  readonly attached: readonly Attached[] | null;
};

type Attached = { readonly name: string; readonly mediaType: string; readonly content: string };
const read = ({ content, ...attached }: Attached) => ({
  ...attached,
  content: Buffer.from(content, 'base64'),
});

const isDue = (now: Date): Fragment =>
  sql`sent_at is null and gave_up_at is null and next_attempt_at <= ${now}`;

/** Whether a mail is due. */
export const isMailDue = (now: Date): Fragment => sql`exists (select from mails where ${isDue(now)})`;

/** The time of the next attempt; undefined if none is pending. */
export async function nextDue(db: Sql): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date }>`
    select next_attempt_at as at from mails where sent_at is null and gave_up_at is null order by next_attempt_at, id limit 1`);
  return row?.at;
}

// The message id identifies the row even after a reset of the sandbox, which restarts the ids.

async function markSent(db: Sql, { messageId }: ClaimedMail, now: Date): Promise<void> {
  await db.run(sql`
    update mails set sent_at = ${now}, gave_up_at = null, last_error = null
    where message_id = ${messageId} and sent_at is null`);
}

async function postpone(
  db: Sql,
  { messageId }: ClaimedMail,
  nextAttemptAt: Date,
  reason: string,
): Promise<void> {
  await db.run(sql`
    update mails set next_attempt_at = ${nextAttemptAt}, last_error = ${reason}
    where message_id = ${messageId} and sent_at is null and gave_up_at is null`);
}

async function giveUp(db: Sql, { messageId }: ClaimedMail, now: Date, reason: string): Promise<void> {
  await db.run(sql`
    update mails set gave_up_at = ${now}, last_error = ${reason}
    where message_id = ${messageId} and sent_at is null and gave_up_at is null`);
}
