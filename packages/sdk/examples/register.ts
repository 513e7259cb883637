/** Registers a domain for an order, exactly once: node register.ts order-1 shop.ee */
import { type CreateDomainRefusal, isCommonRefusal, type RefusalOf } from 'cadastre-sdk';
import { connect } from './connect.ts';

const [order = 'order-1', name = 'shop.ee'] = process.argv.slice(2);
const registry = connect();

// The keys come from the order, so a program that was killed here is simply started again.
const { data: created } = await registry.contacts.create(
  {
    name: 'Mari Maasikas',
    email: 'mari@example.ee',
    phone: '+372.5551234',
    ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
  },
  { key: `${order}-contact` },
);
const domain = { name, registrant: created.contact.code, period: 1, period_unit: 'y' } as const;

const rehearsal = await registry.domains.create(domain, { dryRun: true }).result();
if (rehearsal.ok) {
  const { price, balance_after } = rehearsal.data.dry_run;
  console.log(`${name} would cost ${price} and leave ${balance_after}`);
}

const result = await registry.domains.create(domain, { key: `${order}-domain` }).result();
if (result.ok)
  console.log(`${result.data.domain.name} is registered${result.meta.isReplay ? ', as before' : ''}`);
else console.log(answerFor(result.refusal));

/** What the customer is told. A refusal that is not handled here does not compile. */
function answerFor(refusal: RefusalOf<CreateDomainRefusal>): string {
  if (isCommonRefusal(refusal)) return `please correct ${refusal.field}: ${refusal.message}`;
  switch (refusal.reason) {
    case 'nameYours':
      return `${name} is ours already, by another order`;
    case 'nameTaken':
      return `${name} is taken`;
    case 'nameInvalid':
    case 'nameBlocked':
      return `${name} cannot be registered: ${refusal.message}`;
    case 'reservationCodeMissing':
    case 'wrongCode':
    case 'tooManyWrongCodes':
      return `${name} is reserved; its code is needed`;
    case 'noFunds':
      return 'we will register it tomorrow';
    case 'noPrice':
    case 'otherPrice':
    case 'outOfRange':
      return 'there is no such period';
    case 'bodyObjectMissing':
    case 'contactTwice':
    case 'adminNotPerson':
    case 'adminTooYoung':
    case 'adminRequired':
      return `please choose other contacts: ${refusal.message}`;
    case 'tooMany':
    case 'nameserverCount':
    case 'nameserverTaken':
    case 'glueMissing':
    case 'dnsKeyTaken':
      return `please check the nameservers: ${refusal.message}`;
    default:
      return refusal satisfies never;
  }
}
