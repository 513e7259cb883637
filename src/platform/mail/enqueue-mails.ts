import type { Sql } from '../sql/executor.ts';
import { type Statement, sql } from '../sql/statement.ts';
import { type Part, part } from '../sql/with.ts';

/** One recipient, and the same content as plain text and as HTML. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where answers go, if not to the sender of all our mails. */
  readonly replyTo?: string | undefined;
  readonly about?: MailObject | undefined;
};

/** The object of a registrar that a mail is about, and as what of it the recipient gets the mail. */
export type MailObject = {
  readonly kind: string;
  readonly id: number;
  readonly registrarId: number;
  readonly role: string;
};

export type Attachment = {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Buffer;
};

/** How long an undeliverable mail is retried. */
export const MAX_RETRY_DAYS = 3;

/**
 * Part of a persisting statement: `mailed`, the mails that the part `changed` causes. Without a row in `changed` the
 * guard failed and no mail is written; several rows do not repeat a mail.
 */
export function writeMails(mails: readonly Mail[], now: Date): Part<'mailed', 'changed'> {
  const body = sql`${insertMails(mails, now)} where exists (select from changed) order by m.position`;
  return part('mailed', ['changed'], body);
}

/** The same as a separate statement, inside the transaction that causes the mails. */
export async function enqueueMails(db: Sql, mails: readonly Mail[], now: Date): Promise<void> {
  await db.run(sql`${insertMails(mails, now)} order by m.position`);
}

/** The same for one mail with attachments. */
export async function enqueueAttached(
  db: Sql,
  mail: Mail,
  attachments: readonly Attachment[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    with written as (${insertMails([mail], now)} returning id)
    insert into mail_attachments (mail_id, position, name, media_type, content)
    select written.id, a.position, a.name, a.media_type, decode(a.content, 'base64')
    from written cross join unnest(${attachments.map(({ name }) => name)}::text[], ${attachments.map(({ mediaType }) => mediaType)}::text[],
      ${attachments.map(({ content }) => content.toString('base64'))}::text[]) with ordinality as a(name, media_type, content, position)`);
}

function insertMails(mails: readonly Mail[], now: Date): Statement {
  const objects = mails.map(({ about }) => about);
  return sql`
    insert into mails (recipient, subject, text, html, reply_to, object_kind, object_id, registrar_id, recipient_role,
      created_at, next_attempt_at, try_until)
    select m.recipient, m.subject, m.text, m.html, m.reply_to, m.object_kind, m.object_id, m.registrar_id, m.recipient_role,
      ${now}, ${now}, ${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})
    from unnest(${mails.map(({ to }) => to)}::text[], ${mails.map(({ subject }) => subject)}::text[],
      ${mails.map(({ text }) => text)}::text[], ${mails.map(({ html }) => html)}::text[], ${mails.map(({ replyTo }) => replyTo ?? null)}::text[],
      ${objects.map((each) => each?.kind ?? null)}::text[], ${objects.map((each) => each?.id ?? null)}::bigint[],
      ${objects.map((each) => each?.registrarId ?? null)}::bigint[], ${objects.map((each) => each?.role ?? null)}::text[])
      with ordinality as m(recipient, subject, text, html, reply_to, object_kind, object_id, registrar_id, recipient_role, position)`;
}

/** The name and address in the From header of a mail. */
export type Mailbox = { readonly name: string; readonly address: string };

// Neither can end a header line, or begin a second address or a comment.
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,255}$/u;
const NAMED = /^([^<>@()[\]\\,;:"\p{C}]{1,200}) <([^<>]+)>$/u;

/** Whether a text is exactly one address, safe to pass to a server unchanged. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** Reads `registry@example.ee` or `Registry <registry@example.ee>`. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', address = text] = NAMED.exec(text) ?? [];
  return isAddress(address) ? { name: name.trim(), address } : undefined;
}

/** A mail to be sent. Its content is the same at every attempt. */
export type OutgoingMail = Mail & {
  readonly id: number;
  readonly messageId: string;
  readonly createdAt: Date;
  readonly attachments?: readonly Attachment[];
};

/** Delivers mails. Resolves once the next server has accepted responsibility for the mail. */
export type Mailer = { send(mail: OutgoingMail): Promise<void> };

/** A mail that no further attempt can deliver: the recipient does not exist, or refuses it permanently. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}
