import { isIPv6 } from 'node:net';
import { addressMatcher } from '../../../platform/values/ip-addresses.ts';

type Matcher = (address: string) => boolean;
/** A matcher per family: a shared one would apply a range of mapped addresses (::ffff:0:0/96) to all of IPv4. */
const matcher = (ipv4: readonly string[], ipv6: readonly string[]): Matcher => {
  const [isV4, isV6] = [addressMatcher(ipv4), addressMatcher(ipv6)];
  return (address) => (isIPv6(address) ? isV6(address) : isV4(address));
};

/** Unspecified, loopback, link-local, multicast, reserved, and IPv4 addresses mapped to IPv6. */
const isNeverReachable = matcher(
  ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ['::/128', '::1/128', 'fe80::/10', 'ff00::/8', '::ffff:0:0/96'],
);
/** Private networks, those of carriers (RFC 6598) and unique local addresses among them. */
const isPrivate = matcher(
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  ['fc00::/7', 'fec0::/10'],
);

/** Whether the zone may publish an address as glue: resolvers anywhere must be able to reach it. */
export const isGlueAddress = (
  address: string,
  { domains: { glueMayBePrivate } }: { readonly domains: { readonly glueMayBePrivate: boolean } },
): boolean => !isNeverReachable(address) && (glueMayBePrivate || !isPrivate(address));
