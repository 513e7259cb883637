import { runTransaction } from '../../operations/in-transaction.ts';
import type { Logger } from '../../platform/logging.ts';
import { sendDue } from '../../platform/outbox/outbox.ts';
import { markSent, retriedRows } from '../../platform/outbox/outbox-table.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { lockInvoices } from '../invoices/invoice-store.ts';
import {
  type ClaimedDelivery,
  type Delivery,
  type DeliveryTarget,
  deliveriesTo,
  deliveryOutbox,
  deliveryTargets,
} from './document-deliveries.ts';

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

export const reachable = (senders: Senders): DeliveryTarget[] =>
  deliveryTargets.filter((target) => senders[target] !== undefined);

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
      ...retriedRows(db, deliveriesTo(target)),
      send,
      markSent: (delivery, at, effect) => settle(db, delivery, at, effect),
      report({ id, kind, attempts }, outcome) {
        const facts = { delivery: id, target, kind, attempts };
        if (outcome === 'sent') log.info(facts, 'delivered');
        else log.warn(facts, outcome === 'postponed' ? 'delivery is tried again' : 'delivery given up');
      },
    },
    () => now,
  );
}

async function settle(
  pool: Pool,
  delivery: ClaimedDelivery,
  at: Date,
  effect: DeliveryEffect | undefined,
): Promise<unknown> {
  if (!effect) return markSent(pool, deliveryOutbox, delivery, at);
  return runTransaction(pool, at, async (db) => {
    await lockInvoices(db, effect.invoices);
    if (await markSent(db, deliveryOutbox, delivery, at)) await effect.write(db, at);
  });
}
