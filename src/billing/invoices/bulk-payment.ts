import { runTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import type { Billing, Caller } from '../context.ts';
import { sum } from '../payments/decide.ts';
import {
  beginAttempt,
  recordingAttempt,
  requireAllowedReturn,
  type StartedPayment,
} from '../payments/payment-attempt.ts';
import { bulkOrderReference } from '../payments/payment-owner.ts';
import { cancelUnstarted } from './cancel-unstarted.ts';
import { type Initiator, type Invoice, isPayable } from './invoice.ts';
import { heldAmong, insertInvoice, lockInvoices } from './invoice-store.ts';
import { allocateNumber, dueDate } from './issue.ts';
import { lineTexts } from './line-texts.ts';

export type BulkInput = {
  readonly customerUrl: string;
  /** The numbers of the invoices, separated by spaces. */
  readonly description: string;
  readonly amount: Cents;
  readonly referenceNumber: string | null;
};

const MAX_INVOICES = 100;

/** POST bulk_payment: one payment for several invoices of the caller. */
export function payInBulk(
  billing: Billing,
  caller: Caller,
  input: BulkInput,
): Promise<Outcome<StartedPayment>> {
  const { database, policy } = billing;
  const { customerUrl, amount, referenceNumber } = input;
  const prepare = async () => {
    requireAllowedReturn(billing, customerUrl);
    const numbers = readNumbers(input.description);
    const number = await runTransaction(database.writes, caller.now, (db) =>
      issueBulk(db, policy, caller, numbers, amount),
    );
    const attempt = await cancelUnstarted(billing, caller, number, () =>
      beginAttempt(
        billing,
        { number, amount },
        { customerUrl, referenceNumber, orderReference: bulkOrderReference(number, numbers) },
      ),
    );
    return { number, attempt };
  };
  return runOperation(database, recordingAttempt(prepare, customerUrl, caller), caller);
}

/** The numbers that a description lists. */
export function readNumbers(description: string): number[] {
  const words = description.trim().split(/\s+/);
  const wrong = words.find((word) => !/^\d{1,15}$/.test(word));
  if (wrong !== undefined) refuse('notInvoiceNumber', { at: ['description'], text: wrong });
  const numbers = words.map(Number);
  if (new Set(numbers).size < numbers.length) refuse('invoiceTwice', { at: ['description'] });
  if (numbers.length > MAX_INVOICES) refuse('tooManyInvoices', { at: ['description'], most: MAX_INVOICES });
  return numbers;
}

/** The invoices to pay: all of the caller, none a bulk invoice itself, all payable, and together over the amount. */
export function requirePayableParts(
  invoices: readonly Invoice[],
  {
    numbers,
    initiator,
    amount,
  }: { readonly numbers: readonly number[]; readonly initiator: Initiator; readonly amount: Cents },
): readonly Invoice[] {
  const own = invoices.filter((invoice) => invoice.initiator === initiator && invoice.kind !== 'bulk');
  const missing = numbers.filter((number) => !own.some((invoice) => invoice.number === number));
  if (missing.length > 0) refuse('bulkPartMissing', { at: ['description'], numbers: missing.join(', ') });
  const unpayable = own.find((invoice) => !isPayable(invoice));
  if (unpayable)
    refuse('bulkPartUnpayable', { at: ['description'], number: unpayable.number, status: unpayable.status });
  const total = sum(own.map((invoice) => invoice.amount));
  if (total !== amount) refuse('sumDiffers', { at: ['amount'], total: toDecimal(total) });
  return own;
}

async function issueBulk(
  db: Sql,
  policy: Policy,
  { initiator, now }: Caller,
  numbers: readonly number[],
  amount: Cents,
): Promise<number> {
  const own = requirePayableParts(await lockInvoices(db, numbers), { numbers, initiator, amount });
  const [held] = await heldAmong(db, numbers);
  if (held !== undefined) refuse('bulkPartHeld', { at: ['description'], number: held });
  const number = await allocateNumber(db, 'deposit', initiator, { policy, now });
  const net = sum(own.map((invoice) => invoice.net));
  await insertInvoice(db, {
    number,
    initiator,
    net,
    vat: amount - net,
    kind: 'bulk',
    currency: policy.currency,
    vatPercent: policy.billing.vatPercent,
    description: numbers.join(' '),
    issuedAt: now,
    actor: initiator,
    dueDate: dueDate(policy, now),
    lines: own.map(lineOf),
  });
  await db.run(
    sql`insert into bulk_items (bulk_number, invoice_number) select ${number}, unnest(${[...numbers]}::bigint[])`,
  );
  return number;
}

const lineOf = ({ number, net }: Invoice) => ({
  description: lineTexts.invoice(number),
  quantity: 1,
  net,
});
