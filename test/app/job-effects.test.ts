import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitsOf, readSteadyTime, requireSteadyTime, runPurgeJob } from '../../src/app/job-effects.ts';
import { purgeJobs, reservationJob } from '../../src/app/purges.ts';
import { approveSteps, listStops } from '../../src/platform/jobs/job-limits.ts';
import { createLog } from '../../src/platform/logging.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { keptLog, openTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const START = new Date('2026-11-18T12:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * 3_600_000);
const days = (count: number) => hours(24 * count);
const policy: Policy = { ...ee, purgeLimit: { maxShare: 0.5, minCount: 2 } };

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(1);
});
afterAll(() => opened.close());
const database = () => {
  const [one] = opened.databases;
  if (!one) throw new Error('no database was opened');
  return one;
};
const db = () => database().writes;
beforeEach(async () => {
  for (const table of [sql`clock_readings`, sql`job_step_counts`, sql`job_stops`, sql`idempotency_keys`])
    await db().run(sql`delete from ${table}`);
  await db().run(sql`delete from reserved_names`);
});

const keys = purgeJobs(policy, 30).find(({ name }) => name === 'delete old idempotency keys');
if (!keys) throw new Error('there is no job of idempotency keys');
const { sink, logged } = keptLog();
const log = createLog('error', sink);
const run = (job: typeof keys, now: Date, isLimited = true) =>
  runPurgeJob({ database: database(), policy, log, isLimited, machineClock: { now: () => now } }, job, now);
const addKeys = (count: number, at: Date) =>
  db().run(sql`
    insert into idempotency_keys (scope, key, fingerprint, answer, created_at)
    select 'test', gen_random_uuid()::text, '\\x00', '{}', ${at} from generate_series(1, ${count})`);
const countKeys = async () =>
  (await db().one(sql<{ count: number }>`select count(*) as count from idempotency_keys`)).count;

describe('what is deleted by time', () => {
  test('success: a day after it was due; the sandbox deletes at once', async () => {
    await addKeys(1, hours(-48.5));
    await run(keys, START);
    await run(keys, hours(23));
    expect(await countKeys()).toBe(1);
    await run(keys, hours(24));
    expect(await countKeys()).toBe(0);
    await addKeys(1, hours(-48.5));
    await run(keys, START, false);
    expect(await countKeys()).toBe(0);
  });

  test('success: 420 days ahead and back, keys and reservations with their codes are there', async () => {
    await addKeys(2, START);
    await db().run(sql`
      insert into reserved_names (name, code, expires_at, created_at) values ('held.ee', 'secret', ${days(30)}, ${START})`);
    await run(keys, START);
    await run(keys, days(1));
    for (const at of [days(421), days(421.9)]) {
      await run(keys, at);
      await run(reservationJob, at);
    }
    await run(keys, days(1.1));
    await run(reservationJob, days(1.1));
    expect(await countKeys()).toBe(2);
    expect(await db().rows(sql`select code from reserved_names`)).toEqual([{ code: 'secret' }]);
    // Right again, it goes on by itself.
    await run(reservationJob, days(30));
    await run(reservationJob, days(31));
    await run(reservationJob, days(32));
    expect(await db().rows(sql`select code from reserved_names`)).toEqual([]);
  });

  test('failure: more than the share of a day stops the job; success: approved', async () => {
    await addKeys(9, hours(-60));
    await addKeys(1, days(1));
    await run(keys, START);
    await run(keys, days(1));
    const stop = { step: 'delete idempotency keys', due: 9, taken: 0, allowed: 5, total: 10 };
    expect(await listStops(db())).toMatchObject([stop]);
    expect(logged()).toContain('stopped and waits for approval');
    expect(await countKeys()).toBe(10);
    const check = limitsOf(policy).get(keys.name);
    await approveSteps(db(), (await check?.(db(), days(1))) ?? [], { by: 'operator:test', at: days(1) });
    await run(keys, days(1));
    expect([await countKeys(), await listStops(db())]).toEqual([1, []]);
  });

  test('failure: the share is of the table as it was a day ago, with what was deleted since', async () => {
    await addKeys(5, hours(-60));
    await addKeys(7, hours(-46));
    for (const hour of [0, 3, 24]) await run(keys, hours(hour));
    expect(await countKeys()).toBe(7);
    await addKeys(8, hours(20));
    // Five, and the seven that are due by now, of twenty.
    await run(keys, hours(27));
    expect(await listStops(db())).toMatchObject([{ due: 7, taken: 5, allowed: 10, total: 20 }]);
  });
});

describe('what is ended by time', () => {
  test('failure: while the time has leapt; success: before, and when the clock is back', async () => {
    await requireSteadyTime(db(), START);
    await expect(requireSteadyTime(db(), days(420))).rejects.toThrow(
      /^No worker has run between 2026-11-18T12:00:00.000Z and 2028-01-12T12:00:00.000Z, or the clocks .* cadastre clock confirm$/,
    );
    expect(await readSteadyTime(db(), days(420))).toEqual(START);
    await requireSteadyTime(db(), hours(1));
    expect(await readSteadyTime(db(), hours(1))).toEqual(hours(1));
  });
});
