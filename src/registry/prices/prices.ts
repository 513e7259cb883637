import type { Refusal } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Context } from '../operation.ts';
import type { OperatorChange } from '../operator-change.ts';
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

export type NewPrice = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly months: number;
  readonly amount: Cents;
  readonly currency: string;
  readonly validFrom: string;
};
export type PriceRow = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly period: string;
  readonly price: string;
  readonly currency: string;
  readonly validFrom: string;
  readonly validUntil: string | null;
};

/** Sets prices; one that begins on the same day is replaced. Past charges are unaffected. */
export async function setPrices(
  db: Sql,
  prices: readonly NewPrice[],
  { actor, at, reason }: OperatorChange,
): Promise<void> {
  await db.run(sql`
    with entered as (
      insert into prices (zone, operation, months, amount, currency, valid_from)
      select * from unnest(${prices.map(({ zone }) => zone)}::text[], ${prices.map(({ operation }) => operation)}::text[],
        ${prices.map(({ months }) => months)}::int[], ${prices.map(({ amount }) => amount.toString())}::bigint[],
        ${prices.map(({ currency }) => currency)}::text[], ${prices.map(({ validFrom }) => validFrom)}::date[])
      on conflict (zone, operation, months, valid_from) do update set amount = excluded.amount, currency = excluded.currency, valid_until = null
      returning id, zone, operation, months, amount, valid_from)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'price', id, zone || ' ' || operation || ' ' || months || 'm', 'set', ${actor}, ${reason ?? null},
      jsonb_build_object('amount', amount, 'valid_from', valid_from) from entered`);
}

/** Ends a price; without a successor the operation has no price from then on. False if none was in force. */
export async function endPrice(
  db: Sql,
  { zone, operation, months, day }: { zone: string; operation: string; months: number; day: string },
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with ended as (
      update prices set valid_until = ${day}::date
      where zone = ${zone} and operation = ${operation} and months = ${months} and valid_from <= ${day}::date and (valid_until is null or valid_until > ${day}::date)
      returning id)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'price', id, ${`${zone} ${operation} ${months}m`}, 'end', ${actor}, ${reason ?? null}, jsonb_build_object('valid_until', ${day}::text) from ended
    returning 1`);
  return rows.length > 0;
}

export async function listPrices(db: Sql, zone?: string): Promise<PriceRow[]> {
  return db.rows(sql<PriceRow>`
    select zone, operation, case when months % 12 = 0 then months / 12 || 'y' else months || 'm' end as period,
      to_char(amount / 100.0, 'FM999999999990.00') as price, currency, valid_from::text as "validFrom", valid_until::text as "validUntil"
    from prices where ${zone ?? null}::text is null or zone = ${zone ?? null}
    order by zone, operation, months, valid_from`);
}
