import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import type { RegistrarScope } from '../actor.ts';
import type { Context } from '../operation.ts';
import { priceOf } from '../prices/prices.ts';

/** What the renewals of one day cost if each domain that expires on it is renewed for a year. */
export type DueDay = {
  /** Written yyyy-mm-dd, in the zone of the registry. */
  readonly day: string;
  /** In cents. */
  readonly amount: string;
};
export type DueRenewals = {
  readonly days: readonly DueDay[];
  /** Whether none was left out. */
  readonly isComplete: boolean;
};

/** So many domains are looked at, those that expire first. */
const MAX_LOOKED_AT = 10_000;
const BOUND = text(`limit ${MAX_LOOKED_AT}`);

/** The renewals that fall due before a time, day by day. Domains of a zone without a price cost nothing. */
export async function readDueRenewals(
  db: Sql,
  { registrarId }: RegistrarScope,
  until: Date,
  { now, policy: { timeZone } }: Pick<Context, 'now' | 'policy'>,
): Promise<DueRenewals> {
  const rows = await db.rows(sql<DueDay & { readonly count: number }>`
    with due as (
      select expire_time, zone from domains where registrar_id = ${registrarId} and expire_time >= ${now} and expire_time < ${until}
      order by expire_time, id ${BOUND}),
    zones as (
      select zone, ${priceOf(sql`z.zone`, 'renew', 12, textOfDay(timeZone, now))}::bigint as price from (select distinct zone from due) as z)
    select to_char(due.expire_time at time zone ${timeZone}, 'YYYY-MM-DD') as day, coalesce(sum(zones.price), 0)::text as amount, count(*) as count
    from due join zones using (zone) group by 1 order by 1`);
  const days = rows.map(({ day, amount }) => ({ day, amount }));
  return { days, isComplete: rows.reduce((sum, { count }) => sum + count, 0) < MAX_LOOKED_AT };
}

/** The day from which a balance no longer covers the renewals; undefined if it covers all that were read. */
export function firstUncoveredDay(balance: bigint, days: readonly DueDay[]): string | undefined {
  let rest = balance;
  return days.find(({ amount }) => {
    rest -= BigInt(amount);
    return rest < 0n;
  })?.day;
}

/** What remains of a balance at the end of each day, at least nothing. */
export function remainingAt(balance: bigint, days: readonly DueDay[], ends: readonly string[]): bigint[] {
  return ends.map((end) => {
    const spent = days.reduce((sum, { day, amount }) => (day <= end ? sum + BigInt(amount) : sum), 0n);
    return spent > balance ? 0n : balance - spent;
  });
}
