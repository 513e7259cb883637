import type { Sql } from '../../platform/sql/executor.ts';
import { type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';

/** Writes messages in the transaction of their cause. */
export async function sendMessages(db: Sql, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length > 0) await db.run(insertMessages(messages, now));
}

/** Part of a persisting statement: the messages of the changes, written only if those succeed. */
export function writeMessages(
  changes: readonly { readonly messages?: readonly NewMessage[] }[],
  now: Date,
): Part<'told', 'changed'> | undefined {
  const messages = changes.flatMap((change) => change.messages ?? []);
  if (messages.length === 0) return undefined;
  return part('told', ['changed'], sql`${insertMessages(messages, now)} where exists (select from changed)`);
}

function insertMessages(messages: readonly NewMessage[], now: Date): Statement {
  return sql`
    insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
    select m.registrar_id, m.type, m.text, m.attached_obj_type, m.attached_obj_id, ${now}
    from unnest(${messages.map(({ registrarId }) => registrarId)}::bigint[], ${messages.map(({ type }) => type)}::text[], ${messages.map(({ text }) => text)}::text[],
      ${messages.map(({ attached }) => attached?.type ?? null)}::text[], ${messages.map(({ attached }) => attached?.id ?? null)}::bigint[])
      as m(registrar_id, type, text, attached_obj_type, attached_obj_id)`;
}

/** All kinds of poll messages, with attached object type and text. docs/registrar-api.md lists them. */
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
  update_confirmed: { attached: 'Domain', text: 'Registrant confirmed domain update: {name}' },
  update_rejected: { attached: 'Domain', text: 'Registrant rejected domain update: {name}' },
  update_lapsed: { attached: 'Domain', text: 'Registrant did not confirm domain update: {name}' },
  update_failed: {
    attached: 'Domain',
    text: 'Registrant confirmed domain update, but it could not be done: {name}. {why}',
  },
  deletion_confirmed: { attached: 'Domain', text: 'Registrant confirmed domain deletion: {name}' },
  deletion_rejected: { attached: 'Domain', text: 'Registrant rejected domain deletion: {name}' },
  deletion_lapsed: { attached: 'Domain', text: 'Registrant did not confirm domain deletion: {name}' },
  deletion_failed: {
    attached: 'Domain',
    text: 'Registrant confirmed domain deletion, but it could not be done: {name}. {why}',
  },
  request_withdrawn: {
    attached: 'Domain',
    text: 'The registrant is no longer asked about domain {name}: {why}',
  },
  expired: {
    attached: 'Domain',
    text: 'Domain {name} has expired. It leaves the zone at {outzone} and is deleted on {deletion}. {renewal}',
  },
  outzoned: { attached: 'Domain', text: 'Domain {name} has left the zone' },
  delete_candidate: {
    attached: 'Domain',
    text: 'Domain {name} can no longer be renewed and is deleted within a day',
  },
  deleted: { attached: null, text: 'Domain {name} has been deleted' },
  force_delete_set: {
    attached: 'Domain',
    text: 'Force delete set on domain {name}: {kind}, {reason}. {dates}',
  },
  force_delete_started: {
    attached: 'Domain',
    text: 'The grace period of the force delete of domain {name} has begun. It is deleted on {deletion}',
  },
  force_delete_held: {
    attached: 'Domain',
    text: 'clientHold {done} on domain {name} under its force delete. It is deleted on {deletion}',
  },
  force_delete_lifted: { attached: 'Domain', text: 'Force delete is cancelled on domain {name}' },
  status_set: { attached: 'Domain', text: '{status} set on domain {name} by the registry' },
  status_cancelled: { attached: 'Domain', text: '{status} is cancelled on domain {name} by the registry' },
  restored: { attached: 'Domain', text: 'Domain {name} was restored by the registry' },
  contact_updated: { attached: 'Contact', text: 'Contact {code} has been updated by its registrant' },
  contact_archived: {
    attached: null,
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
  low_balance: { attached: null, text: 'Your balance has fallen below {threshold} {currency}' },
} as const satisfies Record<string, { attached: Attached['type'] | null; text: string }>;

export type MessageType = keyof typeof messageKinds;
export const messageTypes = Object.keys(messageKinds) as readonly MessageType[];

type Attached = { readonly type: 'Domain' | 'Contact'; readonly id: number };
export type NewMessage = {
  readonly registrarId: number;
  readonly type: MessageType;
  readonly text: string;
  /** Absent if the object was deleted. */
  readonly attached?: Attached;
};

type Kinds = typeof messageKinds;
/** The placeholders of a text. */
type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [name in Name]: string } & ValuesOf<Rest>
  : unknown;
/** The recipient, and the attached object if the kind has one. */
type For<Type extends MessageType> = { readonly registrarId: number } & (Kinds[Type]['attached'] extends null
  ? unknown
  : { readonly id: number });

export function message<Type extends MessageType>(
  type: Type,
  about: For<Type> & ValuesOf<Kinds[Type]['text']>,
): NewMessage {
  const { attached, text } = messageKinds[type];
  const values = about as unknown as { registrarId: number; id: number } & Record<string, string>;
  return {
    registrarId: values.registrarId,
    type,
    text: text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    ...(attached && { attached: { type: attached, id: values.id } }),
  };
}
