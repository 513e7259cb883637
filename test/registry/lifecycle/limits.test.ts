import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { processDueDates } from '../../../src/billing/invoices/process-due-dates.ts';
import { approveSteps, listStops } from '../../../src/platform/jobs/job-limits.ts';
import { listJobs } from '../../../src/platform/jobs/run-jobs.ts';
import { type Database, type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { archiveContacts, checkArchiveLimit } from '../../../src/registry/lifecycle/archive-contacts.ts';
import {
  checkLifecycleLimits,
  runLifecycle,
  stepContextOf,
} from '../../../src/registry/lifecycle/run-lifecycle.ts';
import { populate } from '../../performance/population.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A tenth of sixty domains within 24 hours. */
const policy: Policy = { ...ee, dailyLimit: { maxShare: 0.1, minCount: 4 } };
const DOMAINS = 60;
const ALLOWED = 6;
const START = new Date('2060-03-01T09:30:00Z');
const hours = (count: number) => new Date(START.getTime() + count * 3_600_000);
const minutes = (count: number) => hours(count / 60);

let owner: Owner;
let nodes: Database[];
let drop: () => Promise<void>;
let filled: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  filled = await createTestDatabase();
  const db = await connectAsOwner({ ...inject('server'), database: filled.name });
  await populate(db, { registrars: ['GAMMA'], contactsEach: 5, domains: DOMAINS, messagesEach: 0 });
  await db.run(sql`update domains set expire_time = '2070-01-01'`);
  await db.run(sql`insert into jobs (name, due_at) values ('domain lifecycle', ${hours(24)})`);
  await db.close();
});
afterAll(() => filled.drop());
beforeEach(async () => {
  const database = await createTestDatabase(filled.name);
  const target = { ...inject('server'), database: database.name };
  const limits = { readConnections: 1, listConnections: 1, writeConnections: 2 };
  owner = await connectAsOwner(target);
  nodes = [1, 2].map(() =>
    openDatabase(target, { ...limits, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, ee.timeZone),
  );
  drop = database.drop;
});
afterEach(async () => {
  await Promise.all([...nodes, owner].map((pool) => pool.close()));
  await drop();
});

const node = (index = 0) => nodes[index] as Database;
const run = (at: Date, index = 0) => runLifecycle(node(index), at, policy, true);
/** Of the unaffected ones. */
const take = (count: number) =>
  sql`id in (select id from domains where statuses = '{}' and expire_time = '2070-01-01' order by id limit ${count})`;
const letExpire = (count: number, at: Date) =>
  owner.run(sql`update domains set expire_time = ${at} where ${take(count)}`);
const letBeReleased = (count: number, day: string) =>
  owner.run(
    sql`update domains set statuses = '{"pendingDelete": "", "serverHold": ""}', hold_causes = '["expiry"]', delete_date = ${day}::text::date where ${take(count)}`,
  );
const countWith = async (status: string) => {
  const [row] = await owner.rows(
    sql<{ count: number }>`select count(*) as count from domains where statuses ? ${status}`,
  );
  return row?.count;
};
const approve = async (at: Date) =>
  approveSteps(node().writes, await checkLifecycleLimits(node().lists, stepContextOf(at, policy)), {
    by: 'operator:test',
    at,
    reason: 'a peak',
  });

describe('the daily limit of the domain lifecycle', () => {
  test('failure: above the limit nothing is expired, held or released; reminders continue; notified once', async () => {
    await letExpire(ALLOWED + 1, START);
    await owner.run(sql`update domains set statuses = '{"expired": ""}', expire_time = ${hours(-480)}, outzone_at = ${hours(-1)}, delete_date = '2060-04-01'
      where ${take(1)}`);
    await letBeReleased(1, '2060-03-01');
    const stop = {
      job: 'domain lifecycle',
      step: 'expire domains',
      due: 7,
      taken: 0,
      allowed: 6,
      total: DOMAINS,
    };
    expect(await run(minutes(1))).toEqual([stop]);
    expect(await run(minutes(2))).toEqual([]);
    expect([
      await countWith('expired'),
      await countWith('deleteCandidate'),
      await countWith('serverHold'),
    ]).toEqual([1, 0, 1]);
    expect(await owner.rows(sql`select operation from history where at >= ${START}`)).toEqual([
      { operation: 'remind' },
    ]);
    expect(await listStops(owner)).toEqual([{ ...stop, since: minutes(1) }]);
    await owner.run(
      sql`update jobs set started_at = ${START}, finished_at = ${START} where name = 'domain lifecycle'`,
    );
    expect(await listJobs(owner, 'domain lifecycle')).toMatchObject([
      {
        outcome: 'stopped',
        stops: ['expire domains: 7 are due and 0 were done in the last 24 hours; 6 of 60 are allowed'],
      },
    ]);
  });

  test('success: within the limit it continues, and a small registry is not limited', async () => {
    await letExpire(ALLOWED, START);
    expect(await run(minutes(1))).toEqual([]);
    expect(await countWith('expired')).toBe(ALLOWED);
    await owner.run(sql`delete from domains where ${take(DOMAINS)}`);
    await owner.run(sql`delete from job_step_counts`);
    await owner.run(sql`update domains set statuses = '{}', hold_causes = '[]', expire_time = ${hours(2)}, outzone_at = null, delete_date = null
      where id in (select id from domains limit 4)`);
    expect(await run(hours(3))).toEqual([]);
    expect(await listStops(owner)).toEqual([]);
  });

  test('failure: runs of one day add up; success: the next day it continues automatically', async () => {
    await letExpire(4, START);
    await run(minutes(1));
    await letExpire(4, hours(1));
    expect(await run(hours(2))).toMatchObject([{ step: 'expire domains', due: 4, taken: 4, allowed: 6 }]);
    expect(await countWith('expired')).toBe(4);
    await run(hours(26));
    expect([await countWith('expired'), await listStops(owner)]).toEqual([8, []]);
  });

  test('success: a wrong clock leaves no stop behind', async () => {
    await letExpire(20, hours(1_000));
    expect(await run(hours(1_001))).toHaveLength(1);
    await run(minutes(1));
    expect([await countWith('expired'), await listStops(owner)]).toEqual([0, []]);
  });

  test('success: approved, it continues immediately, and approved work does not count the next time', async () => {
    await letExpire(20, START);
    await run(minutes(1));
    await approve(minutes(2));
    expect(await owner.rows(sql`select due_at from jobs where name = 'domain lifecycle'`)).toEqual([
      { due_at: minutes(2) },
    ]);
    await letExpire(2, minutes(3)); // some more have come since
    expect(await run(minutes(4))).toEqual([]);
    expect([await countWith('expired'), await listStops(owner)]).toEqual([22, []]);
    expect(
      await owner.rows(sql`select step, count, used, approved_by, approved_at, reason from job_approvals`),
    ).toEqual([
      {
        step: 'expire domains',
        count: 20,
        used: 20,
        approved_by: 'operator:test',
        approved_at: minutes(2),
        reason: 'a peak',
      },
    ]);
    await letExpire(4, minutes(5));
    expect(await run(minutes(6))).toEqual([]);
    await letExpire(1, minutes(7));
    expect(await run(minutes(8))).toMatchObject([{ due: 1, taken: 6 }]);
    expect(await listJobs(owner, 'domain lifecycle')).toMatchObject([
      { lastApproval: 'operator:test at 2060-03-01T09:32:00Z (expire domains: 20; a peak)' },
    ]);
  });

  test('failure: much more than was approved, and an approval of yesterday', async () => {
    await letExpire(10, START);
    await approve(minutes(1));
    await letExpire(ALLOWED + 1, minutes(2));
    expect(await run(minutes(3))).toMatchObject([{ due: 17 }]);
    expect(await countWith('expired')).toBe(0);
    expect(await run(hours(30))).toEqual([]); // notified already
    expect(await listStops(owner)).toMatchObject([{ due: 17 }]);
    await approve(hours(30));
    await run(hours(30));
    expect(await countWith('expired')).toBe(17);
  });

  test('success: an approval replaces the one before it', async () => {
    await letExpire(10, START);
    await approve(minutes(1));
    await letExpire(10, minutes(2));
    await approve(minutes(3));
    await letExpire(ALLOWED + 1, minutes(4));
    expect(await run(minutes(5))).toMatchObject([{ due: 27 }]);
  });

  test('success: released domains are deleted without another approval', async () => {
    await letBeReleased(20, '2060-03-01');
    expect(await run(minutes(1))).toMatchObject([{ step: 'release domains', due: 20 }]);
    await approve(minutes(2));
    await run(minutes(3));
    expect(await countWith('deleteCandidate')).toBe(20);
    expect(await run(hours(24))).toEqual([]);
    expect(await owner.rows(sql`select count(*) as count from domains`)).toEqual([{ count: DOMAINS - 20 }]);
  });

  test('failure: more to be deleted than was released', async () => {
    await owner.run(
      sql`update domains set statuses = '{"deleteCandidate": ""}', purge_at = ${START} where ${take(ALLOWED + 1)}`,
    );
    expect(await run(minutes(1))).toMatchObject([{ step: 'delete domains', due: 7, allowed: 6 }]);
    expect(await countWith('deleteCandidate')).toBe(ALLOWED + 1);
  });

  test('failure: late ones that fall due for the next step in the same run', async () => {
    await letExpire(5, hours(-16 * 24));
    await owner.run(
      sql`update domains set statuses = '{"expired": ""}', reminded_at = ${START}, outzone_at = ${hours(-1)}, delete_date = '2060-04-01' where ${take(2)}`,
    );
    expect(await run(minutes(1))).toMatchObject([{ step: 'hold domains', due: 7 }]);
    expect([await countWith('expired'), await countWith('serverHold')]).toEqual([7, 0]);
  });

  test('success: two concurrent workers do no more than one, and count each once', async () => {
    await letExpire(ALLOWED, START);
    await Promise.all([run(minutes(1), 0), run(minutes(1), 1), run(minutes(1), 0), run(minutes(1), 1)]);
    expect(await owner.rows(sql`select sum(count)::int as count from job_step_counts`)).toEqual([
      { count: ALLOWED },
    ]);
    await letExpire(30, minutes(2));
    await Promise.all([run(minutes(3), 0), run(minutes(3), 1)]);
    expect(await countWith('expired')).toBe(ALLOWED);
    await approve(minutes(4));
    await Promise.all([run(minutes(5), 0), run(minutes(5), 1), run(minutes(5), 0)]);
    expect(await owner.rows(sql`select count, used from job_approvals`)).toEqual([{ count: 30, used: 30 }]);
    expect(
      await owner.rows(
        sql`select sum(count)::int as count, sum(approved)::int as approved from job_step_counts`,
      ),
    ).toEqual([{ count: ALLOWED + 30, approved: 30 }]);
    expect(await listStops(owner)).toEqual([]);
  });

  test('success: what a clock that was ahead has counted and approved is of no account', async () => {
    await letExpire(ALLOWED, START);
    await owner.run(sql`
      insert into job_step_counts (job, step, hour, count) values ('domain lifecycle', 'expire domains', date_trunc('hour', ${hours(10_000)}::timestamptz), 6)`);
    expect(await run(minutes(1))).toEqual([]);
    expect(await countWith('expired')).toBe(ALLOWED);
    expect(await owner.rows(sql`select from job_step_counts where hour > ${hours(24)}`)).toEqual([]);

    await letExpire(2, minutes(2));
    await approve(hours(10_000));
    expect(await run(minutes(3))).toMatchObject([{ due: 2, taken: ALLOWED }]);
  });

  test('success: without the limit, as in the sandbox, nothing stops and nothing is counted', async () => {
    await letExpire(40, START);
    expect(await runLifecycle(node(), minutes(1), policy, false)).toEqual([]);
    expect([await countWith('expired'), await owner.rows(sql`select from job_step_counts`)]).toEqual([
      40,
      [],
    ]);
  });
});

describe('the daily limits of disputes, requests and top-ups', () => {
  const openDisputes = (count: number) =>
    owner.run(sql`
      insert into disputes (name, code, starts_at, expires_at)
      select gen_random_uuid() || '.ee', 'code', ${hours(-9)}, ${START} from generate_series(1, ${count})`);
  const requestDeletions = (count: number) =>
    owner.run(sql`
      insert into registrant_requests (domain_id, kind, registrar_id, requested_by, requested_at, expires_at)
      select id, 'deletion', registrar_id, 'user:test', ${hours(-9)}, ${START} from domains where ${take(count)}`);
  const issueTopUps = async (count: number) => {
    await owner.run(sql`
      insert into invoice_numbers (number, initiator, allocated_at) select n, 'registry', ${START} from generate_series(900001, 900000 + ${count}) n`);
    await owner.run(sql`
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, issued_at, due_date, registrar_id)
      select n, 'registry', 'top-up', 'overdue', 'EUR', 124, 100, 24, 24, 'x', ${START}, '2059-01-01', (select min(id) from registrars)
      from generate_series(900001, 900000 + ${count}) n`);
  };
  const open = () =>
    owner.one(sql`
      select (select count(*) from disputes where closed_at is null) as disputes,
        (select count(*) from registrant_requests where closed_at is null) as requests,
        (select count(*) from invoices where kind = 'top-up' and status <> 'cancelled') as "topUps"`);
  const cancel = () => processDueDates(node(), policy, START, true);

  test('failure: too many at once end nothing', async () => {
    await openDisputes(5);
    await requestDeletions(5);
    await issueTopUps(5);
    expect(await run(minutes(1))).toMatchObject([
      { step: 'lapse requests', due: 5, allowed: 4 },
      { step: 'end disputes', due: 5, allowed: 4 },
    ]);
    expect(await cancel()).toMatchObject([{ step: 'cancel top-ups', due: 5, allowed: 4 }]);
    expect(await open()).toEqual({ disputes: 5, requests: 5, topUps: 5 });
  });

  test('success: as many as policy allows, which then count', async () => {
    await openDisputes(4);
    await requestDeletions(4);
    await issueTopUps(4);
    expect([await run(minutes(1)), await cancel()]).toEqual([[], []]);
    expect(await open()).toEqual({ disputes: 0, requests: 0, topUps: 0 });
    await openDisputes(1);
    expect(await run(minutes(2))).toMatchObject([{ step: 'end disputes', due: 1, taken: 4, allowed: 4 }]);
  });
});

describe('the daily limit of the archive of contacts', () => {
  test('failure: too many at once; success: approved', async () => {
    await owner.run(sql`insert into contacts (code, code_key, registrar_id, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
      select code || n, code_key || n, registrar_id, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, '2050-01-01', '2050-01-01'
      from (select * from contacts order by id limit 1) c, generate_series(1, 10) n`);
    const archive = () => archiveContacts(node(), stepContextOf(START, policy), true);
    const left = () => owner.rows(sql`select from contacts where created_at = '2050-01-01'`);
    expect(await archive()).toMatchObject([
      { job: 'archive contacts', step: 'archive contacts', due: expect.any(Number) },
    ]);
    expect(await left()).toHaveLength(10);
    await approveSteps(node().writes, await checkArchiveLimit(node().lists, stepContextOf(START, policy)), {
      by: 'operator:test',
      at: START,
    });
    expect(await archive()).toEqual([]);
    expect(await left()).toHaveLength(0);
  });
});
