import { type Html, html } from '../../html/layout.ts';
import type { GuideFile } from './guide-files.ts';
import { type GuideSetting, guideFrame, searchForm, WAY_TITLES } from './guide-frame.ts';
import { type GuideMap, type MappedPage, resolveLink } from './guide-map.ts';
import type { FoundPlace } from './guide-search.ts';
import { GUIDE, GUIDE_SEARCH, guideMarkdownPath } from './guide-places.ts';

/** A page of the documentation; links to files that are not shown are text. */
export async function guidePage(page: MappedPage, setting: GuideSetting): Promise<string> {
  const { blocksOf } = await import('./markdown-blocks.ts');
  const { renderBlocks } = await import('./render-markdown.ts');
  const { map } = setting;
  const blocks = blocksOf(page.markdown);
  const text = await renderBlocks(blocks, {
    resolve: (target) => resolveLink(map, page, target),
    drawing: (target) => drawingOf(map, resolveLink(map, page, target)),
  });
  return guideFrame(setting, {
    title: page.path === GUIDE ? 'Guide' : page.title,
    path: page.path,
    headings: blocks.headings,
    markdown: true,
    content: html`${trail(page)}
${text}
${neighbours(page)}`,
  });
}

/** Without what is only for a file of its own: its style, which the policy forbids, and the names of its parts. */
function drawingOf({ pictures }: GuideMap, path: string | undefined): string | undefined {
  const picture = path === undefined ? undefined : pictures.get(path);
  if (picture?.type !== 'image/svg+xml') return undefined;
  const svg = picture.content.toString();
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--[\s\S]*?-->|<style>[^<]*<\/style>|<title>[^<]*<\/title>| (id|role)="[^"]*"/g, '')
    .replace('<svg', '<svg aria-hidden="true"');
}

/** What the page belongs to. */
const trail = ({ way, parent }: MappedPage): Html | false =>
  way !== undefined &&
  parent !== undefined &&
  html`<nav class="trail" aria-label="Breadcrumb"><a href="${GUIDE}/${way}">${WAY_TITLES[way]}</a>${
    parent.path !== `${GUIDE}/${way}` && html` › <a href="${parent.path}">${parent.title}</a>`
  }</nav>`;

const neighbours = ({ previous, next }: MappedPage): Html | false =>
  (previous !== undefined || next !== undefined) &&
  html`<nav class="neighbours" aria-label="Neighbouring pages">${neighbour('Previous', 'prev', previous)}${neighbour('Next', 'next', next)}</nav>`;

const neighbour = (label: string, kind: string, page: GuideFile | undefined): Html | false =>
  page !== undefined &&
  html`<a rel="${kind}" class="${kind}" href="${page.path}"><span class="quiet">${label}</span> ${page.title}</a>`;

const LINK = /\]\(([^)\s]+)\)/g;

/** The same as Markdown, with links that lead somewhere here. */
export const guideMarkdown = (page: MappedPage, map: GuideMap): string =>
  page.markdown.replace(LINK, (link, target: string) => {
    const [path, anchor] = (resolveLink(map, page, target) ?? target).split('#', 2);
    if (!path?.startsWith('/')) return link;
    return `](${map.pages.has(path) ? guideMarkdownPath(path) : path}${anchor === undefined ? '' : `#${anchor}`})`;
  });

/** What was found, the best first. */
export function guideSearchPage(query: string, found: readonly FoundPlace[], setting: GuideSetting): string {
  const count = found.length === 1 ? '1 place' : `${found.length} places`;
  const list = found.map(
    ({ title, page, href, text }) =>
      html`<li><a href="${href}">${title}</a> <span class="quiet">${page.way !== undefined && `${WAY_TITLES[page.way]} · `}${page.title}</span>${text && html`<p class="quiet">${text}</p>`}</li>`,
  );
  return guideFrame(setting, {
    title: 'Search',
    path: GUIDE_SEARCH,
    content: html`<h1>Search</h1>
${searchForm('here', query)}
${
  query === ''
    ? html`<p>Search all pages: tasks, troubles, settings, commands, the reasons of refusals. Calls and their fields are in <a href="/docs/search">the API reference</a>.</p>`
    : html`<p role="status">${found.length === 0 ? 'Nothing was found' : count} for “${query}”. Calls and their fields: <a href="/docs/search?q=${encodeURIComponent(query)}">search the API reference</a>.</p>
${found.length > 0 && html`<ol class="found">${list}</ol>`}`
}`,
  });
}

const NOTICES = {
  unknown: [
    'Page not found',
    'There is no such page. It may have moved: search for it, or begin at the overview.',
  ],
  tooMany: ['Too many searches', 'Try again in a minute. The pages themselves can still be read.'],
} as const;

export function guideNotice(notice: keyof typeof NOTICES, setting: GuideSetting): string {
  const [title, advice] = NOTICES[notice];
  return guideFrame(setting, {
    title,
    path: GUIDE_SEARCH,
    content: html`<h1>${title}</h1>
<p>${advice}</p>
${searchForm('here')}
<p><a href="${GUIDE}">Overview</a></p>`,
  });
}
