import { html } from '../../html/layout.ts';
import { docsPage } from './docs-page.ts';
import { searchForm } from './navigation.ts';
import { GUIDE_SEARCH } from '../guide/guide-places.ts';
import { inLanguage } from './places.ts';
import type { Found } from './search.ts';
import type { View } from './site.ts';

/** What was found, the best first. */
export function searchPage(query: string, found: readonly Found[], view: View): string {
  const outcome =
    query === ''
      ? html`<p>Search calls, fields, refusals and events. Tasks, troubles and settings are in <a href="${GUIDE_SEARCH}">the guide</a>.</p>`
      : found.length === 0
        ? html`<p role="status">Nothing was found for “${query}”.</p>`
        : html`<p role="status">${found.length === 1 ? '1 place' : `${found.length} places`} for “${query}”:</p>
<ol class="found">${found.map(
            ({ title, href, kind, text }) =>
              html`<li><a href="${inLanguage(href, view.language)}">${title}</a> <span class="quiet">${kind}</span>${text && html`<p class="quiet">${text}</p>`}</li>`,
          )}</ol>`;
  return docsPage(
    view,
    'Search',
    html`<h1>Search</h1>
${searchForm(view, 'here', query)}
${outcome}
${query !== '' && html`<p><a href="${GUIDE_SEARCH}?q=${encodeURIComponent(query)}">Search the guide for “${query}”</a></p>`}`,
  );
}
