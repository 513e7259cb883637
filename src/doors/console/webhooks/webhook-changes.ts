import { Refused } from '../../../operations/refusal.ts';
import { answerOf } from '../../../operations/run-operation.ts';
import type { Context } from '../../../registry/operation.ts';
import { runRegistryOperation, runRegistryTransaction } from '../../../registry/run-registry-operation.ts';
import { isEventId, type ShownEndpoint } from '../../../registry/webhooks/endpoint.ts';
import { replayEvent, replayFailed, sendTestEvent } from '../../../registry/webhooks/send-again.ts';
import { updateEndpoint } from '../../../registry/webhooks/update-endpoint.ts';
import { filterDay } from '../filter-text.ts';
import type { Notice } from '../notice-texts.ts';
import { dryRunContext, isOfForm } from '../operation-context.ts';
import type { ConsoleChange, ConsoleParts, FormInput, Visit } from '../page.ts';
import { loadOwnWebhook, webhookAddress } from './own-webhook.ts';
import { loadWebhook, type RefusedSending, webhookView } from './webhook-page.ts';
import { webhookTexts } from './webhook-texts.ts';

type Asked = {
  readonly parts: ConsoleParts;
  readonly visit: Visit;
  readonly input: FormInput;
  readonly endpoint: ShownEndpoint;
  readonly context: Context;
};
/** A notice, what is wrong with the form, or undefined where there is nothing to change. */
type Run = (asked: Asked) => Promise<Notice | RefusedSending | undefined>;

/** What a button of the page of an endpoint does. */
const sending = (name: string, run: Run): ConsoleChange => ({
  ...{ path: `/webhooks/:webhook/${name}`, right: 'access' },
  run: async (parts, visit, input) => {
    const endpoint = await loadOwnWebhook(parts, visit, input);
    if (!endpoint) return undefined;
    const again = async (refused: RefusedSending) => {
      const shown = await loadWebhook(parts, visit, input);
      return shown && webhookView(shown, visit, parts, refused);
    };
    try {
      const context = { ...dryRunContext(parts, visit), dryRun: false };
      const outcome = await run({ parts, visit, input, endpoint, context });
      if (outcome === undefined) return undefined;
      return typeof outcome === 'string'
        ? { to: webhookAddress(endpoint.id), notice: outcome }
        : again(outcome);
    } catch (error) {
      if (!(error instanceof Refused) || !isOfForm(error)) throw error;
      return error.refusals[0].kind === 'missing' ? undefined : again({ refusals: error.refusals });
    }
  },
});

const switching = (name: string, isEnabled: boolean, notice: Notice): ConsoleChange => ({
  ...sending(name, async ({ parts: { database }, endpoint: { id, enabled }, context }) => {
    // Somebody else was quicker.
    if (enabled !== isEnabled)
      await runRegistryOperation(database, updateEndpoint, { id, isEnabled }, context);
    return notice;
  }),
  needsRecentLogin: true,
});

export const webhookChanges: readonly ConsoleChange[] = [
  switching('disable', false, 'webhookDisabled'),
  switching('enable', true, 'webhookEnabled'),
  sending('test', async ({ parts: { database }, endpoint: { id }, context }) => {
    await runRegistryOperation(database, sendTestEvent, { id }, context);
    return 'testEventSent';
  }),
  sending('deliveries/:event/replay', async ({ parts: { database }, endpoint: { id }, input, context }) => {
    const { event: eventId = '' } = input.params;
    if (!isEventId(eventId)) return undefined;
    await runRegistryOperation(database, replayEvent, { id, eventId }, context);
    return 'deliveryReplayed';
  }),
  sending('replay', async ({ parts: { database, policy }, visit, endpoint: { id }, input, context }) => {
    const value = input.field('since').trim();
    const since = filterDay(value, policy.timeZone);
    if (!since) return { since: { value, fault: webhookTexts(visit.lang).wrongDay } };
    const outcome = await runRegistryTransaction(database, context, (db) =>
      replayFailed(db, { id, since }, context),
    );
    return answerOf(outcome).replayed === 0 ? 'noDeliveryFailed' : 'deliveriesReplayed';
  }),
];
