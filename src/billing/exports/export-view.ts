import type { Metrics } from '../../platform/metrics.ts';
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

export async function countRejected(db: Sql): Promise<number> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from invoice_exports e where e.state = 'rejected' and ${isLast()}`);
  return counted.count;
}

/** Read from the database, so every process reports the same value: aggregate with max, not sum. */
export function registerExportMetrics(metrics: Metrics, db: Sql): void {
  metrics.watch(
    'cadastre_exports_rejected',
    'Invoices that the accounting service or the operator of e-invoices did not take',
    () => countRejected(db),
  );
}
