import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Cents } from '../../platform/money.ts';
import { messageKinds } from './texts.ts';

const TYPE = 'low_balance';
const [BEFORE = '', AFTER = ''] = messageKinds[TYPE].text.split('{threshold} {currency}');

/**
 * Part of a persisting statement, beginning with a comma, behind a charge: whoever's balance it took below the threshold
 * that he has set is told, once for each time.
 */
export function tellOfLowBalance(sql: Sql): Fragment {
  return sql`, warned as (${warning(sql)})`;
}

/** The same as a statement of its own, inside the transaction that took the money. */
export async function warnOfLowBalance(
  sql: Sql,
  { registrarId, total, at }: { readonly registrarId: number; readonly total: Cents; readonly at: Date },
): Promise<void> {
  await sql`
    with paid as (
      select registrar_id, currency, balance, ${total.toString()}::bigint as total, ${at}::timestamptz as moved_at
      from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar')
    ${warning(sql)}`;
}

const warning = (sql: Sql): Fragment => sql`
  insert into poll_messages (registrar_id, type, text, created_at)
  select r.id, ${TYPE}, ${BEFORE} || to_char(r.low_balance / 100.0, 'FM999999999999990.00') || ' ' || paid.currency || ${AFTER}, paid.moved_at
  from paid join registrars r on r.id = paid.registrar_id
  where paid.balance < r.low_balance and paid.balance + paid.total >= r.low_balance`;
