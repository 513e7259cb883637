import type { Refusal } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Context } from '../operation.ts';
import { registryRefusals } from '../registry-refusals.ts';

const { refusal } = registryRefusals<readonly ['agreedPrice']>();

export type PricedOperation = 'create' | 'renew';

/** Part of a statement: the price in cents as text, or null. Of the rows valid today the most recent counts. */
export function priceOf(
  zone: string | Fragment,
  operation: PricedOperation | Fragment,
  months: number | Fragment,
  today: string | Fragment,
): Fragment {
  return sql`(
    select p.amount::text from prices p
    where p.zone = ${zone} and p.operation = ${operation} and p.months = ${months}
      and p.valid_from <= ${today}::date and (p.valid_until is null or p.valid_until > ${today}::date)
    order by p.valid_from desc limit 1)`;
}

export type Quote = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly months: number;
};

/** What operations cost today, in their order; undefined if there is no price for one. */
export async function quotePrices(
  db: Sql,
  quotes: readonly Quote[],
  { now, policy }: Pick<Context, 'now' | 'policy'>,
): Promise<(Cents | undefined)[]> {
  if (quotes.length === 0) return [];
  const rows = await db.rows(sql<{ amount: string | null }>`
    select ${priceOf(sql`asked.zone`, sql`asked.operation`, sql`asked.months`, textOfDay(policy.timeZone, now))} as amount
    from unnest(${quotes.map(({ zone }) => zone)}::text[], ${quotes.map(({ operation }) => operation)}::text[],
      ${quotes.map(({ months }) => months)}::int[]) with ordinality as asked(zone, operation, months, position)
    order by asked.position`);
  return rows.map(({ amount }) => (amount === null ? undefined : BigInt(amount)));
}

/** A client may say which price it agrees to. */
export const checkAgreedPrice = (price: Cents, { agreedPrice }: Pick<Context, 'agreedPrice'>): Refusal[] =>
  agreedPrice === undefined || agreedPrice === price
    ? []
    : [refusal('otherPrice', { price: toDecimal(price), at: ['agreedPrice'] })];
