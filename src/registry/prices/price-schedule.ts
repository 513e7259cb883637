import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Context } from '../operation.ts';
import { type PricedOperation, priceOf } from './prices.ts';

/** What an operation of a zone costs for a period. */
export type ZonePrice = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly months: number;
  readonly amount: Cents;
};

/** A price with the days on which it is charged. */
export type ScheduledPrice = ZonePrice & {
  readonly validFrom: string;
  /** The first day without it; null if no end is known. */
  readonly validUntil: string | null;
};

type Scheduled = Omit<ScheduledPrice, 'amount'> & { readonly amount: Cents | undefined };
type Today = Pick<Context, 'now' | 'policy'>;

/** Every price of these zones today, in the order of operations and periods. */
export async function pricesInZones(
  db: Sql,
  zones: readonly string[],
  { now, policy }: Today,
): Promise<ZonePrice[]> {
  if (zones.length === 0) return [];
  const rows = await db.rows(sql<Omit<ZonePrice, 'amount'> & { amount: string | null }>`
    select asked.zone, asked.operation, asked.months,
      ${priceOf(sql`asked.zone`, sql`asked.operation`, sql`asked.months`, textOfDay(policy.timeZone, now))} as amount
    from (select distinct zone, operation, months from prices where zone = any(${zones}::text[])) as asked
    order by asked.zone, asked.operation, asked.months`);
  return rows.flatMap(({ amount, ...price }) =>
    amount === null ? [] : [{ ...price, amount: BigInt(amount) }],
  );
}

/** The prices of today and those that are announced, each with its days. */
export async function readPriceSchedule(db: Sql, { now, policy }: Today): Promise<ScheduledPrice[]> {
  const rows = await db.rows(sql<Omit<ScheduledPrice, 'amount'> & { amount: string | null }>`
    with changes as (
      select zone, operation, months, valid_from as day from prices
      union
      select zone, operation, months, valid_until from prices where valid_until is not null)
    select c.zone, c.operation, c.months,
      ${priceOf(sql`c.zone`, sql`c.operation`, sql`c.months`, sql`c.day`)} as amount, c.day::text as "validFrom",
      lead(c.day) over (partition by c.zone, c.operation, c.months order by c.day)::text as "validUntil"
    from changes c
    order by c.zone, c.operation, c.months, c.day`);
  const prices = rows.map((row) => ({
    ...row,
    amount: row.amount === null ? undefined : BigInt(row.amount),
  }));
  return scheduleOf(prices, textOfDay(policy.timeZone, now));
}

/** From the day on, with equal prices in a row as one; the rows are in the order of their days. */
export function scheduleOf(rows: readonly Scheduled[], today: string): ScheduledPrice[] {
  const schedule: ScheduledPrice[] = [];
  for (const { amount, ...row } of rows) {
    const last = schedule.at(-1);
    if (amount === undefined) continue;
    const continues = last?.validUntil === row.validFrom && last.amount === amount && isSameKind(last, row);
    if (last && continues) schedule.splice(-1, 1, { ...last, validUntil: row.validUntil });
    else schedule.push({ ...row, amount });
  }
  return schedule.filter(({ validUntil }) => validUntil === null || validUntil > today);
}

const isSameKind = (one: Omit<ZonePrice, 'amount'>, other: Omit<ZonePrice, 'amount'>): boolean =>
  one.zone === other.zone && one.operation === other.operation && one.months === other.months;
