import { type Html, html } from './layout.ts';

type Pager = {
  /** The accessible name. */
  readonly label: string;
  /** Undefined on the first page. */
  readonly start: PagerLink | undefined;
  /** Undefined on the last page. */
  readonly next: PagerLink | undefined;
};
type PagerLink = { readonly text: string; readonly href: string };

/** Below a list that is paged by position: there is a next page and a first one, never a numbered one. */
export function pager({ label, start, next }: Pager): Html {
  if (!start && !next) return html``;
  return html`<nav class="pager" aria-label="${label}">${
    start && html`<a href="${start.href}">${start.text}</a>`
  }${next && html`<a rel="next" href="${next.href}">${next.text}</a>`}</nav>
`;
}
