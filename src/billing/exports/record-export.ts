import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../billing-refusals.ts';
import { lockInvoices } from '../invoices/invoice-store.ts';
import { refuse as refuseAsOperator } from '../operator-refusals.ts';
import type { ExportTarget } from './export-outcome.ts';

type Exported = { readonly target: ExportTarget; readonly number: number };

/** Records that a service has an invoice, whatever it answered. */
export const recordExport = operatorTransaction(
  { name: 'record export', right: 'money', refusals: ['invoiceMissing', 'exportedAlready'] },
  {
    async transact(db, { target, number }: Exported, context) {
      const { actor, now } = context;
      const reason = context.reason?.text ?? null;
      const invoices = await lockInvoices(db, [number]);
      if (invoices.length === 0) refuse('invoiceMissing', { number });
      const rows = await db.rows(sql`
        with confirmed as (
          update invoice_exports set state = 'accepted', answered_at = ${now}, reason = ${reason}, actor = ${actor}
          where invoice_number = ${number} and target = ${target} and state = 'waiting' returning 1),
        entered as (
          insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
          select ${number}, ${target}, 'accepted', '{}', ${now}, ${actor}, ${now}, ${reason}
          where not exists (select from invoice_exports where invoice_number = ${number} and target = ${target} and state <> 'rejected')
          returning 1)
        select from confirmed union all select from entered`);
      if (rows.length === 0) refuseAsOperator('exportedAlready', { number, target });
      const entry = {
        objectKind: 'invoice',
        objectId: number,
        objectName: String(number),
        operation: 'record export',
        registrarId: null,
        after: { target },
      };
      await db.run(insertHistory(entry, context, sql``));
      return { target, number };
    },
  },
);
