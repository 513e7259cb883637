import { BlockList, isIP } from 'node:net';
import { addressMatcher, canonicalAddress } from '../values/ip-addresses.ts';

/** Which addresses webhooks may be sent to. */
export type TargetRules = {
  /** Networks that are reached although they are not public; in production none, unless an operator names some. */
  readonly allowedNetworks: readonly string[];
  /** Whether loopback is reached, over http too: only where the receiver runs beside a sandbox. */
  readonly allowsLoopback: boolean;
};

/** IPv4 networks that are not globally reachable (RFC 6890 and the IANA registry), and what is no unicast. */
const IPV4_RESERVED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/**
 * Networks within 2000::/3 that are not globally reachable, or that carry an IPv4 address (Teredo, 6to4). Everything
 * outside of 2000::/3 is refused: mapped addresses, NAT64, ULA, link-local, multicast.
 */
const IPV6_RESERVED = ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'];

const LOOPBACK = addressMatcher(['127.0.0.0/8', '::1']);
const reservedIpv4 = blockListOf(IPV4_RESERVED, 'ipv4');
const reservedIpv6 = blockListOf(IPV6_RESERVED, 'ipv6');
const unicastIpv6 = blockListOf(['2000::/3'], 'ipv6');

function blockListOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Whether an address, however it is written, belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reservedIpv4.check(address, 'ipv4');
  // With a zone it is link-local, whatever it looks like.
  if (version !== 6 || address.includes('%')) return false;
  return unicastIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6');
}

export function isAllowedTarget(address: string, { allowedNetworks, allowsLoopback }: TargetRules): boolean {
  if (isPublicAddress(address)) return true;
  if (isIP(address) === 0) return false;
  const canonical = canonicalAddress(address);
  return (allowsLoopback && LOOPBACK(canonical)) || addressMatcher(allowedNetworks)(canonical);
}

const MAX_URL_LENGTH = 2_000;

/**
 * What is wrong with the text of a target, as the end of "must be …"; undefined if nothing is. A name is checked again
 * by its addresses whenever something is sent to it.
 */
export function checkTargetUrl(text: string, rules: TargetRules): string | undefined {
  const url = text.length <= MAX_URL_LENGTH && /^[!-~]+$/.test(text) ? URL.parse(text) : null;
  if (!url) return `a URL of at most ${MAX_URL_LENGTH} printable ASCII characters`;
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isException = isAddress ? isAllowedTarget(host, rules) && !isPublicAddress(host) : false;
  const isLocal = rules.allowsLoopback && (host === 'localhost' || (isAddress && LOOPBACK(host)));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return 'an https:// URL';
  if (url.username !== '' || url.password !== '') return 'a URL without user and password';
  if (url.hash !== '') return 'a URL without a fragment';
  if (isAddress && !isException) return 'a URL with the name of a host, not with an address';
  if (!isAddress && !isLocal && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host))
    return 'a URL with the full name of a host';
  // The name of a host of an allowed network cannot be told from others here.
  const isAnyPortAllowed = isException || isLocal || rules.allowedNetworks.length > 0;
  if (url.port !== '' && !isAnyPortAllowed) return 'a URL of port 443';
  return undefined;
}

/** The host as it is resolved: without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
