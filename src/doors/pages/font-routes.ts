import type { FastifyInstance } from 'fastify';
import { fonts } from '../html/fonts.ts';
import { sendForGood, staticDocument } from '../html/page-answer.ts';

/** The typeface of all pages. */
export function fontRoutes(app: FastifyInstance): void {
  for (const { path, content } of fonts) {
    const document = staticDocument('font/woff2', content);
    app.get(path, { exposeHeadRoute: true }, async (request, reply) => sendForGood(request, reply, document));
  }
}
