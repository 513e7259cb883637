import { type Html, html, page } from '../layout.ts';
import { type Caller, callSection } from './call.ts';
import { prose } from './json.ts';
import type { Api } from './model.ts';
import { outcomeTable, type Shared, sharedOutcomes } from './outcomes.ts';

type Place = Caller & { readonly mode: 'sandbox' | 'production' };

/** The API reference: one page that can be searched, linked into and printed, and needs no script. */
export function referencePage(api: Api, { mode, ...caller }: Place): string {
  const shared = sharedOutcomes(api.calls);
  const context = { resolve: api.resolve, shared, caller };
  return page({
    title: api.title,
    lang: 'en',
    badge: mode === 'sandbox' ? 'Sandbox' : undefined,
    width: 'wide',
    links: [
      { text: 'Home', href: '/' },
      { text: 'OpenAPI', href: '/openapi.json' },
    ],
    body: html`<div class="reference">
${contents(api, shared)}
<div>
<h1>${api.title}</h1>
<p class="lead">${prose(api.summary)}</p>
${introduction(api, caller, shared)}
${api.groups.map(({ name, calls }) => html`<h2 id="${anchorOf(name)}">${name}</h2>${calls.map((call) => callSection(call, context))}`)}
</div>
</div>`,
  });
}

function introduction(
  { version, description, signIn }: Api,
  { origin }: Caller,
  { byAll, byChanges }: Shared,
): Html {
  return html`<p>${prose(description)}</p>
<dl class="facts">
<div><dt>Server</dt><dd><code>${origin}</code></dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
${signIn.map((way) => html`<div><dt>Sign in</dt><dd>${way.name}: ${prose(way.description)}</dd></div>`)}
</dl>
${
  byAll.length > 0 &&
  html`<h2 id="every-call">What every call can answer</h2>
<p>Any call can end like this, besides its own success and refusals. Open a line to see the whole answer.</p>
${outcomeTable('What every call can answer', byAll)}`
}
${
  byChanges.length > 0 &&
  html`<h2 id="every-change">What every change can answer</h2>
<p>Calls that change something can also end like this.</p>
${outcomeTable('What every change can answer', byChanges)}`
}`;
}

/** Beside the text on a wide screen; on a narrow one folded away above it. */
function contents(api: Api, shared: Shared): Html {
  const ground = [
    shared.byAll.length > 0 && html`<li><a href="#every-call">What every call can answer</a></li>`,
    shared.byChanges.length > 0 && html`<li><a href="#every-change">What every change can answer</a></li>`,
  ];
  const list = html`<ul>${ground}</ul>
${api.groups.map(
  ({ name, calls }) => html`<p><a href="#${anchorOf(name)}">${name}</a></p>
<ul>${calls.map(
    ({ id, method, summary }) =>
      html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${summary}</span></a></li>`,
  )}</ul>`,
)}`;
  return html`<nav class="contents beside" aria-label="Contents">${list}</nav>
<nav class="contents folded" aria-label="Contents"><details><summary>Contents</summary>${list}</details></nav>`;
}

const anchorOf = (group: string): string => `group-${group.toLowerCase().replace(/\W+/g, '-')}`;
