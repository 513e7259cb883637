import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { HTML } from '../html/page-answer.ts';
import type { Download } from './console-page.ts';

/** Style and scripts are our own files; nothing inline, nothing from elsewhere, no frames. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Without a referrer, browsers that send no Sec-Fetch-Site would name no origin either.
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

export const sendConsolePage = (
  reply: FastifyReply,
  page: string,
  own: Readonly<Record<string, string>> = {},
): FastifyReply =>
  reply
    .headers({ ...HEADERS, ...own })
    .type(HTML)
    .send(page);

/** After a form, so that a reload submits nothing twice. */
export const redirectTo = (reply: FastifyReply, to: string): FastifyReply =>
  reply.headers(HEADERS).redirect(to, 303);

/** What a script asks for that needs no page. */
export const sendStatus = (reply: FastifyReply, status: number): FastifyReply =>
  reply.code(status).headers(HEADERS).send();

/** The first piece is made before the answer begins, so that its failure can still be told. */
export async function sendDownload(
  reply: FastifyReply,
  { fileName, type, pieces }: Download,
): Promise<FastifyReply> {
  const first = await pieces.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  };
  return reply
    .headers({ ...HEADERS, 'content-disposition': `attachment; filename="${fileName}"` })
    .type(type)
    .send(Readable.from(all()));
}
