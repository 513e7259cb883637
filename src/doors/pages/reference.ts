import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mapInTurns, nextTurn } from '../../platform/concurrency/event-loop-turns.ts';
import { onceDone } from '../../platform/concurrency/once-done.ts';
import { withoutDeadline } from '../../platform/work-scope.ts';
import {
  type Document,
  HTML,
  packedDocument,
  sendDocument,
  sendPage,
  staticDocument,
} from '../html/page-answer.ts';
import type { LoadGuide } from './guide/guide-routes.ts';
import { DOCS, LLMS_PATH, SEARCH_PATH, TRIAL_PATH } from './reference/places.ts';
import { type LanguageId, readLanguage } from './reference/samples/languages.ts';
import { type Found, makeSearch, MAX_QUERY_LENGTH } from './reference/search.ts';
import { searchPage } from './reference/search-page.ts';
import { showApi, type Site, type View } from './reference/site.ts';
import { type SitePage, sitePages } from './reference/site-pages.ts';

/** Makes the OpenAPI documents, by their name in the path; the first is that of the registrar API. */
export type ApiDocuments = Readonly<Record<'registrar' | 'reservation' | 'billing', () => object>>;

type Dependencies = {
  readonly mode: 'sandbox' | 'production';
  readonly apis: ApiDocuments;
  readonly origin: () => string;
  readonly credentials: readonly { readonly username: string; readonly password: string }[];
  readonly loadGuide: LoadGuide;
};
type Reference = {
  readonly site: Site;
  readonly pages: ReadonlyMap<string, SitePage>;
  readonly search: () => Promise<(query: string) => readonly Found[]>;
};

const JSON_TYPE = 'application/json; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
/** The former path of the registrar API's document, when it was the only one. */
const FIRST_PATH = '/openapi.json';

const OPTIONS = { exposeHeadRoute: true };

/** The OpenAPI documents and /docs, generated from the same objects: each page when it is first read. */
export function referenceRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { apis } = dependencies;
  documentRoute(app, FIRST_PATH, apis.registrar);
  for (const [name, document] of Object.entries(apis)) documentRoute(app, `/openapi/${name}.json`, document);
  const hasTrials = () => app.hasRoute({ method: 'GET', url: `${TRIAL_PATH}/:id` });
  const reference = onceDone(() => withoutDeadline(() => readReference(dependencies, hasTrials())));
  const made = new Map<string, () => Promise<Document>>();
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { site, pages } = await reference();
    const isMarkdown = path === LLMS_PATH || path.endsWith('.md');
    const page = pages.get(path === LLMS_PATH ? DOCS : path.replace(/\.md$/, ''));
    if (!page || path === `${DOCS}.md`) return reply.callNotFound();
    const language = languageIn(request);
    const key = `${path} ${language}`;
    const make =
      made.get(key) ?? onceDone(() => makeDocument(page, { site, path: page.path, language }, isMarkdown));
    made.set(key, make);
    return sendDocument(request, reply, await make());
  };
  app.get(DOCS, OPTIONS, (request, reply) => send(request, reply, DOCS));
  app.get(LLMS_PATH, OPTIONS, (request, reply) => send(request, reply, LLMS_PATH));
  for (const route of [`${DOCS}/:first`, `${DOCS}/:first/:second`])
    app.get(route, OPTIONS, (request, reply) => {
      const { first = '', second } = request.params as { first?: string; second?: string };
      return send(request, reply, [DOCS, first, ...(second === undefined ? [] : [second])].join('/'));
    });
  searchRoute(app, reference);
}

function searchRoute(app: FastifyInstance, reference: () => Promise<Reference>): void {
  app.get(SEARCH_PATH, OPTIONS, async (request, reply) => {
    const { site, search } = await reference();
    const find = await search();
    const { q } = request.query as { q?: unknown };
    const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : '';
    const view = { site, path: SEARCH_PATH, language: languageIn(request) };
    return sendPage(reply, searchPage(query, find(query), view));
  });
}

const languageIn = ({ query }: FastifyRequest): LanguageId =>
  readLanguage((query as { code?: unknown }).code);

async function readReference(
  { mode, apis, origin, credentials, loadGuide }: Dependencies,
  hasTrials: boolean,
): Promise<Reference> {
  const [first] = mode === 'sandbox' ? credentials : [];
  const caller = { origin: origin(), user: first };
  // Making a document and making its pages are long work, each in a turn of its own.
  const made = await mapInTurns(Object.entries(apis), 1, ([name, make]) => ({ name, document: make() }));
  const shown = await mapInTurns(made, 1, ({ name, document }) => showApi(name, document, caller));
  const site = { mode, caller, hasTrials, apis: shown, guide: await loadGuide() };
  const pages = new Map(sitePages(site).map((page) => [page.path, page]));
  return { site, pages, search: onceDone(() => withoutDeadline(() => makeSearch(site))) };
}

const makeDocument = (page: SitePage, view: View, isMarkdown: boolean): Promise<Document> =>
  withoutDeadline(async () => {
    await nextTurn();
    if (!isMarkdown) return packedDocument(HTML, await page.html(view));
    return packedDocument(page.path === DOCS ? TEXT : MARKDOWN, `${page.markdown(view.language).trim()}\n`);
  });

/** Serves an OpenAPI document. */
function documentRoute(app: FastifyInstance, path: string, openApi: () => object): void {
  const document = onceDone(() =>
    withoutDeadline(async () => {
      await nextTurn();
      return staticDocument(JSON_TYPE, `${JSON.stringify(openApi())}\n`);
    }),
  );
  app.get(path, OPTIONS, async (request, reply) => sendDocument(request, reply, await document()));
}
