import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync, type ZlibOptions } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding, matchesEntityTag } from '../http/negotiation.ts';
import { SlicedAnswer } from '../http/sliced-answer.ts';
import { stylesheetHash } from './shared-style.ts';

/** No scripts, no external resources, no framing; forms may be submitted only to `formsGo`. */
const policy = (formsGo: string, scripts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `style-src ${stylesheetHash}`,
    "img-src 'self'",
    "font-src 'self'",
    `form-action ${formsGo}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...scripts,
  ].join('; ');
const OWN_SCRIPTS = ["script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"];

const HEADERS = {
  'content-security-policy': policy("'self'"),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

export const HTML = 'text/html; charset=utf-8';

/** Sends a page that is rendered per request and must not be cached. */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers(HEADERS).header('cache-control', 'no-store').type(HTML).send(page);
}

/**
 * The same for a page whose form is accepted only from our own pages: without a referrer, browsers that send no
 * Sec-Fetch-Site would name no origin either.
 */
export function sendPageWithOwnForm(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .headers({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' })
    .type(HTML)
    .send(page);
}

/** The same for a page whose form is answered with a redirect to another site, which may redirect again. */
export function sendPageWithExternalForm(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .headers({ 'content-security-policy': policy('http: https:'), 'cache-control': 'no-store' })
    .type(HTML)
    .send(page);
}

/**
 * Redirects to the result page after a form was submitted (POST/redirect/GET), so that a reload submits nothing twice.
 */
export function redirectTo(reply: FastifyReply, to: string): FastifyReply {
  return reply.headers(HEADERS).header('cache-control', 'no-store').redirect(to, 303);
}

/** Sends one of our own images, cacheable because it changes only with a release. */
export function sendPicture(reply: FastifyReply, svg: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('cache-control', 'public, max-age=86400')
    .type('image/svg+xml')
    .send(svg);
}

export type Document = {
  readonly type: string;
  readonly etag: string;
  readonly plain: () => Buffer;
  readonly zipped: () => Buffer;
};

/** A document that is constant while the server runs. Both encodings are cached on first use. */
export function staticDocument(type: string, content: string | Buffer): Document {
  let zipped: Buffer | undefined;
  const plain = Buffer.from(content);
  return {
    type,
    etag: entityTag(content),
    plain: () => plain,
    zipped: () => {
      zipped ??= gzipSync(content, { level: 9 });
      return zipped;
    },
  };
}

/** One of many such documents: what is kept is compressed, since nearly all clients take it so. */
export async function packedDocument(type: string, text: string): Promise<Document> {
  const zipped = await zip(text, { level: 9 });
  return { type, etag: entityTag(text), plain: () => gunzipSync(zipped), zipped: () => zipped };
}

const zip = promisify<string, ZlibOptions, Buffer>(gzip);
const entityTag = (text: string | Buffer): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, zipped }: Document,
  own: Readonly<Record<string, string>> = {},
): FastifyReply {
  const caching = { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' };
  reply.headers({ ...HEADERS, ...caching, ...own });
  if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  const isZipped = acceptsEncoding(headers['accept-encoding'], 'gzip');
  if (isZipped) reply.header('content-encoding', 'gzip');
  const bytes = isZipped ? zipped() : plain();
  return reply.header('content-length', bytes.length).send(new SlicedAnswer(bytes));
}

/** A file whose address changes with its content, so that browsers may keep it. */
export function sendForGood(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  return sendDocument(request, reply, document, { 'cache-control': 'public, max-age=31536000, immutable' });
}

/** A document that is a page with scripts of our own, which it does not need. */
export function sendWithScript(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
): FastifyReply {
  return sendDocument(request, reply, document, {
    'content-security-policy': policy("'self'", OWN_SCRIPTS),
  });
}
