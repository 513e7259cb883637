import { readPosition } from '../../../platform/paging/position.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import {
  type DeliveryState,
  deliveryStates,
  listDeliveries,
  type ShownDelivery,
} from '../../../registry/webhooks/list-deliveries.ts';
import { type LastFailure, readLastFailure } from '../../../registry/webhooks/read-last-failure.ts';
import { factList } from '../../html/fact-list.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { type Action, recordActions } from '../action-list.ts';
import { copyAddress } from '../assets.ts';
import { copyButton } from '../copy-button.ts';
import { frameTexts } from '../frame-texts.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type PageInput,
  type RefusedForm,
  type View,
  type Visit,
} from '../console-page.ts';
import { deliveryTable, replayForm } from './delivery-list.ts';
import { unlessRefused } from '../unless-refused.ts';
import { failureCallout } from './failure-callout.ts';
import { loadOwnWebhook, webhookAddress, webhookName } from './own-webhook.ts';
import { eventList } from './webhook-form.ts';
import { webhookTexts } from './webhook-texts.ts';
import { endpointTag } from './webhooks-page.ts';

type ShownWebhook = {
  readonly endpoint: ShownEndpoint;
  /** Of one that fails. */
  readonly failure: LastFailure | undefined;
  readonly state: string;
  readonly isFirst: boolean;
  /** Undefined if the filter is wrong. */
  readonly found: Awaited<ReturnType<typeof listDeliveries>> | undefined;
};
/** One endpoint with its deliveries. */
export const webhookPage = definePage({
  path: '/webhooks/:webhook',
  right: 'access',
  load: loadWebhook,
  view: webhookView,
});

async function loadWebhook(
  parts: ConsoleParts,
  visit: Visit,
  input: PageInput,
): Promise<ShownWebhook | undefined> {
  const endpoint = await loadOwnWebhook(parts, visit, input);
  if (!endpoint) return undefined;
  const text = input.query('state');
  const state = deliveryStates.find((known) => known === text);
  const after = readPosition(input.query('after'), 'text');
  const isFailing = endpoint.enabled && endpoint.failingSince !== null;
  const failure = isFailing
    ? await readLastFailure(parts.database.reads, endpoint.id, visit.principal)
    : undefined;
  const shown = { endpoint, failure, state: text, isFirst: after === undefined };
  if (text !== '' && !state) return { ...shown, found: undefined };
  const found = await findDeliveries(parts, visit, endpoint.id, { state, after });
  return found && { ...shown, found };
}

type Wanted = Pick<Parameters<typeof listDeliveries>[2], 'state' | 'after'>;

/** From the primary: what is sent again waits at once. */
const findDeliveries = ({ database }: ConsoleParts, { principal }: Visit, id: string, wanted: Wanted) =>
  unlessRefused('missing', () =>
    inListTurn({ ...database, replicaLists: database.lists }, principal, (db) =>
      listDeliveries(db, id, { limit: PAGE_SIZE, ...wanted }, principal),
    ),
  );

function webhookView(
  { endpoint, failure, state, isFirst, found }: ShownWebhook,
  visit: Visit,
  parts: ConsoleParts,
  refused: RefusedForm,
): View {
  const texts = webhookTexts(visit.lang);
  const title = webhookName(endpoint);
  const choices = deliveryStates.map((known): [DeliveryState, string] => [known, texts.states[known]]);
  const body = listView({
    lang: visit.lang,
    title,
    path: `/webhooks/${endpoint.id}`,
    above: html`${failureCallout(endpoint, failure, visit, parts.policy)}${endpointPart(endpoint, visit, parts)}<h2 id="deliveries">${texts.deliveries}</h2>
<p>${texts.deliveriesLead}</p>
${endpoint.enabled && replayForm(endpoint.id, visit, refused)}`,
    parameters: state === '' ? {} : { state },
    filterLabel: texts.filter,
    fields: [
      {
        name: 'state',
        label: texts.state,
        value: state,
        choices: [['', texts.anyState], ...choices],
        fault: found ? undefined : texts.wrongState,
      },
    ],
    found: found && {
      isFirst,
      total: undefined,
      next: found.next,
      isCut: false,
      none: texts.noDeliveries,
      rows: rowsOf(found.deliveries, endpoint, visit, parts),
    },
  });
  return {
    title,
    body: html`${body}<p><a href="${consoleAddress('/webhooks')}">${texts.back}</a></p>\n`,
    scripts: [copyAddress],
    ...(!found && { status: 400 }),
  };
}

const rowsOf = (
  deliveries: readonly ShownDelivery[],
  endpoint: ShownEndpoint,
  visit: Visit,
  parts: ConsoleParts,
) => (deliveries.length === 0 ? undefined : deliveryTable(deliveries, endpoint, visit, parts));

function endpointPart(endpoint: ShownEndpoint, visit: Visit, { policy }: ConsoleParts): Html {
  const { lang } = visit;
  const texts = webhookTexts(lang);
  const { id, enabled } = endpoint;
  const time = (text: string | null) => text !== null && momentIn(lang, new Date(text), policy);
  return html`${recordActions(actionsOf(id, enabled, lang), { label: texts.actions, forbidden: '', more: frameTexts(lang).more }, visit)}${
    enabled &&
    html`<p>${texts.disableLead}</p>
`
  }${factList([
    [texts.state, endpointTag(endpoint, lang)],
    [texts.lastSuccess, time(endpoint.lastSuccessAt) || texts.never],
    [texts.url, html`<code>${endpoint.url}</code>${copyButton(endpoint.url, lang)}`],
    [texts.events, eventList(endpoint.eventTypes, lang)],
    [texts.oldSecretUntil, time(endpoint.oldSecretUntil)],
    [texts.created, time(endpoint.createdAt)],
  ])}`;
}

/** What a webhook needs most comes first. */
function actionsOf(id: string, enabled: boolean, lang: Visit['lang']): Action[] {
  const texts = webhookTexts(lang);
  const action = (text: string, change: string): Action => ({ text, href: webhookAddress(id, change) });
  const atOnce = (text: string, change: string): Action => ({ ...action(text, change), isAtOnce: true });
  return [
    enabled ? atOnce(texts.test, '/test') : atOnce(texts.enable, '/enable'),
    action(texts.change.title, '/change'),
    action(texts.rotate.title, '/secret'),
    ...(enabled ? [atOnce(texts.disable, '/disable')] : []),
    { ...action(texts.remove.title, '/delete'), isDestructive: true },
  ];
}
