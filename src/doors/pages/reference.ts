import type { FastifyInstance } from 'fastify';
import { type Document, HTML, keep, sendDocument } from './answer.ts';
import { readApi } from './reference/model.ts';
import { referencePage } from './reference/page.ts';

type Parts = {
  readonly mode: 'sandbox' | 'production';
  readonly openApi: object;
  readonly origin: () => string;
  readonly credentials: readonly { readonly username: string; readonly password: string }[];
};

const SHELL_USER = '"$API_USER:$API_PASSWORD"';
const JSON_TYPE = 'application/json; charset=utf-8';

const OPTIONS = { exposeHeadRoute: true };

/** /openapi.json for machines and /docs for people, both made of one object when first asked for. */
export function referenceRoutes(app: FastifyInstance, parts: Parts): void {
  const { mode, openApi, credentials } = parts;
  const [first] = mode === 'sandbox' ? credentials : [];
  const user = first ? `${first.username}:${first.password}` : SHELL_USER;
  const reference = once(() =>
    keep(HTML, referencePage(readApi(openApi), { origin: parts.origin(), user, mode })),
  );
  documentRoute(app, '/openapi.json', openApi);
  app.get('/docs', OPTIONS, async (request, reply) => sendDocument(request, reply, reference()));
}

/** An API for machines. */
export function documentRoute(app: FastifyInstance, path: string, openApi: object): void {
  const document = once(() => keep(JSON_TYPE, `${JSON.stringify(openApi, null, 2)}\n`));
  app.get(path, OPTIONS, async (request, reply) => sendDocument(request, reply, document()));
}

function once(make: () => Document): () => Document {
  let made: Document | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
