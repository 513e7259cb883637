import type { TProperties, TSchema } from 'typebox';
import { bulkKinds } from '../../registry/bulk-jobs/bulk-job.ts';
import {
  type MessageKind,
  type MessageType,
  messageKinds,
  messageTypes,
} from '../../registry/poll/send-messages.ts';
import { eventOfMessage, eventTypes, TEST_EVENT } from '../../registry/webhooks/event-types.ts';
import type { DescribedEvent } from '../http/openapi-events.ts';
import { Type } from '../http/schema-builder.ts';
import { Statuses } from './domain-schemas.ts';

export const EventType = Type.Enum([...eventTypes.keys()], { 'x-component': 'EventType' });

const sequence = Type.Integer({
  description: 'of two events about one object the younger has the higher one',
});
const requestIds = {
  request_id: Type.Optional(Type.String({ description: 'of the request that caused it' })),
  client_transaction_id: Type.Optional(Type.String({ description: 'of that request, where it had one' })),
};
const key = {
  idempotency_key: Type.Optional(Type.String({ description: 'of your request that caused it' })),
};
const amount = (description: string) => ({ amount: Type.Optional(Type.String({ description })) });
const message = {
  sequence,
  message_id: Type.Integer({ description: 'number of the poll message' }),
};
const expireTime = Type.Optional(Type.String({ description: 'when the domain expires' }));

/** Receivers must accept further members: they are added without notice. */
const named = (name: string, members: TProperties): TSchema =>
  Type.Object(members, { 'x-component': `${name}EventData` });

const about = (object: string, what: string) => ({
  object: Type.Literal(object),
  id: Type.Integer(),
  name: Type.String({ description: what }),
});
const aboutDomain = {
  ...about('domain', 'name of the domain'),
  domain: Type.String({ description: 'name of the domain' }),
};
const aboutContact = {
  ...about('contact', 'code of the contact'),
  contact: Type.String({ description: 'code of the contact' }),
};
const aboutUser = about('user', 'name of the API user');
/** An object that no longer exists has no id. */
const mayBeGone = { id: Type.Optional(Type.Integer({ description: 'absent if it no longer exists' })) };

const change = {
  operation: Type.String({ description: 'what was done' }),
  by: Type.Enum(['registrar', 'registry', 'registrant'], { description: 'who did it' }),
  ...requestIds,
  ...key,
};
const changed = Type.Optional(
  Type.Array(Type.String(), { description: 'the names of the members that are different now' }),
);

const DomainChange = named('DomainChange', {
  sequence,
  ...aboutDomain,
  ...change,
  changed,
  expire_time: expireTime,
  statuses: Type.Optional(Statuses),
  ...amount('what it cost, of a registration or renewal'),
});
const ContactChange = named('ContactChange', { sequence, ...aboutContact, ...change, changed });
const UserChange = named('UserChange', { sequence, ...aboutUser, ...change });
const CertificateChange = named('CertificateChange', {
  sequence,
  ...aboutUser,
  ...change,
  serial: Type.Optional(Type.String({ description: 'of the certificate' })),
});
const DomainMessage = named('DomainMessage', { ...message, ...aboutDomain, ...mayBeGone, ...key });
const ContactMessage = named('ContactMessage', { ...message, ...aboutContact, ...mayBeGone });
const Transfer = named('Transfer', {
  ...message,
  ...aboutDomain,
  from: Type.String({ description: 'code of the registrar that lost the domain' }),
  to: Type.String({ description: 'code of the registrar that gained it' }),
  direction: Type.Optional(Type.Enum(['in', 'out'], { description: 'to you, or away from you' })),
  expire_time: expireTime,
  ...key,
});
const Confirmation = named('Confirmation', { ...message, ...aboutDomain, ...requestIds, ...key });
const AccountMessage = named('AccountMessage', { ...message, ...key });
const MoneyMessage = named('MoneyMessage', {
  ...message,
  invoice_number: Type.Optional(Type.Integer({ description: 'of the invoice that it is about' })),
  ...amount('of that invoice, or what was credited, taken or repaid'),
  ...key,
});
const PaymentFailed = named('PaymentFailed', {
  sequence,
  invoice_number: Type.Integer({ description: 'of the invoice' }),
  amount: Type.String({ description: 'of the invoice' }),
});
const Maintenance = named('Maintenance', {
  sequence,
  starts_at: Type.String({ description: 'when it is to begin' }),
  ends_at: Type.String({ description: 'when it is to be over' }),
  text: Type.Optional(Type.String({ description: 'what the registry says of it' })),
});
const rows = (what: string) => Type.Integer({ description: `domains that ${what}` });
const BulkJob = named('BulkJob', {
  sequence,
  job: Type.String({ description: 'id of the job, as in its address in the console' }),
  kind: Type.Enum([...bulkKinds], { description: 'what it did' }),
  total: rows('it had'),
  changed: rows('it changed, or about which it asked their registrants'),
  unchanged: rows('were as they were to be'),
  refused: rows('were refused'),
  request_id: Type.Optional(Type.String({ description: 'of the request that began it' })),
});
const Test = named('Test', {
  sequence,
  object: Type.Literal('webhook'),
  name: Type.String({ description: 'id of the endpoint' }),
});

const CHANGES: Readonly<Record<string, TSchema>> = {
  domain: DomainChange,
  contact: ContactChange,
  user: UserChange,
  certificate: CertificateChange,
};
/** Of those that are no change of an object. */
const OTHERS: Readonly<Record<string, TSchema>> = {
  'invoice.payment_failed': PaymentFailed,
  'maintenance.announced': Maintenance,
  'job.finished': BulkJob,
  [TEST_EVENT]: Test,
};

const isAboutMoney = (type: MessageType): boolean =>
  type !== 'low_balance' && /^(balance|debt|invoice)_/.test(type);

function messageData(type: MessageType): TSchema {
  const [object] = eventOfMessage(type).split('.', 1);
  const kind: MessageKind = messageKinds[type];
  if (type === 'transferred_in' || type === 'transferred_away') return Transfer;
  if (kind.details?.kind === 'pending action') return Confirmation;
  if (object === 'domain') return DomainMessage;
  if (object === 'contact') return ContactMessage;
  return isAboutMoney(type) ? MoneyMessage : AccountMessage;
}

function dataOf(type: string): TSchema {
  const other = OTHERS[type];
  if (other) return other;
  const data = messageTypes.filter((each) => eventOfMessage(each) === type).map(messageData);
  const [first = CHANGES[type.split('.', 1)[0] ?? '']] = data;
  if (!first) throw new Error(`no schema for the event ${type}`);
  // A contact is changed by the registrar itself, or by its registrant, of which a message tells.
  return type === 'contact.updated' ? Type.Union([ContactChange, first]) : first;
}

/** Every event with the schema of its data. */
export const describedEvents = (): DescribedEvent[] =>
  Array.from(eventTypes, ([type, summary]) => ({ type, summary, data: dataOf(type) }));
