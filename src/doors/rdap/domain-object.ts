import type { Policy } from '../../policy/policy.ts';
import type { DisclosedContact } from '../../registry/lookup/disclosure.ts';
import type { PublicRegistrar } from '../../registry/lookup/find-registrar.ts';
import type { ShownDomain } from '../../registry/lookup/look-up-domain.ts';
import { repositoryId } from '../../registry/repository-id.ts';
import { contactEntity } from './contact-entity.ts';
import { KnownTemplates } from './json-template.ts';
import { nameserverObject, namesOf, publishedNameserver } from './nameserver-object.ts';
import { statusNotice, termsNotice } from './notices.ts';
import { type Addresses, objectUrl, RDAP_TYPE, type RdapEvent } from './rdap-objects.ts';
import { rdapStatuses } from './rdap-statuses.ts';
import { redactionsText } from './redactions.ts';
import { registrarEntity } from './registrar-entity.ts';
import type { RdapAnswer } from './send-object.ts';

/** The entity of the registrar precedes those of the contacts. */
const FIRST_CONTACT = 1;
const UNSIGNED = '{"delegationSigned":false}';
/** No text of the database contains it. */
const BETWEEN = '\0';
const templates = new KnownTemplates();

/**
 * A domain as its viewer sees it (RFC 9083, 5.3). The frequent parts of an answer are the same for many domains: they
 * are written once, with a place for the URL that was asked.
 */
export function domainAnswer(domain: ShownDomain, policy: Policy, addresses: Addresses): RdapAnswer {
  const { page, asked, base } = addresses;
  const query = `?name=${encodeURIComponent(domain.asciiName)}`;
  const contactForm = `${page}/contact${query}`;
  const names = JSON.stringify(namesOf(domain.asciiName, domain.name)).slice(1, -1);
  const entities = domain.contacts.map((contact) => `,${contactText(contact, contactForm)}`).join('');
  const link = `{"value":${JSON.stringify(asked)},"rel":`;
  const self = JSON.stringify(objectUrl(addresses, 'domain', domain.asciiName));
  const notices = templates.get(`notices ${base}`, (hole) =>
    [statusNotice, termsNotice].map((notice) => notice({ base, asked: hole })),
  );
  return {
    notices: notices(asked),
    object: `"objectClassName":"domain","handle":"${repositoryId('D', domain.id, policy)}",${names},\
"status":${JSON.stringify(rdapStatuses(domain.statuses))},\
"entities":[${registrarText(domain.registrar, policy, addresses)}${entities}],${nameserversMember(domain, addresses)}\
"secureDNS":${secureDns(domain)},\
"links":[${link}"self","href":${self},"type":"${RDAP_TYPE}"},\
${link}"alternate","href":${JSON.stringify(page + query)},"type":"text/html"}]`,
    events: eventsOf(domain),
    redacted: redactionsText(domain, FIRST_CONTACT),
  };
}

function registrarText(registrar: PublicRegistrar, policy: Policy, addresses: Addresses): string {
  const { code, name, website, phone, abuseEmail, abusePhone } = registrar;
  const key = [addresses.base, code, name, website, phone, abuseEmail, abusePhone].join(BETWEEN);
  const template = templates.get(`registrar ${key}`, (hole) =>
    registrarEntity(registrar, policy, { ...addresses, asked: hole }),
  );
  return template(addresses.asked);
}

/** A contact of which nothing is shown looks like all others of its role and kind. */
function contactText(contact: DisclosedContact, contactForm: string): string {
  const { role, kind, shown, redacted } = contact;
  for (const _field in shown) return JSON.stringify(contactEntity(contact, contactForm));
  return templates.get(`contact ${role} ${kind} ${redacted.join()}`, (hole) => contactEntity(contact, hole))(
    contactForm,
  );
}

function nameserversMember({ nameservers, isDelegated }: ShownDomain, addresses: Addresses): string {
  if (nameservers.length === 0) return '';
  const texts = nameservers.map((host) => {
    const { hostname, ipv4, ipv6 } = host;
    const key = [addresses.base, isDelegated, hostname, ipv4, ipv6].join(BETWEEN);
    return templates.get(`nameserver ${key}`, (hole) =>
      isDelegated ? publishedNameserver(host, { ...addresses, asked: hole }) : nameserverObject(host),
    )(addresses.asked);
  });
  return `"nameservers":[${texts.join()}],`;
}

function eventsOf({ createdAt, expireTime, updatedAt, transferredAt }: ShownDomain): readonly RdapEvent[] {
  return [
    { eventAction: 'registration', eventDate: createdAt },
    { eventAction: 'expiration', eventDate: expireTime },
    { eventAction: 'last changed', eventDate: updatedAt },
    ...(transferredAt === null ? [] : [{ eventAction: 'transfer', eventDate: transferredAt }]),
  ];
}

/** The signers are those that the zone publishes, the keys all that the registrar has given. */
function secureDns({ dnsKeys, delegationSigners }: ShownDomain): string {
  if (dnsKeys.length === 0) return UNSIGNED;
  return JSON.stringify({
    delegationSigned: delegationSigners.length > 0,
    ...(delegationSigners.length > 0 && {
      dsData: delegationSigners.map(({ keyTag, alg, digestType, digest }) => ({
        keyTag,
        algorithm: alg,
        digestType,
        digest,
      })),
    }),
    keyData: dnsKeys.map(({ flags, protocol, alg, publicKey }) => ({
      flags,
      protocol,
      algorithm: alg,
      publicKey,
    })),
  });
}
