import { listEndpoints, type ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { offersWebhooks } from '../../../registry/webhooks/known-webhooks.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { actionList } from '../action-list.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { webhookAddress, webhookName } from './own-webhook.ts';
import { webhookTexts } from './webhook-texts.ts';

/** The registrar's webhook endpoints. */
export const webhooksPage = definePage({
  path: '/webhooks',
  right: 'access',
  menu: 'webhooks',
  load: async ({ database: { reads }, webhooks }, { principal }) => {
    const isOffered = offersWebhooks(webhooks);
    return { isOffered, endpoints: isOffered ? await listEndpoints(reads, principal) : [] };
  },
  view: ({ isOffered, endpoints }, visit, parts) => {
    const texts = webhookTexts(visit.lang);
    const action = { text: texts.create.title, href: consoleAddress('/webhooks/new') };
    const listed =
      endpoints.length === 0 ? html`<p>${texts.none}</p>\n` : endpointTable(endpoints, visit, parts);
    const body = html`<h1>${texts.title}</h1>
${isOffered ? html`<p class="lead">${texts.lead}</p>\n${actionList([action], { label: texts.title, forbidden: '' }, visit)}${listed}` : html`<p>${texts.off}</p>\n`}`;
    return { title: texts.title, body };
  },
});

function endpointTable(endpoints: readonly ShownEndpoint[], { lang }: Visit, { policy }: ConsoleParts): Html {
  const texts = webhookTexts(lang);
  const columns = [texts.name, texts.url, texts.events, texts.state, texts.lastSuccess];
  const rows = endpoints.map((endpoint) => [
    html`<a href="${webhookAddress(endpoint.id)}">${webhookName(endpoint)}</a>`,
    html`<code>${endpoint.url}</code>`,
    endpoint.eventTypes ? texts.eventCount(endpoint.eventTypes.length) : texts.allEvents,
    endpointTag(endpoint, lang),
    endpoint.lastSuccessAt === null ? texts.never : momentIn(lang, new Date(endpoint.lastSuccessAt), policy),
  ]);
  return table({ label: texts.title, columns: columns.map((title) => ({ title })) }, rows);
}

export function endpointTag({ enabled, failingSince }: ShownEndpoint, lang: Visit['lang']): Html {
  const texts = webhookTexts(lang);
  if (!enabled) return html`<span class="tag">${texts.disabled}</span>`;
  return failingSince === null
    ? html`<span class="tag ok">${texts.enabled}</span>`
    : html`<span class="tag error">${texts.failing}</span>`;
}
