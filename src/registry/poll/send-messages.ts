import { type MoneyMessageType, moneyMessageKinds } from '../../ledger/money-messages.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
import type { Cents } from '../../platform/values/money.ts';
import { fillIn, type Placeholders } from '../../platform/values/placeholders.ts';
import {
  type ChangeDetails,
  completeDetails,
  type MessageAuthor,
  type NewDetails,
  type PendingActionDetails,
} from './message-details.ts';

/** Writes messages in the transaction of their cause. */
export async function sendMessages(
  db: Sql,
  messages: readonly NewMessage[],
  author: MessageAuthor,
): Promise<void> {
  if (messages.length > 0) await db.run(insertMessages(messages.map((one) => ({ ...one, author }))));
}

/** Part of a persisting statement: the messages of the changes, written only if those succeed. */
export function writeMessages(
  changes: readonly { readonly messages?: readonly NewMessage[]; readonly author: MessageAuthor }[],
): Part<'notified', 'changed'> | undefined {
  const messages = changes.flatMap(({ messages: own = [], author }) =>
    own.map((one) => ({ ...one, author })),
  );
  if (messages.length === 0) return undefined;
  return part('notified', ['changed'], sql`${insertMessages(messages)} where exists (select from changed)`);
}

function insertMessages(messages: readonly (NewMessage & { readonly author: MessageAuthor })[]): Statement {
  const details = messages.map((one) =>
    one.details ? JSON.stringify(completeDetails(one.details, one.author)) : null,
  );
  const keys = messages.map(({ registrarId, author }) =>
    author.registrarId === registrarId ? (author.idempotencyKey ?? null) : null,
  );
  // This part sees the request that the same statement closes as still open.
  return sql`
    insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at, details,
      domain, contact, invoice_number, amount, direction, idempotency_key)
    select m.registrar_id, m.type, m.text, m.attached_obj_type, m.attached_obj_id, m.at,
      case when m.details::jsonb ->> 'kind' = 'pending action' then (
        select m.details::jsonb || jsonb_build_object('requestId', q.request_id, 'clientTransactionId', q.client_transaction_id)
        from registrant_requests q where q.domain_id = m.attached_obj_id and q.closed_at is null and q.request_id is not null)
      else m.details::jsonb end,
      m.domain, m.contact, m.invoice_number, m.amount, m.direction, case when m.details::jsonb ->> 'kind' = 'pending action' then (
        select q.idempotency_key from registrant_requests q
        where q.domain_id = m.attached_obj_id and q.closed_at is null and q.registrar_id = m.registrar_id)
      else m.key end
    from unnest(${messages.map(({ registrarId }) => registrarId)}::bigint[], ${messages.map(({ type }) => type)}::text[], ${messages.map(({ text }) => text)}::text[],
      ${messages.map(({ attached }) => attached?.type ?? null)}::text[], ${messages.map(({ attached }) => attached?.id ?? null)}::bigint[], ${details}::text[],
      ${messages.map(({ author: { now } }) => now.toISOString())}::timestamptz[],
      ${messages.map(({ domain }) => domain ?? null)}::text[], ${messages.map(({ contact }) => contact ?? null)}::text[], ${messages.map(({ invoiceNumber }) => invoiceNumber ?? null)}::bigint[],
      ${messages.map(({ amount }) => amount?.toString() ?? null)}::bigint[], ${messages.map(({ direction }) => direction ?? null)}::text[], ${keys}::text[])
      as m(registrar_id, type, text, attached_obj_type, attached_obj_id, details, at, domain, contact, invoice_number, amount, direction, key)`;
}

type Attached = { readonly type: 'Domain' | 'Contact'; readonly id: number };
/** `details` are those that are the same for every message of the kind. A transfer has only its own. */
export type MessageKind = {
  readonly attached: Attached['type'] | null;
  readonly text: string;
  readonly details?:
    | Pick<PendingActionDetails, 'kind' | 'succeeded'>
    | Pick<ChangeDetails, 'kind' | 'object' | 'operation' | 'op'>;
};

/** All kinds of poll messages, with attached object type and text. docs/integrate/event-types.md lists them. */
export const messageKinds = {
  wrong_codes: {
    attached: 'Domain',
    text: '{count} wrong codes came for domain {name} within an hour',
  },
  transferred_away: {
    attached: 'Domain',
    text: 'Domain {name} was transferred to {registrar}; its registrant was {registrant}, its contacts {contacts}',
  },
  transferred_in: {
    attached: 'Domain',
    text: 'Domain {name} was transferred to you from {registrar}',
  },
  update_confirmed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: true },
    text: 'Registrant confirmed domain update: {name}',
  },
  update_rejected: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant rejected domain update: {name}',
  },
  update_lapsed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant did not confirm domain update: {name}',
  },
  update_failed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant confirmed domain update, but it could not be done: {name}. {reason}',
  },
  deletion_confirmed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: true },
    text: 'Registrant confirmed domain deletion: {name}',
  },
  deletion_rejected: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant rejected domain deletion: {name}',
  },
  deletion_lapsed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant did not confirm domain deletion: {name}',
  },
  deletion_failed: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'Registrant confirmed domain deletion, but it could not be done: {name}. {reason}',
  },
  request_withdrawn: {
    attached: 'Domain',
    details: { kind: 'pending action', succeeded: false },
    text: 'The registrant is no longer asked about domain {name}: {reason}',
  },
  expired: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'custom', op: 'expire' },
    text: 'Domain {name} has expired. It leaves the zone at {outzone} and is deleted on {deletion}. {renewal}',
  },
  outzoned: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: 'Domain {name} has left the zone',
  },
  delete_candidate: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'autoDelete' },
    text: 'Domain {name} can no longer be renewed and is deleted within a day',
  },
  deleted: {
    attached: null,
    details: { kind: 'change', object: 'domain', operation: 'autoPurge' },
    text: 'Domain {name} has been deleted',
  },
  force_delete_set: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: 'Force delete set on domain {name}: {kind}, {reason}. {dates}',
  },
  force_delete_started: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: 'The grace period of the force delete of domain {name} has begun. It is deleted on {deletion}',
  },
  force_delete_held: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: 'clientHold {done} on domain {name} under its force delete. It is deleted on {deletion}',
  },
  force_delete_lifted: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: 'Force delete is cancelled on domain {name}',
  },
  status_set: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: '{status} set on domain {name} by the registry',
  },
  status_cancelled: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'update' },
    text: '{status} is cancelled on domain {name} by the registry',
  },
  restored: {
    attached: 'Domain',
    details: { kind: 'change', object: 'domain', operation: 'restore' },
    text: 'Domain {name} was restored by the registry',
  },
  contact_updated: {
    attached: 'Contact',
    details: { kind: 'change', object: 'contact', operation: 'update' },
    text: 'Contact {code} has been updated by its registrant',
  },
  contact_archived: {
    attached: null,
    details: { kind: 'change', object: 'contact', operation: 'autoPurge' },
    text: 'Contact {code} has been archived: no domain has used it for {months} months',
  },
  certificate_expiring: {
    attached: null,
    text: 'Certificate {serial} of user {username} expires at {until}; without another certificate this user cannot log in after that',
  },
  debt_incurred: {
    attached: null,
    text: '{cause}: {taken} {currency} were taken from your account, {uncovered} {currency} more than its balance. You owe {debt} {currency}; nothing can be bought until that is repaid',
  },
  webhook_disabled: {
    attached: null,
    text: 'Webhook endpoint {endpoint} was disabled: {reason}. Its events are kept for a while; enable it and have them sent again',
  },
  debt_repaid: {
    attached: null,
    text: '{repaid} {currency} of your debt were repaid; you owe {debt} {currency}',
  },
  low_balance: { attached: null, text: 'Your balance has fallen below {threshold} {currency}' },
  balance_credited: {
    attached: null,
    text: '{amount} {currency} were credited to your account: {cause}. Its balance is {balance} {currency}',
  },
  balance_debited: {
    attached: null,
    text: '{amount} {currency} were taken from your account: {cause}. Its balance is {balance} {currency}',
  },
  ...moneyMessageKinds,
} as const satisfies Record<string, MessageKind>;

export type MessageType = keyof typeof messageKinds;
export const messageTypes = Object.keys(messageKinds) as readonly MessageType[];

/** Messages that tell amounts; not for people who may not see the registrar's money. */
export const MONEY_MESSAGES: readonly MessageType[] = [
  'debt_incurred',
  'debt_repaid',
  'low_balance',
  'balance_credited',
  'balance_debited',
  ...(Object.keys(moneyMessageKinds) as readonly MoneyMessageType[]),
];

export type NewMessage = {
  readonly registrarId: number;
  readonly type: MessageType;
  readonly text: string;
  /** Absent if the object was deleted. */
  readonly attached?: Attached;
  readonly details?: NewDetails;
  /** What the text tells, for programs; a name and a code stay when their object goes. */
  readonly domain?: string;
  readonly contact?: string;
  readonly invoiceNumber?: number | undefined;
  readonly amount?: Cents;
  readonly direction?: TransferDirection;
};
/** Of a transfer, as its reader sees it. */
export type TransferDirection = 'in' | 'out';

type Kinds = typeof messageKinds;
/** The placeholders of a text. */
type ValuesOf<Text extends string> = Readonly<Record<Placeholders<Text>, string>>;
/** The recipient, and the attached object if the kind has one. */
type For<Type extends MessageType> = { readonly registrarId: number } & (Kinds[Type]['attached'] extends null
  ? unknown
  : { readonly id: number });

export function message<Type extends MessageType>(
  type: Type,
  about: For<Type> & ValuesOf<Kinds[Type]['text']>,
): NewMessage {
  const { attached, text, details }: MessageKind = messageKinds[type];
  const values = about as { registrarId: number; id: number } & Record<string, string>;
  // A contact is identified by its code; its name is personal data.
  const name = values.code ?? values.name ?? '';
  const isAboutDomain = attached === 'Domain' || (details?.kind === 'change' && details.object === 'domain');
  const isAboutContact = details?.kind === 'change' && details.object === 'contact';
  return {
    registrarId: values.registrarId,
    type,
    text: fillIn(text, values),
    ...(attached && { attached: { type: attached, id: values.id } }),
    ...(details && { details: { ...details, name } }),
    ...(isAboutDomain && { domain: name }),
    ...(isAboutContact && { contact: name }),
  };
}
