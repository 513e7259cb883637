import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html, page } from '../html/layout.ts';
import { sendPage } from '../html/page-answer.ts';
import { acceptsPage } from '../http/negotiation.ts';

export type LoadedExample = {
  /** What is there already is left as it is. */
  readonly status: 'loaded' | 'already loaded';
  readonly registrar: string;
  readonly domains: number;
  readonly contacts: number;
};

export type ExamplePowers = {
  /** A text says why it cannot be loaded. */
  readonly loadExampleData: () => Promise<LoadedExample | string>;
};

/** Fills the sandbox with a registrar that has worked for a year. Once: repeated, it changes nothing. */
export function exampleDataRoute(
  app: FastifyInstance,
  { loadExampleData }: ExamplePowers,
  consoleUrl: () => string | undefined,
): void {
  app.post('/sandbox/example-data', async (request, reply) => {
    reply.header('vary', 'accept');
    const outcome = await loadExampleData();
    const isImpossible = typeof outcome === 'string';
    if (isImpossible) reply.code(409);
    if (acceptsPage(request.headers.accept)) return sendOutcome(reply, outcome, consoleUrl());
    return isImpossible ? { error: outcome } : outcome;
  });
}

function sendOutcome(
  reply: FastifyReply,
  outcome: LoadedExample | string,
  consoleUrl: string | undefined,
): FastifyReply {
  const title = typeof outcome === 'string' ? 'The example data was not loaded' : 'Example data';
  const body = html`<h1>${title}</h1>
<p class="lead">${typeof outcome === 'string' ? outcome : sentenceOf(outcome)}</p>
${consoleUrl !== undefined && html`<p><a href="${consoleUrl}">Open the console</a></p>`}<p><a href="/">Back to the sandbox</a></p>`;
  return sendPage(reply, page({ title, lang: 'en', badge: 'Sandbox', body }));
}

const sentenceOf = ({ status, registrar, domains, contacts }: LoadedExample): Html =>
  status === 'loaded'
    ? html`${registrar} now has ${domains} domains and ${contacts} contacts, and the registry’s clock is a year ahead.`
    : html`It is loaded already: ${registrar} has ${domains} domains and ${contacts} contacts. Nothing was changed.`;
