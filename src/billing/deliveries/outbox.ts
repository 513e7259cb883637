import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** Who can be told of something; whoever causes messages to others by an answer stands before them. */
export const deliveryTargets = [
  'accounting',
  'einvoice',
  'service:auction',
  'service:eeid',
  'service:business_registry',
] as const;
export type DeliveryTarget = (typeof deliveryTargets)[number];

/** A message to another service. All of it stays the same at every attempt. */
export type Delivery = {
  /** Made by whoever causes it: whoever gets a message twice can tell. */
  readonly id: string;
  readonly target: DeliveryTarget;
  readonly kind: string;
  /** Messages about one invoice reach a target in the order in which they were written. */
  readonly invoiceNumber: number | null;
  readonly body: string;
};

/** How long a message that cannot be delivered is tried again. */
export const TRIED_FOR_DAYS = 3;

/**
 * Inside the transaction that causes them, and that holds the lock on their invoice: the order of two messages about it
 * is that of their transactions. A message that was written before is left as it is.
 */
export async function enqueueDeliveries(db: Sql, deliveries: readonly Delivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await db.run(sql`
    insert into deliveries (id, target, kind, invoice_number, body, created_at, next_attempt_at, try_until)
    select d.id, d.target, d.kind, d.invoice_number, d.body, ${now}, ${now}, ${now}::timestamptz + make_interval(days => ${TRIED_FOR_DAYS})
    from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ target }) => target)}::text[],
      ${deliveries.map(({ kind }) => kind)}::text[], ${deliveries.map(({ invoiceNumber }) => invoiceNumber)}::bigint[],
      ${deliveries.map(({ body }) => body)}::text[])
      with ordinality as d(id, target, kind, invoice_number, body, place)
    order by d.place
    on conflict (id) do nothing`);
}
