import { BlockList, isIP } from 'node:net';

type AddressRange = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' };

/** `::ffff:10.0.0.1` is the IPv4 address it carries. */
export function normaliseAddress(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain);
  return mapped?.[1] ?? plain;
}

/** A single address or a CIDR range; undefined when it is neither. */
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
