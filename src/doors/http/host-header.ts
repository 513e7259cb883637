import type { IncomingMessage } from 'node:http';

/** A name or an IPv4 address, or an IPv6 address in brackets, and a port. */
const HOST = /^(?:[a-z0-9._~-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Whether a request says exactly once, and validly, which host it is for. With two Host headers a proxy may look at
 * one and we at the other. Node keeps the first and drops the rest, so the headers as sent are counted. HTTP/1.0 has
 * no Host header and may come without.
 */
export function hasValidHost({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1 && HOST.test(headers.host);
}
