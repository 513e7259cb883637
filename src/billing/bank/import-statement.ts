import { runTransaction } from '../../operations/in-transaction.ts';
import { Refused } from '../../operations/refusal.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { lockInvoice } from '../invoices/invoice-store.ts';
import { findPayer, insertTopUp } from '../invoices/top-up.ts';
import { splitGross } from '../invoices/vat.ts';
import { applyPaymentUpdate, type Effects } from '../payments/apply-payment-update.ts';
import { type AuditActor, payExternally } from '../payments/external-payment.ts';
import { type BankStatus, findKnown, type Known, keepLine, setEntryStatus } from './bank-entry-store.ts';
import {
  type BankLine,
  clashingName,
  type NamedLine,
  UnreadableStatement,
  withNames,
  withUnmarkedReturns,
} from './bank-line.ts';
import { fitBatch } from './fit-batch.ts';
import { findPurpose, type Purpose, type Why } from './match.ts';

export type BankParts = Effects & {
  readonly pool: Pool;
  readonly policy: Policy;
  /** Those that are ours. */
  readonly accounts: readonly string[];
  /** How descriptions of payments begin that no customer makes. */
  readonly setAside: readonly string[];
};
export type Imported = {
  readonly booked: number;
  readonly unmatched: number;
  readonly aside: number;
  /** Taken in before. */
  readonly known: number;
  /** What we paid to others is not ours to keep here. */
  readonly passedOver: number;
  readonly pending: number;
};
type Outcome = 'booked' | 'unmatched' | 'aside' | 'known';
type Delivered = { readonly source: string; readonly now: Date };

const ACTOR = 'bank';

/**
 * Takes in a bank's statement or notification. Each payment is a transaction of its own: whoever dies in the middle
 * leaves it done or not done, and the next import goes on. What was taken in before changes nothing.
 */
export async function importStatement(parts: BankParts, bytes: Uint8Array, now: Date): Promise<Imported> {
  // Loaded by the first statement: the parser would slow the start of every command that reads none.
  const { readCamt } = await import('./camt.ts');
  const { message, lines: all, pending } = readCamt(bytes);
  const foreign = all.find(({ account }) => !parts.accounts.includes(account));
  if (foreign)
    throw new UnreadableStatement(`It tells of the account ${foreign.account}, which is not ours.`);
  const marked = await withUnmarkedReturns(parts.pool, withNames(all));
  const ours = marked.filter(({ line }) => line.direction === 'credit' || line.returns);
  const known = new Set(
    (
      await findKnown(
        parts.pool,
        ours.flatMap(({ line: { account }, names }) => names.map((name) => ({ account, name }))),
      )
    ).map((found) => keyOf(found, found)),
  );
  const counts = { booked: 0, unmatched: 0, aside: 0, known: 0 };
  for (const named of ours) {
    const { line, names } = named;
    const outcome = names.some((name) => known.has(keyOf({ ...line, name }, line)))
      ? 'known'
      : await runTransaction(parts.pool, now, (db) => takeIn(db, named, parts, { source: message, now }));
    counts[outcome] += 1;
  }
  return { ...counts, passedOver: all.length - ours.length, pending };
}

/** The same payment, not only the same name. */
const keyOf = (
  { account, name }: { readonly account: string; readonly name: string },
  { direction, currency, amount }: Pick<BankLine, 'direction' | 'currency'> & { amount: bigint | string },
): string => JSON.stringify([account, name, direction, currency, String(amount)]);

async function takeIn(
  db: Sql,
  { line, names, repeats }: NamedLine,
  parts: BankParts,
  delivered: Delivered,
): Promise<Outcome> {
  // One payment of an account after the other: a batch and its parts may come in two documents at once.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('bank account ' || ${line.account}, 0))`);
  const { account } = line;
  const taken = await findKnown(
    db,
    [...names, ...names.map((name) => clashingName(name, line))].map((name) => ({ account, name })),
  );
  if (taken.some((known) => isSame(known, line))) return 'known';
  const [clash] = taken;
  const batch = await fitBatch(db, line, { actor: ACTOR, now: delivered.now });
  if (batch === 'known') return 'known';
  const id = await keepLine(db, line, clash ? [clashingName(clash.name, line)] : names, delivered);
  // A bank may take a payment back under the reference of the payment itself.
  const refused = (clash || repeats) && !line.returns ? 'reference used twice' : batch;
  return settle(db, { ...line, id }, refused, parts, delivered.now);
}

const isSame = (known: Known, { direction, currency, amount }: BankLine): boolean =>
  known.direction === direction && known.currency === currency && BigInt(known.amount) === amount;

async function settle(
  db: Sql,
  line: BankLine & { readonly id: number },
  refused: Why | undefined,
  parts: BankParts,
  now: Date,
): Promise<Outcome> {
  const teller = { actor: ACTOR, now, from: null };
  const purpose = refused ?? (await findPurpose(db, line, parts.policy.currency));
  if (typeof purpose !== 'string') {
    const booked = await bookLine(db, line, purpose, parts, teller).catch(noNumberLeft);
    if (booked !== undefined) return 'booked';
  }
  const why = typeof purpose === 'string' ? purpose : 'no number';
  const beginning = parts.setAside.find((text) => line.description.startsWith(text));
  const to = why === 'reference missing' && beginning !== undefined ? 'aside' : 'unmatched';
  const reason = to === 'aside' ? `begins with ${beginning}` : undefined;
  await setEntryStatus(db, line.id, { ...teller, to, why, reason });
  return to;
}

/** Nothing of an invoice was written yet when there was no number for it. */
function noNumberLeft(error: unknown): undefined {
  if (!(error instanceof Refused) || error.refusals[0].name !== 'noInvoiceNumber') throw error;
}

export type Booked = Pick<BankLine, 'amount'> & { readonly id: number };
type Dependencies = Effects & { readonly policy: Policy };

/**
 * Books a payment that came in for what it is meant: the invoice becomes paid with everything that follows, and a
 * registrar who paid without one gets it now. Inside the transaction that keeps the line.
 */
export async function bookLine(
  db: Sql,
  line: Booked,
  purpose: Purpose,
  parts: Dependencies,
  teller: AuditActor & { readonly from: BankStatus | null },
): Promise<number> {
  const invoice = 'invoice' in purpose ? purpose.invoice : await issueFor(db, line, purpose, parts, teller);
  const paymentReference = `bank-${line.id}`;
  await applyPaymentUpdate(db, await payExternally(db, teller, invoice, paymentReference), parts);
  const becoming = { ...teller, to: 'booked', invoiceNumber: invoice.number, paymentReference } as const;
  if (!(await setEntryStatus(db, line.id, becoming)))
    throw new Error(`bank entry ${line.id} was booked meanwhile`);
  return invoice.number;
}

/** Over exactly what was paid: the net part of it is what the account gains. */
async function issueFor(
  db: Sql,
  { amount }: Booked,
  { registrarId }: { readonly registrarId: number },
  { policy }: Dependencies,
  { actor, now }: AuditActor,
) {
  const number = await insertTopUp(db, policy, {
    ...{ registrar: await findPayer(db, registrarId), automatic: false, actor, now },
    ...splitGross(amount, policy.billing.vatPercent),
  });
  const invoice = await lockInvoice(db, number);
  if (!invoice) throw new Error(`invoice ${number} is gone`);
  return invoice;
}
