import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type ReadBack, readAccountingXml } from './accounting/read-back.ts';
import { readEInvoiceXml } from './einvoice/read-back.ts';
import type { ExportTarget } from './target.ts';

export type ExportedDocument = ReadBack & { readonly target: ExportTarget };

/**
 * Every invoice that a service has taken, read back from the very documents that were sent: their sums can be held
 * against the bank and the ledger. What came there by an older system or by hand was never sent by us and is left out.
 */
export async function exportedDocuments(db: Sql): Promise<ExportedDocument[]> {
  const messages = await db.rows(sql<{ target: ExportTarget; body: string; numbers: number[] }>`
    select e.target, d.body, array_agg(e.invoice_number order by e.invoice_number) as numbers
    from invoice_exports e join deliveries d on d.id = e.delivery_id where e.state = 'accepted' group by e.target, d.id order by d.place`);
  const read = await Promise.all(
    messages.map(async ({ target, body, numbers }) => {
      const documents =
        target === 'accounting' ? await readAccountingXml(body) : [await readEInvoiceXml(body)];
      return documents.filter(({ number }) => numbers.includes(number)).map((one) => ({ ...one, target }));
    }),
  );
  return read.flat();
}
