import type { Sql } from '../platform/sql/executor.ts';
import { json, sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';

/** Accounts of the registry itself, one of each per currency. Their balance is the sum of their entries. */
export const sharedAccounts = [
  'opening',
  'payments',
  'revenue',
  'corrections',
  'sales',
  'vat',
  'surplus',
] as const;
export type SharedAccount = (typeof sharedAccounts)[number];

/** The data of an entry besides accounts and amount. */
export type EntryNote = {
  readonly operation: string;
  readonly description: string;
  readonly actor: string;
  readonly at: Date;
  readonly reason?: string | undefined;
  readonly paymentReference?: string | undefined;
  readonly invoiceNumber?: number | undefined;
};
export type Credit = EntryNote & {
  readonly registrar: string;
  readonly from: SharedAccount;
  readonly amount: Cents;
};

/**
 * Moves money from a shared account to a registrar's; a debt is repaid first. Returns the new balance, or undefined if
 * there is no such registrar.
 */
export async function creditRegistrar(db: Sql, credit: Credit): Promise<Cents | undefined> {
  const { registrar, from, amount } = credit;
  const row = await db.maybe(sql<{ balance: string }>`
    select credit_registrar(r.id, s.id, ${amount.toString()}::bigint, jsonb_populate_record(null::ledger_entries, ${json(entryColumns(credit))}))::text as balance
    from registrars r
    join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
    join ledger_accounts s on s.registrar_id is null and s.kind = ${from} and s.currency = a.currency
    where r.code = ${registrar}`);
  return row && BigInt(row.balance);
}

export const entryColumns = (note: EntryNote) => ({
  operation: note.operation,
  description: note.description,
  actor: note.actor,
  at: note.at.toISOString(),
  reason: note.reason ?? null,
  payment_reference: note.paymentReference ?? null,
  invoice_number: note.invoiceNumber ?? null,
});

export type Move = EntryNote & {
  readonly registrarId: number;
  /** If negative, it is taken back: what the balance does not cover becomes a debt. */
  readonly amount: Cents;
  readonly by: SharedAccount;
};

/** Returns the balance after the move. */
export async function moveRegistrarMoney(db: Sql, move: Move): Promise<Cents> {
  const { registrarId, amount, by } = move;
  const entry = sql`jsonb_populate_record(null::ledger_entries, ${json(entryColumns(move))})`;
  const cents = (amount > 0n ? amount : -amount).toString();
  const moved =
    amount > 0n
      ? sql`credit_registrar(a.registrar_id, s.id, ${cents}::bigint, ${entry})`
      : sql`reverse_credit(a.registrar_id, s.id, ${cents}::bigint, ${entry})`;
  const row = await db.one(sql<{ balance: string }>`
    select ${moved}::text as balance from ledger_accounts a
    join ledger_accounts s on s.registrar_id is null and s.kind = ${by} and s.currency = a.currency
    where a.registrar_id = ${registrarId} and a.kind = 'registrar'`);
  return BigInt(row.balance);
}
