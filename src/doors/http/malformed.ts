import type { FastifyReply } from 'fastify';
import { http } from '../../platform/node-http.ts';

const TYPE = 'application/json; charset=utf-8';

/** Answers a request that Node could parse but that is malformed nevertheless. */
export function sendMalformed(reply: FastifyReply, body: string): FastifyReply {
  return reply.code(400).headers({ 'content-type': TYPE, connection: 'close' }).send(body);
}

/** The same for a socket whose bytes could not be parsed as a request. */
export function rawMalformed(body: string, requestId: string, headers: AnswerHeaders): string {
  return [
    `HTTP/1.1 400 ${http.STATUS_CODES[400]}`,
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/**
 * On every answer, unless a route sets its own: answers hold codes and personal data, which must not be cached, and
 * browsers must not sniff types.
 */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** One year. Without subdomains, which may belong to others. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' } as const;

export type AnswerHeaders = Readonly<Record<string, string>>;

/** HSTS only if this server terminates TLS itself; behind a proxy it is the proxy's responsibility. */
export const answerHeaders = (terminatesTls: boolean): AnswerHeaders =>
  terminatesTls ? { ...COMMON_HEADERS, ...HSTS } : COMMON_HEADERS;
