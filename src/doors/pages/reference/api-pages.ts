import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { commandBlock } from '../../html/code-block.ts';
import { guideOfApi } from '../../guide-links.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { callSection } from './call-section.ts';
import { docsPage } from './docs-page.ts';
import { prose } from './json.ts';
import type { EventKind, Group } from './model.ts';
import { outcomeTable } from './outcomes.ts';
import { EVERY_CALL, EVERY_CHANGE, eventAnchor, groupPath, inLanguage } from './places.ts';
import { type LanguageId, languageOf } from './samples/languages.ts';
import type { ShownApi, View } from './site.ts';

/** The calls of a group, each with its code beside it; others are served while they are shown. */
export async function groupPage(group: Group, shown: ShownApi, view: View): Promise<string> {
  const sections = await mapInTurns(group.calls, 1, (call) => callSection(call, shown, view));
  return docsPage(
    view,
    group.name,
    html`<h1>${group.name}</h1>
<p class="lead">${prose(sentence(group.description || shown.api.title))}</p>
${explained(shown.name, group.name)}
${setupBlock(shown, view.language, false)}
${sections}`,
  );
}

/** How one signs in, and what any call can answer. */
export function introductionPage(shown: ShownApi, view: View): string {
  const { name, api, shared, samples } = shown;
  const { byAll, byChanges } = shared;
  return docsPage(
    view,
    api.title,
    html`<h1>${api.title}</h1>
<p class="lead">${prose(sentence(api.summary))}</p>
<p>${prose(api.description)}</p>
${explained(name)}
<dl class="facts">
<div><dt>Server</dt><dd><code>${samples.caller.origin}</code></dd></div>
<div><dt>Version</dt><dd>${api.version}</dd></div>
<div><dt>OpenAPI</dt><dd><a href="/openapi/${name}.json">${name}.json</a></dd></div>
${api.signIn.map((way) => html`<div><dt>Sign in</dt><dd>${way.name}: ${prose(way.description)}</dd></div>`)}
</dl>
${setupBlock(shown, view.language, true)}
<h2>Calls</h2>
<ul>${api.groups.map((group) => html`<li><a href="${inLanguage(groupPath(name, group), view.language)}">${group.name}</a>: ${prose(group.description || `${group.calls.length} calls`)}</li>`)}</ul>
${
  byAll.length > 0 &&
  html`<h2 id="${EVERY_CALL}">Errors common to all calls</h2>
<p>Any call can end like this, besides its own success and refusals. Open a line to see the whole answer.</p>
${outcomeTable('Errors common to all calls', byAll)}`
}
${
  byChanges.length > 0 &&
  html`<h2 id="${EVERY_CHANGE}">Errors common to all changes</h2>
<p>Calls that change something can also end like this.</p>
${outcomeTable('Errors common to all changes', byChanges)}`
}`,
  );
}

/** What is posted to webhook endpoints; each type has an anchor that calls link to. */
export const eventsPage = (events: readonly EventKind[], view: View): string =>
  docsPage(
    view,
    'Events',
    html`<h1>Events</h1>
<p class="lead">What is posted to webhook endpoints, by Standard Webhooks.</p>
<p>The OpenAPI document has the schema of each under <code>webhooks</code>.</p>
${table(
  { label: 'Events', columns: [{ title: 'Type' }, { title: 'When' }] },
  events.map(({ type, summary }) => [html`<code id="${eventAnchor(type)}">${type}</code>`, prose(summary)]),
)}`,
  );

/** What stands once above the examples in this language. */
function setupBlock({ samples }: ShownApi, language: LanguageId, isOpen: boolean): Html | false {
  const { name, setup } = languageOf(language);
  if (!setup) return false;
  const isClient = samples.hasClient && language === 'typescript';
  return html`<details class="fields setup"${isOpen && html` open`}><summary>Before the first call, in ${name}</summary>
${isClient && html`<p>The examples use the client, which every registry serves: <code>npm install ${samples.caller.origin}/sdk.tgz</code>.</p>`}
${commandBlock(`Setup, ${name}`, setup(samples))}</details>`;
}

/** The page of the guide that tells how it works. */
function explained(api: string, group?: string): Html | false {
  const guide = guideOfApi(api, group);
  return guide !== undefined && html`<p>How it works is explained in <a href="${guide}">the guide</a>.</p>`;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
