import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { confirmClock } from '../../../src/installation/confirm-clock.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { readClockState, recordReading } from '../../../src/platform/clock/clock-readings.ts';
import { operator } from '../../support/operator.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const START = new Date('2026-11-18T12:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * 3_600_000);
const days = (count: number) => hours(24 * count);

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(1);
});
afterAll(() => opened.close());
beforeEach(() => db().run(sql`delete from clock_readings`));
const db = () => {
  const [database] = opened.databases;
  if (!database) throw new Error('no database was opened');
  return database.writes;
};
const read = async (...times: readonly Date[]) => {
  for (const time of times) await recordReading(db(), time);
  return readClockState(db(), times.at(-1) ?? START);
};

describe('readings of the clock', () => {
  test('success: what was over a day ago is settled, and on the first day nothing is', async () => {
    expect(await read(hours(0), hours(0.5), hours(1))).toEqual({ settled: undefined, leap: undefined });
    expect(await read(hours(23.5))).toMatchObject({ settled: undefined });
    expect(await read(hours(24.2))).toEqual({ settled: hours(0), leap: undefined });
    expect(await read(hours(25.9))).toMatchObject({ settled: hours(1) });
  });

  test('failure: a clock that is 420 days ahead waits for a day, and settles nothing until then', async () => {
    const leap = { from: hours(25), to: days(420), waitsUntil: days(421) };
    expect(await read(hours(0), hours(12), hours(25), days(420))).toEqual({ settled: hours(25), leap });
    expect(await read(days(420.5), days(420.99))).toEqual({ settled: hours(25), leap });
    expect(await read(days(421))).toEqual({ settled: days(420), leap: undefined });
  });

  test('success: when the clock is back its readings are gone, and nothing waits', async () => {
    await read(hours(0), hours(12), hours(25), days(420), days(421));
    expect(await read(hours(27))).toEqual({ settled: hours(0), leap: undefined });
    expect(await db().rows(sql`select from clock_readings where hour > ${hours(27)}`)).toEqual([]);
  });

  test('success: an operator confirms a leap, once', async () => {
    await read(hours(0), days(3));
    const leap = { from: hours(0), to: days(3), waitsUntil: days(4) };
    const context = operator({ now: days(3.1), reason: { text: 'a move' } });
    const confirm = () => carryOut(db(), confirmClock, {}, context);
    expect(await confirm()).toEqual(leap);
    await expect(confirm()).rejects.toThrow('The time has not leapt: nothing waits for it');
    expect(await readClockState(db(), days(3.1))).toEqual({ settled: hours(0), leap: undefined });
  });

  test('success: only the newest hundred readings are kept, however far ahead the clock is', async () => {
    await db().run(sql`
      insert into clock_readings (hour) select ${START}::timestamptz + n * interval '1 hour' from generate_series(0, 150) as n`);
    await read(days(420));
    expect(
      await db().rows(sql`select count(*)::int as count, min(hour) as first from clock_readings`),
    ).toEqual([{ count: 102, first: hours(50) }]);
  });
});
