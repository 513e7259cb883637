import { isIPv4, isIPv6 } from 'node:net';
import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { parseIdn } from '../../names/name.ts';
import type { NameserverPlace, NameserversPlace } from './domain-paths.ts';
import { refusal } from './domain-refusals.ts';
import { isGlueAddress } from './glue-addresses.ts';

export type NameserverText = {
  readonly hostname?: string | undefined;
  readonly ipv4?: readonly string[] | undefined;
  readonly ipv6?: readonly string[] | undefined;
};
export type Nameserver = {
  readonly hostname: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
};

const MAX_ADDRESSES = 20;

/** Parses hostnames in any case, Unicode or punycode, with or without the final dot, and addresses in their common notations. */
export function parseNameserver(text: NameserverText, at: NameserverPlace): Parsed<Nameserver> {
  const refusals: Refusal[] = [];
  const hostname = parseHostname(text.hostname ?? '');
  if (!text.hostname?.trim()) refusals.push(refusal('fieldMissing', { at: [...at, 'hostname'] }));
  else if (hostname === undefined)
    refusals.push(refusal('wrongSyntax', { at: [...at, 'hostname'], expected: 'the name of a host' }));
  const addresses = (name: 'ipv4' | 'ipv6', valid: (address: string) => boolean, expected: string) => {
    const list = text[name] ?? [];
    for (const [index, address] of list.entries())
      if (!valid(address)) refusals.push(refusal('wrongSyntax', { at: [...at, name, index], expected }));
    if (list.length > MAX_ADDRESSES)
      refusals.push(
        refusal('outOfRange', {
          at: [...at, name],
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
  list: NameserversPlace,
  policy: Policy,
): Refusal[] {
  return nameservers.flatMap((nameserver, index) => [
    ...checkGluePresence(nameserver, domain, [...list, index]),
    ...checkGlueAddresses(nameserver, domain, [...list, index], policy),
  ]);
}

export const checkGluePresence = (nameserver: Nameserver, domain: string, at: NameserverPlace): Refusal[] =>
  isBelow(nameserver, domain) && nameserver.ipv4.length + nameserver.ipv6.length === 0
    ? [refusal('glueMissing', { at })]
    : [];

export function checkGlueAddresses(
  nameserver: Nameserver,
  domain: string,
  at: NameserverPlace,
  policy: Policy,
): Refusal[] {
  if (!isBelow(nameserver, domain)) return [];
  return (['ipv4', 'ipv6'] as const).flatMap((family) =>
    nameserver[family].flatMap((address, place) =>
      isGlueAddress(address, policy)
        ? []
        : [refusal('wrongSyntax', { at: [...at, family, place], expected: GLUE })],
    ),
  );
}

const isBelow = ({ hostname }: Nameserver, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`);

const GLUE = 'an address that resolvers can reach: not loopback, link-local, multicast or private';

/** Refuses the same host twice on one domain, whichever was added first. */
export function checkDuplicateNameservers(
  added: readonly Nameserver[],
  present: readonly { readonly hostname: string }[],
  list: NameserversPlace,
): Refusal[] {
  const known = new Set(present.map(({ hostname }) => hostname));
  return added.flatMap(({ hostname }, index) => {
    if (!known.has(hostname)) {
      known.add(hostname);
      return [];
    }
    return [refusal('nameserverTaken', { at: [...list, index, 'hostname'] })];
  });
}

/** No nameservers at all, or a number within bounds. */
export function checkNameserverCount(count: number, { domains }: Policy): Refusal[] {
  const { min, max } = domains.nameservers;
  return count === 0 || (count >= min && count <= max)
    ? []
    : [refusal('nameserverCount', { least: min, most: max, at: ['nameservers'] })];
}
