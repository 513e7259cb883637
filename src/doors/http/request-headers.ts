import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Node decodes header bytes as Latin-1, but most clients send UTF-8: bytes that are valid UTF-8 are decoded as such.
 */
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
 * Whether a request names exactly one valid host, and at most one user. Of two such headers a proxy may read one and we
 * the other; Node keeps only the first, so the raw headers are counted. HTTP/1.0 may omit the host.
 */
export function hasValidHeaders({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (authorizations > 1) return false;
  return headers.host === undefined ? httpVersion === '1.0' : hosts === 1 && HOST.test(headers.host);
}

const SANE = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

/** The client's own id if it is valid, so that both sides can find a request in their logs. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
