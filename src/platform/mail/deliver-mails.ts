import type { Logger } from '../logging.ts';
import { sendDue } from '../outbox/outbox.ts';
import { type Claimed, dueTimeOf, markSent, type OutboxTable, retriedRows } from '../outbox/outbox-table.ts';
import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';
import { MAX_RETRY_DAYS, type Mailer, type OutgoingMail, Undeliverable } from './enqueue-mails.ts';

const MINUTE_MS = 60_000;

/** The message id identifies the row even after a reset of the sandbox, which restarts the ids. */
export const mailOutbox: OutboxTable<ClaimedMail> = {
  table: 'mails',
  key: sql`message_id`,
  waits: sql`sent_at is null and gave_up_at is null`,
  order: sql`next_attempt_at, id`,
  sentAt: sql`sent_at`,
  columns: sql`
    id, message_id as "messageId", recipient as "to", subject, text, html, reply_to as "replyTo", created_at as "createdAt",
    try_until as "tryUntil",
    (select json_agg(json_build_object('name', a.name, 'mediaType', a.media_type, 'content', encode(a.content, 'base64')) order by a.position)
      from mail_attachments a where a.mail_id = mails.id) as attached`,
  batch: 10,
  leaseMs: 5 * MINUTE_MS,
  backoff: { firstMs: MINUTE_MS, maxMs: 60 * MINUTE_MS },
  retryDays: MAX_RETRY_DAYS,
};

export const mailDueTime = dueTimeOf('mails', mailOutbox);

type Dependencies = { readonly sql: Sql; readonly mailer: Mailer; readonly log: Logger };

/** A mail that is sent again, because its outcome is unknown, has the same Message-ID. */
export function deliverMails({ sql: db, mailer, log }: Dependencies, now: Date): Promise<void> {
  const rows = retriedRows(db, mailOutbox);
  return sendDue(
    {
      ...rows,
      send: (mail) => mailer.send(outgoing(mail)),
      nextAttempt: (mail, error, at) =>
        error instanceof Undeliverable ? undefined : rows.nextAttempt(mail, error, at),
      markSent: (mail, at) => markSent(db, mailOutbox, mail, at),
      report({ id, attempts }, outcome, _at, error) {
        if (outcome === 'sent') return log.info({ mail: id, attempts }, 'mail sent');
        // The server's answer may name the recipient, so it is stored in the table but not logged.
        const text = outcome === 'postponed' ? 'mail is tried again' : 'mail given up';
        log.warn({ mail: id, attempts, code: codeOf(error) }, text);
      },
    },
    () => now,
  );
}

function codeOf(error: Error | undefined): string | number | undefined {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown };
  return [responseCode, code].find((value) => typeof value === 'string' || typeof value === 'number');
}

type ClaimedMail = Claimed &
  Omit<OutgoingMail, 'replyTo' | 'attachments'> & {
    readonly replyTo: string | null;
    readonly attached: readonly Attached[] | null;
  };
type Attached = { readonly name: string; readonly mediaType: string; readonly content: string };

const outgoing = ({ attached, replyTo, ...mail }: ClaimedMail): OutgoingMail => ({
  ...mail,
  ...(replyTo !== null && { replyTo }),
  ...(attached && {
    attachments: attached.map(({ content, ...rest }) => ({
      ...rest,
      content: Buffer.from(content, 'base64'),
    })),
  }),
});
