import { type EntryNote, entryColumns, type SharedAccount } from '../../ledger/credit-registrar.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { netPart } from '../invoices/vat.ts';
import type { Share } from './decide.ts';

/** An amount credited to a registrar's account, or debited where it is negative. */
export type RegistrarMove = EntryNote & { readonly registrarId: number; readonly amount: Cents };
/** Implemented by the registry: billing does not know the other effects of a registrar's balance. */
export type MoveRegistrarMoney = (db: Sql, move: RegistrarMove) => Promise<void>;

export type Booking = {
  readonly reference: string;
  readonly currency: string;
  readonly before: { readonly surplus: Cents; readonly shares: readonly Share[] };
  readonly after: { readonly surplus: Cents; readonly shares: readonly Share[] };
  readonly invoices: readonly Invoice[];
  readonly actor: string;
  readonly at: Date;
};

type Move = {
  readonly account: SharedAccount;
  readonly amount: Cents;
  readonly invoiceNumber: number | undefined;
  readonly description: string;
};

/** Posts the difference between the amounts booked before and now; VAT separately. */
export async function book(db: Sql, booking: Booking, moveRegistrarMoney: MoveRegistrarMoney): Promise<void> {
  const { reference, before, after, invoices, actor, at } = booking;
  const moves: Move[] = [];
  const registrarMoves: RegistrarMove[] = [];
  for (const { invoiceNumber, booked } of after.shares) {
    const invoice = invoices.find(({ number }) => number === invoiceNumber);
    if (!invoice) throw new Error(`invoice ${invoiceNumber} was not loaded with its payment`);
    const was = before.shares.find((share) => share.invoiceNumber === invoiceNumber)?.booked ?? 0n;
    const net = netPart(booked, invoice) - netPart(was, invoice);
    const description = `Invoice ${invoiceNumber}`;
    moves.push({ account: 'vat', amount: booked - was - net, invoiceNumber, description });
    if (invoice.registrarId === null)
      moves.push({ account: 'sales', amount: net, invoiceNumber, description });
    else if (net !== 0n)
      registrarMoves.push({
        registrarId: invoice.registrarId,
        amount: net,
        invoiceNumber,
        paymentReference: reference,
        actor,
        at,
        operation: net > 0n ? 'payment' : 'reversal',
        description: net > 0n ? `Top-up by invoice ${invoiceNumber}` : `Reversal of invoice ${invoiceNumber}`,
      });
  }
  moves.push({
    account: 'surplus',
    amount: after.surplus - before.surplus,
    invoiceNumber: undefined,
    description: `Payment ${reference}`,
  });
  await postShared(
    db,
    moves.filter(({ amount }) => amount !== 0n),
    booking,
  );
  // Accounts are locked in one order, against deadlocks with other transfers.
  for (const move of registrarMoves.toSorted((a, b) => a.registrarId - b.registrarId))
    await moveRegistrarMoney(db, move);
}

async function postShared(
  db: Sql,
  moves: readonly Move[],
  { reference, currency, actor, at }: Booking,
): Promise<void> {
  if (moves.length === 0) return;
  const entries = moves.map(({ account, amount, description, invoiceNumber }) => ({
    ...entryColumns({
      description,
      invoiceNumber,
      actor,
      at,
      paymentReference: reference,
      operation: amount > 0n ? 'payment' : 'reversal',
    }),
    account,
    amount: amount.toString(),
  }));
  await db.run(sql`
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor, payment_reference, invoice_number)
    select m.at, case when m.amount > 0 then p.id else s.id end, case when m.amount > 0 then s.id else p.id end,
      abs(m.amount), m.operation, m.description, m.actor, m.payment_reference, m.invoice_number
    from jsonb_to_recordset(${json(entries)}) as m(account text, at timestamptz, amount bigint, operation text, description text, actor text, payment_reference text, invoice_number bigint)
    join ledger_accounts p on p.kind = 'payments' and p.registrar_id is null and p.currency = ${currency}
    join ledger_accounts s on s.kind = m.account and s.registrar_id is null and s.currency = ${currency}`);
}
