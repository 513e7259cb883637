import { isIPv6 } from 'node:net';
import type { Policy, Zone } from '../../policy/policy.ts';
import type { Domain, SignedKey } from '../domains/domain.ts';
import { parseIdn } from '../names/name.ts';
import { compareRecords, type DsData, isSameRecord, type SoaRecord, type ZoneRecord } from './zone-record.ts';

/** What the zone needs to know of a domain. */
export type PublishableDomain = Pick<Domain, 'name' | 'zone' | 'statuses' | 'nameservers' | 'dnsKeys'>;
/** The delegation signers of our zones that other zones of ours delegate. */
export type ZoneSigners = ReadonlyMap<string, readonly DsData[]>;

/** Keys with the flag of a secure entry point; the others sign within the domain's own zone. */
const SECURE_ENTRY_POINT = 257;

/** The keys that the zone publishes as DS records while the domain is in it. */
export const delegationKeys = <Key extends Pick<SignedKey, 'flags'>>(keys: readonly Key[]): Key[] =>
  keys.filter(({ flags }) => flags === SECURE_ENTRY_POINT);

/** Only of hosts at or below their domain: addresses of hosts elsewhere belong to their own zones. Both in A-labels. */
export const needsGlue = (host: string, domain: string): boolean => isAtOrBelow(host, domain);

/** Whether the domain is delegated. `serverManualInzone` needs no case of its own: it keeps holds from being set. */
export const isInZone = ({ statuses, nameservers }: Pick<Domain, 'statuses' | 'nameservers'>): boolean =>
  nameservers.length > 0 && !('clientHold' in statuses) && !('serverHold' in statuses);

/** The records of a domain, in canonical order; none while it is not in the zone. */
export function recordsOf(domain: PublishableDomain, policy: Policy): ZoneRecord[] {
  const zone = policy.zones.find(({ origin }) => origin === domain.zone);
  const name = asciiOf(domain.name);
  if (!zone || name === undefined || !isInZone(domain)) return [];
  const { ttls } = zone;
  return sorted([
    ...domain.nameservers.flatMap(({ hostname, ipv4, ipv6 }): ZoneRecord[] => {
      const host = asciiOf(hostname);
      if (host === undefined) return [];
      // A registrar may have sent addresses that the zone does not publish.
      const addresses = needsGlue(host, name) ? [...ipv4, ...ipv6] : [];
      return [
        { name, type: 'NS', ttl: ttls.nameservers, data: host },
        ...addresses.map((address) => addressRecord(host, address, ttls.glue)),
      ];
    }),
    ...delegationKeys(domain.dnsKeys).map(({ keyTag, alg, digestType, digest }): ZoneRecord => {
      const data = { keyTag, algorithm: alg, digestType, digest };
      return { name, type: 'DS', ttl: ttls.delegationSigners, data };
    }),
  ]);
}

/** What the policy publishes in a zone: its own servers, and the delegations of the zones directly below it. */
export function apexRecords(zone: Zone, policy: Policy, signers: ZoneSigners): ZoneRecord[] {
  const children = policy.zones.filter((other) => parentZone(other.origin, policy) === zone.origin);
  return sorted([
    ...serversOf(zone, zone, zone.ttls.apex),
    ...children.flatMap((child) => [
      ...serversOf(child, zone, zone.ttls.nameservers),
      ...(signers.get(child.origin) ?? []).map(
        (data): ZoneRecord => ({ name: child.origin, type: 'DS', ttl: zone.ttls.delegationSigners, data }),
      ),
    ]),
  ]);
}

/** The same by label: that of a zone below, or the empty one for everything else. */
export function apexOwners(
  zone: Zone,
  policy: Policy,
  signers: ZoneSigners,
): ReadonlyMap<string, readonly ZoneRecord[]> {
  const children = policy.zones.filter((other) => parentZone(other.origin, policy) === zone.origin);
  const labelFor = ({ name }: ZoneRecord) => {
    const child = children.find(({ origin }) => isAtOrBelow(name, origin));
    return child ? (labelOf(child.origin, zone.origin) ?? '') : '';
  };
  return Map.groupBy(apexRecords(zone, policy, signers), labelFor);
}

/** NS records of a zone in the zone `within`, with the addresses that only `within` can give. */
const serversOf = (zone: Zone, within: Zone, ttl: number): ZoneRecord[] =>
  zone.nameservers.flatMap(({ hostname, addresses = [] }): ZoneRecord[] => [
    { name: zone.origin, type: 'NS', ttl, data: hostname },
    ...(isAtOrBelow(hostname, within.origin)
      ? addresses.map((address) => addressRecord(hostname, address, within.ttls.glue))
      : []),
  ]);

/** The nearest zone of ours above a zone; undefined if another registry delegates it. */
export const parentZone = (origin: string, policy: Policy): string | undefined =>
  policy.zones
    .map((zone) => zone.origin)
    .filter((above) => above !== origin && isAtOrBelow(origin, above))
    .toSorted((one, other) => other.length - one.length)[0];

export const soaRecord = (zone: Zone, serial: number): SoaRecord => ({
  name: zone.origin,
  type: 'SOA',
  ttl: zone.ttls.apex,
  data: { ...zone.soa, serial },
});

/** The label of a domain below its zone. */
export const labelOf = (name: string, zone: string): string | undefined =>
  asciiOf(name)?.slice(0, -zone.length - 1);

const asciiOf = (name: string): string | undefined => parseIdn(name)?.ascii;

const isAtOrBelow = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`);

const addressRecord = (name: string, address: string, ttl: number): ZoneRecord => ({
  name,
  type: isIPv6(address) ? 'AAAA' : 'A',
  ttl,
  data: address,
});

/** In canonical order, each once: a host may serve several zones. */
const sorted = (records: readonly ZoneRecord[]): ZoneRecord[] =>
  records
    .toSorted(compareRecords)
    .filter((record, index, all) => index === 0 || !isSameRecord(record, all[index - 1]));
