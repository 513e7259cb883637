import { isEventId, type ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { eventBody } from '../../../registry/webhooks/event-body.ts';
import { listAttempts, type ShownAttempt } from '../../../registry/webhooks/webhook-attempts.ts';
import { readDelivery } from '../../../registry/webhooks/list-deliveries.ts';
import { codeBlock } from '../../html/code-block.ts';
import { factList } from '../../html/fact-list.ts';
import { isolated, momentIn, secondIn } from '../../html/language.ts';
import { type Html, type HtmlValue, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { type ConsoleParts, definePage, type Visit } from '../console-page.ts';
import { replayButton, resultOf } from './delivery-list.ts';
import { eventText } from './event-texts.ts';
import { unlessRefused } from '../unless-refused.ts';
import { loadOwnWebhook, webhookAddress, webhookName } from './own-webhook.ts';
import { type WebhookTexts, webhookTexts } from './webhook-texts.ts';

type Delivery = Awaited<ReturnType<typeof readDelivery>>;

/** One event as it is sent to one endpoint, and what became of it. */
export const deliveryPage = definePage({
  path: '/webhooks/:webhook/deliveries/:event',
  right: 'access',
  load: async (parts, visit, input) => {
    const { event: eventId = '' } = input.params;
    const endpoint = isEventId(eventId) ? await loadOwnWebhook(parts, visit, input) : undefined;
    if (!endpoint) return undefined;
    const { reads } = parts.database;
    const delivery = await unlessRefused('missing', () =>
      readDelivery(reads, { id: endpoint.id, eventId }, visit.principal),
    );
    if (!delivery) return undefined;
    const attempts = await listAttempts(reads, { id: endpoint.id, eventId }, visit.principal);
    return { endpoint, delivery, attempts };
  },
  view: ({ endpoint, delivery, attempts }, visit, parts) => {
    const texts = webhookTexts(visit.lang);
    const body = html`<h1>${texts.delivery}</h1>
${deliveryFacts(endpoint, delivery, visit, parts)}${endpoint.enabled && replayButton(endpoint.id, delivery.eventId, texts)}<h2 id="attempts">${texts.attempts}</h2>
${attemptTable(attempts, visit, parts)}<h2>${texts.body}</h2>
<p>${texts.bodyLead}</p>
${codeBlock(texts.body, bodyOf(delivery))}
<p><a href="${webhookAddress(endpoint.id)}">${texts.toWebhook}</a></p>
`;
    return { title: `${texts.delivery} ${delivery.eventId}`, body };
  },
});

/** Newest first, each with what the receiver answered. */
function attemptTable(attempts: readonly ShownAttempt[], { lang }: Visit, { policy }: ConsoleParts): Html {
  const texts = webhookTexts(lang);
  if (attempts.length === 0) return html`<p>${texts.noAttempts}</p>\n`;
  const { at, result, seconds, answer } = texts.attemptColumns;
  const columns = [{ title: at }, { title: result }, { title: seconds, number: true }, { title: answer }];
  const rows = attempts.map(({ at: time, status, error, durationMs, response }) => [
    secondIn(lang, new Date(time), policy),
    resultOf({ lastStatus: status, lastError: error }, lang),
    texts.seconds(durationMs),
    answerOf(response, status, texts),
  ]);
  return table({ label: texts.attempts, columns }, rows);
}

/** As text: whatever a receiver answers, nothing of it is markup here. */
function answerOf(response: string | null, status: number | null, texts: WebhookTexts): HtmlValue {
  if (response === null) return status === null ? '' : html`<span class="quiet">${texts.emptyAnswer}</span>`;
  return html`<details><summary>${texts.showAnswer}</summary><pre class="answer"><code>${response}</code></pre></details>`;
}

function deliveryFacts(
  endpoint: ShownEndpoint,
  delivery: Delivery,
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = webhookTexts(lang);
  const { at, attempts, next, result } = texts.columns;
  const time = (text: string | null) => text !== null && momentIn(lang, new Date(text), policy);
  return factList([
    [texts.columns.event, eventText(lang, delivery.type)],
    [texts.eventId, html`<code>${delivery.eventId}</code>`],
    [texts.name, isolated(webhookName(endpoint))],
    [at, time(delivery.timestamp)],
    [texts.state, texts.states[delivery.state]],
    [attempts, delivery.attempts],
    [texts.lastAttempt, time(delivery.lastAttemptAt)],
    [result, delivery.attempts > 0 && resultOf(delivery, lang)],
    [next, time(delivery.nextAttemptAt)],
    [texts.finished, time(delivery.finishedAt)],
  ]);
}

/** With line ends, which the posted body has none of. */
function bodyOf({ type, timestamp, data }: Delivery): string {
  const posted = eventBody({ type, timestamp, data: JSON.stringify(data) });
  return JSON.stringify(JSON.parse(posted), undefined, 2);
}
