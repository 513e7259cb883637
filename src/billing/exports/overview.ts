import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { ExportTarget } from './target.ts';

export type UnsettledExport = {
  readonly invoiceNumber: number;
  readonly target: ExportTarget;
  readonly state: 'waiting' | 'given up' | 'rejected';
  readonly requestedAt: Date;
  readonly attempts: number;
  /** The message that carries it, for whoever wants it to be tried again. */
  readonly delivery: string | null;
  readonly reason: string | null;
};

/** A rejection counts until the invoice is on its way again, or there. */
const isLast = (): Fragment => sql`
  not exists (select from invoice_exports later where later.invoice_number = e.invoice_number and later.target = e.target and later.id > e.id)`;

/** What is on its way and what was rejected, in the order in which it was asked for. */
export function listUnsettled(db: Sql, limit: number): Promise<UnsettledExport[]> {
  return db.rows(sql<UnsettledExport>`
    select e.invoice_number as "invoiceNumber", e.target, case when d.gave_up_at is not null then 'given up' else e.state end as state,
      e.requested_at as "requestedAt", coalesce(d.attempts, 0) as attempts, e.delivery_id as delivery, coalesce(e.reason, d.last_error) as reason
    from invoice_exports e left join deliveries d on d.id = e.delivery_id
    where e.state <> 'accepted' and ${isLast()} order by e.id limit ${limit}`);
}

export async function countRejected(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from invoice_exports e where e.state = 'rejected' and ${isLast()}`);
  return counted.count;
}
