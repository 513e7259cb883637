import { commandBlock } from '../../html/code-block.ts';
import { type Html, html } from '../../html/layout.ts';
import { GUIDE } from '../guide/guide-places.ts';
import { docsPage } from './docs-page.ts';
import { prose } from './json.ts';
import { apiPath, callPath, eventsPath, groupPath, inLanguage, LLMS_PATH } from './places.ts';
import { guidesFor, type ShownApi, type View } from './site.ts';

/** What there is: guides, the client, and every call by its group. */
export function overviewPage(view: View): string {
  const { site, language } = view;
  return docsPage(
    view,
    'API reference',
    html`<h1>API reference</h1>
<p class="lead">${site.apis.map(({ name, api }, place) => html`${place > 0 && ' · '}<a href="${inLanguage(apiPath(name), language)}">${api.title}</a>`)}</p>
<h2 id="guides">Guides</h2>
<ul>${guidesFor(site).map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul>
<p><a href="${GUIDE}">All pages of the guide</a></p>
<h2 id="client">The client</h2>
<p>For TypeScript and JavaScript, always of the version of this registry: <a href="/sdk.tgz">sdk.tgz</a>.</p>
${commandBlock('Command', `npm install ${site.caller.origin}/sdk.tgz`)}
<p>Generators make clients in other languages of the OpenAPI documents: ${site.apis.map(({ name }, place) => html`${place > 0 && ', '}<a href="/openapi/${name}.json">${name}.json</a>`)}. Programs that read find all pages as Markdown by <a href="${LLMS_PATH}">llms.txt</a>.</p>
${site.apis.map((shown) => callIndex(shown, view))}`,
  );
}

/** The calls keep the anchors that they had when all were on one page. */
const callIndex = ({ name, api }: ShownApi, { language }: View): Html =>
  html`<h2 class="api" id="${name}">${api.title}</h2>
<p>${prose(api.description)}</p>
${api.groups.map(
  (group) => html`<h3><a href="${inLanguage(groupPath(name, group), language)}">${group.name}</a></h3>
<ul class="calls">${group.calls.map(
    (call) =>
      html`<li id="${call.id}"><a href="${inLanguage(callPath(name, call), language)}"><span class="method ${call.method.toLowerCase()}">${call.method}</span> <span>${call.summary}</span></a></li>`,
  )}</ul>`,
)}
${api.events.length > 0 && html`<h3><a href="${inLanguage(eventsPath(name), language)}">Events</a></h3>`}`;
