import { type Html, type HtmlValue, html, page } from '../../html/layout.ts';
import type { GuideFile } from './guide-files.ts';
import type { Branch, GuideMap, WayMap } from './guide-map.ts';
import { GUIDE, GUIDE_SEARCH, guideMarkdownPath, type Way } from './guide-places.ts';
import type { Heading } from './markdown-blocks.ts';

/** What all pages of the guide have in common. */
export type GuideSetting = {
  readonly map: GuideMap;
  readonly badge: string | undefined;
  /** The address of the script that adds the copy buttons. */
  readonly script: string;
};

type Framed = {
  readonly title: string;
  /** The page that is marked in the navigation. */
  readonly path: string;
  readonly content: Html;
  readonly headings?: readonly Heading[];
  /** Whether it is one of the documentation, which is there as Markdown too, and whose code can be copied. */
  readonly markdown?: boolean;
};

export const WAY_TITLES: Readonly<Record<Way, string>> = {
  evaluate: 'Evaluate',
  integrate: 'Integrate',
  operate: 'Operate',
  contribute: 'Contribute',
};

/** A page of the guide: the navigation, the text, and what the page has. */
export function guideFrame(
  { map, badge, script }: GuideSetting,
  { title, path, content, headings = [], markdown }: Framed,
): string {
  const source = markdown ? guideMarkdownPath(path) : undefined;
  const list = navigation(map, path);
  const search = (name: string) => path !== GUIDE_SEARCH && searchForm(name);
  const own = contentsOf(headings);
  return page({
    title: title === 'Guide' ? 'Cadastre guide' : `${title} · Cadastre guide`,
    lang: 'en',
    badge,
    width: 'wide',
    ...(source !== undefined && { markdown: source, script }),
    links: [
      { text: 'Home', href: '/' },
      { text: 'Guide', href: GUIDE },
      { text: 'API reference', href: '/docs' },
    ],
    body: html`<div class="reference site">
<nav class="contents beside" aria-label="Guide">${search('beside')}${list}</nav>
<nav class="contents folded" aria-label="Guide">${search('folded')}<details class="whole"><summary>All pages</summary>${list}</details></nav>
<article class="guide">
${own && html`<nav class="contents inside" aria-label="On this page"><details class="whole"><summary>On this page</summary>${own}</details></nav>`}
${content}
${source && html`<p class="quiet also"><a href="${source}">This page as Markdown</a></p>`}
</article>
${own && html`<nav class="contents beside own" aria-label="On this page"><p class="quiet">On this page</p>${own}</nav>`}
</div>`,
  });
}

/** Answered by a page: nothing of the guide needs scripts. */
export const searchForm = (name: string, query = ''): Html =>
  html`<form class="find" role="search" aria-label="Search" action="${GUIDE_SEARCH}">
<label for="find-${name}">Search</label>
<div><input id="find-${name}" name="q" type="search" maxlength="100" autocomplete="off" value="${query}"><button>Search</button></div>
</form>`;

/** Only the way is open that the page belongs to, and only the pages below the present one are listed. */
function navigation({ ways, others, pages }: GuideMap, path: string): Html {
  const present = pages.get(path)?.way;
  return html`<ul><li>${entry(path, { path: GUIDE, title: 'Overview' })}</li></ul>
${ways.map((way) => part(WAY_TITLES[way.way], way.way === present || path === GUIDE, entriesOf(way, path)))}
${
  others.length > 0 &&
  part(
    'More',
    others.some((other) => other.path === path),
    others.map((other) => html`<li>${entry(path, other)}</li>`),
  )
}`;
}

const part = (title: string, isOpen: boolean, items: HtmlValue): Html =>
  html`<details class="part"${isOpen && html` open`}><summary>${title}</summary><ul>${items}</ul></details>`;

/** Pages of a folder within the way, such as the troubles, are folded together. */
function entriesOf({ way, first, branches }: WayMap, path: string): Html {
  const folders = Map.groupBy(branches, ({ page: { file } }) => folderWithin(way, file) ?? file);
  return html`<li>${entry(path, { path: first.path, title: 'Start here' })}</li>${[...folders].map(
    ([folder, group]) => {
      const shown = group.map((branch) => branchOf(branch, path));
      if (group.length === 1) return shown;
      const isOpen = group.some(({ page: own }) => own.path === path);
      return html`<li>${part(`${folder[0]?.toUpperCase()}${folder.slice(1)}`, isOpen, shown)}</li>`;
    },
  )}`;
}

function folderWithin(way: Way, file: string): string | undefined {
  const [docs, first, folder, ...rest] = file.split('/');
  return docs === 'docs' && first === way && rest.length > 0 ? folder : undefined;
}

function branchOf({ page: own, children }: Branch, path: string): Html {
  const isOpen = own.path === path || children.some((child) => child.path === path);
  return html`<li>${entry(path, own)}${
    isOpen &&
    children.length > 0 &&
    html`<ul class="here">${children.map((child) => html`<li>${entry(path, child)}</li>`)}</ul>`
  }</li>`;
}

const entry = (path: string, { path: href, title }: Pick<GuideFile, 'path' | 'title'>): Html =>
  html`<a href="${href}"${href === path && html` aria-current="page"`}>${title}</a>`;

/** A page with one part has no contents. */
function contentsOf(headings: readonly Heading[]): Html | undefined {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return undefined;
  return html`<ul class="here">${shown.map(
    ({ level, text, anchor }) =>
      html`<li${level === 3 && html` class="deep"`}><a href="#${anchor}">${text}</a></li>`,
  )}</ul>`;
}
