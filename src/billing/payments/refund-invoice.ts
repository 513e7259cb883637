import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import { sum } from './decide.ts';
import { orderRefunds } from './refunds.ts';

/** Of a refund that was ordered without a reason. */
const NO_REASON = 'ordered by an operator';

/**
 * Orders the refund of a paid invoice through the provider, of a bulk invoice with all invoices that it paid; a worker
 * carries it out. Answers the amount.
 */
export const refundInvoice = operatorTransaction(
  {
    name: 'refund invoice',
    right: 'money',
    refusals: ['invoiceUnknown', 'invoiceHasStatus', 'paymentNotKnown', 'notPaidByProvider', 'refundOrdered'],
  },
  {
    async transact(db, { number }: { readonly number: number }, context): Promise<Cents> {
      const { actor, now } = context;
      const bill = await lockBill(db, number);
      if (!bill) return refuse('invoiceUnknown', { number });
      const { paidBy: reference, status, registrarId } = bill.invoice;
      if (status !== 'paid') refuse('invoiceHasStatus', { number, status });
      if (reference === null) return refuse('paymentNotKnown', { number });
      const shares = await findShares(
        db,
        reference,
        bill.leaves.map((leaf) => leaf.number),
      );
      if (shares.some(({ isExternal }) => isExternal)) refuse('notPaidByProvider', { number });
      if (shares.some(({ isWaiting }) => isWaiting)) refuse('refundOrdered', { number });
      const reason = context.reason?.text ?? NO_REASON;
      const refunds = shares.map(({ number: invoiceNumber, booked }) => ({
        reference,
        invoiceNumber,
        amount: BigInt(booked),
        reason,
        actor,
      }));
      await orderRefunds(db, refunds, now);
      const amount = sum(refunds.map((refund) => refund.amount));
      const entry = {
        objectKind: 'invoice',
        objectId: number,
        objectName: String(number),
        operation: 'refund invoice',
        registrarId,
        after: { amount: toDecimal(amount), payment: reference },
      };
      await db.run(insertHistory(entry, context, sql``));
      return amount;
    },
  },
);

type Share = {
  readonly number: number;
  readonly booked: string;
  readonly isExternal: boolean;
  readonly isWaiting: boolean;
};

/** What the payment paid of these invoices, and whether a refund of it waits. */
const findShares = (db: Sql, reference: string, numbers: readonly number[]): Promise<Share[]> =>
  db.rows(sql<Share>`
    select s.invoice_number as number, s.booked::text as booked, p.external as "isExternal",
      exists (select from refunds r where r.payment_reference = p.reference and r.invoice_number = s.invoice_number and r.state = 'waiting') as "isWaiting"
    from payment_shares s join payments p on p.reference = s.payment_reference
    where p.reference = ${reference} and s.invoice_number = any(${[...numbers]}::bigint[]) and s.booked > 0
    order by s.invoice_number`);
