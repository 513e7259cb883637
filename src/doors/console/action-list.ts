import type { Refusal } from '../../operations/refusal.ts';
import { type Html, html } from '../html/layout.ts';
import type { Visit } from './console-page.ts';
import { refusalText } from './refusal-texts.ts';

export type Action = {
  readonly text: string;
  readonly href: string;
  /** It is done by the click, without a page of its own. */
  readonly isAtOnce?: boolean;
  /** What forbids it at this moment. */
  readonly refusals?: readonly Refusal[];
};

type Labels = { readonly label: string; readonly forbidden: string };

/** What a person can do with an object now, and what not and why. */
export function actionList(actions: readonly Action[], { label, forbidden }: Labels, { lang }: Visit): Html {
  const isOpen = ({ refusals = [] }: Action) => refusals.length === 0;
  const open = actions.filter(isOpen);
  const closed = actions.filter((action) => !isOpen(action));
  return html`${
    open.length > 0 &&
    html`<nav aria-label="${label}"><ul class="actions">${open.map(
      ({ text, href, isAtOnce = false }) =>
        html`<li>${isAtOnce ? html`<form method="post" action="${href}"><button class="plain">${text}</button></form>` : html`<a href="${href}">${text}</a>`}</li>`,
    )}</ul></nav>
`
  }${
    closed.length > 0 &&
    html`<details class="closed"><summary>${forbidden}</summary>
<dl>${closed.map(
      ({ text, refusals = [] }) =>
        html`<dt>${text}</dt>${refusals.map((each) => html`<dd>${refusalText(each, lang)}</dd>`)}\n`,
    )}</dl></details>
`
  }`;
}
