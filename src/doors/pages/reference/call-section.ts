import { commandBlock } from '../../html/code-block.ts';
import { type Html, html } from '../../html/layout.ts';
import { prettyJson, prose } from './json.ts';
import type { Answer, Call, Caused } from './model.ts';
import { isChange, outcomeTable, ownOutcomes, statusesOf } from './outcomes.ts';
import { fieldTable, parameterTable } from './field-tables.ts';
import { apiPath, EVERY_CALL, EVERY_CHANGE, eventPath, inLanguage, TRIAL_PATH } from './places.ts';
import { LANGUAGES, languageOf, sampleOf } from './samples/languages.ts';
import type { ShownApi, View } from './site.ts';

/** One call of the API: its request, an example to paste, and every possible outcome. */
export function callSection(call: Call, shown: ShownApi, view: View): Html {
  const { name, api, shared } = shown;
  const { resolve } = api;
  const { id, method, path, summary, description, parameters, body, answers, events } = call;
  const own = ownOutcomes(call, shared);
  const successes = answers.filter(({ status }) => status.startsWith('2'));
  return html`<section class="call" id="${id}" aria-labelledby="${id}-name ${id}-line">
<div class="text">
<h2 class="name" id="${id}-name"><a class="anchor" href="#${id}">${summary}</a></h2>
<p class="line" id="${id}-line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${pathWithBreaks(path)}</code></p>
${description && html`<p>${prose(description)}</p>`}
${parameters.length > 0 && html`<h3>Parameters</h3>${parameterTable(parameters, resolve)}`}
${body && html`<h3>Body</h3>${fieldTable('body', body.schema, resolve)}`}
</div>
<div class="code">
${sampleBlock(call, shown, view)}
${successes.map(({ status, examples }) => examples.map(({ value }) => html`<p class="label">Answer <span class="status good">${status}</span></p>${prettyJson('Answer', value)}`))}
</div>
<div class="text">
${successes.map((answer) => success(answer, resolve))}
${events.length > 0 && html`<h3>Events</h3>${causedList(name, events, view)}`}
<h3>Refusals</h3>
${own.length > 0 && outcomeTable('Refusals of this call', own)}
${alsoLine(call, shown, view, own.length > 0)}
</div>
</section>
`;
}

function sampleBlock(call: Call, { samples }: ShownApi, { site, path, language }: View): Html {
  const { id, summary } = call;
  const chosen = languageOf(language);
  const languages = LANGUAGES.map(
    (each) =>
      html`<li><a href="${`${inLanguage(path, each.id)}#${id}`}" rel="nofollow"${each.id === language && html` aria-current="true"`}>${each.name}</a></li>`,
  );
  return html`<ul class="languages" aria-label="Languages of the example: ${summary}">${languages}</ul>
${commandBlock(`Request, ${chosen.name}`, sampleOf(call, chosen, samples))}
${site.hasTrials && html`<p><a class="try" href="${TRIAL_PATH}/${id}" aria-label="Try it: ${summary}">Try it</a></p>`}`;
}

/** Webhook events that follow from a success. */
const causedList = (api: string, events: readonly Caused[], { language }: View): Html =>
  html`<ul>${events.map(({ type, when }) => html`<li><a href="${inLanguage(eventPath(api, type), language)}"><code>${type}</code></a>${when && html`, ${when}`}</li>`)}</ul>`;

const success = ({ status, description, schema }: Answer, resolve: ShownApi['api']['resolve']): Html =>
  html`<h3>Answer <span class="status good">${status}</span> <span class="quiet">${prose(description)}</span></h3>
${schema && html`<details class="fields"><summary>Fields of the answer</summary>${fieldTable('answer', schema, resolve)}</details>`}`;

/** Links to the outcomes shared with other calls. */
function alsoLine(call: Call, { name, shared }: ShownApi, { language }: View, hasOwn: boolean): Html {
  const { byAll, byChanges } = shared;
  const introduction = inLanguage(apiPath(name), language);
  const links = [
    byAll.length > 0 &&
      html`<a href="${introduction}#${EVERY_CALL}">every call</a> can answer (${statusesOf(byAll)})`,
    isChange(call) &&
      byChanges.length > 0 &&
      html`<a href="${introduction}#${EVERY_CHANGE}">every change</a> can answer (${statusesOf(byChanges)})`,
  ].filter((link) => link !== false);
  if (links.length === 0) return html`<p class="quiet">${hasOwn ? 'No others.' : 'None.'}</p>`;
  const [first, ...others] = links;
  return html`<p class="quiet">${hasOwn ? 'Also' : 'Only'} what ${first}${others.map((link) => html` and what ${link}`)}.</p>`;
}

/** Lets a long path wrap after a slash. */
function pathWithBreaks(path: string): Html[] {
  return path
    .split(/(?<=\/)/)
    .map((step) => html`${step.startsWith('{') ? html`<var>${step}</var>` : step}<wbr>`);
}
