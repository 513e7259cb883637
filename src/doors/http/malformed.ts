import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { AnswerHeaders } from './answer-headers.ts';

const TYPE = 'application/json; charset=utf-8';

/** The answer to a request that Node could parse and that is malformed all the same. */
export function sendMalformed(reply: FastifyReply, body: string): FastifyReply {
  return reply.code(400).headers({ 'content-type': TYPE, connection: 'close' }).send(body);
}

/** The same for a socket whose bytes never became a request. */
export function rawMalformed(body: string, requestId: string, headers: AnswerHeaders): string {
  return [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    `Content-Type: ${TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
