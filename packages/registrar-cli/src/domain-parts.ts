import type { NewKey, NewNameserver } from 'cadastre-sdk';
import { UsageError } from './command.ts';

export const NAMESERVER_OPTION = {
  value: 'HOST[=IP,…]',
  multiple: true,
  description: 'nameserver, with its addresses if it is below the domain itself',
} as const;
export const KEY_OPTION = {
  value: 'KEY',
  multiple: true,
  description: 'DNSSEC key as in a DNSKEY record: "257 3 13 mdsswUyr…"',
} as const;

/** `ns1.shop.ee=192.0.2.1,2001:db8::1`. */
export function parseNameserver(text: string): NewNameserver {
  const [hostname = '', ...rest] = text.split('=');
  const addresses = rest
    .join('=')
    .split(',')
    .filter((address) => address !== '');
  return {
    hostname,
    ipv4: addresses.filter((address) => !address.includes(':')),
    ipv6: addresses.filter((address) => address.includes(':')),
  };
}

/** `257 3 13 mdsswUyr…`; a key in Base64 may be in several parts, as zone files have it. */
export function parseKey(text: string): NewKey {
  const [flags, protocol, alg, ...key] = text.split(/\s+/).filter((word) => word !== '');
  if (flags === undefined || protocol === undefined || alg === undefined || key.length === 0)
    throw new UsageError(`${text} is no key such as "257 3 13 mdsswUyr…"`);
  return { flags, protocol, alg, public_key: key.join('') };
}
