import { commandBlock, curl } from '../../html/code-block.ts';
import { type Html, html } from '../../html/layout.ts';
import { clientLines } from './client-lines.ts';
import { eventAnchor } from './events.ts';
import { prettyJson, prose } from './json.ts';
import type { Answer, Api, Call, Caused } from './model.ts';
import { isChange, outcomeTable, ownOutcomes, type Shared, statusesOf } from './outcomes.ts';
import { fieldTable, parameterTable } from './field-tables.ts';

export type Caller = { readonly origin: string; readonly user: string };
type Resolve = Api['resolve'];
type Context = {
  /** The name of the API. */
  readonly name: string;
  readonly resolve: Resolve;
  readonly shared: Shared;
  readonly caller: Caller;
  /** Whether it uses Basic authentication; otherwise a token. */
  readonly hasBasic: boolean;
  /** Whether cadastre-sdk has its calls. */
  readonly hasClient: boolean;
  /** Whether each call can be tried. */
  readonly hasTrials: boolean;
};

/** Where the sandbox lets one try a call. */
export const TRIAL_PATH = '/docs/try';

/** The anchor of the outcomes common to all calls of an API. */
export const everyCall = (api: string): string => `${api}-every-call`;
export const everyChange = (api: string): string => `${api}-every-change`;

/** One call of the API: its request, an example to paste, and every possible outcome. */
export function callSection(call: Call, context: Context): Html {
  const { name, resolve, shared, caller, hasBasic, hasClient, hasTrials } = context;
  const { id, method, path, summary, description, parameters, body, answers, events } = call;
  const own = ownOutcomes(call, shared);
  return html`<section class="call" id="${id}" aria-labelledby="${id}-name ${id}-line">
<h4 class="name" id="${id}-name"><a class="anchor" href="#${id}">${summary}</a></h4>
<p class="line" id="${id}-line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${pathWithBreaks(path)}</code></p>
${description && html`<p>${prose(description)}</p>`}
${parameters.length > 0 && html`<h5>Parameters</h5>${parameterTable(parameters, resolve)}`}
${body && html`<h5>Body</h5>${fieldTable('body', body.schema, resolve)}`}
<h5>Example</h5>
${hasClient && html`<p class="quiet label">curl</p>`}
${commandBlock('Request', exampleRequest(call, caller, hasBasic))}
${hasClient && html`<p class="quiet label">TypeScript</p>${commandBlock('With the client', clientLines(call, resolve))}`}
${hasTrials && html`<p><a class="try" href="${TRIAL_PATH}/${id}" aria-label="Try it: ${summary}">Try it</a></p>`}
${answers.filter(({ status }) => status.startsWith('2')).map((answer) => success(answer, resolve))}
${events.length > 0 && html`<h5>Events</h5>${causedList(events)}`}
<h5>Refusals</h5>
${own.length > 0 && outcomeTable('Refusals of this call', own)}
${alsoLine(call, name, shared, own.length > 0)}
</section>
`;
}

/** Webhook events that follow from a success. */
const causedList = (events: readonly Caused[]): Html =>
  html`<ul>${events.map(({ type, when }) => html`<li><a href="#${eventAnchor(type)}"><code>${type}</code></a>${when && html`, ${when}`}</li>`)}</ul>`;

function success({ status, description, schema, examples }: Answer, resolve: Resolve): Html {
  return html`<h5>Answer <span class="status good">${status}</span> <span class="quiet">${prose(description)}</span></h5>
${examples.map(({ value }) => prettyJson('Answer', value))}
${schema && html`<details class="fields"><summary>Fields of the answer</summary>${fieldTable('answer', schema, resolve)}</details>`}`;
}

/** Links to the outcomes shared with other calls. */
function alsoLine(call: Call, name: string, { byAll, byChanges }: Shared, hasOwn: boolean): Html {
  const links = [
    byAll.length > 0 && html`<a href="#${everyCall(name)}">every call</a> can answer (${statusesOf(byAll)})`,
    isChange(call) &&
      byChanges.length > 0 &&
      html`<a href="#${everyChange(name)}">every change</a> can answer (${statusesOf(byChanges)})`,
  ].filter((link) => link !== false);
  if (links.length === 0) return html`<p class="quiet">${hasOwn ? 'No others.' : 'None.'}</p>`;
  const [first, ...others] = links;
  return html`<p class="quiet">${hasOwn ? 'Also' : 'Only'} what ${first}${others.map((link) => html` and what ${link}`)}.</p>`;
}

function exampleRequest(
  { method, path, parameters, body, isOpen }: Call,
  { origin, user }: Caller,
  hasBasic: boolean,
): string {
  const given = (place: string) =>
    parameters.filter((each) => each.place === place && each.example !== undefined);
  const filled = given('path').reduce(
    (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = new URLSearchParams(
    given('query').map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  const headers = Object.fromEntries(given('header').map(({ name, example }) => [name, String(example)]));
  const token = isOpen || hasBasic ? {} : { Authorization: 'Bearer TOKEN' };
  return curl({
    ...(!isOpen && hasBasic && { user }),
    method,
    url: `${origin}${filled}${query && `?${query}`}`,
    headers: { ...token, ...headers },
    body: body?.example,
  });
}

/** Lets a long path wrap after a slash. */
function pathWithBreaks(path: string): Html[] {
  return path
    .split(/(?<=\/)/)
    .map((step) => html`${step.startsWith('{') ? html`<var>${step}</var>` : step}<wbr>`);
}
