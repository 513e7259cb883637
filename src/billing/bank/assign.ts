import { Refused, textOf } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import { type Invoice, isPayable } from '../invoices/invoice.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import { setStatusByExternalPayment } from '../invoices/set-invoice-status.ts';
import type { Effects } from '../payments/apply-payment-update.ts';
import type { AuditActor } from '../payments/external-payment.ts';
import { type BankStatus, setEntryStatus } from './bank-entry-store.ts';
import { bookLine } from './import-statement.ts';
import { purposeOfRegistrar } from './match.ts';

export type Order = AuditActor & { readonly id: number; readonly reason: string };
type Dependencies = Effects & { readonly policy: Policy };
type Entry = {
  readonly id: number;
  readonly direction: 'credit' | 'debit';
  readonly isReturn: boolean;
  readonly amount: bigint;
  readonly currency: string;
  readonly status: BankStatus;
};

/**
 * Books a line to the invoice an operator names: a payment pays it, a return marks it refunded. The line's amount must
 * equal the invoice's.
 */
export async function assignToInvoice(
  db: Sql,
  order: Order,
  number: number,
  parts: Dependencies,
): Promise<'paid' | 'refunded'> {
  const entry = await lockEntry(db, order.id, 'unmatched');
  const bill = await lockBill(db, number);
  if (!bill) return refuse('invoiceUnknown', { number });
  const { invoice } = bill;
  if (invoice.amount !== entry.amount || invoice.currency !== entry.currency)
    refuse('entryAmountDiffers', {
      number,
      invoiced: `${toDecimal(invoice.amount)} ${invoice.currency}`,
      received: `${toDecimal(entry.amount)} ${entry.currency}`,
    });
  if (entry.direction === 'debit') {
    await takeBack(db, invoice, order, parts);
    return 'refunded';
  }
  requireIncoming(entry);
  if (!bill.leaves.every(isPayable) || !isPayable(invoice))
    refuse('invoiceHasStatus', { number, status: invoice.status });
  await bookLine(db, entry, { invoice }, parts, { ...order, from: 'unmatched' });
  return 'paid';
}

/** Books a line to a registrar: to its oldest invoice over that amount, or to a new one. Returns the invoice number. */
export async function assignToRegistrar(
  db: Sql,
  order: Order,
  code: string,
  parts: Dependencies,
): Promise<number> {
  const entry = await lockEntry(db, order.id, 'unmatched');
  requireIncoming(entry);
  if (entry.direction === 'debit') refuse('entryTakenBack');
  if (entry.currency !== parts.policy.currency)
    refuse('entryCurrencyDiffers', { currency: parts.policy.currency, received: entry.currency });
  const registrar = await db.maybe(sql<{ id: number }>`select id from registrars where code = ${code}`);
  if (!registrar) return refuse('registrarUnknown', { code });
  const purpose = await purposeOfRegistrar(db, registrar.id, entry);
  return bookLine(db, entry, purpose, parts, { ...order, from: 'unmatched' });
}

/** Closes a line without booking it and removes it from the list of unmatched lines. */
export async function dismissEntry(db: Sql, order: Order): Promise<void> {
  await lockEntry(db, order.id, 'unmatched');
  await setEntryStatus(db, order.id, { ...order, from: 'unmatched', to: 'aside' });
}

export async function reopen(db: Sql, order: Order): Promise<void> {
  await lockEntry(db, order.id, 'aside');
  await setEntryStatus(db, order.id, { ...order, from: 'aside', to: 'unmatched' });
}

/** Serializes concurrent assignments of the same line; the later one sees the status that the earlier one set. */
async function lockEntry(db: Sql, id: number, status: BankStatus): Promise<Entry> {
  const row = await db.maybe(sql<Omit<Entry, 'amount'> & { amount: string }>`
    select id, direction, is_return as "isReturn", amount::text as amount, currency, status from bank_entries where id = ${id} for update`);
  if (!row) return refuse('entryUnknown', { id });
  if (row.status !== status) refuse('entryHasStatus', { id, status: row.status });
  return { ...row, amount: BigInt(row.amount) };
}

/** A returned outgoing payment of ours is not a customer's payment. */
function requireIncoming({ direction, isReturn }: Entry): void {
  if (direction === 'credit' && isReturn) refuse('entryIsReversal');
}

async function takeBack(db: Sql, invoice: Invoice, order: Order, parts: Dependencies): Promise<void> {
  const { number, paidBy, status } = invoice;
  if (status !== 'paid' || paidBy === null) return refuse('invoiceHasStatus', { number, status });
  await setStatusByExternalPayment(db, parts, order, number, 'refunded').catch((error: unknown) => {
    if (!(error instanceof Refused) || error.refusals[0].at === null) throw error;
    return refuse('notTakenBack', { reason: error.refusals.map(textOf).join('; ') });
  });
  await setEntryStatus(db, order.id, {
    ...{ ...order, from: 'unmatched', to: 'booked' },
    ...{ invoiceNumber: number, paymentReference: paidBy },
  });
}
