import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test, vi } from 'vitest';
import {
  cadastre,
  emptyDatabase,
  spawnCadastre,
  startProcess,
  startServeProcess,
} from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { newContact } from '../support/contacts.ts';
import { freePort } from '../support/free-port.ts';
import { TEMPLATE } from '../support/global-setup.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { fakedClock, type SettableClock, shiftedClock } from '../support/wrong-clock.ts';

const HOUR_MS = 3_600_000;
const DAYS_420_MS = 420 * 24 * HOUR_MS;
/** Longer than the interval of the jobs that run every second. */
const POLL_PERIOD_MS = 1_300;
const NOTICED = { timeout: 20_000 };
const PROCESSES = { timeout: 60_000 };

/** With the registrars of the sandbox, as a production installation. */
async function registry() {
  const database = await emptyDatabase(TEMPLATE);
  await database.sql.run(sql`update installation set kind = 'production'`);
  const rows = async () => {
    const [counts] = await database.sql.rows(sql`
      select (select count(*) from contacts)::int as contacts, (select count(*) from history)::int as history,
        (select count(*) from ledger_entries)::int as entries, (select count(*) from payment_events)::int as events`);
    return counts;
  };
  return { ...database, rows };
}
const metric = async (port: number, name: string) =>
  Number(
    new RegExp(`^${name} (\\S+)$`, 'm').exec(
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    )?.[1],
  );

async function serveThroughAJump(clock: SettableClock): Promise<void> {
  const { url, rows } = await registry();
  const metricsPort = await freePort();
  const server = await startServeProcess(url, { ...clock.env, METRICS_PORT: String(metricsPort) });
  onTestFinished(async () => void (await server.stop()));
  const client = alpha(server.url);
  expect((await client.post('/contacts', newContact())).status).toBe(200);
  expect(await (await fetch(`${server.url}/ready`)).json()).toMatchObject({ clock: 'ok' });
  expect(Math.abs(await metric(metricsPort, 'cadastre_clock_offset_seconds'))).toBeLessThan(2);

  const before = await rows();
  clock.set(HOUR_MS, server.pid);
  // The signal may arrive after the first call; no comparison with the database has to come between.
  await vi.waitFor(async () => expect((await client.get('/contacts')).status).toBe(503), NOTICED);
  const refused = await client.post('/contacts', newContact());
  expect(refused).toMatchObject({ status: 503, body: { code: 2400 } });
  expect(JSON.stringify(refused.body)).toContain('does not know what time it is');
  for (const path of [
    '/api/v1/callback_handler/callback?payment_reference=abc',
    '/api/v1/business_registry/x',
    '/confirm/unknown',
  ])
    expect((await fetch(server.url + path)).status).toBe(503);
  const ready = await fetch(`${server.url}/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    {
      status: 'not ready',
      clock: expect.stringMatching(/is 3600 s ahead of the database's: here it is .*, there /),
    },
  ]);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect(await metric(metricsPort, 'cadastre_clock_wrong')).toBe(1);
  expect(await metric(metricsPort, 'cadastre_clock_offset_seconds')).toBeCloseTo(3600, -1);
  await vi.waitFor(() => expect(server.output()).toMatch(/"level":50.*the clock is wrong/), NOTICED);
  expect(await rows()).toEqual(before);

  clock.set(0, server.pid);
  await vi.waitFor(
    async () => expect((await client.post('/contacts', newContact())).status).toBe(200),
    NOTICED,
  );
  expect(await metric(metricsPort, 'cadastre_clock_wrong')).toBe(0);
  await vi.waitFor(() => expect(server.output()).toContain('the clock is right again'), NOTICED);
}

describe('a clock that is wrong from the start', () => {
  test('failure: serve, work and writing commands refuse; the doctor reports it; reading commands work', async () => {
    const { url, sql: db, rows } = await registry();
    const before = await rows();
    const run = (ahead: number, ...args: string[]) =>
      spawnCadastre(args, { env: { DATABASE_URL: url, PORT: '0', ...shiftedClock(ahead).env } });
    const [served, worked, suspended, ran, migrated, listed, diagnosed] = await Promise.all([
      run(HOUR_MS, 'serve'),
      run(DAYS_420_MS, 'work'),
      run(-HOUR_MS, 'registrar', 'suspend', 'ALPHA', '--dry-run'),
      run(DAYS_420_MS, 'job', 'run', 'domain lifecycle'),
      run(DAYS_420_MS, 'migrate'),
      run(DAYS_420_MS, 'registrar', 'list'),
      run(DAYS_420_MS, 'doctor', '--json'),
    ]);
    for (const outcome of [served, worked, suspended, ran, migrated]) {
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toMatch(
        /^The clock of this machine is \d+ s (ahead of|behind) the database's: here it is \S+, there \S+\. MAX_CLOCK_OFFSET_MS allows 5000 ms\. One of the two machines is wrong: .*\n$/,
      );
    }
    expect(suspended.stderr).toContain(' 3600 s behind ');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(diagnosed.stdout)).toContainEqual(
      expect.objectContaining({
        check: 'clock',
        state: 'problem',
        says: expect.stringContaining('36288000 s'),
      }),
    );
    expect(await rows()).toEqual(before);
    expect(await db.rows(sql`select name from jobs where started_at > now()`)).toEqual([]);
  });

  test('failure: the clock of the database is the wrong one', async () => {
    const { url, sql: db, name } = await registry();
    await db.script(`
      create function clock_timestamp() returns timestamptz language sql as
        $$ select pg_catalog.clock_timestamp() - interval '1 day' $$;
      alter database ${name} set search_path = public, pg_catalog`);
    const { code, stderr } = await cadastre(['work'], { env: { DATABASE_URL: url } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/ 86400 s ahead of the database's: .* One of the two machines is wrong/);
  });

  test('success: within the bound; failure: the bound is a setting', async () => {
    const { url } = await registry();
    const run = (bound: string) =>
      spawnCadastre(['registrar', 'suspend', 'ALPHA', '--dry-run'], {
        env: { DATABASE_URL: url, MAX_CLOCK_OFFSET_MS: bound, ...shiftedClock(4_000).env },
      });
    const [within, beyond] = await Promise.all([run(''), run('3000')]);
    expect(within).toMatchObject({ code: 0, stderr: '' });
    // Exact to half the time that the question takes.
    expect(beyond.stderr).toMatch(/ is (3[5-9]|4[0-4])\d\d ms ahead of .* allows 3000 ms\./);
  });
});

describe.concurrent('a clock that is set while the process runs', PROCESSES, () => {
  test('success: serve notices at the next call, writes nothing, and continues when the clock is right again', () =>
    serveThroughAJump(shiftedClock(0)));

  test('success: the same by the clock of the system', async ({ skip }) => {
    const clock = fakedClock(0);
    if (typeof clock === 'string') return skip(clock);
    await serveThroughAJump(clock);
  });

  test('success: work claims no job 420 days ahead, and continues when the clock is right again', async () => {
    const { url, sql: db } = await registry();
    const clock = shiftedClock(0);
    const worker = startProcess(['work'], { DATABASE_URL: url, METRICS_PORT: '0', ...clock.env });
    onTestFinished(worker.kill);
    const lastStart = async () => {
      const [row] = await db.rows(sql<{ at: Date }>`select max(started_at) as at from jobs`);
      return row?.at?.getTime() ?? 0;
    };
    await vi.waitFor(async () => expect(await lastStart()).toBeGreaterThan(0), NOTICED);
    clock.set(DAYS_420_MS, worker.child.pid);
    await vi.waitFor(() => expect(worker.output()).toMatch(/"level":50.*the clock is wrong/), NOTICED);
    await db.run(sql`update jobs set due_at = '2020-01-01T00:00:00Z'`);
    const before = await lastStart();
    await sleep(POLL_PERIOD_MS);
    expect(await lastStart()).toBe(before);
    expect(before).toBeLessThan(Date.now() + HOUR_MS);
    clock.set(0, worker.child.pid);
    await vi.waitFor(async () => expect(await lastStart()).toBeGreaterThan(before), NOTICED);
    expect(worker.output()).not.toContain('periodic task failed');
  });
});
