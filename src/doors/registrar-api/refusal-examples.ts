import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { CatalogueEntry } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { fieldsOfCall } from '../http/call-fields.ts';
import type { DescribedEndpoint } from '../http/endpoint.ts';
import { catalogue, type RefusalName, refusal } from './registrar-api-refusals.ts';

type Values = Readonly<Record<string, string | number>>;

/** Sample values for the placeholders in the texts of refusals. */
const sampleValues = ({ domains }: Policy): Values => ({
  expected: 'a text',
  seconds: 12,
  requestId: '7c9e6679-7425',
  statuses: domains.clientStatuses.join(', '),
  status: 'serverUpdateProhibited',
  mebibytes: 1,
  object: 'mari',
  domains: 'example.ee and 7 more domains',
  contact: 'mari',
  reason: 'reserved',
  what: 'admin contacts',
  role: 'tech',
  least: domains.nameservers.min,
  most: domains.nameservers.max,
  limit: '2037-11-15',
  price: '9.00',
  balance: '4.00',
  missing: '5.00',
  days: domains.renewalWindowDays ?? 90,
  day: '2026-11-16',
  name: 'example.ee',
});

/** Where refusals of rules occur; of several places a call has the first that it knows. */
const PLACES: Partial<Record<RefusalName, readonly (readonly [field: string, values?: Values])[]>> = {
  outOfRange: [['invoice.amount', { expected: 'from 0.01 to 100000000.00' }]],
  keyReused: [['Idempotency-Key']],
  contactCodeTaken: [['contact.id']],
  identUnchangeable: [['contact.ident']],
  nameInvalid: [['domain.name', { reason: 'a label is too long' }]],
  nameTaken: [['domain.name']],
  nameYours: [['domain.name']],
  nameBlocked: [['domain.name']],
  reservationCodeMissing: [['domain.reserved_pw']],
  wrongCode: [['domain.reserved_pw'], ['transfer.transfer_code'], ['Auth-Code']],
  codeMissing: [['Auth-Code']],
  bodyObjectMissing: [
    ['domain.registrant.code'],
    ['domain.registrant'],
    ['contacts.0'],
    ['current_contact_id'],
    ['data.id', { object: 'ns.example.net' }],
    ['domains.0', { object: 'example.ee' }],
    ['contact'],
  ],
  contactTwice: [['domain.tech_contacts.1'], ['contacts.0']],
  contactNotLinked: [['contacts.0']],
  adminNotPerson: [['domain.admin_contacts'], ['contacts.0']],
  adminTooYoung: [['domain.admin_contacts'], ['contacts.0']],
  adminRequired: [['domain.admin_contacts'], ['contacts']],
  tooMany: [
    ['domain.admin_contacts', { most: 10 }],
    ['contacts', { most: 10 }],
    ['dns_keys', { most: 9, what: 'DNSSEC keys' }],
  ],
  nameserverCount: [['domain.nameservers_attributes'], ['nameservers']],
  nameserverTaken: [['domain.nameservers_attributes.1.hostname'], ['nameservers.0.hostname']],
  glueMissing: [['domain.nameservers_attributes.0'], ['nameservers.0']],
  dnsKeyTaken: [['domain.dnskeys_attributes.1.public_key'], ['dns_keys.0.public_key']],
  dnsKeyMissing: [['dns_keys.0']],
  sameContact: [['new_contact_id']],
  sameNameserver: [['data.attributes.hostname']],
  noPrice: [['domain.period'], ['renews.period']],
  otherPrice: [
    ['domain.expected_price'],
    ['renews.expected_price'],
    ['transfer.expected_price'],
    ['expected_price', { price: '18.00' }],
  ],
  expiryMismatch: [['renews.exp_date']],
  domainTwice: [['domains.1']],
};

/** A refusal as any call has it, or about a field of this one. */
export const refusalExamples =
  (policy: Policy) =>
  (name: RefusalName, endpoint?: DescribedEndpoint): NamedRefusal => {
    const { field, values } = endpoint ? placeIn(endpoint, name) : placeAnywhere(name);
    const all: Values = { ...sampleValues(policy), ...values };
    const { text, carries = [] }: CatalogueEntry = catalogue[name];
    const used = Object.entries(all).filter(
      ([value]) => text.includes(`{${value}}`) || carries.includes(value),
    );
    const given = { ...Object.fromEntries(used), ...(field !== undefined && { field }) };
    return (refusal as (name: RefusalName, values: object) => NamedRefusal)(name, given);
  };

type Place = { readonly field?: string | undefined; readonly values?: Values | undefined };

function placeAnywhere(name: RefusalName): Place {
  const [[field, values] = []] = PLACES[name] ?? [];
  return { values, field: catalogue[name].text.includes('{field}') ? (field ?? 'contact.phone') : undefined };
}

function placeIn(endpoint: DescribedEndpoint, name: RefusalName): Place {
  const fields = fieldsOfCall(endpoint);
  const known = (PLACES[name] ?? []).find(([field]) => fields.has(field));
  if (known) return { field: known[0], values: known[1] };
  switch (name) {
    case 'unknownField':
      return { field: fields.unknown };
    case 'fieldMissing':
      return { field: fields.required };
    case 'unprintableText':
      return { field: fields.text };
    case 'wrongSyntax':
      return expecting(fields.formed ?? { field: 'Dry-Run', expected: 'true or false' });
    case 'outOfRange':
      return fields.bounded ? expecting(fields.bounded) : {};
    default:
      // A bulk call says which of its domains a refusal is about.
      return { field: endpoint.refusals.includes(name) && fields.has('domains.0') ? 'domains.0' : undefined };
  }
}

const expecting = ({ field, expected }: { readonly field: string; readonly expected: string }): Place => ({
  field,
  values: { expected },
});
