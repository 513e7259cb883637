import type { Fragment, Sql } from '../../platform/database/database.ts';
import { messageKinds } from './texts.ts';

const TYPE = 'low_balance';
const [BEFORE = '', AFTER = ''] = messageKinds[TYPE].text.split('{threshold} {currency}');

/**
 * Part of a persisting statement, beginning with a comma, behind a charge: whoever's balance it took below the threshold
 * that he has set is told, once for each time.
 */
export function tellOfLowBalance(sql: Sql): Fragment {
  return sql`, warned as (
    insert into poll_messages (registrar_id, type, text, created_at)
    select r.id, ${TYPE}, ${BEFORE} || to_char(r.low_balance / 100.0, 'FM999999999999990.00') || ' ' || paid.currency || ${AFTER}, paid.moved_at
    from paid join registrars r on r.id = paid.registrar_id
    where paid.balance < r.low_balance and paid.balance + paid.total >= r.low_balance)`;
}
