import type { Fragment, Sql } from '../platform/database/database.ts';
import type { Cents } from '../platform/money.ts';

export type Charge = {
  readonly amount: Cents;
  readonly operation: 'create' | 'renew';
  readonly description: string;
};
type By = {
  readonly registrarId: number;
  readonly actor: string;
  readonly requestId: string;
  readonly now: Date;
};

/**
 * Parts of a persisting statement: moves the price of each row (history_id, amount, description) of the part called
 * \`priced\` from the registrar's account to the revenue. The account is touched last and once; what it does not
 * cover makes \`charged\` empty, and then nothing of the statement may stay.
 */
export function chargeFor(
  sql: Sql,
  total: Cents,
  operation: Charge['operation'],
  { registrarId, actor, requestId, now }: By,
): Fragment {
  return sql`paid as (
      update ledger_accounts a set balance = a.balance - ${total.toString()}::bigint, moved_at = greatest(a.moved_at, ${now})
      from (select count(*) from priced) as after_everything
      where a.registrar_id = ${registrarId} and a.kind = 'registrar' and a.balance >= ${total.toString()}::bigint
        and not exists (select from ledger_accounts d where d.registrar_id = ${registrarId} and d.kind = 'debt' and d.balance > 0)
      returning a.id, a.currency, a.balance, a.moved_at),
    charged as (
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor, request_id)
      select paid.moved_at, paid.id, revenue.id, priced.amount, ${operation}, priced.description, ${registrarId},
        paid.balance + ${total.toString()}::bigint - sum(priced.amount) over (order by priced.history_id), priced.history_id, ${actor}, ${requestId}
      from paid
      join ledger_accounts revenue on revenue.kind = 'revenue' and revenue.currency = paid.currency
      cross join priced
      returning 1)`;
}
