import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';

const HEADER = 'x-forwarded-for';
/** With a port too, as some proxies forward it: `203.0.113.7:443`, `[2001:db8::7]:443`. */
const WITH_PORT = /^(?:([\d.]{7,15}):\d{1,5}|\[([^[\]]{2,64})\](?::\d{1,5})?)$/;

/**
 * Replaces what trusted proxies have forwarded by the one address that the request counts for, so that everything which
 * reads the client's address gets a valid one. What is no address counts as not forwarded: the address is then that of
 * the proxy which sent it.
 */
export function settleClientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): void {
  const forwarded = headers[HEADER];
  if (forwarded === undefined) return;
  delete headers[HEADER];
  let proxy = socket.remoteAddress ?? '';
  for (const hop of String(forwarded).split(',').reverse()) {
    const text = hop.trim();
    // RFC 9110, 5.6.1: a list may have empty elements.
    if (text === '') continue;
    if (!isTrusted(proxy)) return;
    const address = parseHop(text);
    if (address === undefined) return;
    headers[HEADER] = address;
    proxy = address;
  }
}

function parseHop(text: string): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const address = normaliseAddress(ipv4 ?? ipv6 ?? text);
  return isIP(address) === 0 ? undefined : address;
}
