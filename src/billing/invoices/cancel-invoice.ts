import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../billing-refusals.ts';
import { changeStatuses } from './change-statuses.ts';
import { canBecome } from './invoice.ts';
import { lockInvoice } from './invoice-store.ts';

/** Makes an invoice unpayable and notifies its service; money that still arrives is refunded automatically. */
export const cancelInvoice = operatorTransaction(
  { name: 'cancel invoice', right: 'money', refusals: ['invoiceUnknown', 'invoiceHasStatus'] },
  {
    async transact(db, { number }: { readonly number: number }, context) {
      const { actor, now: at, reason } = context;
      const invoice = await lockInvoice(db, number);
      if (!invoice) return refuse('invoiceUnknown', { number });
      const { status, registrarId } = invoice;
      if (!canBecome(status, 'cancelled')) refuse('invoiceHasStatus', { number, status });
      await changeStatuses(db, [{ invoice, to: 'cancelled' }], { actor, at, reason: reason?.text });
      const entry = {
        objectKind: 'invoice',
        objectId: number,
        objectName: String(number),
        operation: 'cancel invoice',
        registrarId,
        before: { status },
        after: { status: 'cancelled' },
      };
      await db.run(insertHistory(entry, context, sql``));
      return { number };
    },
  },
);
