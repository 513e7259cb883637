import { type Claimed, dueTimeOf, type OutboxTable } from '../../platform/outbox/outbox-table.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** Delivery targets; those whose answers cause messages to others come before them. */
export const deliveryTargets = [
  'accounting',
  'einvoice',
  'service:auction',
  'service:eeid',
  'service:business_registry',
] as const;
export type DeliveryTarget = (typeof deliveryTargets)[number];

/** A message to another service, identical at every attempt. */
export type Delivery = {
  /** Set by the cause, so that a receiver can recognize a duplicate. */
  readonly id: string;
  readonly target: DeliveryTarget;
  readonly kind: string;
  /** Messages about one invoice are delivered to a target in the order in which they were written. */
  readonly invoiceNumber: number | null;
  readonly body: string;
};

/** How long an undeliverable message is retried. */
const MAX_RETRY_DAYS = 3;

/**
 * Called in the transaction that causes the messages and holds the lock on their invoice, so the order of two messages
 * about it is that of their transactions. An existing message is not changed.
 */
export async function enqueueDeliveries(db: Sql, deliveries: readonly Delivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await db.run(sql`
    insert into deliveries (id, target, kind, invoice_number, body, created_at, next_attempt_at, try_until)
    select d.id, d.target, d.kind, d.invoice_number, d.body, ${now}, ${now}, ${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})
    from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ target }) => target)}::text[],
      ${deliveries.map(({ kind }) => kind)}::text[], ${deliveries.map(({ invoiceNumber }) => invoiceNumber)}::bigint[],
      ${deliveries.map(({ body }) => body)}::text[])
      with ordinality as d(id, target, kind, invoice_number, body, position)
    order by d.position
    on conflict (id) do nothing`);
}

export type ClaimedDelivery = Delivery & Claimed;

export const deliveryOutbox: OutboxTable<ClaimedDelivery> = {
  table: 'deliveries',
  key: sql`id`,
  waits: sql`delivered_at is null and gave_up_at is null`,
  order: sql`next_attempt_at, sequence_number`,
  sentAt: sql`delivered_at`,
  columns: sql`id, target, kind, invoice_number as "invoiceNumber", body, try_until as "tryUntil"`,
  batch: 10,
  leaseMs: 120_000,
  backoff: { firstMs: 5_000, maxMs: 3_600_000 },
  retryDays: MAX_RETRY_DAYS,
};

/** Of these targets, those for which no earlier message about the same invoice is undelivered at the same target. */
export const deliveriesTo = (...targets: readonly DeliveryTarget[]): OutboxTable<ClaimedDelivery> => ({
  ...deliveryOutbox,
  isNext: sql`target = any(${targets}::text[]) and not exists (
    select from deliveries earlier
    where earlier.invoice_number = waiting.invoice_number and earlier.sequence_number < waiting.sequence_number and earlier.target = waiting.target
      and earlier.delivered_at is null and earlier.gave_up_at is null)`,
});

export const deliveryDueTime = dueTimeOf('messages to services', deliveryOutbox);
