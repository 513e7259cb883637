import { runTransaction } from '../../operations/in-transaction.ts';
import { Refused } from '../../operations/refusal.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { lockInvoice } from '../invoices/invoice-store.ts';
import { findPayer, insertTopUp } from '../invoices/issue-top-up.ts';
import { splitGross } from '../invoices/vat.ts';
import { applyPaymentUpdate, type Effects } from '../payments/apply-payment-update.ts';
import { type AuditActor, payExternally } from '../payments/external-payment.ts';
import {
  type BankStatus,
  findKnown,
  type KnownEntry,
  setEntryStatus,
  storeEntry,
} from './bank-entry-store.ts';
import {
  type BankLine,
  clashingKey,
  type KeyedLine,
  UnreadableStatement,
  withKeys,
  withUnmarkedReturns,
} from './bank-line.ts';
import { fitBatch } from './fit-batch.ts';
import { findPurpose, type Purpose } from './match.ts';
import type { UnmatchedReason } from './match-rules.ts';

export type BankDependencies = Effects & {
  readonly pool: Pool;
  readonly policy: Policy;
  /** Our own accounts. */
  readonly accounts: readonly string[];
  /** Prefixes of descriptions of payments that never come from customers. */
  readonly dismissedPrefixes: readonly string[];
};
export type Imported = {
  readonly booked: number;
  readonly unmatched: number;
  readonly aside: number;
  /** Imported before. */
  readonly known: number;
  /** Outgoing payments, which are not stored. */
  readonly passedOver: number;
  readonly pending: number;
};
type Outcome = 'booked' | 'unmatched' | 'aside' | 'known';
type Delivered = { readonly source: string; readonly now: Date };

const ACTOR = 'bank';

/**
 * Imports a bank's statement or notification. Each payment is a transaction of its own, so an import that crashed can
 * be repeated; lines imported before change nothing.
 */
export async function importStatement(
  parts: BankDependencies,
  bytes: Uint8Array,
  now: Date,
): Promise<Imported> {
  // Imported lazily: the parser would slow down the start of every command that reads no statement.
  const { readCamt } = await import('./camt.ts');
  const { message, lines: all, pending } = readCamt(bytes);
  const foreign = all.find(({ account }) => !parts.accounts.includes(account));
  if (foreign)
    throw new UnreadableStatement(`It tells of the account ${foreign.account}, which is not ours.`);
  const marked = await withUnmarkedReturns(parts.pool, withKeys(all));
  const ours = marked.filter(({ line }) => line.direction === 'credit' || line.isReturn);
  const known = new Set(
    (
      await findKnown(
        parts.pool,
        ours.flatMap(({ line: { account }, keys }) => keys.map((key) => ({ account, key }))),
      )
    ).map((found) => paymentKeyOf(found, found)),
  );
  const counts = { booked: 0, unmatched: 0, aside: 0, known: 0 };
  for (const keyed of ours) {
    const { line, keys } = keyed;
    const outcome = keys.some((key) => known.has(paymentKeyOf({ ...line, key }, line)))
      ? 'known'
      : await runTransaction(parts.pool, now, (db) => takeIn(db, keyed, parts, { source: message, now }));
    counts[outcome] += 1;
  }
  return { ...counts, passedOver: all.length - ours.length, pending };
}

/** Identifies the payment itself, not only its key. */
const paymentKeyOf = (
  { account, key }: { readonly account: string; readonly key: string },
  { direction, currency, amount }: Pick<BankLine, 'direction' | 'currency'> & { amount: bigint | string },
): string => JSON.stringify([account, key, direction, currency, String(amount)]);

async function takeIn(
  db: Sql,
  { line, keys, repeats }: KeyedLine,
  parts: BankDependencies,
  delivered: Delivered,
): Promise<Outcome> {
  // Serialized per account: a batch and its items may arrive in two documents at the same time.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended('bank account ' || ${line.account}, 0))`);
  const { account } = line;
  const taken = await findKnown(
    db,
    [...keys, ...keys.map((key) => clashingKey(key, line))].map((key) => ({ account, key })),
  );
  if (taken.some((known) => isSame(known, line))) return 'known';
  const [clash] = taken;
  const batch = await fitBatch(db, line, { actor: ACTOR, now: delivered.now });
  if (batch === 'known') return 'known';
  const id = await storeEntry(db, line, clash ? [clashingKey(clash.key, line)] : keys, delivered);
  // A bank may take a payment back under the reference of the payment itself.
  const refused = (clash || repeats) && !line.isReturn ? 'reference used twice' : batch;
  return settle(db, { ...line, id }, refused, parts, delivered.now);
}

const isSame = (known: KnownEntry, { direction, currency, amount }: BankLine): boolean =>
  known.direction === direction && known.currency === currency && BigInt(known.amount) === amount;

async function settle(
  db: Sql,
  line: BankLine & { readonly id: number },
  refused: UnmatchedReason | undefined,
  parts: BankDependencies,
  now: Date,
): Promise<Outcome> {
  const auditActor = { actor: ACTOR, now, from: null };
  const purpose = refused ?? (await findPurpose(db, line, parts.policy.currency));
  if (typeof purpose !== 'string') {
    const booked = await bookLine(db, line, purpose, parts, auditActor).catch(noNumberLeft);
    if (booked !== undefined) return 'booked';
  }
  const unmatchedReason = typeof purpose === 'string' ? purpose : 'no number';
  const beginning = parts.dismissedPrefixes.find((text) => line.description.startsWith(text));
  const to = unmatchedReason === 'reference missing' && beginning !== undefined ? 'aside' : 'unmatched';
  const reason = to === 'aside' ? `begins with ${beginning}` : undefined;
  await setEntryStatus(db, line.id, { ...auditActor, to, unmatchedReason, reason });
  return to;
}

/** The invoice number is taken before anything of the invoice is written, so there is nothing to roll back. */
function noNumberLeft(error: unknown): undefined {
  if (!(error instanceof Refused) || error.refusals[0].name !== 'noInvoiceNumber') throw error;
}

export type Booked = Pick<BankLine, 'amount'> & { readonly id: number };
type Dependencies = Effects & { readonly policy: Policy };

/**
 * Books an incoming payment: its invoice becomes paid with all effects, and a registrar that paid without an invoice
 * gets one now. Runs in the transaction that stores the line.
 */
export async function bookLine(
  db: Sql,
  line: Booked,
  purpose: Purpose,
  parts: Dependencies,
  auditActor: AuditActor & { readonly from: BankStatus | null },
): Promise<number> {
  const invoice =
    'invoice' in purpose ? purpose.invoice : await issueFor(db, line, purpose, parts, auditActor);
  const paymentReference = `bank-${line.id}`;
  await applyPaymentUpdate(db, await payExternally(db, auditActor, invoice, paymentReference), parts);
  const change = { ...auditActor, to: 'booked', invoiceNumber: invoice.number, paymentReference } as const;
  if (!(await setEntryStatus(db, line.id, change)))
    throw new Error(`bank entry ${line.id} was booked meanwhile`);
  return invoice.number;
}

/** The gross amount is exactly what was paid; the account is credited with its net part. */
async function issueFor(
  db: Sql,
  { amount }: Booked,
  { registrarId }: { readonly registrarId: number },
  { policy }: Dependencies,
  { actor, now }: AuditActor,
) {
  const number = await insertTopUp(db, policy, {
    registrar: await findPayer(db, registrarId),
    automatic: false,
    actor,
    now,
    ...splitGross(amount, policy.billing.vatPercent),
  });
  const invoice = await lockInvoice(db, number);
  if (!invoice) throw new Error(`invoice ${number} is gone`);
  return invoice;
}
