import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { type ReadBack, readAccountingXml } from './accounting/read-accounting-xml.ts';
import { readEInvoiceXml } from './einvoice/e-invoice-operator.ts';
import type { ExportTarget } from './export-outcome.ts';

export type ExportedDocument = ReadBack & { readonly target: ExportTarget };

/**
 * Every invoice a service has accepted, parsed from the documents that were sent, so that their sums can be reconciled
 * with the bank and the ledger. Invoices entered by an older system or by hand are left out.
 */
export async function exportedDocuments(db: Sql): Promise<ExportedDocument[]> {
  const messages = await db.rows(sql<{ target: ExportTarget; body: string; numbers: number[] }>`
    select e.target, d.body, array_agg(e.invoice_number order by e.invoice_number) as numbers
    from invoice_exports e join deliveries d on d.id = e.delivery_id where e.state = 'accepted' group by e.target, d.id order by d.sequence_number`);
  const read = await Promise.all(
    messages.map(async ({ target, body, numbers }) => {
      const documents =
        target === 'accounting' ? await readAccountingXml(body) : [await readEInvoiceXml(body)];
      return documents.filter(({ number }) => numbers.includes(number)).map((one) => ({ ...one, target }));
    }),
  );
  return read.flat();
}

export type UnsettledExport = {
  readonly invoiceNumber: number;
  readonly target: ExportTarget;
  readonly state: 'waiting' | 'given up' | 'rejected';
  readonly requestedAt: Date;
  readonly attempts: number;
  /** The message that carries it, to be named in a retry. */
  readonly delivery: string | null;
  readonly reason: string | null;
};

/** A rejection counts until the invoice is pending again or delivered. */
const isLast = (): Fragment => sql`
  not exists (select from invoice_exports later where later.invoice_number = e.invoice_number and later.target = e.target and later.id > e.id)`;

/** Pending and rejected exports, in the order of request. */
export function listUnsettled(db: Sql, limit: number): Promise<UnsettledExport[]> {
  return db.rows(sql<UnsettledExport>`
    select e.invoice_number as "invoiceNumber", e.target, case when d.gave_up_at is not null then 'given up' else e.state end as state,
      e.requested_at as "requestedAt", coalesce(d.attempts, 0) as attempts, e.delivery_id as delivery, coalesce(e.reason, d.last_error) as reason
    from invoice_exports e left join deliveries d on d.id = e.delivery_id
    where e.state <> 'accepted' and ${isLast()} order by e.id limit ${limit}`);
}

const rejectedCount = () => sql<{ value: number }>`
  select count(*)::int as value from invoice_exports e where e.state = 'rejected' and ${isLast()}`;

export const countRejected = async (db: Sql): Promise<number> => (await db.one(rejectedCount())).value;

export const exportMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_exports_rejected',
    help: 'Invoices that the accounting service or the operator of e-invoices did not take',
    query: rejectedCount(),
  },
  {
    name: 'cadastre_exports_waiting',
    help: 'Invoices that the accounting service or the operator of e-invoices has not answered yet',
    query: sql`select count(*) as value from invoice_exports where state = 'waiting'`,
  },
  {
    name: 'cadastre_exports_oldest_waiting_timestamp_seconds',
    help: 'When the oldest of them was requested; no sample if there are none',
    query: sql`
      select extract(epoch from min(requested_at)) as value from invoice_exports where state = 'waiting' having count(*) > 0`,
  },
];
