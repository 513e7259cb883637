import { type MessageType, messageKinds, messageTypes } from '../poll/send-messages.ts';

/** Events of changes that a registrar makes itself, from whichever interface, and of what the registry does silently. */
const CHANGE_EVENTS = {
  'domain.registered': 'a domain was registered',
  'domain.updated': 'a domain was changed: contacts, nameservers, keys, statuses, registrant',
  'domain.renewed': 'a domain was renewed',
  'domain.deleted': 'a domain was deleted; it is released later',
  'domain.expiring': 'a domain that is not being deleted expires in 30 days, or as many as the policy says',
  'domain.update_pending': 'the registrant was asked to confirm a new registrant',
  'domain.deletion_pending': 'the registrant was asked to confirm the deletion',
  'contact.created': 'a contact was created, or copied by a transfer',
  'contact.updated': 'a contact was changed',
  'contact.deleted': 'a contact was deleted',
  'user.created': 'an API user was created',
  'user.updated': 'an API user was changed',
  'user.disabled': 'an API user was disabled',
  'user.enabled': 'an API user was enabled',
  'user.password_changed': 'the password of an API user was changed',
  'certificate.issued': 'a certificate of an API user was entered',
  'certificate.revoked': 'a certificate of an API user was revoked',
  'maintenance.announced': 'the registry has announced maintenance, during which calls are answered with 503',
  'invoice.payment_failed': 'an attempt to pay an invoice failed; it can be paid again',
  'job.finished':
    'a change of many domains that somebody began in the console is done, with what became of its rows',
} as const;
export type ChangeEvent = keyof typeof CHANGE_EVENTS;

export const TEST_EVENT = 'webhook.test';

const IRREGULAR: Readonly<Partial<Record<MessageType, string>>> = {
  deleted: 'domain.released',
  low_balance: 'balance.low',
  debt_incurred: 'balance.debt',
};

/** The event that a poll message is, as webhook_type_of_message of the schema names it. */
export function eventOfMessage(type: MessageType): string {
  const { attached } = messageKinds[type];
  return IRREGULAR[type] ?? (attached === 'Domain' ? `domain.${type}` : type.replace('_', '.'));
}

/** All types of events, with what they mean. docs/integrate/event-types.md lists them. */
export const eventTypes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CHANGE_EVENTS),
  ...messageTypes
    .filter((type) => !(eventOfMessage(type) in CHANGE_EVENTS))
    .map((type): [string, string] => [eventOfMessage(type), `poll message ${type}`]),
  [TEST_EVENT, 'sent on request, to one endpoint'],
]);

/** Those that an endpoint can ask for. */
export const subscribableEvents: readonly string[] = [...eventTypes.keys()].filter(
  (type) => type !== TEST_EVENT,
);
