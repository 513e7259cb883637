import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import { type Part, part, parts } from '../platform/sql/with.ts';
import type { Cents } from '../platform/values/money.ts';

/** Balance and debt of a registrar, in cents as text to avoid loss of precision in JSON. */
export type FundsRow = { readonly balance: string; readonly debt: string };
export type Funds = { readonly balance: Cents; readonly debt: Cents };

/** A JSON value {balance, debt}: a part of a loading statement. */
export function fundsOf(registrarId: number | Fragment): Fragment {
  return sql`(
    select json_build_object(
      'balance', (max(balance) filter (where kind = 'registrar'))::text, 'debt', (max(balance) filter (where kind = 'debt'))::text)
    from ledger_accounts where registrar_id = ${registrarId})`;
}

export const readFunds = ({ balance, debt }: FundsRow): Funds => ({
  balance: BigInt(balance),
  debt: BigInt(debt),
});

/** Whether a price can be paid now: spending is blocked while there is a debt. */
export const canPay = ({ balance, debt }: Funds, price: Cents): boolean => debt === 0n && balance >= price;

export async function balanceOf(db: Sql, registrarId: number): Promise<Cents> {
  const row = await db.one(sql<{ balance: string }>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar'`);
  return BigInt(row.balance);
}

export type Charge = {
  readonly amount: Cents;
  readonly operation: 'create' | 'renew';
  readonly description: string;
};

/**
 * Parts of a persisting statement: moves the price of each row (history_id, registrar_id, amount, description, actor,
 * request_id, at) of the part called `priced` from its registrar's account to revenue. Accounts are locked last, each
 * once and in one order; a price that is not covered is missing in `charged`, and the caller must then roll back the
 * whole statement.
 */
export function chargeFor(
  operation: Charge['operation'],
): Part<'due' | 'held' | 'paid' | 'charged', 'priced'> {
  return parts(
    part(
      'due',
      ['priced'],
      sql`select registrar_id, sum(amount)::bigint as total, max(at) as at from priced group by registrar_id`,
      { isMaterialized: true },
    ),
    part(
      'held',
      ['due'],
      sql`
      select a.id, due.total, due.at from due join ledger_accounts a on a.registrar_id = due.registrar_id and a.kind = 'registrar'
      order by a.id for update of a`,
      { isMaterialized: true },
    ),
    part(
      'paid',
      ['held'],
      sql`
      update ledger_accounts a set balance = a.balance - held.total, balance_changed_at = entry_time(a.balance_changed_at, held.at)
      from held
      where a.id = held.id and a.balance >= held.total
        and not exists (select from ledger_accounts d where d.registrar_id = a.registrar_id and d.kind = 'debt' and d.balance > 0)
      returning a.id, a.registrar_id, a.currency, a.balance, a.balance_changed_at, held.total`,
    ),
    part(
      'charged',
      ['paid', 'priced'],
      sql`
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor, request_id)
      select paid.balance_changed_at, paid.id, revenue.id, priced.amount, ${operation}, priced.description, paid.registrar_id,
        paid.balance + paid.total - sum(priced.amount) over (partition by paid.id order by priced.history_id), priced.history_id, priced.actor, priced.request_id
      from paid
      join ledger_accounts revenue on revenue.kind = 'revenue' and revenue.currency = paid.currency
      join priced on priced.registrar_id = paid.registrar_id
      returning 1`,
    ),
  );
}
