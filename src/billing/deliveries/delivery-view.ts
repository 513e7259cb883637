import { dueAgain } from '../../platform/outbox/outbox-table.ts';
import { outboxMetrics, type Unsent, unsentColumns, unsentRows } from '../../platform/outbox/outbox-view.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { type Delivery, deliveryOutbox } from './document-deliveries.ts';

export type ListedDelivery = Delivery & {
  readonly status: 'delivered' | 'retrying' | 'failed';
  /** All attempts, including the successful one. */
  readonly attempts: number;
};
export type Undelivered = Omit<Delivery, 'body'> & Unsent;

/** Newest first. */
export function listDeliveries(db: Sql, limit: number): Promise<ListedDelivery[]> {
  return db.rows(sql<ListedDelivery>`
    select id, target, kind, invoice_number as "invoiceNumber", body, attempts,
      case when delivered_at is not null then 'delivered' when gave_up_at is not null then 'failed' else 'retrying' end as status
    from deliveries order by sequence_number desc limit ${limit}`);
}

/** Messages waiting for a retry and those given up, in the order of writing. */
export function listUndelivered(db: Sql, limit: number): Promise<Undelivered[]> {
  return db.rows(sql<Undelivered>`
    select id, target, kind, invoice_number as "invoiceNumber", ${unsentColumns}
    from ${unsentRows(deliveryOutbox)} undelivered order by sequence_number limit ${limit}`);
}

/** Makes undelivered messages due at once and extends their retries by a few days. The attempt counters continue. */
export const retriedDeliveries = (ids: readonly string[], now: Date): Fragment => sql`
  update deliveries set ${dueAgain(now, deliveryOutbox)} where id = any(${[...ids]}::uuid[]) and delivered_at is null
  returning sequence_number as id, id::text as name`;

export const deliveryMetrics = outboxMetrics(deliveryOutbox, {
  name: 'deliveries',
  waiting: 'Messages to services that are still to be delivered',
  givenUp: 'Messages to services that could not be delivered',
});
