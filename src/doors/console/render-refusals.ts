import type { BillingPath } from '../../billing/billing-refusals.ts';
import {
  type NamedRefusal,
  type Names,
  type NameTable,
  nameRefusal,
} from '../../operations/named-refusal.ts';
import type { Refusal } from '../../operations/refusal.ts';
import type { ContactPath } from '../../registry/contacts/contact-paths.ts';
import type { DomainPath } from '../../registry/domains/rules/domain-paths.ts';
import { linesIn } from './domains/list-fields.ts';
import type { Values } from './form-definition.ts';

/** A refusal at a field of a form, and the item of the field that it is about. */
export type PlacedRefusal = {
  readonly refusal: NamedRefusal;
  readonly field: string | null;
  readonly item: string | undefined;
};

/** By the table of the form; in a field of lines a refusal is about one of them. */
export function placeRefusals(
  refusals: readonly Refusal[],
  names: NameTable,
  values: Values,
): PlacedRefusal[] {
  // Once for all refusals, whose number grows with that of the lines.
  const lines = new Map(LINE_FIELDS.map((field) => [field, linesIn(values(field))]));
  return refusals.map((refusal) => {
    const named = nameRefusal(refusal, { ...names, requestKey: '' });
    const position = refusal.at?.find((step) => typeof step === 'number');
    const line = position === undefined ? undefined : lines.get(named.field ?? '')?.[Number(position)];
    return { refusal: named, field: named.field, item: line && itemOf(line, named.field) };
  });
}

const LINE_FIELDS: readonly string[] = ['nameservers', 'keys'];
const MAX_ITEM = 40;

/** A nameserver by its name, without its addresses. */
function itemOf(line: string, field: string | null): string {
  const item = field === 'nameservers' ? (line.split(/\s/, 1)[0] ?? '') : line;
  return item.length > MAX_ITEM ? `${item.slice(0, MAX_ITEM)}…` : item;
}

/** What forms about domains call the places of a command. */
export const DOMAIN_FIELDS: Names<DomainPath> = {
  name: 'name',
  period: 'years',
  reservationCode: 'reservationCode',
  transferCode: 'transferCode',
  reference: null,
  disputeCode: 'disputeCode',
  expiry: 'expires',
  agreedPrice: 'price',
  legalDocument: 'legalDocument',
  'legalDocument.type': 'legalDocument',
  registrant: 'registrant',
  admins: 'admins',
  'admins.#': 'admins',
  techs: 'techs',
  'techs.#': 'techs',
  contacts: 'contacts',
  'contacts.#': 'contacts',
  'add.contacts.#': 'contacts',
  'remove.contacts.#': 'contacts',
  'add.statuses.#': 'statuses',
  'remove.statuses.#': 'statuses',
  nameservers: 'nameservers',
  'nameservers.#': 'nameservers',
  'nameservers.#.hostname': 'nameservers',
  'nameservers.#.ipv4': 'nameservers',
  'nameservers.#.ipv6': 'nameservers',
  'nameservers.#.ipv4.#': 'nameservers',
  'nameservers.#.ipv6.#': 'nameservers',
  'add.nameservers.#': 'nameservers',
  'add.nameservers.#.hostname': 'nameservers',
  'add.nameservers.#.ipv4': 'nameservers',
  'add.nameservers.#.ipv6': 'nameservers',
  'add.nameservers.#.ipv4.#': 'nameservers',
  'add.nameservers.#.ipv6.#': 'nameservers',
  'remove.nameservers.#': 'removedNameservers',
  'remove.nameservers.#.hostname': 'removedNameservers',
  'remove.nameservers.#.ipv4': 'removedNameservers',
  'remove.nameservers.#.ipv6': 'removedNameservers',
  'remove.nameservers.#.ipv4.#': 'removedNameservers',
  'remove.nameservers.#.ipv6.#': 'removedNameservers',
  dnsKeys: 'keys',
  'dnsKeys.#': 'keys',
  'dnsKeys.#.flags': 'keys',
  'dnsKeys.#.protocol': 'keys',
  'dnsKeys.#.alg': 'keys',
  'dnsKeys.#.publicKey': 'keys',
  'add.dnsKeys.#': 'keys',
  'add.dnsKeys.#.flags': 'keys',
  'add.dnsKeys.#.protocol': 'keys',
  'add.dnsKeys.#.alg': 'keys',
  'add.dnsKeys.#.publicKey': 'keys',
  'remove.dnsKeys.#': 'removedKeys',
  'remove.dnsKeys.#.flags': 'removedKeys',
  'remove.dnsKeys.#.protocol': 'removedKeys',
  'remove.dnsKeys.#.alg': 'removedKeys',
  'remove.dnsKeys.#.publicKey': 'removedKeys',
  current: 'current',
  next: 'next',
  'next.hostname': 'hostname',
  'next.ipv4': 'ipv4',
  'next.ipv6': 'ipv6',
  'next.ipv4.#': 'ipv4',
  'next.ipv6.#': 'ipv6',
  'domains.#': 'names',
};

export const CONTACT_FIELDS: Names<ContactPath> = {
  code: 'id',
  name: 'name',
  email: 'email',
  phone: 'phone',
  ident: 'ident',
  'ident.ident': 'ident',
  'ident.type': 'identType',
  'ident.countryCode': 'identCountry',
  address: 'city',
  'address.street': 'street',
  'address.street.#': 'street',
  'address.city': 'city',
  'address.state': 'state',
  'address.postalCode': 'postalCode',
  'address.countryCode': 'country',
  authInfo: 'authInfo',
  reference: null,
  'disclosedAttributes.#': 'disclosure',
  legalDocument: 'legalDocument',
  'legalDocument.type': 'legalDocument',
  'addStatuses.#': 'statuses',
  'removeStatuses.#': 'statuses',
};

export const MONEY_FIELDS: Names<BillingPath> = {
  number: 'number',
  amount: 'amount',
  description: 'description',
  status: 'status',
  returnUrl: 'returnUrl',
  'buyer.name': 'buyerName',
  'buyer.registryCode': 'buyerNumber',
  invoice: 'invoice',
  invoices: 'invoices',
};
