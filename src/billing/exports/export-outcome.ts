import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { DeliveryTarget } from '../deliveries/document-deliveries.ts';

/** A service's answer about one invoice; a reason only for a rejection. */
export type ExportOutcome =
  | { readonly number: number; readonly accepted: true }
  | { readonly number: number; readonly accepted: false; readonly reason: string };

const MAX_REASON_LENGTH = 500;

export const acceptedBy = (number: number): ExportOutcome => ({ number, accepted: true });
export const rejectedFor = (number: number, reason: string): ExportOutcome => ({
  number,
  accepted: false,
  reason: reason.trim().slice(0, MAX_REASON_LENGTH) || 'no reason given',
});

/** Stores a service's answer for each invoice of a message. */
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

/** Targets that receive invoices as documents. */
export const exportTargets = ['accounting', 'einvoice'] as const satisfies readonly DeliveryTarget[];
export type ExportTarget = (typeof exportTargets)[number];
