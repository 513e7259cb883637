import { BlockList, isIP, SocketAddress } from 'node:net';

type AddressRange = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' };

/** Maps `::ffff:10.0.0.1` to its IPv4 address. */
export function normaliseAddress(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain);
  return mapped?.[1] ?? plain;
}

/** Equal addresses have equal texts, however they were written. */
export function canonicalAddress(address: string): string {
  const plain = normaliseAddress(address);
  return isIP(plain) === 6 ? normaliseAddress(canonicalIpv6(plain)) : plain;
}

/**
 * The key under which a client is counted. One customer usually holds a whole IPv6 /64, so its addresses share one key;
 * an IPv4 address, also if mapped to IPv6, is its own key.
 */
export function addressBucket(address: string): string {
  return bucketOf(address, { ipv4: 32, ipv6: 64 });
}

/** The key of the network that an address belongs to, as providers assign them: an IPv4 /24 or an IPv6 /48. */
export function networkBucket(address: string): string {
  return bucketOf(address, { ipv4: 24, ipv6: 48 });
}

const IPV6_GROUP_BITS = 16;

/** The lengths of prefixes are multiples of 8 for IPv4 and of 16 for IPv6. */
function bucketOf(
  address: string,
  { ipv4, ipv6 }: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 },
): string {
  const canonical = canonicalAddress(address);
  if (isIP(canonical) !== 6)
    return ipv4 === 32 || isIP(canonical) === 0
      ? canonical
      : `${canonical.slice(0, canonical.lastIndexOf('.'))}.0/${ipv4}`;
  const [head, tail] = canonical.split('::').map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array<string>(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill('0');
  const network = [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, ipv6 / IPV6_GROUP_BITS);
  return `${canonicalIpv6(`${network.join(':')}::`)}/${ipv6}`;
}

/** Lower case and compressed. */
const canonicalIpv6 = (address: string): string => new SocketAddress({ address, family: 'ipv6' }).address;

/** A single address or a CIDR range; undefined if it is neither. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [written = '', prefixText, ...rest] = text.split('/');
  const address = normaliseAddress(written);
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return undefined;
  const prefix = prefixText === undefined ? most : Number(prefixText);
  if (prefix > most) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseAddressRange(text);
    if (range) list.addSubnet(range.address, range.prefix, range.family);
  }
  return (address) => {
    const plain = normaliseAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * An address for display: without user and password, and without the values of its query, which may be tokens. What is
 * not a URL, such as a list of servers, is cut after its last @: a password with an unencoded character can extend that
 * far.
 */
export function shownAddress(address: string): string {
  const scheme = address.indexOf('://');
  const start = scheme < 0 ? 0 : scheme + 3;
  const authorityEnd = URL.canParse(address) ? firstOf(address.slice(start), '/', '?', '#') : -1;
  const at = address.lastIndexOf('@', authorityEnd < 0 ? address.length : start + authorityEnd);
  const safe = at < start ? address : address.slice(0, start) + address.slice(at + 1);
  const query = firstOf(safe, '?', '#');
  return query < 0 ? safe : `${safe.slice(0, query)}?${shownQuery(safe.slice(query + 1))}`;
}

/** Names only; a part without `=` counts as a value. */
const shownQuery = (query: string): string =>
  query
    .split('&')
    .map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=…` : '…'))
    .join('&');

function firstOf(text: string, ...marks: readonly string[]): number {
  const places = marks.map((mark) => text.indexOf(mark)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}
