import { pipeline, Readable } from 'node:stream';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import type { onSendHookHandler } from 'fastify';
import { acceptsEncoding } from './negotiation.ts';

/** Above this size an answer is compressed; below it the saving is not worth the time. */
export const MIN_COMPRESSED_BYTES = 10_000;

/** Level 4 is as quick as gzip and smaller; the default level 11 is for files that are compressed once. */
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

type Coding = {
  readonly name: string;
  readonly stream: () => NodeJS.ReadWriteStream & Readable;
  readonly whole: (bytes: string | Buffer, done: (error: Error | null, compressed: Buffer) => void) => void;
};
/** In the order of preference. */
const CODINGS: readonly Coding[] = [
  {
    name: 'br',
    stream: () => createBrotliCompress(BROTLI),
    whole: (bytes, done) => brotliCompress(bytes, BROTLI, done),
  },
  { name: 'gzip', stream: () => createGzip(), whole: (bytes, done) => gzip(bytes, done) },
];

const isText = (type: unknown): boolean => /^application\/(?:json|xml)\b/.test(String(type));
const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  Buffer.byteLength(payload) > MIN_COMPRESSED_BYTES;

/**
 * Compresses large answers where the client offers a coding. Streams are large: short ones are sent whole. No answer
 * that shows a secret repeats anything of its request, so sizes tell nothing about secrets (docs/decisions/0088).
 */
export const compressAnswers: onSendHookHandler<unknown> = ({ headers }, reply, payload, next) => {
  const isStream = payload instanceof Readable;
  if (!isText(reply.getHeader('content-type')) || !(isStream || isLarge(payload))) return next(null, payload);
  reply.header('vary', 'accept-encoding');
  const coding = CODINGS.find(({ name }) => acceptsEncoding(headers['accept-encoding'], name));
  if (!coding) return next(null, payload);
  reply.header('content-encoding', coding.name);
  if (!isStream)
    return coding.whole(payload, (error, compressed) => (error ? next(error) : next(null, compressed)));
  // An error destroys both ends, which the client sees as a broken connection; there is nobody else to tell.
  next(
    null,
    pipeline(payload, coding.stream(), () => {}),
  );
};
