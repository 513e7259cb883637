import { type Html, type HtmlValue, html } from '../../html/layout.ts';
import type { Group } from './model.ts';
import { apiPath, DOCS, eventsPath, groupPath, inLanguage, SEARCH_PATH } from './places.ts';
import { DEFAULT_LANGUAGE } from './samples/languages.ts';
import { guidesFor, type ShownApi, type View } from './site.ts';

/** Beside the text on wide screens; collapsed above it on narrow ones. */
export function navigation(view: View): Html {
  const list = entries(view);
  const search = (name: string) => view.path !== SEARCH_PATH && searchForm(view, name);
  return html`<nav class="contents beside" aria-label="Contents">${search('beside')}${list}</nav>
<nav class="contents folded" aria-label="Contents">${search('folded')}<details class="whole"><summary>Contents</summary>${list}</details></nav>`;
}

/** Answered by a page: nothing of the reference needs scripts. */
export const searchForm = ({ language }: View, name: string, query = ''): Html =>
  html`<form class="find" role="search" aria-label="Search" action="${SEARCH_PATH}">
<label for="find-${name}">Search</label>
<div><input id="find-${name}" name="q" type="search" maxlength="100" autocomplete="off" value="${query}"><button>Search</button></div>
${language !== DEFAULT_LANGUAGE && html`<input type="hidden" name="code" value="${language}">`}
</form>`;

/** Only the part is open that the page belongs to, so that the present entry is in sight. */
function entries(view: View): Html {
  const { site, path } = view;
  return html`<ul><li>${entry(view, DOCS, 'Overview')}</li></ul>
${part(
  'Guides',
  path === DOCS,
  guidesFor(site).map(({ path: href, title }) => html`<li><a href="${href}">${title}</a></li>`),
)}
${site.apis.map((shown) => apiEntries(view, shown))}`;
}

const part = (title: string, isOpen: boolean, items: HtmlValue): Html =>
  html`<details class="part"${isOpen && html` open`}><summary>${title}</summary><ul>${items}</ul></details>`;

function apiEntries(view: View, { name, api }: ShownApi): Html {
  const introduction = apiPath(name);
  const isOpen = view.path === DOCS || view.path === introduction || view.path.startsWith(`${introduction}/`);
  const title = api.title.replace(/^Cadastre (\w)/, (_, first: string) => first.toUpperCase());
  return part(title, isOpen, [
    html`<li>${entry(view, introduction, 'Introduction and errors')}</li>`,
    ...api.groups.map((group) => {
      const path = groupPath(name, group);
      return html`<li>${entry(view, path, group.name)}${path === view.path && callEntries(group)}</li>`;
    }),
    api.events.length > 0 && html`<li>${entry(view, eventsPath(name), 'Events')}</li>`,
  ]);
}

/** Browsers that know which anchor of a list is on the screen mark it. */
const callEntries = ({ calls }: Group): Html =>
  html`<ul class="here">${calls.map(
    ({ id, method, summary }) =>
      html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${summary}</span></a></li>`,
  )}</ul>`;

const entry = (view: View, path: string, text: string): Html =>
  html`<a href="${inLanguage(path, view.language)}"${path === view.path && html` aria-current="page"`}>${text}</a>`;
