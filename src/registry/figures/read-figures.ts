import { Temporal } from 'temporal-polyfill';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { RegistrarScope } from '../actor.ts';
import { MONTHS_OF_FIGURES } from './count-days.ts';
import { countsOf, domainEvents, FIGURES, type Figure } from './domain-events.ts';

/** Written yyyy-mm. */
type Month = string;
export type MonthFigures = Readonly<Record<Figure, number>> & { readonly month: Month };

/** The last months in the zone of the registry, oldest first; the last one is the present one. */
export function lastMonths(now: Date, timeZone: string): Month[] {
  const present = dayIn(timeZone, now).toPlainYearMonth();
  return Array.from({ length: MONTHS_OF_FIGURES }, (_, place) =>
    present.subtract({ months: MONTHS_OF_FIGURES - 1 - place }).toString(),
  );
}

/**
 * What became of a registrar's domains in each of the months. Days that are counted come from their counts, what
 * happened since from history and messages: always right, and quick as long as the job counts.
 */
export async function readFigures(
  db: Sql,
  months: readonly Month[],
  timeZone: string,
  { registrarId }: RegistrarScope,
): Promise<MonthFigures[]> {
  const [first = ''] = months;
  const found = await db.rows(sql<MonthFigures>`
    with counted as (select * from daily_figures where registrar_id = ${registrarId} and day >= ${`${first}-01`}::date),
    since as (
      select coalesce((select max(day) + 1 from counted), ${`${first}-01`}::date)::timestamp at time zone ${timeZone} as at)
    select month, sum(registered)::int as registered, sum(renewed)::int as renewed, sum(transferred_in)::int as "transferredIn",
      sum(transferred_out)::int as "transferredOut", sum(deleted)::int as deleted
    from (
      select to_char(day, 'YYYY-MM') as month, registered, renewed, transferred_in, transferred_out, deleted from counted
      union all
      select to_char(e.at at time zone ${timeZone}, 'YYYY-MM') as month, ${countsOf(sql`e.what`)}
      from (${domainEvents(sql`${registrarId}`, sql`(select at from since)`, sql`'infinity'::timestamptz`)}) as e group by 1
    ) as figures group by month`);
  const byMonth = new Map(found.map((figures) => [figures.month, figures]));
  return months.map((month) => byMonth.get(month) ?? { month, ...NONE });
}

const NONE = Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as Record<Figure, number>;

/** The balance at the end of each month, at present in the last one; in cents, null before the first entry. */
export async function readBalances(
  db: Sql,
  months: readonly Month[],
  timeZone: string,
  { registrarId }: RegistrarScope,
): Promise<(string | null)[]> {
  const ends = months.map((month) =>
    Temporal.PlainYearMonth.from(month)
      .add({ months: 1 })
      .toPlainDate({ day: 1 })
      .toZonedDateTime(timeZone)
      .toInstant()
      .toString(),
  );
  const rows = await db.rows(sql<{ balance: string | null }>`
    select (
      select e.balance_after::text from ledger_entries e where e.registrar_id = ${registrarId} and e.at < ends.at
      order by e.at desc, e.id desc limit 1) as balance
    from unnest(${ends}::timestamptz[]) with ordinality as ends(at, place) order by ends.place`);
  return rows.map(({ balance }) => balance);
}
