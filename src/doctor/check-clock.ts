import { Temporal } from 'temporal-polyfill';
import { CheckedClock, databaseTime } from '../platform/clock/checked-clock.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { policy } from '../policy/installed.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

/** Share of MAX_CLOCK_OFFSET_MS: machines synchronised by NTP stay far below it. */
const WARNING_SHARE = 0.4;
const MONTHS_AHEAD = 24;

/** Servers use their own clocks and write to one database, so clocks and time zone data must agree. */
export const clockCheck: DatabaseCheck = {
  name: 'clock',
  examine: async ({ sql: db, config }) => [
    await compareClocks(db, config.maxClockOffsetMs),
    await compareZones(db),
  ],
};

async function compareClocks(db: Sql, maxOffsetMs: number): Promise<Finding> {
  const clock = await CheckedClock.open({ readDatabaseTime: databaseTime(db), maxOffsetMs });
  if (!clock.isRight())
    return problem(clock.describe(), 'Set the wrong one right: until then serve, work and commands refuse.');
  if (Math.abs(clock.offsetMs) < WARNING_SHARE * maxOffsetMs)
    return ok("this machine's and the database's agree");
  return warning(clock.describe(), 'Beyond that serve, work and commands refuse.');
}

async function compareZones(db: Sql): Promise<Finding> {
  const months = Array.from({ length: MONTHS_AHEAD }, (_, ahead) => ahead);
  const rows = await db.rows(sql<{ at: Date; offset: number }>`
    select at, extract(epoch from (at at time zone ${policy.timeZone}) - (at at time zone 'UTC'))::int as offset
    from (select date_trunc('month', clock_timestamp()) + make_interval(months => m) as at from unnest(${months}::int[]) as m) as ahead`);
  const other = rows.find(({ at, offset }) => offsetOf(at) !== offset);
  return other
    ? problem(
        `This machine and the database do not agree what time it is in ${policy.timeZone} on ${other.at.toISOString()}.`,
        'Bring the time zone data (tzdata) of both machines up to date.',
      )
    : ok(`${policy.timeZone} is the same here and in the database for the next ${MONTHS_AHEAD} months`);
}

const offsetOf = (at: Date): number =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(policy.timeZone).offsetNanoseconds /
  1e9;
