import { runTransaction } from '../../operations/in-transaction.ts';
import { insertHistory, type Recorder } from '../../operations/record-history.ts';
import { enqueueMails } from '../../platform/mail/enqueue-mails.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { registryAuthor } from '../history/read-history.ts';
import { webhookMail } from '../mails/webhook-mail.ts';
import { message, sendMessages } from '../poll/send-messages.ts';

type Disabled = {
  readonly registrarId: number;
  readonly registrar: string;
  readonly email: string | null;
  readonly host: string;
};

/**
 * Disables an endpoint, ends what waits for it, and notifies its registrar by poll message and mail. Inside a
 * transaction. False if there is no such endpoint that is enabled.
 */
export async function disableEndpoint(
  db: Sql,
  publicId: string,
  disabledReason: string,
  author: Recorder & { readonly now: Date },
): Promise<boolean> {
  const { now } = author;
  const disabled = await db.maybe(sql<Disabled>`
    with changed as (
      update webhook_endpoints set disabled_at = ${now}, disabled_reason = ${disabledReason}, updated_at = ${now}
      where public_id = ${publicId} and disabled_at is null
      returning id, public_id, registrar_id, url),
    ended as (
      update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = ${now}, last_error = 'The endpoint was disabled'
      from changed where d.endpoint_id = changed.id and d.next_attempt_at is not null),
    recorded as (${insertHistory(
      {
        objectKind: 'webhook',
        objectName: sql`changed.public_id`,
        operation: 'disable',
        registrarId: sql`changed.registrar_id`,
        after: { disabledReason },
      },
      author,
      sql`from changed`,
    )})
    select r.id as "registrarId", r.name as registrar, r.email, substring(changed.url from '^[a-z]+://([^/?#]+)') as host
    from changed join registrars r on r.id = changed.registrar_id`);
  if (!disabled) return false;
  const { registrarId, registrar, email, host } = disabled;
  const notice = message('webhook_disabled', { registrarId, endpoint: publicId, reason: disabledReason });
  await sendMessages(db, [notice], registryAuthor(now));
  if (email)
    await enqueueMails(
      db,
      [webhookMail({ to: email, registrar, endpoint: publicId, host, reason: disabledReason })],
      now,
    );
  return true;
}

/** The same by the worker, for an endpoint that is gone or has failed for long. */
export const disableFailing = (
  pool: Pool,
  publicId: string,
  disabledReason: string,
  now: Date,
): Promise<boolean> =>
  runTransaction(pool, now, (db) => disableEndpoint(db, publicId, disabledReason, registryAuthor(now)));
