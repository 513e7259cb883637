import { runTransaction } from '../../operations/in-transaction.ts';
import { type Mail, writeMails } from '../../platform/mail/enqueue-mails.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import type { Policy } from '../../policy/policy.ts';
import { confirmMessageMail, forwardedMessageMail } from '../mails/message-mails.ts';
import { deadline } from '../mails/registrant-mails.ts';
import type { MessageFields } from './message-fields.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const HOUR_MS = 3_600_000;
/** The window of the limits. */
const WINDOW_HOURS = 24;

export type MessageCounts = {
  /**
   * To the registrant of one domain within 24 hours. Those that nobody has confirmed do not count, or anybody could keep
   * others from reaching the registrant.
   */
  readonly forwarded: number;
  /** In the name of one sender within 24 hours, confirmed or not. */
  readonly ofSender: number;
  /** Of all senders and domains within an hour. */
  readonly unconfirmed: number;
  /** From the network of the client within 24 hours, this one included. */
  readonly ofNetwork: number;
};
/** Only `overloaded` is told: the limits of a domain or a sender would tell what others have written. */
export type SubmissionOutcome = 'mailed' | 'limited' | 'overloaded';

export type NewMessage = {
  /** In Unicode, of a registered domain. */
  readonly domain: string;
  readonly language: 'en' | 'et';
  readonly fields: MessageFields;
};

type SubmissionContext = Pick<MessageCounts, 'ofNetwork'> & {
  readonly now: Date;
  readonly publicUrl: string;
};
type Submission = { readonly token: string; readonly expiresAt: Date; readonly confirmation: Mail };

/** If a limit is reached nothing is stored or sent. */
export function decideSubmission(
  counts: MessageCounts,
  { domain, language, fields: { senderEmail } }: NewMessage,
  { now, policy, publicUrl, token }: { now: Date; policy: Policy; publicUrl: string; token: string },
): Submission | Exclude<SubmissionOutcome, 'mailed'> {
  const { messagesPerDomain, messagesPerSender, messageHours } = policy.lookup;
  // First, so that it does not depend on what others have written about the domain.
  if (counts.unconfirmed >= maxUnconfirmed(counts, policy)) return 'overloaded';
  if (counts.forwarded >= messagesPerDomain || counts.ofSender >= messagesPerSender) return 'limited';
  const expiresAt = new Date(now.getTime() + messageHours * HOUR_MS);
  const link = `${publicUrl}/lookup/message/${token}?lang=${language}`;
  const until = deadline(expiresAt, policy);
  return {
    token,
    expiresAt,
    confirmation: confirmMessageMail({ domain, sender: senderEmail, language, link, until }),
  };
}

/** The greater part is for those who have written little, so that a few clients cannot close the form for all. */
const maxUnconfirmed = ({ ofNetwork }: Pick<MessageCounts, 'ofNetwork'>, { lookup }: Policy): number =>
  ofNetwork <= lookup.busyMessagesPerNetwork
    ? lookup.unconfirmedMessagesPerHour
    : lookup.busyFromUnconfirmedMessages;

/** Stores a message and mails its sender for confirmation, if the limits admit it. */
export function submitMessage(
  { database, policy }: Dependencies,
  message: NewMessage,
  { now, publicUrl, ofNetwork }: SubmissionContext,
): Promise<SubmissionOutcome> {
  return runTransaction(database.writes, now, async (db) => {
    await lockCounts(db, [`about ${message.domain}`, `of ${message.fields.senderEmail}`, 'unconfirmed']);
    const counts = { ...(await countMessages(db, message, { now, policy })), ofNetwork };
    const submission = decideSubmission(counts, message, { now, policy, publicUrl, token: newToken() });
    if (typeof submission === 'string') return submission;
    await insertMessage(db, message, submission, now);
    return 'mailed';
  });
}

/** Until the end of the transaction nobody else counts or adds messages by the same keys. */
async function lockCounts(db: Sql, keys: readonly string[]): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('messages ' || k.key, 0))
    from (select key from unnest(${keys}::text[]) as key order by key) as k`);
}

const hoursBefore = (now: Date, hours: number): Fragment =>
  sql`${now}::timestamptz - make_interval(hours => ${hours})`;

/** A message is forwarded within `messageHours` of its creation, by which the index finds it. */
const forwardedTo = (domain: string | Fragment, now: Date, { lookup }: Policy): Fragment => sql`(
  select count(*)::int from registrant_messages f where f.domain_name = ${domain}
    and f.created_at > ${hoursBefore(now, WINDOW_HOURS + lookup.messageHours)} and f.forwarded_at > ${hoursBefore(now, WINDOW_HOURS)})`;

function countMessages(
  db: Sql,
  { domain, fields: { senderEmail } }: NewMessage,
  { now, policy }: { readonly now: Date; readonly policy: Policy },
): Promise<Omit<MessageCounts, 'ofNetwork'>> {
  const since = hoursBefore(now, WINDOW_HOURS);
  return db.one(sql<Omit<MessageCounts, 'ofNetwork'>>`
    select ${forwardedTo(domain, now, policy)} as forwarded,
      (select count(*)::int from registrant_messages u where u.created_at > ${hoursBefore(now, 1)} and u.forwarded_at is null) as unconfirmed,
      (select count(*)::int from registrant_messages s where s.sender_email = ${senderEmail} and s.created_at > ${since}) as "ofSender"`);
}

async function insertMessage(
  db: Sql,
  { domain, language, fields }: NewMessage,
  { token, expiresAt, confirmation }: Submission,
  now: Date,
): Promise<void> {
  const changed = part(
    'changed',
    [],
    sql`
    insert into registrant_messages (domain_name, sender_name, sender_email, language, message, token_hash, created_at, expires_at)
    values (${domain}, ${fields.senderName}, ${fields.senderEmail}, ${language}, ${fields.message}, ${hashOf(token)}, ${now}, ${expiresAt})
    returning id`,
  );
  const statement = WithStatement.from(changed).and(writeMails([confirmation], now));
  await db.run(statement.end(['changed'], sql`select from changed`));
}

const hashOf = (token: string): Fragment => sql`decode(${tokenHash(token).toString('hex')}, 'hex')`;

/** `later`: the registrant has got as many messages as are forwarded in a day. */
export type MessageState = 'open' | 'forwarded' | 'expired' | 'unregistered' | 'later';

/** A message as shown to its sender, who has its link. */
export type ShownMessage = {
  readonly domain: string;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly message: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly forwardedAt: Date | null;
  readonly state: MessageState;
};

export type LoadedMessage = Omit<ShownMessage, 'state'> & {
  readonly id: number;
  /** Null if the domain of that time no longer exists. */
  readonly registrantEmail: string | null;
  readonly forwardedToDomain: number;
};

type Moment = { readonly now: Date; readonly policy: Policy };

export function stateOf(loaded: LoadedMessage, { now, policy }: Moment): MessageState {
  if (loaded.forwardedAt) return 'forwarded';
  if (loaded.expiresAt <= now) return 'expired';
  if (loaded.registrantEmail === null) return 'unregistered';
  return loaded.forwardedToDomain >= policy.lookup.messagesPerDomain ? 'later' : 'open';
}

/** The mail to the registrant, if the message may be forwarded now. */
export function decideForwarding(loaded: LoadedMessage, moment: Moment): Mail | undefined {
  const { registrantEmail } = loaded;
  return registrantEmail !== null && stateOf(loaded, moment) === 'open'
    ? forwardedMessageMail({ ...loaded, registrantEmail })
    : undefined;
}

/** The message of a link; undefined if the token is unknown. */
export async function findMessage(db: Sql, token: string, moment: Moment): Promise<ShownMessage | undefined> {
  const loaded = await db.maybe(messageOf(token, moment));
  return loaded && shown(loaded, moment);
}

/** Who the registrant is, and by which address it is reached, stays here. */
function shown(loaded: LoadedMessage, moment: Moment): ShownMessage {
  const { id: _id, registrantEmail: _email, forwardedToDomain: _count, ...message } = loaded;
  return { ...message, state: stateOf(loaded, moment) };
}

const messageOf = (token: string, { now, policy }: Moment) => sql<LoadedMessage>`
  select m.id, m.domain_name as domain, m.sender_name as "senderName", m.sender_email as "senderEmail", m.message,
    m.created_at as "createdAt", m.expires_at as "expiresAt", m.forwarded_at as "forwardedAt",
    (select c.email from domains d join contacts c on c.id = d.registrant_id
      where d.name = m.domain_name and d.created_at <= m.created_at) as "registrantEmail",
    ${forwardedTo(sql`m.domain_name`, now, policy)} as "forwardedToDomain"
  from registrant_messages m where m.token_hash = ${hashOf(token)}`;

/** Forwards a message once; later calls return that it was forwarded. */
export function forwardMessage(
  { database, policy }: Dependencies,
  token: string,
  now: Date,
): Promise<ShownMessage | undefined> {
  const moment = { now, policy };
  return runTransaction(database.writes, now, async (db) => {
    await db.run(sql`
      select pg_advisory_xact_lock(hashtextextended('messages about ' || domain_name, 0))
      from registrant_messages where token_hash = ${hashOf(token)}`);
    const loaded = await db.maybe(messageOf(token, moment));
    const mail = loaded && decideForwarding(loaded, moment);
    if (!loaded || !mail) return loaded && shown(loaded, moment);
    await markForwarded(db, loaded, mail, now);
    return shown({ ...loaded, forwardedAt: now }, moment);
  });
}

/** The change and its mail are one statement: neither exists without the other. */
async function markForwarded(db: Sql, { id }: LoadedMessage, mail: Mail, now: Date): Promise<void> {
  const changed = part(
    'changed',
    [],
    sql`update registrant_messages set forwarded_at = ${now} where id = ${id} and forwarded_at is null returning id`,
  );
  const statement = WithStatement.from(changed).and(writeMails([mail], now));
  await db.run(statement.end(['changed'], sql`select require_unchanged(count(*) = 1) from changed`));
}
