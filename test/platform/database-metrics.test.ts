import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { registerDatabaseMetrics } from '../../src/app/watch-database.ts';
import { registerInDatabase } from '../../src/platform/database-metrics.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../src/platform/sql/statement.ts';
import { holdTime } from '../support/held-time.ts';
import { samplesIn } from '../support/metrics.ts';
import { openTestDatabase } from '../support/registry.ts';
import { runningTime } from '../support/running-time.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
});
afterAll(() => close());

const samplesOf = async ({ registry }: Metrics) => samplesIn(await registry.metrics());
/** Counts its statements; each waits for the gate. */
function counted(gate: () => Promise<unknown> = async () => {}) {
  const texts: string[] = [];
  const one: Sql['one'] = async (statement) => {
    texts.push(statement.text);
    await gate();
    return database.lists.one(statement);
  };
  return { texts, db: { ...database.lists, one } };
}

test('success: many metrics are one statement, and concurrent scrapes share it', async () => {
  holdTime(); // a result is kept for a second
  const metrics = new Metrics();
  const { texts, db } = counted();
  registerInDatabase(metrics, db, [
    { name: 'plain', help: 'h', query: sql`select 2.5 as value` },
    { name: 'none', help: 'h', query: sql`select 1 as value where false` },
    {
      name: 'labelled',
      help: 'h',
      labelNames: ['a', 'b'],
      query: sql`select * from (values ('x', 'y"z', 1), ('x', null, 2), ('w', 'w', null)) as t (a, b, value)`,
    },
  ]);
  const [first] = await Promise.all([metrics.registry.metrics(), metrics.registry.metrics()]);
  await metrics.registry.metrics();
  expect(texts).toHaveLength(1);
  const samples = samplesIn(first);
  expect(samples.get('plain')).toBe(2.5);
  expect(samples.has('none')).toBe(false);
  expect([...samples.keys()].filter((key) => key.startsWith('labelled'))).toEqual([
    'labelled{a="x",b="y\\"z"}',
    'labelled{a="x",b=""}',
  ]);
});

test('failure: a database that does not answer delays a scrape by two seconds at most, and is queried once', async () => {
  const metrics = new Metrics();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  onTestFinished(() => open());
  const { texts, db } = counted(() => gate);
  registerInDatabase(metrics, db, [{ name: 'plain', help: 'h', query: sql`select 1 as value` }]);
  const passed = runningTime();
  const all = await Promise.all([samplesOf(metrics), samplesOf(metrics), samplesOf(metrics)]);
  expect(passed()).toBeLessThan(4_000);
  expect(all.map((samples) => samples.get('plain'))).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  expect(texts).toHaveLength(1);
});

test('success: pools report connections, waiting requests, and for how long', async () => {
  const metrics = new Metrics();
  registerDatabaseMetrics(metrics, database);
  const hold = Promise.withResolvers<void>();
  const { max } = database.poolStatus().transactions;
  const holders = Array.from({ length: max }, () => database.writes.begin(() => hold.promise));
  await expect.poll(() => database.poolStatus().transactions.inUse).toBe(max);
  const late = database.writes.begin(async () => {});
  await expect.poll(() => database.poolStatus().transactions.waiting).toBe(1);
  const busy = await samplesOf(metrics);
  const pool = (name: string) => `cadastre_pool_${name}{pool="transactions"}`;
  expect(busy.get(pool('connections_max'))).toBe(max);
  expect(busy.get(pool('connections_open'))).toBe(max);
  expect(busy.get(pool('connections_in_use'))).toBe(max);
  expect(busy.get(pool('waiting'))).toBe(1);
  const waitsBefore = busy.get(pool('waits_total')) ?? Number.NaN;
  hold.resolve();
  await Promise.all([...holders, late]);
  const idle = await samplesOf(metrics);
  expect(idle.get(pool('connections_in_use'))).toBe(0);
  expect(idle.get(pool('waits_total'))).toBe(waitsBefore + 1);
  expect(idle.get(pool('wait_seconds_total'))).toBeGreaterThan(busy.get(pool('wait_seconds_total')) ?? 0);
  expect(idle.get('cadastre_pool_connections_max{pool="reads"}')).toBe(1);
  expect(idle.has('cadastre_pool_waits_total{pool="reads"}')).toBe(false);
});

test('success: the last success of a job survives its failures; lag, interval and failures are reported', async () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);
  await database.writes.run(sql`
    insert into jobs (name, due_at, interval_ms, started_at, finished_at) values ('a job', ${at(60)}, 60000, ${at(0)}, ${at(0)})`);
  const metrics = new Metrics();
  registerDatabaseMetrics(metrics, database);
  const job = (name: string) => `cadastre_job_${name}{name="a job"}`;
  const before = await samplesOf(metrics);
  expect(before.get(job('due_timestamp_seconds'))).toBe(1_800_000_060);
  expect(before.get(job('interval_seconds'))).toBe(60);
  expect(before.get(job('failures'))).toBe(0);
  await database.writes.run(sql`update jobs set failures = 3, finished_at = ${at(500)} where name = 'a job'`);
  await expect.poll(async () => (await samplesOf(metrics)).get(job('failures'))).toBe(3);
  const after = await samplesOf(metrics);
  expect(after.get(job('last_success_timestamp_seconds'))).toBe(1_800_000_000);
});

test('success: the age of waiting work, the size and the connections of the database, and the version', async () => {
  const written = new Date(Date.now() - 3_600_000);
  await database.writes.run(sql`
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
    select 'a@example.ee', 's', 't', 'h', at, now() + interval '1 day', now() + interval '1 day' from unnest(${[new Date(), written]}::timestamptz[]) as t(at)`);
  const metrics = new Metrics();
  registerDatabaseMetrics(metrics, database);
  const samples = await samplesOf(metrics);
  expect(samples.get('cadastre_mails_waiting')).toBe(2);
  expect(samples.get('cadastre_mails_oldest_waiting_timestamp_seconds')).toBeCloseTo(
    written.getTime() / 1000,
    1,
  );
  expect(samples.has('cadastre_deliveries_oldest_waiting_timestamp_seconds')).toBe(false);
  expect(samples.get('cadastre_database_size_bytes')).toBeGreaterThan(1_000_000);
  expect(samples.get('cadastre_database_connections')).toBeGreaterThan(0);
  expect(samples.get('cadastre_database_connections_max')).toBeGreaterThan(10);
  expect(samples.get('cadastre_database_standby')).toBe(0);
  expect([...samples.keys()].find((key) => key.startsWith('cadastre_build_info'))).toMatch(
    /^cadastre_build_info\{version="\d+\.\d+\.\d+[^"]*",schema="\d\d+",node="24\./,
  );
});
