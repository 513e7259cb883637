import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { changeStatuses, type StatusChange } from '../invoices/change-statuses.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import { book, type MoveRegistrarMoney } from './book-payment.ts';
import {
  type Bill,
  type Decision,
  decide,
  type HoldKind,
  isFinal,
  type ProviderReport,
  reportStanding,
  sum,
} from './decide.ts';
import { type LoadedPayment, lockPayment } from './lock-payment.ts';

export type PaymentUpdate = {
  readonly reference: string;
  /** The invoice that the payment is for, if known. */
  readonly invoiceNumber: number | undefined;
  /** The number of the answered poll; nothing is done where a later one was answered already. */
  readonly question?: number;
  /** The refund just submitted: a drop in the standing amount is matched to it first. */
  readonly refund?: number;
  /** The registry's currency; an invoice has its own. */
  readonly currency: string;
  readonly report: ProviderReport & {
    readonly initialAmount: bigint;
    readonly answer: Readonly<Record<string, unknown>>;
  };
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly at: Date;
};

/** Effects of money movements in other modules, in the same transaction. */
export type Effects = {
  readonly moveRegistrarMoney: MoveRegistrarMoney;
  /** Called with invoices that were paid or refunded. */
  readonly invoicesChanged?: (
    db: Sql,
    changes: readonly StatusChange[],
    cause: { readonly at: Date; readonly paymentReference: string },
  ) => Promise<void>;
};

/** How a decision is made; an operator's resolution replaces the standard rule. */
export type DecisionRule = (
  payment: LoadedPayment,
  bill: Bill | undefined,
  report: ProviderReport,
) => Decision;

/**
 * Brings the books of a payment to the reported state, with all effects: shares, ledger, invoice statuses, messages to
 * services, refunds and holds. Inside one transaction; locks invoices first, then the payment, accounts last.
 */
export async function applyPaymentUpdate(
  db: Sql,
  update: PaymentUpdate,
  effects: Effects,
  rule: DecisionRule = decide,
): Promise<{ readonly payment: LoadedPayment; readonly decision: Decision } | undefined> {
  const { reference, invoiceNumber, question, report, actor, reason, at } = update;
  const locked = invoiceNumber === undefined ? undefined : await lockBill(db, invoiceNumber);
  const loaded = await lockPayment(db, reference, locked?.invoice.number);
  const payment = loaded && withFirst(loaded, update.refund);
  if (!payment || (question !== undefined && payment.answeredPollNumber >= question)) return undefined;
  const bill = locked && { ...locked, otherAttempts: payment.otherAttempts };
  const decision = rule(payment, bill, report);
  await storePayment(db, update, payment, bill, decision);
  if (rule === decide) await closeObsoleteHolds(db, update, payment, decision);
  await changeStatuses(db, decision.changes, {
    actor,
    at,
    reason,
    payment: { reference, state: report.state, answer: report.answer },
  });
  await effects.invoicesChanged?.(db, decision.changes, { at, paymentReference: reference });
  await book(
    db,
    {
      reference,
      actor,
      at,
      currency: bill?.invoice.currency ?? update.currency,
      before: payment,
      after: decision,
      invoices: bill?.leaves ?? [],
    },
    effects.moveRegistrarMoney,
  );
  return { payment, decision };
}

const withFirst = (payment: LoadedPayment, refund: number | undefined): LoadedPayment => ({
  ...payment,
  refunds: payment.refunds.toSorted((one, other) => Number(other.id === refund) - Number(one.id === refund)),
});

/** Holds that are obsolete once the books and the provider agree. */
const OBSOLETE_HOLDS: readonly HoldKind[] = ['amount', 'account', 'invoice', 'reduction', 'again'];

/** Closes the holds of a payment whose cause is gone. */
async function closeObsoleteHolds(
  db: Sql,
  { reference, report, at }: PaymentUpdate,
  payment: LoadedPayment,
  decision: Decision,
): Promise<void> {
  const stands = reportStanding(report);
  if (decision.hold || stands === undefined || stands - payment.returnedExternally !== bookedBy(decision))
    return;
  await db.run(sql`
    update held_payments set closed_at = ${at}, closed_by = 'registry', resolution = 'gone', reason = 'the books and the provider agree'
    where payment_reference = ${reference} and closed_at is null and kind = any(${[...OBSOLETE_HOLDS]}::text[])`);
}

const bookedBy = ({ surplus, shares }: Decision): bigint =>
  surplus + sum(shares.map((share) => share.booked));

async function storePayment(
  db: Sql,
  { reference, report, actor, at }: PaymentUpdate,
  payment: LoadedPayment,
  bill: Bill | undefined,
  decision: Decision,
): Promise<void> {
  const { surplus, shares, refundSurplus, doneRefunds, hold } = decision;
  const booked = bookedBy(decision);
  const reversed = payment.reversed || (payment.booked > 0n && booked === 0n);
  const settledAt = payment.settledAt ?? (booked > 0n ? at : null);
  await db.run(sql`
    with kept as (
      update payments set state = ${report.state}, initial_amount = ${report.initialAmount.toString()}, standing_amount = ${report.standingAmount.toString()},
        answer = ${json(report.answer)}, invoice_number = coalesce(invoice_number, ${bill?.invoice.number ?? null}), booked = ${booked.toString()},
        surplus = ${surplus.toString()}, reversed = ${reversed}, settled_at = ${settledAt}, open = ${!isFinal(report.state, payment.isOneoff)}
      where reference = ${reference}),
    shares as (
      insert into payment_shares (payment_reference, invoice_number, booked)
      select ${reference}, number, booked from unnest(${shares.map(({ invoiceNumber }) => invoiceNumber)}::bigint[], ${shares.map((share) => share.booked.toString())}::bigint[]) as s(number, booked)
      on conflict (payment_reference, invoice_number) do update set booked = excluded.booked),
    done as (update refunds set state = 'done', closed_at = ${at} where id = any(${[...doneRefunds]}::bigint[])),
    refund as (
      insert into refunds (payment_reference, amount, reason, actor, created_at, next_attempt_at)
      select ${reference}, ${refundSurplus.toString()}::bigint, 'nothing is left to pay for it', ${actor}, ${at}, ${at} where ${refundSurplus.toString()}::bigint > 0)
    insert into held_payments (payment_reference, invoice_number, kind, detail, at)
    select ${reference}, ${bill?.invoice.number ?? null}, ${hold?.kind ?? null}, ${hold?.detail ?? null}, ${at} where ${hold !== undefined}
    on conflict (payment_reference, kind) where closed_at is null do update set detail = excluded.detail`);
}
