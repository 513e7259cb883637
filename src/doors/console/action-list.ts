import type { Refusal } from '../../operations/refusal.ts';
import { type Html, html } from '../html/layout.ts';
import type { Visit } from './console-page.ts';
import { refusalText } from './refusal-texts.ts';

export type Action = {
  readonly text: string;
  readonly href: string;
  /** The key that does the same. */
  readonly key?: string | undefined;
  /** It is done by the click, without a page of its own. */
  readonly isAtOnce?: boolean;
  /** It ends something: last in a menu, and never what is offered first. */
  readonly isDestructive?: boolean;
  /** What forbids it at this moment. */
  readonly refusals?: readonly Refusal[];
};

type Labels = { readonly label: string; readonly forbidden: string };

/** What a person can do with an object now, and what not and why. */
export function actionList(actions: readonly Action[], labels: Labels, visit: Visit): Html {
  const open = actions.filter(isOpen);
  return html`${
    open.length > 0 &&
    html`<nav aria-label="${labels.label}"><ul class="actions">${open.map(
      (action) => html`<li>${actionControl(action, 'plain')}</li>`,
    )}</ul></nav>
`
  }${closedActions(actions, labels, visit)}`;
}

/** The same for a record: one button for the first of them, and the others in a menu. */
export function recordActions(
  actions: readonly Action[],
  { more, ...labels }: Labels & { readonly more: string },
  visit: Visit,
): Html {
  const open = actions.filter(isOpen);
  const primary = open.find(({ isDestructive = false }) => !isDestructive);
  const others = open.filter((action) => action !== primary);
  return html`${
    open.length > 0 &&
    html`<nav class="acts" aria-label="${labels.label}">${primary && actionControl(primary, 'act')}${
      others.length > 0 &&
      html`<details class="menu"><summary class="act second" data-keys="e">${more}</summary><ul class="drop">${others.map(
        (action) => html`<li>${actionControl(action, action.isDestructive ? 'plain danger' : 'plain')}</li>`,
      )}</ul></details>`
    }</nav>
`
  }${closedActions(actions, labels, visit)}`;
}

const isOpen = ({ refusals = [] }: Action): boolean => refusals.length === 0;

function actionControl({ text, href, key, isAtOnce = false }: Action, kind: string): Html {
  const keys = key !== undefined && html` data-keys="${key}"`;
  return isAtOnce
    ? html`<form method="post" action="${href}"><button class="${kind}"${keys}>${text}</button></form>`
    : html`<a${kind !== 'plain' && html` class="${kind}"`} href="${href}"${keys}>${text}</a>`;
}

function closedActions(actions: readonly Action[], { forbidden }: Labels, { lang }: Visit): Html | false {
  const closed = actions.filter((action) => !isOpen(action));
  return (
    closed.length > 0 &&
    html`<details class="closed"><summary>${forbidden}</summary>
<dl>${closed.map(
      ({ text, refusals = [] }) =>
        html`<dt>${text}</dt>${refusals.map((each) => html`<dd>${refusalText(each, lang)}</dd>`)}\n`,
    )}</dl></details>
`
  );
}
