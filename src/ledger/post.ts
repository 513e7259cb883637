import type { Sql } from '../platform/database/database.ts';
import type { Cents } from '../platform/money.ts';

/** Accounts of the registry itself, one of each per currency. Their balance is the sum of their entries. */
export const sharedAccounts = ['opening', 'payments', 'revenue', 'corrections'] as const;
export type SharedAccount = (typeof sharedAccounts)[number];
export type Credit = {
  readonly registrar: string;
  readonly from: SharedAccount;
  readonly amount: Cents;
  readonly operation: string;
  readonly description: string;
  readonly actor: string;
  readonly at: Date;
};

/** Moves money from a shared account to a registrar's; the new balance, or undefined when there is no such registrar. */
export async function creditRegistrar(sql: Sql, credit: Credit): Promise<Cents | undefined> {
  const { registrar, from, amount, operation, description, actor, at } = credit;
  const [row] = await sql<{ balance: string }[]>`
    with credited as (
      update ledger_accounts a set balance = a.balance + ${amount.toString()}::bigint, moved_at = greatest(a.moved_at, ${at})
      from registrars r where r.code = ${registrar} and a.registrar_id = r.id and a.kind = 'registrar'
      returning a.id, a.registrar_id, a.currency, a.balance, a.moved_at),
    source as (
      select s.id from ledger_accounts s join credited on s.currency = credited.currency
      where s.kind = ${from} and s.registrar_id is null)
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor)
    select credited.moved_at, source.id, credited.id, ${amount.toString()}::bigint, ${operation}, ${description}, credited.registrar_id, credited.balance, ${actor}
    from credited cross join source
    returning balance_after::text as balance`;
  return row && BigInt(row.balance);
}
