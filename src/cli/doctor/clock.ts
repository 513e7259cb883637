import { Temporal } from 'temporal-polyfill';
import { wallClock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { ee } from '../../policy/ee.ts';
import { type Finding, fine, type InsideCheck, problem, warning } from './check.ts';

const WORTH_A_WORD_MS = 2_000;
const TOO_MUCH_MS = 60_000;
const MONTHS_AHEAD = 24;

/** Servers work by their own clocks and write into one database: they had better agree, and on when summer begins too. */
export const clockCheck: InsideCheck = {
  name: 'clock',
  examine: async ({ sql: db }) => [await compareClocks(db), await compareZones(db)],
};

async function compareClocks(db: Sql): Promise<Finding> {
  const before = wallClock.now().getTime();
  const [row] = await db.rows(sql<{ at: Date }>`select clock_timestamp() as at`);
  const after = wallClock.now().getTime();
  const theirs = row?.at.getTime() ?? 0;
  // The answer was written at some moment between the two: only what lies outside is a difference.
  const apart = Math.max(before - theirs, theirs - after, 0);
  if (apart < WORTH_A_WORD_MS) return fine("this machine's and the database's agree");
  const told = [
    `This machine's clock and the database's are ${Math.round(apart / 1000)} s apart.`,
    'Let both follow a time server (NTP).',
  ] as const;
  return apart < TOO_MUCH_MS ? warning(...told) : problem(...told);
}

async function compareZones(db: Sql): Promise<Finding> {
  const months = Array.from({ length: MONTHS_AHEAD }, (_, ahead) => ahead);
  const rows = await db.rows(sql<{ at: Date; offset: number }>`
    select at, extract(epoch from (at at time zone ${ee.timeZone}) - (at at time zone 'UTC'))::int as offset
    from (select date_trunc('month', clock_timestamp()) + make_interval(months => m) as at from unnest(${months}::int[]) as m) as ahead`);
  const other = rows.find(({ at, offset }) => offsetOf(at) !== offset);
  return other
    ? problem(
        `This machine and the database do not agree what time it is in ${ee.timeZone} on ${other.at.toISOString()}.`,
        'Bring the time zone data (tzdata) of both machines up to date.',
      )
    : fine(`${ee.timeZone} is the same here and in the database for the next ${MONTHS_AHEAD} months`);
}

const offsetOf = (at: Date): number =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(ee.timeZone).offsetNanoseconds /
  1e9;
