/**
 * What must not compile. Each expectation below is itself an error once its line compiles; `npm run typecheck` reads
 * this file against the sources, test/packages/sdk/package.test.ts against the packed package.
 */
import {
  type CheckDomainData,
  type CreateDomainRefusal,
  type Domain,
  type EventOf,
  isCommonRefusal,
  type Invoice,
  isKnownEvent,
  type RefusalOf,
  type Registry,
  type UnknownEvent,
  type WebhookEvent,
} from 'cadastre-sdk';

declare const registry: Registry;
const order = { name: 'shop.ee', registrant: 'mari', period: 1, period_unit: 'y' } as const;

export async function wrongRequests(): Promise<void> {
  // A misspelt field.
  // @ts-expect-error
  await registry.domains.create({ ...order, registrand: 'mari' });
  // A missing period.
  // @ts-expect-error
  await registry.domains.create({ name: 'shop.ee', registrant: 'mari', period_unit: 'y' });
  // A unit that there is not.
  // @ts-expect-error
  await registry.domains.create({ ...order, period_unit: 'd' });
  // A number where money is a text.
  // @ts-expect-error
  await registry.billing.addCredit({ amount: 100 });
  // An order that the list does not have.
  // @ts-expect-error
  registry.domains.list({ sort: 'registrant' });
  // A read has no key and no dry run.
  // @ts-expect-error
  await registry.domains.read('shop.ee', { key: 'order-1' });
  // @ts-expect-error
  await registry.billing.balance({}, { dryRun: true });
  // The code is an option of the calls that take one.
  // @ts-expect-error
  await registry.domains.read('shop.ee', { authCode: 'secret' });
}

export async function wrongAnswers(): Promise<void> {
  const { data } = await registry.domains.create(order);
  // The price is told by a dry run only.
  // @ts-expect-error
  data.dry_run.price;
  const { data: rehearsed } = await registry.domains.create(order, { dryRun: true });
  rehearsed.dry_run.price satisfies string;

  for await (const domain of registry.domains.list()) {
    // Without details a list has names.
    // @ts-expect-error
    domain.expire_time;
  }
  for await (const domain of registry.domains.list({ details: true })) domain satisfies Domain;

  const { data: message } = await registry.messages.latest();
  // There may be none.
  // @ts-expect-error
  message.text.length;
  if (message.id !== undefined) message.text satisfies string;

  const { data: contact } = await registry.contacts.read('mari', { simple: true });
  // @ts-expect-error
  contact.contact.email;

  const result = await registry.domains.create(order).result();
  // Not before it is known that the call was not refused.
  // @ts-expect-error
  result.data;
  if (!result.ok) {
    // A name that no refusal has.
    // @ts-expect-error
    result.refusal.has('nameTooLong');
    // A refusal that this call does not have.
    // @ts-expect-error
    if (result.refusal.reason === 'contactLinked') return;
  }
}

export function unhandledRefusal(refusal: RefusalOf<CreateDomainRefusal>): string {
  if (isCommonRefusal(refusal)) return 'common';
  switch (refusal.reason) {
    case 'nameTaken':
      return 'taken';
    default:
      // @ts-expect-error
      return refusal satisfies never;
  }
}

export function wrongEvents(event: WebhookEvent): string {
  // A type that no event has.
  // @ts-expect-error
  if (event.type === 'domain.eaten') return '';
  // Not every event is about an object.
  // @ts-expect-error
  event.data.name;
  switch (event.type) {
    case 'domain.renewed':
      event.data.expire_time satisfies string | undefined;
      // A transfer has this, a renewal has not.
      // @ts-expect-error
      return event.data.from;
    case 'domain.transferred_away':
      event.data.to satisfies string;
      // @ts-expect-error
      return event.data.changed;
    case 'invoice.paid':
      // @ts-expect-error
      return event.data.name;
    case 'contact.updated':
      // By the registrar, or by the registrant with a message.
      // @ts-expect-error
      return event.data.operation;
    default:
      return '';
  }
}

export function unhandledEvent(event: EventOf<'domain.registered' | 'domain.renewed'>): string {
  switch (event.type) {
    case 'domain.registered':
      return event.data.name;
    default:
      // @ts-expect-error
      return event satisfies never;
  }
}

export function laterEvents(event: WebhookEvent): string {
  // @ts-expect-error
  if (isKnownEvent(event)) return event satisfies never;
  event satisfies UnknownEvent;
  event.data.anything satisfies unknown;
  return event.type satisfies string;
}

export function knownValues(domain: Domain, invoice: Invoice, reason: CheckDomainData['domain']['reason']) {
  return [
    // @ts-expect-error
    domain.statuses.serverHeld,
    // @ts-expect-error
    invoice.status === 'payed',
    // @ts-expect-error
    reason === 'taken',
  ];
}

export async function transactionsOnDemand(): Promise<void> {
  const { data: whole } = await registry.billing.balance({ detailed: true });
  whole.transactions.length satisfies number;
  const { data } = await registry.billing.balance();
  // @ts-expect-error
  data.transactions.length;
}
