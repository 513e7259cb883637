import { type Fragment, sql } from '../../platform/sql/statement.ts';

export type PricedOperation = 'create' | 'renew';

/** The price in cents as text, or null: a part of a statement. Of the rows valid today the youngest counts. */
export function priceOf(
  zone: string | Fragment,
  operation: PricedOperation,
  months: number | Fragment,
  today: string | Fragment,
): Fragment {
  return sql`(
    select p.amount::text from prices p
    where p.zone = ${zone} and p.operation = ${operation} and p.months = ${months}
      and p.valid_from <= ${today}::date and (p.valid_until is null or p.valid_until > ${today}::date)
    order by p.valid_from desc limit 1)`;
}
