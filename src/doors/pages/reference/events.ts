import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { prose } from './json.ts';
import type { EventKind } from './model.ts';

export const eventsAnchor = (api: string): string => `${api}-events`;
export const eventAnchor = (type: string): string => `event-${type}`;

/** What is posted to webhook endpoints; each type has an anchor that calls link to. */
export const eventTable = (
  events: readonly EventKind[],
): Html => html`<p>What is posted to webhook endpoints, by Standard Webhooks.
The document has the schema of each under <code>webhooks</code>.</p>
${table(
  { label: 'Events', columns: [{ title: 'Type' }, { title: 'When' }] },
  events.map(({ type, summary }) => [html`<code id="${eventAnchor(type)}">${type}</code>`, prose(summary)]),
)}`;
