import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Delivery, TRIED_FOR_DAYS } from './delivery-store.ts';

export type ListedDelivery = Delivery & {
  readonly status: 'delivered' | 'retrying' | 'failed';
  /** Every one, also that which delivered it. */
  readonly attempts: number;
};
export type Undelivered = Omit<Delivery, 'body'> & {
  readonly attempts: number;
  readonly createdAt: Date;
  /** None once it was given up. */
  readonly nextAttemptAt: Date | null;
  readonly gaveUpAt: Date | null;
  readonly lastError: string | null;
};

/** The newest first. */
export function listDeliveries(db: Sql, limit: number): Promise<ListedDelivery[]> {
  return db.rows(sql<ListedDelivery>`
    select id, target, kind, invoice_number as "invoiceNumber", body, attempts,
      case when delivered_at is not null then 'delivered' when gave_up_at is not null then 'failed' else 'retrying' end as status
    from deliveries order by place desc limit ${limit}`);
}

/** What waits for its next attempt and what was given up, in the order in which it was written. */
export function listUndelivered(db: Sql, limit: number): Promise<Undelivered[]> {
  return db.rows(sql<Undelivered>`
    select id, target, kind, invoice_number as "invoiceNumber", attempts, created_at as "createdAt",
      case when gave_up_at is null then next_attempt_at end as "nextAttemptAt", gave_up_at as "gaveUpAt", last_error as "lastError"
    from (
      select * from deliveries where delivered_at is null and gave_up_at is null
      union all select * from deliveries where gave_up_at is not null) undelivered
    order by place limit ${limit}`);
}

export async function countWaiting(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from deliveries where delivered_at is null and gave_up_at is null`);
  return counted.count;
}

export async function countGivenUp(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from deliveries where gave_up_at is not null`);
  return counted.count;
}

/**
 * Makes a message due at once and grants it another few days; false where there is none that is still to be delivered.
 * Its attempts go on being counted.
 */
export async function retryDelivery(db: Sql, id: string, now: Date): Promise<boolean> {
  return (
    (await db.run(sql`
    update deliveries set next_attempt_at = ${now}, gave_up_at = null,
      try_until = ${now}::timestamptz + make_interval(days => ${TRIED_FOR_DAYS})
    where id = ${id} and delivered_at is null`)) > 0
  );
}

/** The same figures on every process, since they tell of the database: take the largest, not the sum. */
export function registerDeliveryMetrics(metrics: Metrics, db: Sql): void {
  metrics.watch('cadastre_deliveries_waiting', 'Messages to services that are still to be delivered', () =>
    countWaiting(db),
  );
  metrics.watch('cadastre_deliveries_given_up', 'Messages to services that could not be delivered', () =>
    countGivenUp(db),
  );
}
