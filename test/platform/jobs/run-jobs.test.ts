import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeLeap, TimeLeapt } from '../../../src/platform/clock/clock-readings.ts';
import { registerInDatabase } from '../../../src/platform/database-metrics.ts';
import { jobMetrics } from '../../../src/platform/jobs/job-metrics.ts';
import { type Job, type JobOutcome, Jobs, listDue, listJobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { samplesIn } from '../../support/metrics.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const HOUR_MS = 3_600_000;
const start = new Date('2027-01-01T00:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * HOUR_MS);
const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(2);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await db().run(sql`delete from jobs`);
});

const db = (node = 0) => (opened.databases[node] as Database).writes;
const runner = (jobs: readonly Job[], node = 0, outcomes: JobOutcome[] = []) =>
  new Jobs(db(node), jobs, log, (outcome) => outcomes.push(outcome));
const hourly = (name: string, run: Job['run']): Job => ({ name, intervalMs: HOUR_MS, run });

describe('jobs', () => {
  test('success: each is run once although two nodes poll at the same time', async () => {
    const runs: string[] = [];
    const jobs = Array.from({ length: 12 }, (_, number) =>
      hourly(`job ${number}`, async () => {
        runs.push(`job ${number}`);
        await sleep(2);
      }),
    );
    const [one, two] = [runner(jobs), runner(jobs, 1)];
    await Promise.all([one.schedule(start), two.schedule(start)]);
    await Promise.all([one.runDue(start), two.runDue(start), one.runDue(start), two.runDue(start)]);
    expect(runs.sort()).toEqual(jobs.map(({ name }) => name).sort());
  });

  test('success: due again after its interval, not before, and once however many intervals passed', async () => {
    let runs = 0;
    const jobs = runner([
      hourly('count', async () => {
        runs += 1;
      }),
    ]);
    await jobs.schedule(start);
    for (const hours of [0, 0.5, 0.999]) await jobs.runDue(after(hours));
    expect(runs).toBe(1);
    await jobs.runDue(after(1));
    expect(runs).toBe(2);
    await jobs.runDue(after(500));
    expect(runs).toBe(3);
  });

  test('success: a clock that was 420 days ahead leaves nothing that waits for its times', async () => {
    let runs = 0;
    const count = hourly('count', async () => {
      runs += 1;
    });
    const idle: Job = { ...count, name: 'idle', intervalMs: 100, hasWork: () => sql`false` };
    const jobs = runner([count, idle]);
    await jobs.schedule(start);
    await jobs.runDue(after(420 * 24));
    expect(runs).toBe(2);
    // Within the next interval, or as far beyond it as the clocks of two workers differ, it is not due.
    expect(await listDue(db(), [count, idle], after(420 * 24 - 1 / 30))).toEqual(new Set());
    expect(await listDue(db(), [count, idle], after(1))).toEqual(new Set(['count', 'idle']));
    await jobs.runDue(after(1));
    expect(runs).toBe(4);
    expect(await listJobs(db(), 'count')).toMatchObject([{ next: after(2), lastRun: after(1) }]);
    expect(await db().rows(sql`select finished_at as at from jobs`)).toEqual([
      { at: after(1) },
      { at: after(1) },
    ]);
    await jobs.runDue(after(1.5));
    expect(runs).toBe(5);
  });

  test('success: a run that ends after a later one is not shown as running', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const waiting = hourly('twice', () => {
      begun.resolve();
      return ended.promise;
    });
    const slow = runner([waiting]).runNow('twice', after(1));
    await begun.promise;
    await runner([hourly('twice', async () => {})], 1).runNow('twice', after(2));
    ended.resolve();
    await slow;
    expect(await listJobs(db(), 'twice')).toMatchObject([{ outcome: 'done', lastRun: after(2) }]);
  });

  test('success: the longest due first', async () => {
    const order: string[] = [];
    const jobs = runner(['b', 'a', 'c'].map((name) => hourly(name, async () => void order.push(name))));
    await db().run(
      sql`insert into jobs (name, due_at) values ('a', ${after(2)}), ('b', ${after(1)}), ('c', ${after(0)})`,
    );
    await jobs.runDue(after(3));
    expect(order).toEqual(['c', 'b', 'a']);
  });

  test('failure: where the clock becomes wrong between two jobs the second is not claimed', async () => {
    let isRight = true;
    const ran: string[] = [];
    const works = ['a', 'b'].map((name) =>
      hourly(name, async () => {
        ran.push(name);
        isRight = false;
      }),
    );
    const jobs = new Jobs(
      db(),
      works,
      log,
      () => {},
      async () => isRight,
    );
    await jobs.schedule(start);
    await jobs.runDue(start);
    expect(ran).toEqual(['a']);
    expect(await listJobs(db(), 'b')).toMatchObject([{ lastRun: null, next: start }]);
    isRight = true;
    await jobs.runDue(start);
    expect(ran).toEqual(['a', 'b']);
  });

  test('failure: a leap of the time is logged once for all jobs that wait for it, other failures once for each job', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const failing = (name: string, error: Error) => hourly(name, () => Promise.reject(error));
    const works = [
      failing('a', new TimeLeapt('leapt')),
      failing('b', new TimeLeapt('leapt')),
      failing('c', new Error('away')),
      failing('d', new Error('away')),
    ];
    const jobs = new Jobs(db(), works, createLog('info', stream), () => {});
    await jobs.schedule(start);
    for (const hours of [0, 1, 2]) await jobs.runDue(after(hours));
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.map(({ msg, job, clock }) => [msg, job, clock])).toEqual([
      ['the time has leapt: jobs that end something wait', undefined, 'leapt'],
      ['job failed', 'c', undefined],
      ['job failed', 'd', undefined],
    ]);
    expect((await listJobs(db())).map(({ failures }) => failures)).toEqual([3, 3, 3, 3]);
  });

  test('success: metrics say of each job whether it waits because the time has leapt', async () => {
    const leapt = new TimeLeapt(describeLeap({ from: start, to: after(48), waitsUntil: after(72) }));
    let isOver = false;
    const works = [
      hourly('waits', async () => {
        if (!isOver) throw leapt;
      }),
      hourly('fails', () => Promise.reject(new Error('away'))),
      hourly('works', async () => {}),
    ];
    const jobs = runner(works);
    await jobs.schedule(start);
    await jobs.runDue(start);
    const held = async () => {
      const metrics = new Metrics();
      registerInDatabase(metrics, (opened.databases[0] as Database).lists, jobMetrics);
      const samples = samplesIn(await metrics.registry.metrics());
      return works.map(({ name }) => samples.get(`cadastre_job_held_by_leap{name="${name}"}`));
    };
    expect(await held()).toEqual([1, 0, 0]);
    isOver = true;
    await jobs.runDue(after(1));
    expect(await held()).toEqual([0, 0, 0]);
  });

  test('failure: a job that fails is recorded, the others run, and it is due again', async () => {
    let isBroken = true;
    const ran: string[] = [];
    const outcomes: JobOutcome[] = [];
    const breaks = hourly('breaks', async () => {
      if (isBroken) throw new Error('out of order');
      ran.push('breaks');
    });
    const jobs = runner([breaks, hourly('other', async () => void ran.push('other'))], 0, outcomes);
    const record = () =>
      db().rows(sql`select failure, failures, finished_at, due_at from jobs where name = 'breaks'`);
    await jobs.schedule(start);
    await jobs.runDue(start);
    expect(ran).toEqual(['other']);
    expect(await record()).toEqual([
      { failure: 'out of order', failures: 1, finished_at: start, due_at: after(1) },
    ]);
    await jobs.runDue(after(1));
    expect(await record()).toMatchObject([{ failures: 2 }]);
    isBroken = false;
    await jobs.runDue(after(2));
    expect(await record()).toMatchObject([{ failure: null, failures: 0 }]);
    expect(ran).toContain('breaks');
    expect(outcomes.filter(({ name }) => name === 'breaks').map(({ failure }) => failure)).toEqual([
      'out of order',
      'out of order',
      null,
    ]);
    expect(await listJobs(db(), 'breaks')).toEqual([
      {
        name: 'breaks',
        everyMs: HOUR_MS,
        outcome: 'done',
        failures: 0,
        durationMs: expect.any(Number),
        lastRun: after(2),
        next: after(3),
        failedAt: after(1),
        lastFailure: 'out of order',
        stops: [],
        lastApproval: null,
      },
    ]);
  });

  test('success: claimed together, each runs once, in the order of the program, and its own outcome is recorded', async () => {
    const ran: string[] = [];
    const outcomes: JobOutcome[] = [];
    const works = [
      hourly('second', async () => void ran.push('second')),
      hourly('breaks', () => Promise.reject(new Error('out of order'))),
      hourly('first', async () => void ran.push('first')),
      hourly('later', async () => void ran.push('later')),
    ];
    const [one, two] = [runner(works, 0, outcomes), runner(works, 1, outcomes)];
    await db().run(sql`
      insert into jobs (name, due_at) values
        ('first', ${after(0)}), ('second', ${after(1)}), ('breaks', ${after(1)}), ('later', ${after(3)})`);
    await one.runDueTogether(after(2));
    await two.runDueTogether(after(2));
    expect(ran).toEqual(['second', 'first']);
    expect(outcomes.map(({ name, failure }) => [name, failure])).toEqual([
      ['second', null],
      ['breaks', 'out of order'],
      ['first', null],
    ]);
    expect(await listJobs(db())).toMatchObject([
      { name: 'breaks', outcome: 'failed', failures: 1, next: after(3) },
      { name: 'first', outcome: 'done', failures: 0, next: after(3) },
      { name: 'later', outcome: 'never ran', next: after(3) },
      { name: 'second', outcome: 'done', failures: 0, next: after(3) },
    ]);
  });

  test('success: one without work is not due again before half a minute, one with work or of unknown work is', async () => {
    let hasWork = false;
    const jobs = ['idle', 'plain', 'later'].map((name) => ({
      name,
      intervalMs: 500,
      run: async () => {},
      ...(name === 'idle' && { hasWork: () => sql`${hasWork}::boolean` }),
    }));
    const due = async (seconds: number) =>
      [...(await listDue(db(), jobs, new Date(start.getTime() + seconds * 1000)))].sort();
    await runner(jobs.slice(0, 2)).schedule(start);
    await runner(jobs.slice(2)).schedule(after(1 / 30));
    expect(await due(0)).toEqual(['idle', 'plain']);
    await runner(jobs).runDue(start);
    expect(await due(0.4)).toEqual([]);
    expect(await due(29)).toEqual(['plain']);
    expect(await due(30)).toEqual(['idle', 'plain']);
    hasWork = true;
    expect(await due(0.4)).toEqual([]);
    expect(await due(1)).toEqual(['idle', 'plain']);
  });

  test('success: one is run on demand, and is due an interval later', async () => {
    let runs = 0;
    const jobs = runner([hourly('count', async () => void runs++)]);
    await db().run(sql`insert into jobs (name, due_at) values ('count', ${after(9)})`);
    expect(await jobs.runNow('count', after(2))).toMatchObject({ name: 'count', failure: null });
    expect(runs).toBe(1);
    expect(await listJobs(db())).toMatchObject([
      { name: 'count', lastRun: after(2), next: after(3), outcome: 'done' },
    ]);
    expect(await jobs.runNow('unknown', after(2))).toBe(undefined);
  });

  test('success: an unfinished one is shown as running, one that never started as never ran', async () => {
    await db().run(sql`
      insert into jobs (name, due_at, started_at, finished_at)
      values ('begun', ${after(2)}, ${after(1)}, ${after(0)}), ('idle', ${after(2)}, null, null)`);
    expect((await listJobs(db())).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['begun', 'running'],
      ['idle', 'never ran'],
    ]);
  });

  test('success: scheduling keeps existing rows and leaves jobs of another version alone', async () => {
    await db().run(
      sql`insert into jobs (name, due_at) values ('kept', ${after(1.5)}), ('of another version', ${start})`,
    );
    const jobs = runner([hourly('kept', async () => {}), hourly('new', async () => {})]);
    await jobs.schedule(after(1));
    await jobs.runDue(after(1));
    expect(await db().rows(sql`select name, due_at, started_at from jobs order by name`)).toEqual([
      { name: 'kept', due_at: after(1.5), started_at: null },
      { name: 'new', due_at: after(2), started_at: after(1) },
      { name: 'of another version', due_at: start, started_at: null },
    ]);
  });
});
