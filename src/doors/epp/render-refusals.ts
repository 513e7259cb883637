import {
  type NamedRefusal,
  type Names,
  type NameTable,
  nameAt,
  withName,
} from '../../operations/named-refusal.ts';
import type { Refusal } from '../../operations/refusal.ts';
import type { ContactPath } from '../../registry/contacts/contact-paths.ts';
import type { DomainPath } from '../../registry/domains/rules/domain-paths.ts';
import { type CommandKind, type CommandReader, qualifiedName } from './command-reader.ts';
import type { XmlElement } from './xml/element.ts';

/** A refusal in the words of EPP, and the element of the client that it is about. */
export type RenderedRefusal = Pick<NamedRefusal, 'code' | 'message'> & {
  readonly element: XmlElement | undefined;
};

/** A place is called by the client's own element; where it has none, by the name in the table. */
export function renderRefusal(refusal: Refusal, reader: CommandReader | undefined): RenderedRefusal {
  const { at, code } = refusal;
  const element = reader?.refusedElement(refusal);
  if ('message' in refusal || at === null) return { code, message: messageOf(refusal), element };
  const name = nameAt(at, NAMES[reader?.kind ?? 'domain']);
  if (name === undefined) throw new Error(`EPP has no name for ${at.join('.')}`);
  const { message } = withName(refusal, element ? qualifiedName(element) : name, name);
  return { code, message, element };
}

const messageOf = (refusal: Refusal): string =>
  'message' in refusal ? String(refusal.message) : withName(refusal, null).message;

const DOMAIN_NAMES: Names<DomainPath> = {
  name: 'domain:name',
  period: 'domain:period',
  reservationCode: 'eis:reserved',
  transferCode: 'authInfo',
  reference: null,
  disputeCode: 'eis:reserved',
  expiry: 'curExpDate',
  agreedPrice: 'fee:fee',
  legalDocument: 'eis:legalDocument',
  'legalDocument.type': 'eis:legalDocument',
  registrant: 'domain:registrant',
  admins: 'domain:contact',
  'admins.#': 'domain:contact',
  techs: 'domain:contact',
  'techs.#': 'domain:contact',
  contacts: 'domain:contact',
  'contacts.#': 'domain:contact',
  'add.contacts.#': 'domain:contact',
  'remove.contacts.#': 'domain:contact',
  'add.statuses.#': 'domain:status',
  'remove.statuses.#': 'domain:status',
  nameservers: 'domain:ns',
  'nameservers.#': 'domain:hostAttr',
  'nameservers.#.hostname': 'domain:hostName',
  'nameservers.#.ipv4': 'domain:hostAddr',
  'nameservers.#.ipv6': 'domain:hostAddr',
  'nameservers.#.ipv4.#': 'domain:hostAddr',
  'nameservers.#.ipv6.#': 'domain:hostAddr',
  'add.nameservers.#': 'domain:hostAttr',
  'add.nameservers.#.hostname': 'domain:hostName',
  'add.nameservers.#.ipv4': 'domain:hostAddr',
  'add.nameservers.#.ipv6': 'domain:hostAddr',
  'add.nameservers.#.ipv4.#': 'domain:hostAddr',
  'add.nameservers.#.ipv6.#': 'domain:hostAddr',
  'remove.nameservers.#': 'domain:hostAttr',
  'remove.nameservers.#.hostname': 'domain:hostName',
  'remove.nameservers.#.ipv4': 'domain:hostAddr',
  'remove.nameservers.#.ipv6': 'domain:hostAddr',
  'remove.nameservers.#.ipv4.#': 'domain:hostAddr',
  'remove.nameservers.#.ipv6.#': 'domain:hostAddr',
  dnsKeys: 'secDNS:keyData',
  'dnsKeys.#': 'secDNS:keyData',
  'dnsKeys.#.flags': 'secDNS:flags',
  'dnsKeys.#.protocol': 'secDNS:protocol',
  'dnsKeys.#.alg': 'secDNS:alg',
  'dnsKeys.#.publicKey': 'secDNS:pubKey',
  'add.dnsKeys.#': 'secDNS:keyData',
  'add.dnsKeys.#.flags': 'secDNS:flags',
  'add.dnsKeys.#.protocol': 'secDNS:protocol',
  'add.dnsKeys.#.alg': 'secDNS:alg',
  'add.dnsKeys.#.publicKey': 'secDNS:pubKey',
  'remove.dnsKeys.#': 'secDNS:keyData',
  'remove.dnsKeys.#.flags': 'secDNS:flags',
  'remove.dnsKeys.#.protocol': 'secDNS:protocol',
  'remove.dnsKeys.#.alg': 'secDNS:alg',
  'remove.dnsKeys.#.publicKey': 'secDNS:pubKey',
  current: 'domain:contact',
  next: 'domain:contact',
  'next.hostname': 'domain:hostName',
  'next.ipv4': 'domain:hostAddr',
  'next.ipv6': 'domain:hostAddr',
  'next.ipv4.#': 'domain:hostAddr',
  'next.ipv6.#': 'domain:hostAddr',
  'domains.#': 'domain:name',
};

const CONTACT_NAMES: Names<ContactPath> = {
  code: 'contact:id',
  name: 'contact:name',
  email: 'contact:email',
  phone: 'contact:voice',
  ident: 'eis:ident',
  'ident.ident': 'eis:ident',
  'ident.type': 'eis:ident',
  'ident.countryCode': 'eis:ident',
  address: 'contact:addr',
  'address.street': 'contact:street',
  'address.street.#': 'contact:street',
  'address.city': 'contact:city',
  'address.state': 'contact:sp',
  'address.postalCode': 'contact:pc',
  'address.countryCode': 'contact:cc',
  authInfo: 'authInfo',
  reference: null,
  'disclosedAttributes.#': 'contact:disclose',
  legalDocument: 'eis:legalDocument',
  'legalDocument.type': 'eis:legalDocument',
  'addStatuses.#': 'contact:status',
  'removeStatuses.#': 'contact:status',
};

const LOGIN_NAMES: Names<readonly ['newPassword']> = { newPassword: 'newPW' };

const NAMES: Readonly<Record<CommandKind, NameTable>> = {
  domain: DOMAIN_NAMES,
  contact: CONTACT_NAMES,
  login: LOGIN_NAMES,
};
