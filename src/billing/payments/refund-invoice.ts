import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { lockBill } from '../invoices/store.ts';
import { refuse } from '../refusals.ts';
import { sum } from './decide.ts';
import { orderRefunds } from './refunds.ts';

type Order = { readonly number: number; readonly reason: string; readonly actor: string; readonly now: Date };

/** Orders what was paid for an invoice back through the provider; a bulk invoice with all that it paid for. */
export async function refundInvoice(db: Sql, { number, reason, actor, now }: Order): Promise<Cents> {
  const bill = await lockBill(db, number);
  if (!bill) return refuse('invoiceUnknown', { number });
  const { invoice, leaves } = bill;
  if (invoice.status !== 'paid') refuse('invoiceHasStatus', { number, status: invoice.status });
  if (invoice.paidBy === null) refuse('paymentNotKnown', { number });
  const shares = await db.rows(sql<{ number: number; booked: string; elsewhere: boolean; waiting: boolean }>`
    select s.invoice_number as number, s.booked::text as booked, p.elsewhere,
      exists (select from refunds r where r.payment_reference = p.reference and r.invoice_number = s.invoice_number and r.state = 'waiting') as waiting
    from payment_shares s join payments p on p.reference = s.payment_reference
    where p.reference = ${invoice.paidBy} and s.invoice_number = any(${leaves.map((leaf) => leaf.number)}::bigint[]) and s.booked > 0
    order by s.invoice_number`);
  if (shares.some(({ elsewhere }) => elsewhere)) refuse('notPaidByProvider', { number });
  if (shares.some(({ waiting }) => waiting)) refuse('refundOrdered', { number });
  const reference = invoice.paidBy;
  const refunds = shares.map((share) => ({
    ...{ reference, invoiceNumber: share.number, amount: BigInt(share.booked), reason, actor },
  }));
  await orderRefunds(db, refunds, now);
  return sum(refunds.map(({ amount }) => amount));
}
