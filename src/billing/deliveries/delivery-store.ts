import type { DueTime } from '../../platform/jobs/due-times.ts';
import type { Claimed } from '../../platform/outbox/outbox.ts';
import { dueAgain } from '../../platform/outbox/outbox-view.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

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

/** How long an undeliverable message is retried, and the longest time between two attempts. */
export const MAX_RETRY_DAYS = 3;
export const MAX_RETRY_INTERVAL_MS = 3_600_000;

export const deliveryDueTime: DueTime = {
  what: 'messages to services',
  table: 'deliveries',
  column: 'next_attempt_at',
  maxAheadMs: MAX_RETRY_INTERVAL_MS,
  where: sql`delivered_at is null and gave_up_at is null`,
  repair: (now) => dueAgain(now, MAX_RETRY_DAYS),
};

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

/** Messages to one target that are claimed and sent at once. */
const BATCH = 10;
/** Longer than an attempt can take: an older claim was left by a crashed worker and may be taken over. */
const ATTEMPT_MINUTES = 2;

/** Claims the messages to one target that have been due longest; those claimed by others are skipped. */
export async function claimDue(db: Sql, target: DeliveryTarget, now: Date): Promise<ClaimedDelivery[]> {
  return db.rows(sql<ClaimedDelivery>`
    update deliveries set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + make_interval(mins => ${ATTEMPT_MINUTES})
    where id = any(array(
      select id from deliveries waiting where ${isDue(target, now)}
      order by next_attempt_at, sequence_number limit ${BATCH} for update skip locked))
    returning id, target, kind, invoice_number as "invoiceNumber", body, attempts, try_until as "tryUntil"`);
}

const isDue = (target: DeliveryTarget, now: Date): Fragment => sql`
  delivered_at is null and gave_up_at is null and next_attempt_at <= ${now} and target = ${target} and ${isNext()}`;

/** Whether a message to the target is due. */
export const isDeliveryDue = (target: DeliveryTarget, now: Date): Fragment =>
  sql`exists (select from deliveries waiting where ${isDue(target, now)})`;

/** When the next message to any of these targets is due; undefined when none is queued. */
export async function nextDue(db: Sql, targets: readonly DeliveryTarget[]): Promise<Date | undefined> {
  const next = await db.maybe(sql<{ at: Date }>`
    select next_attempt_at as at from deliveries waiting
    where delivered_at is null and gave_up_at is null and target = any(${targets as DeliveryTarget[]}::text[]) and ${isNext()}
    order by next_attempt_at, sequence_number limit 1`);
  return next?.at;
}

/** No earlier message about the same invoice is undelivered at the same target. */
const isNext = (): Fragment => sql`
  not exists (
    select from deliveries earlier
    where earlier.invoice_number = waiting.invoice_number and earlier.sequence_number < waiting.sequence_number and earlier.target = waiting.target
      and earlier.delivered_at is null and earlier.gave_up_at is null)`;

/** False when it was marked already. */
export async function markDelivered(db: Sql, { id }: ClaimedDelivery, now: Date): Promise<boolean> {
  return (
    (await db.run(sql`
    update deliveries set delivered_at = ${now}, gave_up_at = null, last_error = null
    where id = ${id} and delivered_at is null`)) > 0
  );
}

// A worker whose claim expired must not overwrite the state of the attempt that replaced it.

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
