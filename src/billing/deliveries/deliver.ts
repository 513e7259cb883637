import { runTransaction } from '../../operations/in-transaction.ts';
import type { Logger } from '../../platform/logging.ts';
import { backoff, sendDue } from '../../platform/outbox/outbox.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { lockInvoices } from '../invoices/invoice-store.ts';
import {
  type ClaimedDelivery,
  claimDue,
  type Delivery,
  type DeliveryTarget,
  deliveryTargets,
  giveUp,
  MAX_RETRY_INTERVAL_MS,
  markDelivered,
  postpone,
} from './delivery-store.ts';

/** Effects of a target's answer, committed together with the delivery mark or not at all. */
export type DeliveryEffect = {
  /** The invoices concerned; they are locked first, as everywhere. */
  readonly invoices: readonly number[];
  write(db: Sql, now: Date): Promise<void>;
};
/** A message and the number of this attempt. */
export type Attempted = Delivery & { readonly attempts: number };
/** Delivers to one target; resolves once the target has the message. Rejections are shown to the operator. */
export type Sender = (delivery: Attempted) => Promise<DeliveryEffect | undefined>;
/** Messages to a target without a sender stay queued. */
export type Senders = Readonly<Partial<Record<DeliveryTarget, Sender>>>;

export type DeliveryDependencies = { readonly sql: Pool; readonly senders: Senders; readonly log: Logger };

/** Backoff: 5 seconds after the first attempt, doubling up to an hour. */
const retryAt = backoff({ firstMs: 5_000, longestMs: MAX_RETRY_INTERVAL_MS });

export const reachable = (senders: Senders): DeliveryTarget[] =>
  deliveryTargets.filter((target) => senders[target] !== undefined);

/** Sends due messages to all targets in parallel. */
export async function deliverDue(parts: DeliveryDependencies, now: Date): Promise<void> {
  const runs = reachable(parts.senders).map((target) => deliverTo(parts, target, now));
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason;
}

/**
 * Sends due messages to one target. Refusals are retried too: a misconfigured service refuses everything until it is
 * repaired.
 */
export async function deliverTo(
  { sql: db, senders, log }: DeliveryDependencies,
  target: DeliveryTarget,
  now: Date,
): Promise<void> {
  const send = senders[target];
  if (!send) return;
  await sendDue<ClaimedDelivery, DeliveryEffect | undefined>(
    {
      claim: (at) => claimDue(db, target, at),
      send,
      nextAttempt: ({ attempts, tryUntil }, _failure, at) => retryAt(attempts, at, tryUntil),
      markSent: (delivery, at, consequence) => settle(db, delivery, at, consequence),
      postpone: (delivery, later, reason) => postpone(db, delivery, later, reason),
      giveUp: (delivery, at, reason) => giveUp(db, delivery, at, reason),
      report({ id, kind, attempts }, outcome) {
        const facts = { delivery: id, target, kind, attempts };
        if (outcome === 'sent') log.info(facts, 'delivered');
        else log.warn(facts, outcome === 'postponed' ? 'delivery is tried again' : 'delivery given up');
      },
    },
    now,
  );
}

/** Of two attempts that both succeeded, the first to be recorded counts. */
async function settle(
  pool: Pool,
  delivery: ClaimedDelivery,
  at: Date,
  consequence: DeliveryEffect | undefined,
): Promise<void> {
  if (!consequence) {
    await markDelivered(pool, delivery, at);
    return;
  }
  await runTransaction(pool, at, async (db) => {
    await lockInvoices(db, consequence.invoices);
    if (await markDelivered(db, delivery, at)) await consequence.write(db, at);
  });
}
