import type { Sql } from '../../platform/sql/executor.ts';
import type { Audience, Policy } from '../../policy/policy.ts';
import type { SignedKey } from '../domains/domain.ts';
import type { Nameserver } from '../domains/rules/parse-nameservers.ts';
import { type DomainName, isZoneName, isZoneOrigin, parseDomainName, parseIdn } from '../names/name.ts';
import { delegationKeys, isInZone, needsGlue } from '../zones/records.ts';
import { type DisclosedContacts, discloseContacts } from './disclosure.ts';
import { type FoundDomain, findDomain } from './find-domain.ts';
import { audienceOf, type Viewer } from './viewer.ts';

/** In A-labels, too. */
export type ShownNameserver = Nameserver & { readonly asciiHostname: string };

/** A domain as one viewer sees it. */
export type ShownDomain = Omit<FoundDomain, 'registrant' | 'contacts' | 'registrarId' | 'nameservers'> &
  DisclosedContacts & {
    readonly audience: Audience;
    /** In A-labels. */
    readonly asciiName: string;
    /** Whether the zone has its nameservers. */
    readonly isDelegated: boolean;
    /** With the addresses that are glue, and no others. */
    readonly nameservers: readonly ShownNameserver[];
    /** The keys whose DS records the zone has; the domain is signed if there are any. */
    readonly delegationSigners: readonly SignedKey[];
  };

export type LookUp =
  | { readonly result: 'registered'; readonly domain: ShownDomain }
  /** Nobody can register it. */
  | { readonly result: 'blocked'; readonly name: DomainName }
  /** Also of names that are reserved for somebody. */
  | { readonly result: 'unregistered'; readonly name: DomainName }
  /** The name of a zone itself. */
  | { readonly result: 'zone' }
  /** No name of this registry could be called so. */
  | { readonly result: 'invalid' };

type LookUpContext = { readonly viewer: Viewer; readonly now: Date; readonly policy: Policy };

/** Looks up a name in any spelling. All interfaces show what this returns, and nothing else. */
export async function lookUpDomain(
  db: Sql,
  text: string,
  { viewer, now, policy }: LookUpContext,
): Promise<LookUp> {
  const written = text.replace(/\.$/, '');
  const name = parseDomainName(written, policy);
  if (name ? isZoneOrigin(name.unicode, policy) : isZoneName(written, policy)) return { result: 'zone' };
  if (!name) return { result: 'invalid' };
  const { domain, blocked } = await findDomain(db, name.unicode, { viewer, now, policy });
  if (!domain) return { result: blocked ? 'blocked' : 'unregistered', name };
  const { registrant, contacts, registrarId, ...shown } = domain;
  const audience = audienceOf(viewer, domain);
  const isDelegated = isInZone({
    statuses: Object.fromEntries(domain.statuses.map((status) => [status, ''])),
    nameservers: domain.nameservers,
  });
  return {
    result: 'registered',
    domain: {
      ...shown,
      ...discloseContacts([registrant, ...contacts], audience, policy.lookup.disclosure),
      audience,
      asciiName: name.ascii,
      isDelegated,
      nameservers: domain.nameservers.map((nameserver) => withGlueOnly(nameserver, name)),
      delegationSigners: isDelegated ? delegationKeys(domain.dnsKeys) : [],
    },
  };
}

function withGlueOnly(nameserver: Nameserver, { ascii }: DomainName): ShownNameserver {
  const { hostname, ipv4, ipv6 } = nameserver;
  const asciiHostname = parseIdn(hostname)?.ascii ?? hostname;
  return needsGlue(asciiHostname, ascii)
    ? { hostname, asciiHostname, ipv4, ipv6 }
    : { hostname, asciiHostname, ipv4: [], ipv6: [] };
}
