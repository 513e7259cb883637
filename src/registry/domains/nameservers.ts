import { isIPv4, isIPv6 } from 'node:net';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { parseIdn } from '../names/name.ts';
import { refusal } from '../registry-refusals.ts';
import { isGlueAddress } from './glue-addresses.ts';

export type NameserverText = {
  readonly hostname?: string;
  readonly ipv4?: readonly string[];
  readonly ipv6?: readonly string[];
};
export type Nameserver = {
  readonly hostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

const MAX_ADDRESSES = 20;

/** Parses hostnames in any case, Unicode or punycode, with or without the final dot, and addresses in their common notations. */
export function parseNameserver(text: NameserverText, field: string): Parsed<Nameserver> {
  const refusals: Refusal[] = [];
  const wrong = (name: string, expected: string) =>
    refusals.push(refusal('wrongSyntax', { field: `${field}.${name}`, expected }));
  const hostname = parseHostname(text.hostname ?? '');
  if (!text.hostname?.trim()) refusals.push(refusal('fieldMissing', { field: `${field}.hostname` }));
  else if (hostname === undefined) wrong('hostname', 'the name of a host');
  const addresses = (name: 'ipv4' | 'ipv6', valid: (address: string) => boolean, expected: string) => {
    const list = text[name] ?? [];
    for (const [index, address] of list.entries()) if (!valid(address)) wrong(`${name}.${index}`, expected);
    if (list.length > MAX_ADDRESSES)
      refusals.push(
        refusal('outOfRange', {
          field: `${field}.${name}`,
          expected: `a list of 0 to ${MAX_ADDRESSES} items`,
        }),
      );
    return refusals.length > 0
      ? []
      : [...new Set(list.map((address) => (name === 'ipv6' ? shortest(address) : address)))];
  };
  const ipv4 = addresses('ipv4', isIPv4, 'an IPv4 address');
  const ipv6 = addresses('ipv6', (address) => isIPv6(address) && !address.includes('%'), 'an IPv6 address');
  if (refusals.length > 0 || hostname === undefined) return { refusals };
  return { value: { hostname, ipv4, ipv6 } };
}

/** Canonical notation: lower case, without leading zeros (RFC 5952). */
const shortest = (ipv6: string): string => new URL(`http://[${ipv6}]`).hostname.slice(1, -1);

/** A hostname contains a dot and is not an address; a final dot is allowed. */
export function parseHostname(text: string): string | undefined {
  const name = parseIdn(text.trim().replace(/\.$/, ''));
  return name?.ascii.includes('.') && !/(^|\.)\d+$/.test(name.ascii) ? name.unicode : undefined;
}

/**
 * A host below the domain itself can be resolved only through glue records in the zone, so its addresses are required,
 * and each must be one that the zone can publish. Addresses of other hosts are never published.
 */
export function checkGlue(
  nameservers: readonly Nameserver[],
  domain: string,
  field: string,
  policy: Policy,
): Refusal[] {
  return nameservers.flatMap(({ hostname, ipv4, ipv6 }, index) => {
    if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return [];
    if (ipv4.length + ipv6.length === 0) return [refusal('glueMissing', { field: `${field}.${index}` })];
    const wrong = (family: 'ipv4' | 'ipv6', addresses: readonly string[]) =>
      addresses.flatMap((address, place) =>
        isGlueAddress(address, policy)
          ? []
          : [refusal('wrongSyntax', { field: `${field}.${index}.${family}.${place}`, expected: GLUE })],
      );
    return [...wrong('ipv4', ipv4), ...wrong('ipv6', ipv6)];
  });
}

const GLUE = 'an address that resolvers can reach: not loopback, link-local, multicast or private';

/** Refuses the same host twice on one domain, whichever was added first. */
export function checkDuplicateNameservers(
  added: readonly Nameserver[],
  present: readonly { readonly hostname: string }[],
  field: string,
): Refusal[] {
  const known = new Set(present.map(({ hostname }) => hostname));
  return added.flatMap(({ hostname }, index) => {
    if (!known.has(hostname)) {
      known.add(hostname);
      return [];
    }
    return [refusal('nameserverTaken', { field: `${field}.${index}.hostname` })];
  });
}

/** No nameservers at all, or a number within bounds. */
export function checkNameserverCount(count: number, field: string, { domains }: Policy): Refusal[] {
  const { min, max } = domains.nameservers;
  return count === 0 || (count >= min && count <= max)
    ? []
    : [refusal('nameserverCount', { least: min, most: max, field })];
}
