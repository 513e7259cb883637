import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { findForOperator, requireForOperator } from './endpoint-for-operator.ts';
import { MAX_REPLAYED, MAX_RETRY_DAYS } from './send-again.ts';

/** One event, or all that failed since a time. */
type Replay = { readonly id: string } & ({ readonly event: string } | { readonly since: Date | undefined });
type Replayed = { readonly replayed: number };

/** Has events sent again, under their ids. */
export const replayByOperator = operatorTransaction(
  {
    name: 'replay webhook events',
    right: 'services',
    refusals: ['webhookMissing', 'webhookToBeEnabled', 'webhookEventMissing'],
  },
  {
    async transact(db, input: Replay, context): Promise<Replayed> {
      const { id } = input;
      const { rowId, registrarId, isDisabled } = requireForOperator(await findForOperator(db, id), id);
      if (isDisabled) refuse('webhookToBeEnabled', { id });
      const chosen =
        'event' in input
          ? sql`event_id = (select v.id from webhook_events v where v.event_id = ${input.event})`
          : sql`state = 'failed' and created_at >= ${input.since ?? new Date(0)}`;
      const { now } = context;
      const replayed = await db.run(sql`
        update webhook_deliveries set state = 'waiting', next_attempt_at = ${now}, finished_at = null,
          try_until = ${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})
        where id in (
          select id from webhook_deliveries where endpoint_id = ${rowId} and ${chosen} order by created_at, id limit ${MAX_REPLAYED})`);
      if ('event' in input && replayed === 0) refuse('webhookEventMissing', { id, event: input.event });
      const entry = {
        objectKind: 'webhook',
        objectId: rowId,
        objectName: id,
        operation: 'replay',
        registrarId,
        after: { replayed, ...('event' in input && { event: input.event }) },
      };
      if (replayed > 0) await db.run(insertHistory(entry, context, sql``));
      return { replayed };
    },
  },
);
