import {
  ifPresent,
  textObject,
  textOf,
  textOfArray,
  textOfBoolean,
  textOfJson,
  textOfName,
  textOfTime,
  textOrNull,
} from '../../platform/sql/json-text.ts';
import { constant } from '../../platform/sql/statement.ts';
import {
  codesInRole,
  KEY_LINKS,
  NAMESERVER_LINKS,
  ofRegistrant,
  textOfLinks,
} from '../../registry/domains/readings/domain-links.ts';
import type { DomainMembers } from '../../registry/domains/readings/domain-members.ts';
import { domainReader, ownDomain } from '../../registry/domains/readings/read-domain.ts';
import { ROLES } from './contact-json.ts';

const registrant = ofRegistrant(({ name, code }) => textObject({ name: textOf(name), code: textOf(code) }));

/** What a domain has beside the members of the documents. */
type Further = Parameters<typeof textObject>[0];

const writeDomain = (domain: DomainMembers, further: Further) =>
  textObject({
    name: textOf(domain.name),
    registrant,
    created_at: textOfTime(domain.createdAt),
    updated_at: textOfTime(domain.updatedAt),
    expire_time: textOfTime(domain.expireTime),
    outzone_at: textOfTime(domain.outzoneAt),
    delete_date: textOrNull(domain.deleteDate),
    force_delete_date: textOrNull(domain.forceDeleteDate),
    contacts: textOfLinks(domain.contacts, ({ code, role, name }) =>
      textObject({
        code: textOf(code),
        type: textOfName(role, ROLES),
        name: ifPresent(name),
      }),
    ),
    nameservers: domain.nameservers,
    dnssec_keys: textOfLinks(KEY_LINKS, ({ id, flags, protocol, alg, publicKey }) =>
      textObject({ id, flags, protocol, alg, public_key: textOf(publicKey) }),
    ),
    statuses: textOfJson(domain.statuses),
    registrar: domain.sponsor,
    dispute: textOfBoolean(domain.isDisputed),
    ...further,
    transfer_code: ifPresent(domain.transferCode),
  });
const wholeDomain = (domain: DomainMembers) =>
  writeDomain(domain, { reference: { ifPresent: domain.reference } });
const documentedDomain = (domain: DomainMembers) => writeDomain(domain, {});

export const readDomainJson = domainReader(wholeDomain);
export const OWN_DOMAIN = ownDomain(wholeDomain);

/** Under the compatibility profile. */
export const readDocumentedDomain = domainReader(documentedDomain);
export const OWN_DOCUMENTED_DOMAIN = ownDomain(documentedDomain);

/** What identifies a domain of the caller, its holder and its statuses. */
export const SIMPLE_DOMAIN = ownDomain((domain) =>
  textObject({
    name: textOf(domain.name),
    expire_time: textOfTime(domain.expireTime),
    registrant,
    statuses: textOfJson(domain.statuses),
    transfer_code: ifPresent(domain.transferCode),
  }),
);

export const DOMAIN_CONTACTS = constant(
  textObject({
    admin_contacts: textOf(codesInRole('admin')),
    tech_contacts: textOf(codesInRole('tech')),
  }),
);

export const DOMAIN_NAMESERVERS = constant(
  textObject({
    nameservers: textOfLinks(NAMESERVER_LINKS, ({ hostname, ipv4, ipv6 }) =>
      textObject({ hostname: textOf(hostname), ipv4: textOfArray(ipv4), ipv6: textOfArray(ipv6) }),
    ),
  }),
);

export const DOMAIN_KEYS = constant(
  textObject({
    dns_keys: textOfLinks(KEY_LINKS, ({ flags, protocol, alg, publicKey }) =>
      textObject({ flags, protocol, alg, public_key: textOf(publicKey) }),
    ),
  }),
);
