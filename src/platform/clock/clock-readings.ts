import type { DatabaseMetric } from '../database-metrics.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';

/** A leap that nobody has confirmed: either no worker ran in between, or the clocks of all machines are wrong. */
export type Leap = { readonly from: Date; readonly to: Date; readonly waitsUntil: Date };

export type ClockState = {
  /** A reading of at least a day ago. Undefined on the first day, when nothing is deleted by time. */
  readonly settled: Date | undefined;
  readonly leap: Leap | undefined;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Counted, and not bounded by age: a clock that is ahead must not remove the readings before it. */
const MAX_READINGS = 100;

/** Records that a worker has read this time. Readings that lie ahead are those of a wrong clock, and are removed. */
export async function recordReading(db: Sql, now: Date): Promise<void> {
  await db.run(sql`
    delete from clock_readings where hour > ${new Date(now.getTime() + HOUR_MS)}
      or hour < (select hour from clock_readings where hour <= ${now} order by hour desc offset ${MAX_READINGS} limit 1)`);
  await db.run(sql`
    insert into clock_readings (hour, leapt_from)
    select this.hour, (select max(r.hour) from clock_readings r having max(r.hour) < this.hour - interval '1 day')
    from (select date_trunc('hour', ${now}::timestamptz) as hour) as this
    on conflict (hour) do nothing`);
}

export async function readClockState(db: Sql, now: Date): Promise<ClockState> {
  const dayBefore = new Date(now.getTime() - DAY_MS);
  const { settled, from, to } = await db.one(sql<{
    settled: Date | null;
    from: Date | null;
    to: Date | null;
  }>`
    select (select max(hour) from clock_readings where hour <= ${dayBefore}) as settled, leap.leapt_from as from, leap.hour as to
    from (select) as this left join (
      select leapt_from, hour from clock_readings
      where leapt_from is not null and confirmed_at is null and hour > ${dayBefore} and hour <= ${now}
      order by hour desc limit 1) as leap on true`);
  return {
    settled: settled ?? undefined,
    leap: from && to ? { from, to, waitsUntil: new Date(to.getTime() + DAY_MS) } : undefined,
  };
}

const NO_WORKER = 'No worker has run between ';

export const describeLeap = ({ from, to, waitsUntil }: Leap): string =>
  `${NO_WORKER}${from.toISOString()} and ${to.toISOString()}, or the clocks of the machines and of the database are wrong. What time ends for good waits until ${waitsUntil.toISOString()}; if the time is right: cadastre clock confirm`;

/** Whether a stored failure is that of a leap, which may be over. */
export const isLeapFailure = (failure: string | null): boolean => failure?.startsWith(NO_WORKER) ?? false;

/** The same of a column, in a statement. */
export const isLeapFailureOf = (failure: Fragment): Fragment =>
  sql`coalesce(starts_with(${failure}, ${NO_WORKER}), false)`;

/** The time has leapt, so that what it ends for good waits. */
export class TimeLeapt extends Error {
  override name = 'TimeLeapt';
}

export const clockMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_clock_leap_waiting',
    help: 'Whether the time has leapt by more than a day, so that what it ends for good waits for confirmation',
    query: sql`
      select count(*) as value from clock_readings
      where leapt_from is not null and confirmed_at is null and hour > clock_timestamp() - interval '1 day'`,
  },
];
