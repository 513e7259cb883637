import { codeBlock } from '../../pages/code-block.ts';
import { type Html, html, page } from '../../pages/layout.ts';
import type { ReceivedDocument } from './received.ts';

type Taker = { readonly title: string; readonly lead: string };

/** What a service has taken, for somebody who wants to see the documents themselves. */
export function documentsPage({ title, lead }: Taker, documents: readonly ReceivedDocument[]): string {
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
