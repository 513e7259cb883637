import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { commandBlock } from '../../html/code-block.ts';
import { type Html, html, page } from '../../html/layout.ts';
import { type Caller, callSection, everyCall, everyChange } from './call-section.ts';
import { CLIENT_SETUP } from './client-lines.ts';
import { eventsAnchor, eventTable } from './events.ts';
import { prose } from './json.ts';
import type { Api } from './model.ts';
import { outcomeTable, type Shared, sharedOutcomes } from './outcomes.ts';

type ReferenceContext = Caller & {
  readonly mode: 'sandbox' | 'production';
  /** Whether each call can be tried. */
  readonly hasTrials?: boolean;
};
type Shown = Pick<ReferenceContext, 'hasTrials'> & { readonly caller: Caller };
/** The API that cadastre-sdk is a client of. */
const CLIENT_API = 'registrar';
/** An API with the prefix of its anchors. */
export type ShownApi = { readonly name: string; readonly api: Api };

/**
 * The API reference: one page that can be searched, linked and printed, without scripts. It is long, and others are
 * served while it is made.
 */
export async function referencePage(
  apis: readonly ShownApi[],
  { mode, hasTrials = false, ...caller }: ReferenceContext,
): Promise<string> {
  const sections = await Promise.all(apis.map((shown) => section(shown, { caller, hasTrials })));
  return page({
    title: 'Cadastre API reference',
    lang: 'en',
    badge: mode === 'sandbox' ? 'Sandbox' : undefined,
    width: 'wide',
    links: [
      { text: 'Home', href: '/' },
      { text: 'OpenAPI', href: '/openapi.json' },
    ],
    body: html`<div class="reference">
${contents(apis)}
<div>
<h1>API reference</h1>
<p class="lead">${sentenceOf(apis)}</p>
${sections}
</div>
</div>`,
  });
}

const sentenceOf = (apis: readonly ShownApi[]): Html =>
  html`${apis.map(({ name, api }, place) => html`${place > 0 && ' · '}<a href="#${name}">${api.title}</a>`)}`;

async function section({ name, api }: ShownApi, { caller, hasTrials = false }: Shown): Promise<Html> {
  const shared = sharedOutcomes(api.calls);
  const hasClient = name === CLIENT_API;
  const { resolve, hasBasic } = api;
  const context = { name, resolve, shared, caller, hasBasic, hasClient, hasTrials };
  const groups = await mapInTurns(
    api.groups,
    1,
    (group) =>
      html`<h3 class="group" id="${anchorOf(name, group.name)}">${group.name}</h3>${group.calls.map((call) => callSection(call, context))}`,
  );
  return html`<h2 class="api" id="${name}">${api.title}</h2>
<p>${prose(api.summary)}</p>
${introduction(name, api, caller, shared)}
${hasClient && clientIntroduction(name, caller)}
${groups}
${api.events.length > 0 && html`<h3 class="group" id="${eventsAnchor(name)}">Events</h3>${eventTable(api.events)}`}`;
}

const clientIntroduction = (name: string, { origin }: Caller): Html =>
  html`<h3 id="${name}-client">The client</h3>
<p>Examples in TypeScript use <code>cadastre-sdk</code>, the client of this API, and begin like this.</p>
${commandBlock('Client', CLIENT_SETUP(origin))}`;

function introduction(
  name: string,
  { version, description, signIn }: Api,
  { origin }: Caller,
  { byAll, byChanges }: Shared,
): Html {
  return html`<p>${prose(description)}</p>
<dl class="facts">
<div><dt>Server</dt><dd><code>${origin}</code></dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>OpenAPI</dt><dd><a href="/openapi/${name}.json">${name}.json</a></dd></div>
${signIn.map((way) => html`<div><dt>Sign in</dt><dd>${way.name}: ${prose(way.description)}</dd></div>`)}
</dl>
${
  byAll.length > 0 &&
  html`<h3 id="${everyCall(name)}">Errors common to all calls</h3>
<p>Any call can end like this, besides its own success and refusals. Open a line to see the whole answer.</p>
${outcomeTable('Errors common to all calls', byAll)}`
}
${
  byChanges.length > 0 &&
  html`<h3 id="${everyChange(name)}">Errors common to all changes</h3>
<p>Calls that change something can also end like this.</p>
${outcomeTable('Errors common to all changes', byChanges)}`
}`;
}

/** Beside the text on wide screens; collapsed above it on narrow ones. */
function contents(apis: readonly ShownApi[]): Html {
  const list = apis.map(({ name, api }) => {
    const { byAll, byChanges } = sharedOutcomes(api.calls);
    return html`<p><a href="#${name}">${api.title}</a></p>
${
  byAll.length + byChanges.length > 0 &&
  html`<ul>${byAll.length > 0 && html`<li><a href="#${everyCall(name)}">Errors common to all calls</a></li>`}${
    byChanges.length > 0 && html`<li><a href="#${everyChange(name)}">Errors common to all changes</a></li>`
  }</ul>`
}
${api.groups.map(
  (group) => html`<p><a href="#${anchorOf(name, group.name)}">${group.name}</a></p>
<ul>${group.calls.map(
    ({ id, method, summary }) =>
      html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${summary}</span></a></li>`,
  )}</ul>`,
)}
${api.events.length > 0 && html`<p><a href="#${eventsAnchor(name)}">Events</a></p>`}`;
  });
  return html`<nav class="contents beside" aria-label="Contents">${list}</nav>
<nav class="contents folded" aria-label="Contents"><details><summary>Contents</summary>${list}</details></nav>`;
}

const anchorOf = (api: string, group: string): string => `${api}-${group.toLowerCase().replace(/\W+/g, '-')}`;
