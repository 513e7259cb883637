import { inTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { refuse } from '../billing-refusals.ts';
import type { Billing, Caller } from '../context.ts';
import { applyPaymentUpdate, type Effects } from '../payments/apply-payment-update.ts';
import type { Bill } from '../payments/decide.ts';
import { type AuditActor, payExternally, returnExternally } from '../payments/external-payment.ts';
import { changeStatuses } from './change-statuses.ts';
import { canBecome, isPayable, type Status } from './invoice.ts';
import { findInvoice, lockBill } from './invoice-store.ts';

/** POST invoice_status: records what happened to an invoice outside the provider. */
export function setInvoiceStatus(
  billing: Billing,
  caller: Caller,
  input: { readonly invoiceNumber: number; readonly status: Status },
): Promise<Outcome<void>> {
  return runOperation(
    billing.database,
    inTransaction({
      transact: async (db) => {
        const invoice = await findInvoice(db, input.invoiceNumber, caller.initiator);
        if (!invoice) refuse('invoiceMissing', { number: input.invoiceNumber });
        const auditActor = { actor: caller.initiator, now: caller.now };
        await setStatusByExternalPayment(db, billing, auditActor, invoice.number, input.status);
      },
    }),
    caller,
  );
}

/** Whether the status can be reached; for a bulk invoice that is paid, by all of its parts. */
export function requireStatusReachable(
  { invoice, leaves }: Pick<Bill, 'invoice' | 'leaves'>,
  to: Status,
): void {
  if (!canBecome(invoice.status, to))
    refuse('statusUnreachable', { at: ['status'], status: invoice.status, wanted: to });
  // A part that is already paid could not be refunded automatically: only payments through the provider can.
  const taken = to === 'paid' ? leaves.find((leaf) => !isPayable(leaf)) : undefined;
  if (taken) refuse('bulkPartSettled', { at: ['status'], number: taken.number, status: taken.status });
}

/** Paid and refunded are booked as payments and returns outside the provider, with the same effects. */
export async function setStatusByExternalPayment(
  db: Sql,
  effects: Effects,
  auditActor: AuditActor,
  number: number,
  to: Status,
): Promise<void> {
  const bill = await lockBill(db, number);
  if (!bill) throw new Error(`invoice ${number} is gone`);
  const { invoice, leaves } = bill;
  requireStatusReachable(bill, to);
  if (to === 'paid') await applyPaymentUpdate(db, await payExternally(db, auditActor, invoice), effects);
  else if (to === 'refunded' && invoice.paidBy !== null)
    await returnExternally(db, auditActor, { ...invoice, paidBy: invoice.paidBy }, leaves, effects);
  else await changeStatuses(db, [{ invoice, to }], { actor: auditActor.actor, at: auditActor.now });
}
