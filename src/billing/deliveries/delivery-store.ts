import type { Claimed } from '../../platform/outbox/outbox.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

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

export type ClaimedDelivery = Delivery & Claimed;

/** As many as one target is told at the same time. */
const BATCH = 10;
/** Longer than an attempt can take: until then nobody else tries, afterwards whoever tried is taken for dead. */
const ATTEMPT_MINUTES = 2;

/** Takes the longest due messages to one target for oneself; what others have taken is passed over. */
export async function claimDue(db: Sql, target: DeliveryTarget, now: Date): Promise<ClaimedDelivery[]> {
  return db.rows(sql<ClaimedDelivery>`
    update deliveries set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + make_interval(mins => ${ATTEMPT_MINUTES})
    where id = any(array(
      select id from deliveries waiting
      where delivered_at is null and gave_up_at is null and next_attempt_at <= ${now} and target = ${target} and ${isNext()}
      order by next_attempt_at, place limit ${BATCH} for update skip locked))
    returning id, target, kind, invoice_number as "invoiceNumber", body, attempts, try_until as "tryUntil"`);
}

/** When something falls due for any of these targets; undefined when nothing waits. */
export async function nextDue(db: Sql, targets: readonly DeliveryTarget[]): Promise<Date | undefined> {
  const next = await db.maybe(sql<{ at: Date }>`
    select next_attempt_at as at from deliveries waiting
    where delivered_at is null and gave_up_at is null and target = any(${targets as DeliveryTarget[]}::text[]) and ${isNext()}
    order by next_attempt_at, place limit 1`);
  return next?.at;
}

/** No earlier message about the same invoice is still on its way to the same target. */
const isNext = (): Fragment => sql`
  not exists (
    select from deliveries earlier
    where earlier.invoice_number = waiting.invoice_number and earlier.place < waiting.place and earlier.target = waiting.target
      and earlier.delivered_at is null and earlier.gave_up_at is null)`;

/** False when it was marked before. */
export async function markDelivered(db: Sql, { id }: ClaimedDelivery, now: Date): Promise<boolean> {
  return (
    (await db.run(sql`
    update deliveries set delivered_at = ${now}, gave_up_at = null, last_error = null
    where id = ${id} and delivered_at is null`)) > 0
  );
}

// Whoever was taken for dead and has failed at last does not disturb the attempt that followed his.

export async function postpone(
  db: Sql,
  { id, attempts }: ClaimedDelivery,
  nextAttemptAt: Date,
  reason: string,
): Promise<void> {
  await db.run(sql`
    update deliveries set next_attempt_at = ${nextAttemptAt}, last_error = ${reason}
    where id = ${id} and attempts = ${attempts} and delivered_at is null and gave_up_at is null`);
}

export async function giveUp(
  db: Sql,
  { id, attempts }: ClaimedDelivery,
  now: Date,
  reason: string,
): Promise<void> {
  await db.run(sql`
    update deliveries set gave_up_at = ${now}, last_error = ${reason}
    where id = ${id} and attempts = ${attempts} and delivered_at is null and gave_up_at is null`);
}
