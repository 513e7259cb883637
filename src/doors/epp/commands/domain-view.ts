import type { DomainRecord } from '../../../registry/domains/readings/read-domain-record.ts';
import { repositoryId } from '../../../registry/repository-id.ts';
import { type Markup, xml } from '../xml/write.ts';
import { type Call, isShownCode, shownName, shownRegistrar, shownTime } from './object-handler.ts';
import { shownStatuses } from './read-domain-statuses.ts';
import { familyOf } from './read-nameservers.ts';

type Shown = Pick<Call, 'namespace' | 'dialect' | 'policy'>;

/** `<domain:infData>`; codes that the dialect cannot express are left out. */
export function domainInfo(
  domain: DomainRecord,
  call: Shown,
  { withHosts = true }: { readonly withHosts?: boolean } = {},
): Markup {
  const { policy } = call;
  const code = (element: 'clID' | 'crID' | 'upID', value: string | null) =>
    value !== null && xml`<domain:${element}>${shownRegistrar(value, call)}</domain:${element}>`;
  return xml`<domain:infData xmlns:domain="${call.namespace}"><domain:name>${shownName(domain.name, call)}</domain:name><domain:roid>${repositoryId('D', domain.id, policy)}</domain:roid>${shownStatuses(
    domain.statuses,
    call.namespace,
  ).map(([status, note]) =>
    note === ''
      ? xml`<domain:status s="${status}"/>`
      : xml`<domain:status s="${status}" lang="en">${note}</domain:status>`,
  )}${
    isShownCode(domain.registrant, call) && xml`<domain:registrant>${domain.registrant}</domain:registrant>`
  }${domain.contacts
    .filter((contact) => isShownCode(contact.code, call))
    .map(
      (contact) => xml`<domain:contact type="${contact.role}">${contact.code}</domain:contact>`,
    )}${withHosts && nameserverInfo(domain, call)}${code('clID', domain.sponsor)}${code('crID', domain.creator)}<domain:crDate>${shownTime(domain.createdAt, call)}</domain:crDate>${code('upID', domain.updater)}${
    domain.updatedAt !== domain.createdAt &&
    xml`<domain:upDate>${shownTime(domain.updatedAt, call)}</domain:upDate>`
  }<domain:exDate>${shownTime(domain.expireTime, call)}</domain:exDate>${
    domain.transferredAt !== null &&
    xml`<domain:trDate>${shownTime(domain.transferredAt, call)}</domain:trDate>`
  }${
    domain.transferCode !== null &&
    xml`<domain:authInfo><domain:pw>${domain.transferCode}</domain:pw></domain:authInfo>`
  }</domain:infData>`;
}

function nameserverInfo({ nameservers }: DomainRecord, call: Shown): Markup | undefined {
  if (nameservers.length === 0) return undefined;
  return xml`<domain:ns>${nameservers.map(
    ({ hostname, ipv4, ipv6 }) =>
      xml`<domain:hostAttr><domain:hostName>${shownName(hostname, call)}</domain:hostName>${[
        ...ipv4,
        ...ipv6,
      ].map(
        (address) => xml`<domain:hostAddr ip="${familyOf(address)}">${address}</domain:hostAddr>`,
      )}</domain:hostAttr>`,
  )}</domain:ns>`;
}
