import { type Html, html, page } from '../../html/layout.ts';
import { GUIDE } from '../guide/guide-places.ts';
import { navigation } from './navigation.ts';
import { inLanguage, markdownPath, SEARCH_PATH } from './places.ts';
import type { View } from './site.ts';

/** A page of the reference: navigation, and the text with its code beside it. */
export function docsPage(view: View, title: string, content: Html): string {
  const { site, path, language } = view;
  const markdown = path === SEARCH_PATH ? undefined : inLanguage(markdownPath(path), language);
  return page({
    title: title === 'API reference' ? 'Cadastre API reference' : `${title} · Cadastre API reference`,
    lang: 'en',
    badge: site.mode === 'sandbox' ? 'Sandbox' : undefined,
    width: 'wide',
    ...(markdown !== undefined && { markdown }),
    links: [
      { text: 'Home', href: '/' },
      { text: 'Guide', href: GUIDE },
      { text: 'API reference', href: inLanguage('/docs', language) },
      { text: 'OpenAPI', href: '/openapi.json' },
    ],
    body: html`<div class="reference">
${navigation(view)}
<article>
${content}
${markdown && html`<p class="quiet also"><a href="${markdown}">This page as Markdown</a></p>`}
</article>
</div>`,
  });
}
