import type { Sql } from '../../platform/sql/executor.ts';
import type { Policy } from '../../policy/policy.ts';
import { lockInvoice } from '../invoices/store.ts';
import { findPayer, insertTopUp } from '../invoices/top-up.ts';
import { splitGross } from '../invoices/vat.ts';
import { applyTold, type Effects } from '../payments/apply.ts';
import { paidElsewhere, type Teller } from '../payments/elsewhere.ts';
import type { BankLine } from './line.ts';
import type { Purpose } from './match.ts';
import { type BankStatus, become } from './store.ts';

export type Booked = Pick<BankLine, 'amount'> & { readonly id: number };
type Parts = Effects & { readonly policy: Policy };

/**
 * Books a payment that came in for what it is meant: the invoice becomes paid with everything that follows, and a
 * registrar who paid without one gets it now. Inside the transaction that keeps the line.
 */
export async function bookLine(
  db: Sql,
  line: Booked,
  purpose: Purpose,
  parts: Parts,
  teller: Teller & { readonly from: BankStatus | null },
): Promise<number> {
  const invoice = 'invoice' in purpose ? purpose.invoice : await issueFor(db, line, purpose, parts, teller);
  const paymentReference = `bank-${line.id}`;
  await applyTold(db, await paidElsewhere(db, teller, invoice, paymentReference), parts);
  const becoming = { ...teller, to: 'booked', invoiceNumber: invoice.number, paymentReference } as const;
  if (!(await become(db, line.id, becoming))) throw new Error(`bank entry ${line.id} was booked meanwhile`);
  return invoice.number;
}

/** Over exactly what was paid: the net part of it is what the account gains. */
async function issueFor(
  db: Sql,
  { amount }: Booked,
  { registrarId }: { readonly registrarId: number },
  { policy }: Parts,
  { actor, now }: Teller,
) {
  const number = await insertTopUp(db, policy, {
    ...{ registrar: await findPayer(db, registrarId), automatic: false, actor, now },
    ...splitGross(amount, policy.billing.vatPercent),
  });
  const invoice = await lockInvoice(db, number);
  if (!invoice) throw new Error(`invoice ${number} is gone`);
  return invoice;
}
