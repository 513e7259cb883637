import { argument, type Command, UsageError } from '../command.ts';
import { reportChange } from './domains.ts';

const STATES = ['waiting', 'sending', 'delivered', 'failed'] as const;

function stateIn(text: string | undefined): (typeof STATES)[number] | undefined {
  if (text === undefined) return undefined;
  const state = STATES.find((known) => known === text);
  if (!state) throw new UsageError(`--state takes one of ${STATES.join(', ')}`);
  return state;
}

export const deliveryCommands: readonly Command[] = [
  {
    name: 'webhooks test',
    parameters: 'ID',
    summary: 'Has an event webhook.test sent to an endpoint',
    changes: true,
    async run(context) {
      const { data } = await (await context.registry()).webhooks.test(argument(context), context.change);
      reportChange(context, data, `${data.delivery.event_id} is sent`);
    },
  },
  {
    name: 'webhooks deliveries',
    parameters: 'ID',
    summary: 'What was sent to an endpoint and what waits, newest first',
    options: {
      state: { value: 'STATE', description: STATES.join(', ') },
      type: { value: 'TYPE', description: 'only events of this type' },
      limit: { value: 'NUMBER', description: 'how many at the most; all of the last 30 days' },
    },
    async run(context) {
      const limit = Number(context.text('limit') ?? Number.POSITIVE_INFINITY);
      if (!(limit > 0)) throw new UsageError('--limit takes a number');
      const query = { state: stateIn(context.text('state')), type: context.text('type') };
      let shown = 0;
      for await (const delivery of (await context.registry()).webhooks.deliveries(argument(context), query)) {
        const { event_id, timestamp, type, state, attempts, last_status, last_error } = delivery;
        context.printer.row(delivery, {
          Event: event_id,
          At: timestamp,
          Type: type,
          State: state,
          Attempts: attempts,
          Outcome: last_error ?? last_status,
        });
        if (++shown >= limit) return;
      }
    },
  },
  {
    name: 'webhooks delivery',
    parameters: 'ID EVENT',
    summary: 'One delivery, with the content of its event',
    async run(context) {
      const [id = '', event = ''] = context.args;
      context.printer.object((await (await context.registry()).webhooks.delivery(id, event)).data.delivery);
    },
  },
  {
    name: 'webhooks replay',
    parameters: 'ID [EVENT]',
    summary: 'Has an event sent again, or all that failed since a time',
    changes: true,
    options: { since: { value: 'TIME', description: 'instead of an event, such as 2026-11-15T00:00:00Z' } },
    async run(context) {
      const [id = '', event] = context.args;
      const since = context.text('since');
      if ((event === undefined) === (since === undefined)) throw new UsageError('either EVENT or --since');
      const { webhooks } = await context.registry();
      if (event !== undefined) {
        const { data } = await webhooks.replay(id, event, context.change);
        reportChange(context, data, `${event} is sent again`);
      } else {
        const { data } = await webhooks.replayFailed(id, { since: since ?? '' }, context.change);
        const how = context.change.dryRun ? 'would be' : 'are';
        context.printer.item(data, `${data.replayed} ${how} sent again`);
      }
    },
  },
];
