import type { ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import type { ShownDelivery } from '../../../registry/webhooks/list-deliveries.ts';
import { MAX_REPLAYED } from '../../../registry/webhooks/send-again.ts';
import { field } from '../../html/form.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import type { ConsoleParts, RefusedForm, Visit } from '../console-page.ts';
import { eventText } from './event-texts.ts';
import { webhookAddress } from './own-webhook.ts';
import { type WebhookTexts, webhookTexts } from './webhook-texts.ts';

export function deliveryTable(
  deliveries: readonly ShownDelivery[],
  { id, enabled }: ShownEndpoint,
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = webhookTexts(lang);
  const { event, at, attempts, result, next, again } = texts.columns;
  const columns = [event, at, texts.state, attempts, result, next, ...(enabled ? [again] : [])];
  const time = (text: string | null) => text !== null && momentIn(lang, new Date(text), policy);
  const rows = deliveries.map((delivery) => [
    html`${eventText(lang, delivery.type)} <a href="${deliveryAddress(id, delivery.eventId)}"><code>${delivery.eventId}</code></a>`,
    time(delivery.timestamp),
    texts.states[delivery.state],
    delivery.attempts,
    html`${resultOf(delivery, lang)}${delivery.attempts > 0 && html`<br>`}${time(delivery.lastAttemptAt)}`,
    time(delivery.nextAttemptAt),
    replayButton(id, delivery.eventId, texts),
  ]);
  return table({ label: texts.deliveries, columns: columns.map((title) => ({ title })) }, rows);
}

const deliveryAddress = (id: string, eventId: string): string => webhookAddress(id, `/deliveries/${eventId}`);

export const replayButton = (id: string, eventId: string, { again }: WebhookTexts): Html =>
  html`<form method="post" action="${deliveryAddress(id, eventId)}/replay"><button class="plain">${again}<span class="hidden"> ${eventId}</span></button></form>`;

/** What the last attempt came to. */
export function resultOf(
  { lastStatus: status, lastError: error }: Pick<ShownDelivery, 'lastStatus' | 'lastError'>,
  lang: Visit['lang'],
): Html | string {
  const texts = webhookTexts(lang);
  if (error === null) return status === null ? '' : texts.answered(status);
  if (error === `Answered ${status}`) return texts.refusedWith(Number(status));
  const words = Object.hasOwn(texts.failures, error) ? texts.failures[error] : undefined;
  return words ?? html`<span lang="en">${error}</span>`;
}

/** All that failed since a day. */
export function replayForm(id: string, { lang }: Visit, { value, fault }: RefusedForm): Html {
  const texts = webhookTexts(lang);
  return html`<form method="post" action="${webhookAddress(id, '/replay')}">
${field({
  name: 'since',
  label: texts.againSince,
  hint: texts.againSinceHint(MAX_REPLAYED),
  type: 'date',
  value: value('since'),
  fault: fault('since'),
})}<p><button class="act second">${texts.againAll}</button></p>
</form>
`;
}
