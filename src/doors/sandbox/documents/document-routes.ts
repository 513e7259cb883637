import type { FastifyInstance } from 'fastify';
import { codeBlock } from '../../html/code-block.ts';
import { type Html, html, page } from '../../html/layout.ts';
import { sendPage } from '../../html/page-answer.ts';
import { acceptsPage } from '../../http/negotiation.ts';
import type { Faults } from '../faults.ts';
import { ACCOUNTING_PATH, accountingSimulator } from './accounting.ts';
import { EINVOICE_PATH, einvoiceSimulator } from './einvoice.ts';
import { type ReceivedDocument, ReceivedDocuments } from './received-documents.ts';

/** The simulated document services, each with its received documents. */
export type DocumentServices = {
  readonly accounting: ReceivedDocuments;
  readonly einvoice: ReceivedDocuments;
  /** Authenticates the registry at the e-invoice operator. */
  readonly authPhrase: string | undefined;
};
export type DocumentPowers = { readonly faults: Faults; readonly takers: DocumentServices };

export const openDocumentServices = (authPhrase: string | undefined): DocumentServices => ({
  accounting: new ReceivedDocuments(),
  einvoice: new ReceivedDocuments(),
  authPhrase,
});

export function documentRoutes(app: FastifyInstance, { faults, takers }: DocumentPowers): void {
  const { accounting, einvoice, authPhrase } = takers;
  app.register(async (scope) => accountingSimulator(scope, { faults, received: accounting }));
  app.register(async (scope) => einvoiceSimulator(scope, { faults, received: einvoice, authPhrase }));
  receivedRoute(app, ACCOUNTING_PATH, accounting, {
    title: 'Accounting',
    lead: 'The invoices that the accounting service has, as it was sent them. No document leaves this machine.',
  });
  receivedRoute(app, EINVOICE_PATH, einvoice, {
    title: 'E-invoices',
    lead: 'The e-invoices that the operator has received, as they were sent. No document leaves this machine.',
  });
}

const MAX_ON_PAGE = 100;

/** The received documents of a service: JSON for scripts, a page for people. */
function receivedRoute(
  app: FastifyInstance,
  path: string,
  received: ReceivedDocuments,
  taker: Parameters<typeof documentsPage>[0],
): void {
  app.get(path, async (request, reply) => {
    reply.header('vary', 'accept');
    const documents = received.list();
    return acceptsPage(request.headers.accept)
      ? sendPage(reply, documentsPage(taker, documents.slice(0, MAX_ON_PAGE)))
      : documents;
  });
}

type Taker = { readonly title: string; readonly lead: string };

/** Shows the documents that a service has received. */
function documentsPage({ title, lead }: Taker, documents: readonly ReceivedDocument[]): string {
  return page({
    title: `${title} of the sandbox`,
    lang: 'en',
    badge: 'Sandbox',
    links: [{ text: 'API reference', href: '/docs' }],
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<p>The newest first. What is on its way stands at <a href="/sandbox/deliveries">/sandbox/deliveries</a>.</p>
${documents.length > 0 ? documents.map(article) : html`<p>It has no document yet.</p>`}`,
  });
}

function article({ number, buyer, total, document, times }: ReceivedDocument): Html {
  return html`<article>
<h2>Invoice ${number}</h2>
<dl class="facts"><div><dt>Buyer</dt><dd>${buyer}</dd></div><div><dt>In all</dt><dd>${total}</dd></div><div><dt>Brought</dt><dd>${times === 1 ? 'once' : `${times} times, kept once`}</dd></div></dl>
${codeBlock(`Document of invoice ${number}`, document)}
</article>
`;
}
