import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Refusal, RefusalKind } from '../../operations/refusal.ts';
import { type Answer, Document, JsonStream, JsonText } from './endpoint.ts';
import { catalogue } from './refusals.ts';

export const SUCCESS = 1000;
export const SUCCESS_TEXT = 'Command completed successfully';

/** The document's table: which HTTP status a kind of refusal has. */
export const statusOf: Readonly<Record<RefusalKind, number>> = {
  syntax: 400,
  rule: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'unknown-path': 404,
  'other-method': 405,
  'other-format': 406,
  gone: 410,
  teapot: 418,
  limited: 429,
  fault: 500,
  unavailable: 503,
};

const CHALLENGE = 'Basic realm="registrar", charset="UTF-8"';
const SHORT_WAIT_SECONDS = 1;
/** Entries of `errors`; the message tells how many more there are. */
const MAX_LISTED = 100;

export function sendAnswer(
  reply: FastifyReply,
  { data, message = SUCCESS_TEXT, headers = {} }: Answer,
): FastifyReply {
  const head = `{"code":${SUCCESS},"message":${JSON.stringify(message)},"data":`;
  reply.headers(headers);
  if (data instanceof Document) return sendDocument(reply, data);
  if (data instanceof JsonStream)
    return send(reply, 200, SUCCESS, Readable.from(enveloped(head, data.pieces)));
  return send(reply, 200, SUCCESS, `${head}${data instanceof JsonText ? data.text : JSON.stringify(data)}}`);
}

function sendDocument(reply: FastifyReply, { type, filename, bytes }: Document): FastifyReply {
  reply.resultCode = SUCCESS;
  return reply.type(type).header('content-disposition', `attachment; filename="${filename}"`).send(bytes);
}

async function* enveloped(head: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* pieces;
  yield '}';
}

export function sendRefusals(
  reply: FastifyReply,
  [first, ...rest]: readonly [Refusal, ...Refusal[]],
): FastifyReply {
  const { code, kind } = first;
  const omitted = rest.length + 1 - MAX_LISTED;
  const message = omitted > 0 ? `${first.message} (${omitted} more errors are not listed)` : first.message;
  const listed =
    kind === 'syntax' || kind === 'rule'
      ? { errors: [first, ...rest.slice(0, MAX_LISTED - 1)].map(listedRefusal) }
      : {};
  const wait = first.retryAfterSeconds ?? (kind === 'unavailable' ? SHORT_WAIT_SECONDS : undefined);
  if (wait !== undefined) reply.header('retry-after', String(wait));
  if (kind === 'unauthenticated') reply.header('www-authenticate', CHALLENGE);
  return send(reply, statusOf[kind], code, JSON.stringify({ code, message, data: {}, ...listed }));
}

export const listedRefusal = ({ code, message, field }: Refusal) => ({ code, message, field });

function send(reply: FastifyReply, status: number, code: number, body: string | Readable): FastifyReply {
  reply.resultCode = code;
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** The body of the answer to what is no valid HTTP request, whichever door it was for. */
export function malformedBody(): string {
  const { code, text } = catalogue.malformedRequest;
  return JSON.stringify({
    code,
    message: text,
    data: {},
    errors: [{ code, message: text, field: null }],
  });
}
