import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { NamedRefusals } from '../../operations/named-refusal.ts';
import { MIN_COMPRESSED_BYTES } from './compression.ts';

/** JSON text that is passed on unchanged from PostgreSQL. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text that is produced in chunks. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** A document to save or print, sent without an envelope. */
export class Document {
  readonly type: string;
  readonly filename: string;
  readonly bytes: Buffer;
  constructor(type: string, filename: string, bytes: Buffer) {
    this.type = type;
    this.filename = filename;
    this.bytes = bytes;
  }
}

/** A success of any API. */
export type Answer = {
  readonly data: object | JsonText | JsonStream | Document;
  /** For an API whose answers carry a text beside the data. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The stored answer of an earlier request under the same key. */
  readonly isReplay?: boolean;
};

/** What an API puts around the JSON of an answer. */
export type Envelope = {
  readonly head: (message: string | undefined) => string;
  readonly tail: string;
  /** The result code of a success, where the API has one. */
  readonly code?: number;
};

export const NO_ENVELOPE: Envelope = { head: () => '', tail: '' };

/** NamedRefusals in the format of an API. */
export type RenderedRefusals = {
  readonly status: number;
  readonly body: object;
  /** The media type of the body, where it is not plain JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The result code, where the API has one. */
  readonly code?: number;
};
export type RefusalRenderer = (refusals: NamedRefusals) => RenderedRefusals;

const JSON_TYPE = 'application/json; charset=utf-8';

export async function sendAnswer(
  reply: FastifyReply,
  { data, message, headers, isReplay }: Answer,
  { status, envelope }: { readonly status: number; readonly envelope: Envelope },
): Promise<FastifyReply> {
  const { head, tail, code } = envelope;
  reply.resultCode = code ?? null;
  reply.code(status);
  if (headers) reply.headers(headers);
  if (isReplay) reply.header('idempotency-replayed', 'true');
  if (data instanceof Document)
    return reply
      .header('content-type', data.type)
      .header('content-disposition', `attachment; filename="${data.filename}"`)
      .send(data.bytes);
  reply.header('content-type', JSON_TYPE);
  if (data instanceof JsonStream) return reply.send(await wholeIfShort(enveloped(head(message), data, tail)));
  return reply.send(head(message) + (data instanceof JsonText ? data.text : JSON.stringify(data)) + tail);
}

/** A short answer has a length and is never compressed, whichever way it was produced. */
async function wholeIfShort(pieces: AsyncGenerator<string>): Promise<string | Readable> {
  let start = '';
  while (Buffer.byteLength(start) <= MIN_COMPRESSED_BYTES) {
    const { value, done } = await pieces.next();
    if (done) return start;
    start += value;
  }
  return Readable.from(resumed(start, pieces));
}

async function* resumed(start: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start;
  yield* pieces;
}

async function* enveloped(head: string, { pieces }: JsonStream, tail: string): AsyncGenerator<string> {
  yield head;
  yield* pieces;
  yield tail;
}

export function sendRefusals(
  reply: FastifyReply,
  { status, body, type = JSON_TYPE, headers, code }: RenderedRefusals,
): FastifyReply {
  reply.resultCode = code ?? null;
  if (headers) reply.headers(headers);
  return reply.code(status).header('content-type', type).send(JSON.stringify(body));
}
