import { codeBlock } from '../../html/code-block.ts';
import { type Field, faultSummary, field } from '../../html/form.ts';
import { type Html, html, page } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { callPath, TRIAL_PATH } from '../../pages/reference/places.ts';
import { prettyJson } from '../../pages/reference/json.ts';
import { readJson } from '../read-json.ts';
import type { TrialAnswer } from './send-trial.ts';
import type { TriedCall } from './trial-form.ts';
import type { TrialRequest } from './trial-request.ts';

export type Tried = {
  readonly request: TrialRequest;
  readonly host: string;
  /** Or why none came. */
  readonly answer: TrialAnswer | { readonly failure: string };
};

/** The form of a call, below what came of the last request. */
export function trialPage({ apiName, call }: TriedCall, fields: readonly Field[], tried?: Tried): string {
  const { id, method, path, summary } = call;
  return page({
    title: `${summary} · Try it`,
    lang: 'en',
    badge: 'Sandbox',
    links: [
      { text: 'Home', href: '/' },
      { text: 'API reference', href: callPath(apiName, call) },
    ],
    body: html`<h1>${summary}</h1>
<p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${faultSummary('The request was not sent', fields)}
${tried && html`${answerSection(tried)}${requestSection(tried)}`}
<h2 id="send">${tried ? 'Change it and send it again' : 'Try it'}</h2>
<p>The sandbox sends this request to itself and shows the answer. It changes what the same request by a program would change;
<a href="${callPath(apiName, call)}">the reference</a> describes every field.</p>
<form class="search trial" method="post" action="${TRIAL_PATH}/${id}">
${fields.map(field)}<button>Send the request</button>
</form>`,
  });
}

function answerSection({ answer }: Tried): Html {
  if ('failure' in answer)
    return html`<h2 id="answer">No answer</h2>
<p class="outcome failed" role="alert">${answer.failure}</p>`;
  const { status, reason, headers, durationMs, isCut } = answer;
  const requestId = headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  const isGood = status < 400;
  return html`<h2 id="answer">Answer <span class="status ${isGood ? 'good' : 'bad'}">${status} ${reason}</span></h2>
<dl class="facts">
<div><dt>Request id</dt><dd><code>${requestId ?? 'none'}</code></dd></div>
<div><dt>Took</dt><dd>${Math.round(durationMs)} ms</dd></div>
</dl>
${bodyBlock(answer)}
${isCut && html`<p class="quiet">The answer is longer; this is its beginning.</p>`}
<details class="fields"><summary>Headers of the answer</summary>${table(
    { label: 'Headers of the answer', columns: [{ title: 'Name' }, { title: 'Value' }] },
    headers.map(([name, value]) => [html`<code>${name}</code>`, html`<code>${value}</code>`]),
  )}</details>`;
}

const TEXT_TYPE = /^(text\/|application\/(json|xml|problem\+json))/;

function bodyBlock({ headers, body }: TrialAnswer): Html {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (body.byteLength === 0) return html`<p class="quiet">The answer has no content.</p>`;
  if (!TEXT_TYPE.test(type))
    return html`<p class="quiet">A document of the type <code>${type}</code>, ${body.byteLength} bytes; it is not shown here.</p>`;
  const text = body.toString('utf8');
  const value = readJson(text);
  return value === undefined ? codeBlock('Answer', text) : prettyJson('Answer', value);
}

function requestSection({ request, host }: Tried): Html {
  const { method, path, headers, body } = request;
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`];
  const lines = [...head, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return html`<h2 id="request">Request</h2>
${codeBlock('Request', body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${body}`)}`;
}
