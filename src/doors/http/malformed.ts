import type { FastifyReply } from 'fastify';
import { http } from '../../platform/node-http.ts';
import type { RenderedRefusals } from './http-answer.ts';

const TYPE = 'application/json; charset=utf-8';

/** Answers a request that Node could parse but that is malformed nevertheless. */
export function sendMalformed(reply: FastifyReply, body: string): FastifyReply {
  return reply.code(400).headers({ 'content-type': TYPE, connection: 'close' }).send(body);
}

/** The same for a socket whose bytes could not be parsed as a request. */
export const rawMalformed = (body: string, requestId: string, headers: AnswerHeaders): string =>
  rawAnswer(400, body, requestId, headers);

export const rawRefusals = (
  { status, body, headers: own }: RenderedRefusals,
  requestId: string,
  headers: AnswerHeaders,
): string => rawAnswer(status, JSON.stringify(body), requestId, { ...headers, ...own });

function rawAnswer(status: number, body: string, requestId: string, headers: AnswerHeaders): string {
  return [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
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

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (\/[^ ?]*)(?:\?[^ ]*)? HTTP\/1\.[01]\r$/;

/** What Node's parser reports of bytes that it cannot parse. */
export type ParserError = Error & {
  readonly code?: string;
  /** The bytes as they arrived. */
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
};

/** The path of a request whose method Node's parser does not know; undefined if the bytes are invalid in another way. */
export function pathOfUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return undefined;
  const start = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1;
  const end = rawPacket.indexOf('\n', start);
  return end === -1 ? undefined : REQUEST_LINE.exec(rawPacket.toString('latin1', start, end))?.[1];
}
