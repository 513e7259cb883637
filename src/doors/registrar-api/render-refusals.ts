import type { BillingPath } from '../../billing/billing-refusals.ts';
import type { NamedRefusal, NamedRefusals, Names } from '../../operations/named-refusal.ts';
import type { RefusalKind } from '../../operations/refusal.ts';
import type { ContactPath } from '../../registry/contacts/contact-paths.ts';
import type { DomainPath } from '../../registry/domains/rules/domain-paths.ts';
import type { RenderedRefusals } from '../http/http-answer.ts';
import { refusal } from './registrar-api-refusals.ts';

/** The document's table of HTTP statuses by kind of refusal. */
export const statusOf: Readonly<Record<RefusalKind, number>> = {
  syntax: 400,
  rule: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'unknown-path': 404,
  'other-method': 405,
  'other-format': 406,
  gone: 410,
  teapot: 418,
  limited: 429,
  fault: 500,
  unavailable: 503,
};

export const CHALLENGE = 'Basic realm="registrar", charset="UTF-8"';
const SHORT_WAIT_SECONDS = 1;
/** Maximum entries of `errors`; the message gives the number of the others. */
const MAX_LISTED = 100;
/** So many failed objects are named in the message of a bulk call. */
const MAX_SUMMARISED = 10;

/** Kinds without `errors`: those of unauthenticated clients, and those that the request did not cause. */
const UNLISTED: ReadonlySet<RefusalKind> = new Set(['unauthenticated', 'fault', 'unavailable']);

/** The envelope of an error: code and message repeat the first of the failures; those of a bulk call are summarised. */
export function renderRefusals(refusals: NamedRefusals): RenderedRefusals {
  const [first, ...rest] = refusals;
  const { code, kind } = first;
  const omitted = rest.length + 1 - MAX_LISTED;
  const text = first.object === undefined ? first.message : summaryOf(refusals);
  const message = omitted > 0 ? `${text} (${omitted} more errors are not listed)` : text;
  const listed = UNLISTED.has(kind)
    ? {}
    : { errors: [first, ...rest.slice(0, MAX_LISTED - 1)].map(listedRefusal) };
  const wait = first.retryAfterSeconds ?? (kind === 'unavailable' ? SHORT_WAIT_SECONDS : undefined);
  return {
    status: statusOf[kind],
    code,
    body: { code, message, data: {}, ...listed },
    headers: {
      ...(wait !== undefined && { 'retry-after': String(wait) }),
      ...(kind === 'unauthenticated' && { 'www-authenticate': CHALLENGE }),
    },
  };
}

const listedRefusal = ({ code, message, field, name, members }: NamedRefusal) => ({
  code,
  message,
  field,
  reason: name,
  ...members,
});

function summaryOf(refusals: NamedRefusals): string {
  const texts = refusals.slice(0, MAX_SUMMARISED).map(({ object = '', message }) =>
    // Some messages contain the name already.
    message.includes(object) ? message : `${object}: ${message}`,
  );
  const others = refusals.length - texts.length;
  return texts.join('; ') + (others > 0 ? `; and ${others} more` : '');
}

/** The body of the answer to an invalid HTTP request, whichever API it was for. */
export const malformedBody = (): string => JSON.stringify(renderRefusals([refusal('malformedRequest')]).body);

/** What a registration calls the places of a command about domains. Other calls differ where their tables say so. */
export const NEW_DOMAIN_NAMES: Names<DomainPath> = {
  name: 'domain.name',
  period: 'domain.period',
  reservationCode: 'domain.reserved_pw',
  transferCode: 'domain.transfer_code',
  reference: 'domain.reference',
  disputeCode: 'domain.reserved_pw',
  expiry: 'renews.exp_date',
  agreedPrice: 'domain.expected_price',
  legalDocument: 'legal_document',
  'legalDocument.type': 'legal_document.type',
  registrant: 'domain.registrant',
  admins: 'domain.admin_contacts',
  'admins.#': 'domain.admin_contacts.#',
  techs: 'domain.tech_contacts',
  'techs.#': 'domain.tech_contacts.#',
  contacts: 'domain.contacts',
  'contacts.#': 'domain.contacts.#',
  'add.contacts.#': 'domain.contacts.#',
  'remove.contacts.#': 'domain.contacts.#',
  'add.statuses.#': 'domain.statuses.#',
  'remove.statuses.#': 'domain.statuses.#',
  nameservers: 'domain.nameservers_attributes',
  'nameservers.#': 'domain.nameservers_attributes.#',
  'nameservers.#.hostname': 'domain.nameservers_attributes.#.hostname',
  'nameservers.#.ipv4': 'domain.nameservers_attributes.#.ipv4',
  'nameservers.#.ipv6': 'domain.nameservers_attributes.#.ipv6',
  'nameservers.#.ipv4.#': 'domain.nameservers_attributes.#.ipv4.#',
  'nameservers.#.ipv6.#': 'domain.nameservers_attributes.#.ipv6.#',
  'add.nameservers.#': 'nameservers.#',
  'add.nameservers.#.hostname': 'nameservers.#.hostname',
  'add.nameservers.#.ipv4': 'nameservers.#.ipv4',
  'add.nameservers.#.ipv6': 'nameservers.#.ipv6',
  'add.nameservers.#.ipv4.#': 'nameservers.#.ipv4.#',
  'add.nameservers.#.ipv6.#': 'nameservers.#.ipv6.#',
  'remove.nameservers.#': 'nameservers.#',
  'remove.nameservers.#.hostname': 'nameservers.#.hostname',
  'remove.nameservers.#.ipv4': 'nameservers.#.ipv4',
  'remove.nameservers.#.ipv6': 'nameservers.#.ipv6',
  'remove.nameservers.#.ipv4.#': 'nameservers.#.ipv4.#',
  'remove.nameservers.#.ipv6.#': 'nameservers.#.ipv6.#',
  dnsKeys: 'domain.dnskeys_attributes',
  'dnsKeys.#': 'domain.dnskeys_attributes.#',
  'dnsKeys.#.flags': 'domain.dnskeys_attributes.#.flags',
  'dnsKeys.#.protocol': 'domain.dnskeys_attributes.#.protocol',
  'dnsKeys.#.alg': 'domain.dnskeys_attributes.#.alg',
  'dnsKeys.#.publicKey': 'domain.dnskeys_attributes.#.public_key',
  'add.dnsKeys.#': 'dns_keys.#',
  'add.dnsKeys.#.flags': 'dns_keys.#.flags',
  'add.dnsKeys.#.protocol': 'dns_keys.#.protocol',
  'add.dnsKeys.#.alg': 'dns_keys.#.alg',
  'add.dnsKeys.#.publicKey': 'dns_keys.#.public_key',
  'remove.dnsKeys.#': 'dns_keys.#',
  'remove.dnsKeys.#.flags': 'dns_keys.#.flags',
  'remove.dnsKeys.#.protocol': 'dns_keys.#.protocol',
  'remove.dnsKeys.#.alg': 'dns_keys.#.alg',
  'remove.dnsKeys.#.publicKey': 'dns_keys.#.public_key',
  current: 'current_contact_id',
  next: 'new_contact_id',
  'next.hostname': 'data.attributes.hostname',
  'next.ipv4': 'data.attributes.ipv4',
  'next.ipv6': 'data.attributes.ipv6',
  'next.ipv4.#': 'data.attributes.ipv4.#',
  'next.ipv6.#': 'data.attributes.ipv6.#',
  'domains.#': 'domains.#',
};

/** Of a change of one domain. */
export const DOMAIN_CHANGE_NAMES: Names<DomainPath> = {
  ...NEW_DOMAIN_NAMES,
  registrant: 'domain.registrant.code',
  contacts: 'contacts',
  'add.contacts.#': 'contacts.#',
  'remove.contacts.#': 'contacts.#',
  nameservers: 'nameservers',
  dnsKeys: 'dns_keys',
};

/** Of calls that address a status. */
export const STATUS_NAMES: Names<DomainPath> = {
  ...DOMAIN_CHANGE_NAMES,
  'add.statuses.#': null,
  'remove.statuses.#': null,
};

/** Of calls that have the transfer code in a header. */
export const AUTH_CODE_NAMES: Names<DomainPath> = { ...NEW_DOMAIN_NAMES, transferCode: 'Auth-Code' };

export const TRANSFER_NAMES: Names<DomainPath> = {
  ...NEW_DOMAIN_NAMES,
  agreedPrice: 'transfer.expected_price',
  transferCode: 'transfer.transfer_code',
};

export const RENEWAL_NAMES: Names<DomainPath> = {
  ...NEW_DOMAIN_NAMES,
  period: 'renews.period',
  agreedPrice: 'renews.expected_price',
};

export const BULK_RENEWAL_NAMES: Names<DomainPath> = { ...RENEWAL_NAMES, agreedPrice: 'expected_price' };

export const NAMESERVER_REPLACEMENT_NAMES: Names<DomainPath> = {
  ...NEW_DOMAIN_NAMES,
  current: 'data.id',
  next: 'data.attributes',
};

export const CONTACT_NAMES: Names<ContactPath> = {
  code: 'contact.id',
  name: 'contact.name',
  email: 'contact.email',
  phone: 'contact.phone',
  ident: 'contact.ident',
  'ident.ident': 'contact.ident.ident',
  'ident.type': 'contact.ident.ident_type',
  'ident.countryCode': 'contact.ident.ident_country_code',
  address: 'contact.address',
  'address.street': 'contact.address.street',
  'address.street.#': 'contact.address.street.#',
  'address.city': 'contact.address.city',
  'address.state': 'contact.address.state',
  'address.postalCode': 'contact.address.postal_code',
  'address.countryCode': 'contact.address.country_code',
  authInfo: 'contact.auth_info',
  reference: 'contact.reference',
  'disclosedAttributes.#': 'contact.disclosed_attributes.#',
  legalDocument: 'legal_document',
  'legalDocument.type': 'legal_document.type',
  'addStatuses.#': 'contact.statuses.#',
  'removeStatuses.#': 'contact.statuses.#',
};

/** Of the invoices by which an account is topped up. */
export const INVOICE_NAMES: Names<BillingPath> = {
  number: 'invoice_number',
  amount: 'invoice.amount',
  description: 'invoice.description',
  status: 'invoice.status',
  returnUrl: 'invoice.return_url',
  'buyer.name': 'invoice.buyer_name',
  'buyer.registryCode': 'invoice.buyer_reg_no',
  invoice: 'invoice',
  invoices: 'invoices',
};
