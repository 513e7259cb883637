import { commandBlock } from '../code-block.ts';
import { curl } from '../curl.ts';
import { type Html, html } from '../layout.ts';
import { prettyJson, prose } from './json.ts';
import type { Answer, Api, Call } from './model.ts';
import { isChange, outcomeTable, ownOutcomes, type Shared, statusesOf } from './outcomes.ts';
import { fieldTable, parameterTable } from './tables.ts';

export type Caller = { readonly origin: string; readonly user: string };
type Resolve = Api['resolve'];

/** One call of the API: what to send, an example to paste, and everything that can come back. */
export function callSection(
  call: Call,
  { resolve, shared, caller }: { resolve: Resolve; shared: Shared; caller: Caller },
): Html {
  const { id, method, path, summary, description, parameters, body, answers } = call;
  const own = ownOutcomes(call, shared);
  return html`<section class="call" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><a class="anchor" href="#${id}">${summary}</a></h3>
<p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${pathWithBreaks(path)}</code></p>
${description && html`<p>${prose(description)}</p>`}
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters, resolve)}`}
${body && html`<h4>Body</h4>${fieldTable('body', body.schema, resolve)}`}
<h4>Example</h4>
${commandBlock('Request', exampleRequest(call, caller))}
${answers.filter(({ status }) => status.startsWith('2')).map((answer) => success(answer, resolve))}
<h4>Refusals</h4>
${own.length > 0 && outcomeTable('Refusals of this call', own)}
${alsoLine(call, shared, own.length > 0)}
</section>
`;
}

function success({ status, description, schema, examples }: Answer, resolve: Resolve): Html {
  return html`<h4>Answer <span class="status good">${status}</span> <span class="quiet">${prose(description)}</span></h4>
${examples.map(({ value }) => prettyJson('Answer', value))}
${schema && html`<details class="fields"><summary>Fields of the answer</summary>${fieldTable('answer', schema, resolve)}</details>`}`;
}

/** Points to what this call has in common with others. */
function alsoLine(call: Call, { byAll, byChanges }: Shared, hasOwn: boolean): Html {
  const links = [
    byAll.length > 0 && html`<a href="#every-call">every call</a> can answer (${statusesOf(byAll)})`,
    isChange(call) &&
      byChanges.length > 0 &&
      html`<a href="#every-change">every change</a> can answer (${statusesOf(byChanges)})`,
  ].filter((link) => link !== false);
  if (links.length === 0) return html`<p class="quiet">${hasOwn ? 'No others.' : 'None.'}</p>`;
  const [first, ...others] = links;
  return html`<p class="quiet">${hasOwn ? 'Also' : 'Only'} what ${first}${others.map((link) => html` and what ${link}`)}.</p>`;
}

function exampleRequest({ method, path, parameters, body }: Call, { origin, user }: Caller): string {
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
  return curl({
    user,
    method,
    url: `${origin}${filled}${query && `?${query}`}`,
    headers,
    body: body?.example,
  });
}

/** A long path breaks after a slash, not within a word. */
function pathWithBreaks(path: string): Html[] {
  return path
    .split(/(?<=\/)/)
    .map((step) => html`${step.startsWith('{') ? html`<var>${step}</var>` : step}<wbr>`);
}
