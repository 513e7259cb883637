import type { FastifyInstance } from 'fastify';
import { withoutDeadline } from '../../platform/work-scope.ts';
import { mapInTurns } from '../../platform/concurrency/event-loop-turns.ts';
import { type Document, HTML, sendDocument, staticDocument } from '../html/page-answer.ts';
import { TRIAL_PATH } from './reference/call-section.ts';
import { readApi } from './reference/model.ts';
import { referencePage } from './reference/reference-page.ts';

/** Makes the OpenAPI documents, by their name in the path; the first is that of the registrar API. */
export type ApiDocuments = Readonly<Record<'registrar' | 'reservation' | 'billing', () => object>>;

type Dependencies = {
  readonly mode: 'sandbox' | 'production';
  readonly apis: ApiDocuments;
  readonly origin: () => string;
  readonly credentials: readonly { readonly username: string; readonly password: string }[];
};

const SHELL_USER = '"$API_USER:$API_PASSWORD"';
const JSON_TYPE = 'application/json; charset=utf-8';
/** The former path of the registrar API's document, when it was the only one. */
const FIRST_PATH = '/openapi.json';

const OPTIONS = { exposeHeadRoute: true };

/** The OpenAPI documents and /docs, both generated from the same objects on first request. */
export function referenceRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { mode, apis, credentials } = dependencies;
  const [first] = mode === 'sandbox' ? credentials : [];
  const user = first ? `${first.username}:${first.password}` : SHELL_USER;
  const makeReference = async (): Promise<Document> => {
    const shown = await mapInTurns(Object.entries(apis), 1, ([name, document]) => ({
      name,
      api: readApi(document()),
    }));
    const hasTrials = app.hasRoute({ method: 'GET', url: `${TRIAL_PATH}/:id` });
    const context = { origin: dependencies.origin(), user, mode, hasTrials };
    return staticDocument(HTML, await referencePage(shown, context));
  };
  const reference = once(() => withoutDeadline(makeReference));
  documentRoute(app, FIRST_PATH, apis.registrar);
  for (const [name, document] of Object.entries(apis)) documentRoute(app, `/openapi/${name}.json`, document);
  app.get('/docs', OPTIONS, async (request, reply) => sendDocument(request, reply, await reference()));
}

/** Serves an OpenAPI document. */
function documentRoute(app: FastifyInstance, path: string, openApi: () => object): void {
  const document = once(() => staticDocument(JSON_TYPE, `${JSON.stringify(openApi())}\n`));
  app.get(path, OPTIONS, async (request, reply) => sendDocument(request, reply, document()));
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
