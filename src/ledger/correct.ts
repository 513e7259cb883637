import type { Sql } from '../platform/database/database.ts';
import type { Cents } from '../platform/money.ts';

export type Correction = {
  readonly registrar: string;
  /** Above zero in favour of the registrar, below zero against him. */
  readonly amount: Cents;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
};

/** A new entry with a reason; nothing that stands in the ledger is ever changed. Undefined when the balance does not cover it, or there is no such registrar. */
export async function correctBalance(
  sql: Sql,
  { registrar, amount, reason, actor, at }: Correction,
): Promise<Cents | undefined> {
  const [row] = await sql<{ balance: string }[]>`
    with moved as (
      update ledger_accounts a set balance = a.balance + ${amount.toString()}::bigint, moved_at = greatest(a.moved_at, ${at})
      from registrars r
      where r.code = ${registrar} and a.registrar_id = r.id and a.kind = 'registrar' and a.balance + ${amount.toString()}::bigint >= 0
      returning a.id, a.registrar_id, a.currency, a.balance, a.moved_at)
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, reason)
    select moved.moved_at, case when ${amount.toString()}::bigint > 0 then c.id else moved.id end, case when ${amount.toString()}::bigint > 0 then moved.id else c.id end,
      abs(${amount.toString()}::bigint), 'correction', ${`Correction: ${reason}`}, moved.registrar_id, moved.balance, ${actor}, ${reason}
    from moved join ledger_accounts c on c.kind = 'corrections' and c.currency = moved.currency
    returning balance_after::text as balance`;
  return row && BigInt(row.balance);
}
