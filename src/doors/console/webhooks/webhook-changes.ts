import { runRegistryOperation, runRegistryTransaction } from '../../../registry/run-registry-operation.ts';
import { isEventId, type ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { replayEvent, replayFailed, sendTestEvent } from '../../../registry/webhooks/send-again.ts';
import { updateEndpoint } from '../../../registry/webhooks/update-endpoint.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { filterDay } from '../filter-text.ts';
import { NOTHING_DONE } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import type { ConsoleChange } from '../console-page.ts';
import { loadOwnWebhook, webhookAddress } from './own-webhook.ts';
import { webhookPage } from './webhook-page.ts';

/** What a button of the page of an endpoint does. */
const OF_WEBHOOK = {
  right: 'access',
  page: webhookPage,
  load: loadOwnWebhook,
  to: ({ id }: ShownEndpoint) => webhookAddress(id),
} as const;

const switching = (name: string, isEnabled: boolean): ConsoleChange =>
  defineAtOnce({
    ...OF_WEBHOOK,
    path: `/webhooks/:webhook/${name}`,
    needsRecentLogin: true,
    read: (_form, { id, enabled }) => ({ value: { id, isSo: enabled === isEnabled } }),
    // Somebody else may have been quicker.
    run: async (database, { id, isSo }, context) =>
      isSo ? NOTHING_DONE : runRegistryOperation(database, updateEndpoint, { id, isEnabled }, context),
    done: isEnabled ? 'webhookEnabled' : 'webhookDisabled',
    undo: ({ id }) => ({ path: `/webhooks/${id}/${isEnabled ? 'disable' : 'enable'}` }),
  });

export const webhookChanges: readonly ConsoleChange[] = [
  switching('disable', false),
  switching('enable', true),
  defineAtOnce({
    ...OF_WEBHOOK,
    path: '/webhooks/:webhook/test',
    read: (_form, { id }) => ({ value: { id } }),
    run: (database, input, context) => runRegistryOperation(database, sendTestEvent, input, context),
    done: 'testEventSent',
  }),
  defineAtOnce({
    ...OF_WEBHOOK,
    path: '/webhooks/:webhook/deliveries/:event/replay',
    read: ({ params: { event: eventId = '' } }, { id }) =>
      isEventId(eventId) ? { value: { id, eventId } } : { refusals: [refusal('objectMissing')] },
    run: (database, input, context) => runRegistryOperation(database, replayEvent, input, context),
    done: 'deliveryReplayed',
  }),
  defineAtOnce({
    ...OF_WEBHOOK,
    path: '/webhooks/:webhook/replay',
    fields: ['since'],
    read: ({ field }, { id }, { policy }) => {
      const since = filterDay(field('since').trim(), policy.timeZone);
      return since ? { value: { id, since } } : { refusals: [refusal('noDay', { field: 'since' })] };
    },
    run: (database, input, context) =>
      runRegistryTransaction(database, context, (db) => replayFailed(db, input, context)),
    done: ({ replayed }) => (replayed === 0 ? 'noDeliveryFailed' : 'deliveriesReplayed'),
  }),
];
