import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { applyPaymentUpdate, type Effects, type PaymentUpdate } from './apply-payment-update.ts';
import { payBack, sum } from './decide.ts';

/** Who reports it, when, and optionally why. */
export type AuditActor = { readonly actor: string; readonly now: Date; readonly reason?: string | undefined };

/** A payment unknown to the provider: its whole amount stands. */
export async function payExternally(
  db: Sql,
  { actor, now, reason }: AuditActor,
  { number, amount, currency }: Invoice,
  reference = `elsewhere-${number}`,
): Promise<PaymentUpdate> {
  // Callbacks may already exist under this reference; the provider is no longer polled for it.
  await db.run(sql`
    insert into payments (reference, invoice_number, external, open, created_at) values (${reference}, ${number}, true, false, ${now})
    on conflict (reference) do update set invoice_number = excluded.invoice_number, external = true, poll_at = null, poll_lease_until = null`);
  return {
    reference,
    invoiceNumber: number,
    actor,
    at: now,
    currency,
    reason,
    report: {
      state: 'settled',
      standingAmount: amount,
      initialAmount: amount,
      toOurAccount: true,
      answer: {},
    },
  };
}

type Payment = {
  readonly isExternal: boolean;
  readonly state: string;
  readonly invoiceNumber: number;
  readonly booked: string;
  readonly initial: string;
  readonly standing: string;
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly refundUnderWay: boolean;
  readonly shares: readonly { readonly number: number; readonly booked: string }[];
};

/**
 * Records a return outside the provider. The provider keeps reporting the amount as standing, so it is subtracted from
 * what stands for us.
 */
export async function returnExternally(
  db: Sql,
  { actor, now, reason }: AuditActor,
  invoice: Invoice & { readonly paidBy: string },
  leaves: readonly Invoice[],
  effects: Effects,
): Promise<void> {
  const payment = await findPayment(
    db,
    invoice.paidBy,
    leaves.map(({ number }) => number),
  );
  if (payment.refundUnderWay) refuse('refundUnderWay', { at: ['status'] });
  const returned = payment.shares
    .filter(({ number }) => leaves.some((leaf) => leaf.number === number))
    .map(({ number, booked }) => ({ id: 0, invoiceNumber: number, amount: BigInt(booked) }));
  const amount = sum(returned.map((item) => item.amount));
  const standing = BigInt(payment.standing) - (payment.isExternal ? amount : 0n);
  if (!payment.isExternal) await noteReturned(db, invoice.paidBy, amount);
  await applyPaymentUpdate(
    db,
    {
      reference: invoice.paidBy,
      invoiceNumber: payment.invoiceNumber,
      actor,
      at: now,
      reason,
      currency: invoice.currency,
      report: {
        state: payment.isExternal && standing === 0n ? 'refunded' : payment.state,
        standingAmount: standing,
        initialAmount: BigInt(payment.initial),
        toOurAccount: true,
        answer: payment.answer ?? {},
      },
    },
    effects,
    (known, bill) => payBack(known, bill, returned),
  );
}

/** A concurrent refund order of one of these invoices needs its lock, which the caller holds. */
async function findPayment(db: Sql, reference: string, numbers: readonly number[]): Promise<Payment> {
  return db.one(sql<Payment>`
    select external as "isExternal", state, invoice_number as "invoiceNumber", booked::text as booked, initial_amount::text as initial, standing_amount::text as standing, answer,
      exists (select from refunds r where r.payment_reference = p.reference and r.state = 'waiting' and r.invoice_number = any(${[...numbers]}::bigint[])) as "refundUnderWay",
      (select json_agg(json_build_object('number', s.invoice_number, 'booked', s.booked::text)) from payment_shares s where s.payment_reference = p.reference) as shares
    from payments p where reference = ${reference}`);
}

async function noteReturned(db: Sql, reference: string, amount: Cents): Promise<void> {
  await db.run(
    sql`update payments set returned_externally = returned_externally + ${amount.toString()}::bigint where reference = ${reference}`,
  );
}
