import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Node reads the bytes of a header as Latin-1, most clients write UTF-8: whatever is valid as that is meant as that. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return value?.join(', ');
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

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

const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** The client's own id where it is sane, so that both sides can find a request in their logs. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
