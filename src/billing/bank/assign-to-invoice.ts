import { type OperatorContext, operatorTransaction } from '../../operations/operator-operation.ts';
import { Refused, textOf } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import { type Invoice, isPayable } from '../invoices/invoice.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import { setStatusByExternalPayment } from '../invoices/set-invoice-status.ts';
import type { Effects } from '../payments/apply-payment-update.ts';
import { setEntryStatus } from './bank-entry-store.ts';
import { recordEntryChange } from './bank-history.ts';
import { bookLine } from './import-statement.ts';
import { lockBankEntry, requireIncoming } from './lock-bank-entry.ts';

type Assignment = { readonly id: number; readonly number: number };
type Assigned = { readonly number: number; readonly status: 'paid' | 'refunded' };

/**
 * Books a line to the invoice that an operator names: a payment pays it, a return marks it refunded. The line's amount
 * must equal the invoice's.
 */
export const assignToInvoice = (effects: Effects) =>
  operatorTransaction(
    {
      name: 'assign bank entry to invoice',
      right: 'money',
      refusals: [
        'entryUnknown',
        'entryHasStatus',
        'invoiceUnknown',
        'entryAmountDiffers',
        'entryIsReversal',
        'invoiceHasStatus',
        'notTakenBack',
      ],
    },
    {
      async transact(db, { id, number }: Assignment, context): Promise<Assigned> {
        const entry = await lockBankEntry(db, id, 'unmatched');
        const bill = await lockBill(db, number);
        if (!bill) return refuse('invoiceUnknown', { number });
        const { invoice, leaves } = bill;
        if (invoice.amount !== entry.amount || invoice.currency !== entry.currency)
          refuse('entryAmountDiffers', {
            number,
            invoiced: `${toDecimal(invoice.amount)} ${invoice.currency}`,
            received: `${toDecimal(entry.amount)} ${entry.currency}`,
          });
        const isReturned = entry.direction === 'debit';
        if (isReturned) await takeBack(db, id, invoice, effects, context);
        else {
          requireIncoming(entry);
          if (!leaves.every(isPayable) || !isPayable(invoice))
            refuse('invoiceHasStatus', { number, status: invoice.status });
          const { actor, now, reason, policy } = context;
          const by = { actor, now, reason: reason?.text, from: 'unmatched' } as const;
          await bookLine(db, entry, { invoice }, { ...effects, policy }, by);
        }
        const change = { operation: 'assign bank entry', from: 'unmatched', to: 'booked' } as const;
        await recordEntryChange(db, id, { ...change, invoice: number }, context);
        return { number, status: isReturned ? 'refunded' : 'paid' };
      },
    },
  );

async function takeBack(
  db: Sql,
  id: number,
  { number, paidBy, status }: Invoice,
  effects: Effects,
  { actor, now, reason }: OperatorContext,
): Promise<void> {
  const by = { actor, now, reason: reason?.text };
  if (status !== 'paid' || paidBy === null) return refuse('invoiceHasStatus', { number, status });
  await setStatusByExternalPayment(db, effects, by, number, 'refunded').catch((error: unknown) => {
    if (!(error instanceof Refused) || error.refusals[0].at === null) throw error;
    return refuse('notTakenBack', { reason: error.refusals.map(textOf).join('; ') });
  });
  await setEntryStatus(db, id, {
    ...by,
    from: 'unmatched',
    to: 'booked',
    invoiceNumber: number,
    paymentReference: paidBy,
  });
}
