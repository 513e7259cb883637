import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type Difference = {
  readonly at: Date;
  readonly reference: string;
  readonly invoiceNumber: number | null;
  readonly knownState: string | null;
  readonly foundState: string;
  readonly knownAmount: string | null;
  readonly foundAmount: string;
};

/** Changes that were found by polling without a callback, newest first. */
export function listDifferences(db: Sql, since: Date, limit: number): Promise<Difference[]> {
  return db.rows(sql<Difference>`
    select at, payment_reference as reference, invoice_number as "invoiceNumber", known_state as "knownState", found_state as "foundState",
      known_amount::text as "knownAmount", found_amount::text as "foundAmount"
    from payment_differences where at >= ${since} order by id desc limit ${limit}`);
}

export type KnownState = {
  readonly state: string | null;
  readonly booked: string;
  readonly invoiceNumber: number | null;
};

/** The payment once a poll after `number` was answered; undefined until then, null where it is not stored. */
export async function polledSince(
  db: Sql,
  reference: string,
  number: number,
): Promise<KnownState | null | undefined> {
  const row = await db.maybe(sql<KnownState & { answeredNumber: number }>`
    select state, booked::text as booked, invoice_number as "invoiceNumber", answered_poll_number as "answeredNumber" from payments where reference = ${reference}`);
  if (!row) return null;
  return row.answeredNumber > number ? row : undefined;
}

/** How many payments are due or being polled. */
export async function countPendingPolls(db: Sql, now: Date): Promise<number> {
  const row = await db.one(sql<{ count: number }>`
    select count(*)::int as count from payments where (poll_at is not null or poll_lease_until is not null) and lane is null and (poll_at <= ${now} or poll_lease_until > ${now})`);
  return row.count;
}

/** What waits for operators, for the provider, and for its answer. */
export const paymentMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_payments_held',
    help: 'Payments that a person has to judge',
    query: sql`select count(*) as value from held_payments where closed_at is null`,
  },
  {
    name: 'cadastre_unknown_payments_waiting',
    help: 'References that only a callback has named and that the provider is still to be asked about',
    query: sql`select count(*) as value from payments where lane is not null`,
  },
  {
    name: 'cadastre_refunds_waiting',
    help: 'Refunds that have not taken place yet',
    query: sql`select count(*) as value from refunds where state = 'waiting'`,
  },
];
