import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { onceDone } from '../../../platform/concurrency/once-done.ts';
import { withoutDeadline } from '../../../platform/work-scope.ts';
import type { Admission } from '../../../registry/lookup/lookup-limits.ts';
import {
  type Document,
  HTML,
  packedDocument,
  sendDocument,
  sendPage,
  sendWithScript,
  staticDocument,
} from '../../html/page-answer.ts';
import type { GuideSetting } from './guide-frame.ts';
import { type GuideMap, mapGuide } from './guide-map.ts';
import { readGuideFiles } from './guide-files.ts';
import { guideMarkdown, guideNotice, guidePage, guideSearchPage } from './guide-page.ts';
import { GUIDE, GUIDE_SEARCH } from './guide-places.ts';

export type GuideDependencies = {
  readonly mode: 'sandbox' | 'production';
  /** Counts a search of an address. */
  readonly admitSearch: (address: string) => Admission;
};
/** The pages of the documentation: read when one of them, or a page that links to them, is first asked for. */
export type LoadGuide = () => Promise<GuideMap>;

export const guideLoader = (): LoadGuide =>
  onceDone(() => withoutDeadline(async () => mapGuide(await readGuideFiles())));

const OPTIONS = { exposeHeadRoute: true };
const MARKDOWN = 'text/markdown; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** The documentation as a site: each page is rendered when it is first read. */
export function guideRoutes(app: FastifyInstance, load: LoadGuide, dependencies: GuideDependencies): void {
  const script = scriptRoute(app);
  const badge = dependencies.mode === 'sandbox' ? 'Sandbox' : undefined;
  const settingOf = async (): Promise<GuideSetting> => ({ map: await load(), badge, script });
  const made = new Map<string, () => Promise<Document>>();
  app.get(GUIDE, OPTIONS, (request, reply) => send(request, reply, GUIDE));
  app.get(`${GUIDE}.md`, OPTIONS, (request, reply) => send(request, reply, `${GUIDE}.md`));
  app.get(`${GUIDE}/*`, OPTIONS, (request, reply) => {
    const { '*': rest = '' } = request.params as { '*'?: string };
    return send(request, reply, `${GUIDE}/${rest}`);
  });
  searchRoute(app, settingOf, dependencies);

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const setting = await settingOf();
    const make = made.get(path) ?? makerOf(path, setting);
    if (!make) return sendPage(reply.code(404), guideNotice('unknown', setting));
    made.set(path, make);
    const document = await make();
    return document.type === HTML
      ? sendWithScript(request, reply, document)
      : sendDocument(request, reply, document);
  }
}

/** What is at an address, if anything is. Nothing is read for it but what the map has. */
function makerOf(path: string, setting: GuideSetting): (() => Promise<Document>) | undefined {
  const { pages, pictures } = setting.map;
  const page = pages.get(path);
  if (page)
    return onceDone(() => withoutDeadline(async () => packedDocument(HTML, await guidePage(page, setting))));
  const source = path.endsWith('.md') ? pages.get(path.slice(0, -'.md'.length)) : undefined;
  if (source) return onceDone(() => packedDocument(MARKDOWN, guideMarkdown(source, setting.map)));
  const picture = pictures.get(path);
  return picture && onceDone(async () => staticDocument(picture.type, picture.content));
}

function searchRoute(
  app: FastifyInstance,
  settingOf: () => Promise<GuideSetting>,
  { admitSearch }: GuideDependencies,
): void {
  const search = onceDone(() =>
    withoutDeadline(async () => {
      const { makeGuideSearch } = await import('./guide-search.ts');
      return makeGuideSearch((await settingOf()).map);
    }),
  );
  app.get(GUIDE_SEARCH, OPTIONS, async (request, reply) => {
    const setting = await settingOf();
    const { q } = request.query as { q?: unknown };
    const query = typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : '';
    if (query === '') return sendPage(reply, guideSearchPage('', [], setting));
    const admission = admitSearch(request.ip);
    if (!admission.isAdmitted) {
      reply.header('retry-after', String(admission.retryAfterSeconds));
      return sendPage(reply.code(429), guideNotice('tooMany', setting));
    }
    const find = await search();
    return sendPage(reply, guideSearchPage(query, find(query), setting));
  });
}

const MAX_QUERY_LENGTH = 100;

/** The script of the copy buttons, at an address that changes with its content. */
function scriptRoute(app: FastifyInstance): string {
  const content = readFileSync(new URL('./browser/copy.js', import.meta.url), 'utf8');
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = `${GUIDE}/copy-${digest}.js`;
  const document = staticDocument(SCRIPT_TYPE, content);
  app.get(path, OPTIONS, (request, reply) =>
    sendDocument(request, reply, document, { 'cache-control': FOR_GOOD }),
  );
  return path;
}
