import { Temporal } from 'temporal-polyfill';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import { countsOf, domainEvents } from './domain-events.ts';

/** How far pages look back, the present month included. */
export const MONTHS_OF_FIGURES = 24;
/** Changes bear the time at which their request began: a day is counted when the last of them is certainly committed. */
const SETTLING_MS = 3_600_000;
const MAX_DAYS_AT_ONCE = 31;
/** A month of all registrars takes longer than the statement timeout of requests. */
const TIMEOUT_MS = 600_000;

/** Counts the days that are over and not counted yet, as far as pages look back. */
export async function countDays(writes: Pool, policy: Policy, now: Date): Promise<void> {
  const { timeZone } = policy;
  const last = dayIn(timeZone, new Date(now.getTime() - SETTLING_MS)).subtract({ days: 1 });
  await forgetFutureDays(writes, last.toString());
  const oldest = last.subtract({ months: MONTHS_OF_FIGURES }).with({ day: 1 });
  let first = later(oldest, (await firstMissing(writes, timeZone)) ?? last.add({ days: 1 }));
  while (Temporal.PlainDate.compare(first, last) <= 0) {
    const end = earlier(last, first.add({ days: MAX_DAYS_AT_ONCE - 1 }));
    const days = { first: first.toString(), last: end.toString() };
    await writes.begin((db) => countPeriod(db, days, timeZone), { statementTimeoutMs: TIMEOUT_MS });
    first = end.add({ days: 1 });
  }
}

/** A clock that was ahead has counted days before they came. */
async function forgetFutureDays(db: Sql, last: string): Promise<void> {
  await db.run(sql`delete from daily_figures where day > ${last}::date`);
}

const later = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) > 0 ? one : other;
const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) < 0 ? one : other;

/** Begins with the day of the first registrar. */
async function firstMissing(db: Sql, timeZone: string): Promise<Temporal.PlainDate | undefined> {
  const { day } = await db.one(sql<{ day: string | null }>`
    select coalesce((select max(day) + 1 from daily_figures),
      (select (min(created_at) at time zone ${timeZone})::date from registrars))::text as day`);
  return day === null ? undefined : Temporal.PlainDate.from(day);
}

/** Registrar by registrar, along the indexes. A day without events has a row too: it says that the day was counted. */
async function countPeriod(
  db: Sql,
  { first, last }: { readonly first: string; readonly last: string },
  timeZone: string,
): Promise<void> {
  await db.run(sql`
    with period as (
      select ${first}::date::timestamp at time zone ${timeZone} as begins, (${last}::date + 1)::timestamp at time zone ${timeZone} as ends),
    counted as (
      select r.id as registrar_id, (e.at at time zone ${timeZone})::date as day, ${countsOf(sql`e.what`)}
      from registrars r cross join lateral (${domainEvents(sql`r.id`, sql`(select begins from period)`, sql`(select ends from period)`)}) as e
      group by 1, 2)
    insert into daily_figures (registrar_id, day, registered, renewed, transferred_in, transferred_out, deleted)
    select r.id, d.day::date, coalesce(c.registered, 0), coalesce(c.renewed, 0), coalesce(c.transferred_in, 0),
      coalesce(c.transferred_out, 0), coalesce(c.deleted, 0)
    from registrars r cross join generate_series(${first}::date::timestamp, ${last}::date::timestamp, interval '1 day') as d(day)
    left join counted c on c.registrar_id = r.id and c.day = d.day::date
    on conflict (registrar_id, day) do nothing`);
}
