import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding, matchesEntityTag } from '../http/negotiation.ts';
import { stylesheetHash } from './style.ts';

/** No script, nothing from elsewhere, no frame around it; forms go where they are allowed to. */
const policy = (formsGo: string): string =>
  [
    "default-src 'none'",
    `style-src ${stylesheetHash}`,
    "img-src 'self'",
    `form-action ${formsGo}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const HEADERS = {
  'content-security-policy': policy("'self'"),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

export const HTML = 'text/html; charset=utf-8';

/** Sends a page that is made anew each time and kept by nobody. */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers(HEADERS).header('cache-control', 'no-store').type(HTML).send(page);
}

/** The same for a page whose form this server takes and then sends its browser to somebody else, who may send it on. */
export function sendPageThatLeadsAway(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .headers({ 'content-security-policy': policy('http: https:'), 'cache-control': 'no-store' })
    .type(HTML)
    .send(page);
}

/** Sends a browser whose form was taken to the page that shows what came of it; a reload sends nothing twice. */
export function sendOn(reply: FastifyReply, to: string): FastifyReply {
  return reply.headers(HEADERS).header('cache-control', 'no-store').redirect(to, 303);
}

/** Sends a picture of our own, the same until the next release. */
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
  readonly plain: Buffer;
  readonly zipped: () => Buffer;
};

/** A document that stays the same while the server runs. Both forms are kept once they were asked for. */
export function keep(type: string, text: string): Document {
  let zipped: Buffer | undefined;
  return {
    type,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    plain: Buffer.from(text),
    zipped: () => {
      zipped ??= gzipSync(text, { level: 9 });
      return zipped;
    },
  };
}

export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, zipped }: Document,
): FastifyReply {
  reply.headers(HEADERS).headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  if (!acceptsEncoding(headers['accept-encoding'], 'gzip')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(zipped());
}
