import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { part } from '../../platform/sql/with.ts';
import type { Cents } from '../../platform/values/money.ts';
import { messageKinds } from './send-messages.ts';

const TYPE = 'low_balance';
const [BEFORE = '', AFTER = ''] = messageKinds[TYPE].text.split('{threshold} {currency}');

/** The same as a separate statement, inside the transaction that took the money. */
export async function warnOfLowBalance(
  db: Sql,
  { registrarId, total, at }: { readonly registrarId: number; readonly total: Cents; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    with paid as (
      select registrar_id, currency, balance, ${total.toString()}::bigint as total, ${at}::timestamptz as balance_changed_at
      from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar')
    ${warning(sql`null`)}`);
}

const warning = (idempotencyKey: Fragment) => sql`
  insert into poll_messages (registrar_id, type, text, created_at, idempotency_key)
  select r.id, ${TYPE}, ${BEFORE} || to_char(r.low_balance / 100.0, 'FM999999999999990.00') || ' ' || paid.currency || ${AFTER}, paid.balance_changed_at, ${idempotencyKey}
  from paid join registrars r on r.id = paid.registrar_id
  where paid.balance < r.low_balance and paid.balance + paid.total >= r.low_balance`;

/** Part of a persisting statement, after a charge: notifies each registrar whose balance fell below its threshold, once per crossing. */
export const lowBalanceNotice = part(
  'warned',
  ['paid', 'priced'],
  // Of several requests that share a statement none caused it alone.
  warning(sql`(
    select case when count(distinct priced.request_id) = 1 then max(priced.idempotency_key) end from priced where priced.registrar_id = r.id)`),
);
