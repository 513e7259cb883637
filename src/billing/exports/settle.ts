import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { ExportOutcome } from './outcome.ts';

/** Writes down what a service answered of each invoice that a message carried. */
export async function settleExports(
  db: Sql,
  deliveryId: string,
  outcomes: readonly ExportOutcome[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    update invoice_exports e set state = o.state, answered_at = ${now}, reason = o.reason
    from unnest(${outcomes.map(({ number }) => number)}::bigint[], ${outcomes.map(({ accepted }) => (accepted ? 'accepted' : 'rejected'))}::text[],
      ${outcomes.map((outcome) => (outcome.accepted ? null : outcome.reason))}::text[]) as o(number, state, reason)
    where e.invoice_number = o.number and e.delivery_id = ${deliveryId} and e.state = 'waiting'`);
}
