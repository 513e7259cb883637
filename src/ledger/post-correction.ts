import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';
import { creditRegistrar } from './credit-registrar.ts';

export type Correction = {
  readonly registrar: string;
  /** Positive in favour of the registrar, negative against it. */
  readonly amount: Cents;
  readonly reason: string;
  /** What the registrar is told; the reason unless given. */
  readonly told?: string | undefined;
  readonly actor: string;
  readonly at: Date;
};

export const describeCorrection = (told: string): string => `Correction: ${told}`;

/**
 * Corrects by a new entry with a reason: existing entries are never changed. Undefined if the balance does not cover
 * it, or there is no such registrar.
 */
export async function postCorrection(db: Sql, correction: Correction): Promise<Cents | undefined> {
  const { registrar, amount, reason, told, actor, at } = correction;
  const description = describeCorrection(told ?? reason);
  if (amount > 0n)
    return creditRegistrar(db, {
      registrar,
      amount,
      reason,
      actor,
      at,
      description,
      from: 'corrections',
      operation: 'correction',
    });
  const row = await db.maybe(sql<{ balance: string }>`
    with moved as (
      update ledger_accounts a set balance = a.balance + ${amount.toString()}::bigint, balance_changed_at = entry_time(a.balance_changed_at, ${at})
      from registrars r
      where r.code = ${registrar} and a.registrar_id = r.id and a.kind = 'registrar' and a.balance + ${amount.toString()}::bigint >= 0
      returning a.id, a.registrar_id, a.currency, a.balance, a.balance_changed_at)
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, reason)
    select moved.balance_changed_at, moved.id, c.id, abs(${amount.toString()}::bigint), 'correction', ${description}, moved.registrar_id, moved.balance, ${actor}, ${reason}
    from moved join ledger_accounts c on c.kind = 'corrections' and c.currency = moved.currency and c.registrar_id is null
    returning balance_after::text as balance`);
  return row && BigInt(row.balance);
}
