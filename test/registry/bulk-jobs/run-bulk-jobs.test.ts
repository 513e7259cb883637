import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { beginBulkJob, type NewBulkJob } from '../../../src/registry/bulk-jobs/begin-bulk-job.ts';
import { bulkJobPurge } from '../../../src/registry/bulk-jobs/delete-old-bulk-jobs.ts';
import { findBulkJob, listBulkJobRows } from '../../../src/registry/bulk-jobs/read-bulk-jobs.ts';
import { nextBulkJob, runBulkJobNow, runBulkJobs } from '../../../src/registry/bulk-jobs/run-bulk-jobs.ts';
import { resumeBulkJob, stopBulkJob } from '../../../src/registry/bulk-jobs/stop-bulk-job.ts';
import { countLateBulkJobs } from '../../../src/registry/bulk-jobs/count-late-bulk-jobs.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { coreForThisFile } from '../../support/core.ts';
import { nameserver, refusalsOf } from '../../support/decisions.ts';

const core = coreForThisFile();
const logged: unknown[] = [];
const parts = () => ({
  database: core.database,
  policy: ee,
  log: { error: (...said: unknown[]) => void logged.push(said) },
});
const [OLD, NEW] = [
  [nameserver('ns1.old.example'), nameserver('ns2.old.example')],
  [nameserver('ns1.new.example'), nameserver('ns2.new.example')],
];
const SET = { kind: 'nameservers', input: { remove: 'all', add: NEW } } as const;

const personOf = (code: string) =>
  core.database.reads.one(sql<{ id: number; name: string }>`
    select p.id, p.name from people p join memberships m on m.person_id = p.id join registrars r on r.id = m.registrar_id
    where r.code = ${code} order by p.id limit 1`);

async function begin(
  context: Context,
  names: readonly string[],
  job: Partial<NewBulkJob> = {},
): Promise<string> {
  const person = await personOf('ALPHA');
  const rows = names.map((name) => ({ name }));
  const { id } = await core.run(beginBulkJob, { ...SET, person, rows, ...job } as NewBulkJob, context);
  return id;
}
async function shown(context: Context, id: string) {
  const job = await findBulkJob(core.database.reads, context.principal, id);
  if (!job) throw new Error('no job');
  const rows = await listBulkJobRows(core.database.reads, job, { size: 20_000 });
  return {
    state: job.state,
    counts: [job.changed, job.unchanged, job.refused],
    charged: job.charged,
    rows: rows.map(({ outcome, refusal }) => refusal?.name ?? outcome),
  };
}
/** Many at once, past the operation that registers one. */
async function manyDomains(context: Context, count: number): Promise<string[]> {
  const model = await core.domain(context, { nameservers: OLD });
  const rows = await core.database.writes.rows(sql<{ name: string }>`
    with made as (
      insert into domains (name, zone, registrar_id, registrant_id, created_at, updated_at, expire_time, transfer_code)
      select 'many-' || ${randomUUID().slice(0, 8)}::text || '-' || n || '.ee', d.zone, d.registrar_id, d.registrant_id, d.created_at, d.updated_at, d.expire_time, d.transfer_code
      from domains d, generate_series(1, ${count}::int) as n where d.name = ${model} returning id, name),
    linked as (
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select made.id, n.hostname, n.ipv4, n.ipv6 from made, domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${model})
    select name from made order by name`);
  return rows.map(({ name }) => name);
}
const updatesOf = async (names: readonly string[]) =>
  (
    await core.database.reads.one(sql<{ count: number }>`
      select count(*) as count from history where object_name = any(${names}::text[]) and operation = 'update'`)
  ).count;

describe('bulk jobs', () => {
  test('success: each row is changed once, although several processes run the same job', async () => {
    const alpha = await core.context('alpha');
    const names = await manyDomains(alpha, 450);
    const id = await begin(alpha, names);
    expect(await nextBulkJob(core.database.reads)).toEqual(alpha.now);
    await Promise.all(Array.from({ length: 4 }, () => runBulkJobs(parts(), alpha.now)));
    await runBulkJobs(parts(), alpha.now);
    expect(await shown(alpha, id)).toMatchObject({ state: 'finished', counts: [450, 0, 0] });
    expect(await updatesOf(names)).toBe(450);
    expect(await nextBulkJob(core.database.reads)).toBeUndefined();
  });

  test('success: a job whose process has died goes on when its lease has ended, where it was', async () => {
    const alpha = await core.context('alpha');
    const names = await manyDomains(alpha, 150);
    const id = await begin(alpha, names);
    await runBulkJobNow(parts(), id, alpha.now, 0);
    expect(await shown(alpha, id)).toMatchObject({ state: 'running', counts: [100, 0, 0] });
    // As a process leaves it that is killed after its claim.
    await core.database.writes.run(sql`
      update bulk_jobs set claims = claims + 1, next_attempt_at = ${alpha.now}::timestamptz + interval '60 seconds' where public_id = ${id}::uuid`);
    await runBulkJobs(parts(), alpha.now);
    expect((await shown(alpha, id)).state).toBe('running');
    await runBulkJobs(parts(), new Date(alpha.now.getTime() + 61_000));
    expect(await shown(alpha, id)).toMatchObject({ state: 'finished', counts: [150, 0, 0] });
    expect(await updatesOf(names)).toBe(150);
  });

  test('success: what was refused beforehand is not tried, and what others forbid fails by itself', async () => {
    const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
    const own = await core.domain(alpha, { nameservers: OLD });
    const same = await core.domain(alpha, { nameservers: NEW });
    const foreign = await core.domain(beta, { nameservers: OLD });
    const rows = [
      { name: own },
      { name: '=no name', refusal: { name: 'notName', values: {} } },
      { name: foreign },
      { name: same },
    ];
    const id = await begin(alpha, [], { rows });
    await runBulkJobs(parts(), alpha.now);
    expect(await shown(alpha, id)).toMatchObject({
      state: 'finished',
      counts: [1, 1, 2],
      rows: ['changed', 'notName', 'notSponsor', 'unchanged'],
    });
  });

  test('success: renewals as far as the balance goes, each at the price that was agreed to', async () => {
    const alpha = await core.context('alpha');
    const names = [await core.domain(alpha), await core.domain(alpha), await core.domain(alpha)];
    const account = sql`kind = 'registrar' and registrar_id = ${alpha.principal.registrarId}`;
    const { balance } = await core.database.reads.one(sql<{ balance: string }>`
      select balance::text as balance from ledger_accounts where ${account}`);
    const rows = names.map((name, place) => ({ name, price: place === 0 ? 800n : 900n }));
    const job = { kind: 'renew', input: { months: 12 }, rows } as const;
    const id = await begin(alpha, [], job as Partial<NewBulkJob>);
    const charges = () =>
      core.database.reads.one(sql<{ count: number }>`
        select count(*) as count from ledger_entries e join history h on h.id = e.history_id where h.object_name = any(${names}::text[]) and h.operation = 'renew'`);
    // Enough for one of them.
    await core.database.writes.run(sql`update ledger_accounts set balance = 1000 where ${account}`);
    await runBulkJobs(parts(), alpha.now);
    expect(await charges()).toEqual({ count: 1 });
    await core.database.writes.run(
      sql`update ledger_accounts set balance = ${balance}::bigint where ${account}`,
    );
    expect(await shown(alpha, id)).toEqual({
      state: 'finished',
      counts: [1, 0, 2],
      charged: '900',
      rows: ['otherPrice', 'changed', 'noFunds'],
    });
  });

  test('success: it is stopped, and goes on', async () => {
    const alpha = await core.context('alpha');
    const names = await manyDomains(alpha, 150);
    const id = await begin(alpha, names);
    await runBulkJobNow(parts(), id, alpha.now, 0);
    const { writes } = core.database;
    expect(await stopBulkJob(writes, { id }, alpha)).toBe(true);
    await runBulkJobs(parts(), alpha.now);
    expect(await shown(alpha, id)).toMatchObject({ state: 'stopped', counts: [100, 0, 0] });
    expect(await stopBulkJob(writes, { id }, await core.context('beta'))).toBe(false);
    expect(await resumeBulkJob(writes, { id }, await core.context('beta'))).toBe(false);
    expect(await resumeBulkJob(writes, { id }, alpha)).toBe(true);
    await runBulkJobs(parts(), alpha.now);
    expect((await shown(alpha, id)).state).toBe('finished');
    expect(await resumeBulkJob(writes, { id }, alpha)).toBe(true);
    expect(await stopBulkJob(writes, { id }, alpha)).toBe(true);
    expect((await shown(alpha, id)).state).toBe('finished');
  });

  test('failure: whoever may not change domains any more changes none', async () => {
    const alpha = await core.context('alpha');
    const name = await core.domain(alpha, { nameservers: OLD });
    const person = await personOf('ALPHA');
    const id = await begin(alpha, [name]);
    const membership = sql`person_id = ${person.id} and registrar_id = ${alpha.principal.registrarId}`;
    await core.database.writes.run(sql`update memberships set roles = '{reader}' where ${membership}`);
    await runBulkJobs(parts(), alpha.now);
    await core.database.writes.run(sql`update memberships set roles = '{admin}' where ${membership}`);
    expect((await shown(alpha, id)).rows).toEqual(['notAllowed']);
    expect(await updatesOf([name])).toBe(0);
  });

  test('failure: what no domain can get refuses every row', async () => {
    const alpha = await core.context('alpha');
    const name = await core.domain(alpha);
    const job = { kind: 'tech', input: { current: 'nobody', next: 'somebody' } } as const;
    const id = await begin(alpha, [name], job);
    await runBulkJobs(parts(), alpha.now);
    expect((await shown(alpha, id)).rows).toEqual(['bodyObjectMissing']);
  });

  test('failure: a row that nothing can be done with is given up, and the others are changed', async () => {
    const alpha = await core.context('alpha');
    const names = await manyDomains(alpha, 3);
    const id = await begin(alpha, names);
    const { writes } = core.database;
    // The input of a later version, which this one cannot read for one domain.
    await writes.run(sql`
      update bulk_jobs set kind = 'nameservers', input = '{"remove": 1, "add": []}' where public_id = ${id}::uuid`);
    logged.length = 0;
    let now = alpha.now;
    for (let count = 0; count < 7; count += 1) {
      await runBulkJobs(parts(), now);
      now = new Date(now.getTime() + 600_000);
    }
    expect(logged.length).toBeGreaterThan(5);
    expect((await countLateBulkJobs(core.database.reads, now)).waiting).toBe(1);
    expect((await shown(alpha, id)).rows[0]).toBe('fault');
    await writes.run(sql`
      update bulk_jobs set input = (select input from bulk_jobs where kind = 'nameservers' and changed > 0 limit 1), next_attempt_at = ${now}
      where public_id = ${id}::uuid`);
    await runBulkJobs(parts(), now);
    expect((await shown(alpha, id)).rows).toEqual(['fault', 'changed', 'changed']);
  });

  test('failure: too many jobs at once, and too many rows within a day', async () => {
    const beta = await core.context('beta');
    const person = await personOf('BETA');
    const refused = async () => {
      try {
        await core.run(beginBulkJob, { ...SET, person, rows: [{ name: 'one.ee' }] }, beta);
        return [];
      } catch (error) {
        return refusalsOf(() => {
          throw error;
        });
      }
    };
    for (let count = 0; count < 20; count += 1) expect(await refused()).toEqual([]);
    expect(await refused()).toEqual([['tooManyBulkJobs', null]]);
    await core.database.writes.run(sql`
      update bulk_jobs set total = 10000, refused = 10000, finished_at = created_at, next_attempt_at = null
      where registrar_id = ${beta.principal.registrarId}`);
    expect(await refused()).toEqual([['tooManyBulkJobs', null]]);
    await core.database.writes.run(sql`
      update bulk_jobs set created_at = created_at - interval '25 hours' where registrar_id = ${beta.principal.registrarId}`);
    expect(await refused()).toEqual([]);
  });

  test('success: old jobs are deleted with their rows, and none that is under way', async () => {
    const beta = await core.context('beta');
    const person = await personOf('BETA');
    const job = { ...SET, person, rows: [{ name: 'one.ee' }] };
    const kept = await core.run(beginBulkJob, job, beta);
    const refusal = { name: 'notName', values: {} };
    const old = await core.run(beginBulkJob, { ...job, rows: [{ name: 'one.ee', refusal }] }, beta);
    const later = new Date(beta.now.getTime() + 91 * 86_400_000);
    while ((await bulkJobPurge.removeSome(core.database.writes, later)) > 0);
    expect(await findBulkJob(core.database.reads, beta.principal, old.id)).toBeUndefined();
    expect(await findBulkJob(core.database.reads, beta.principal, kept.id)).toBeDefined();
    expect(await findBulkJob(core.database.reads, beta.principal, 'x')).toBeUndefined();
  });
});
