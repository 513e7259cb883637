import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withProgress } from '../../src/commands/terminal/progress.ts';
import { cadastre, databaseUrl, openProductionDatabase } from '../support/cadastre.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
const run = (...args: string[]) =>
  cadastre(['job', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  await registry.sql.run(sql`
    update jobs set due_at = now() + interval '10 minutes', started_at = '2026-01-02T06:00:00Z', finished_at = '2026-01-02T06:00:00Z', duration_ms = 12
    where name in ('cancel unfulfillable invoices', 'process due dates', 'delete old idempotency keys')`);
});
afterAll(() => registry.stop());

describe('cadastre job', () => {
  test('success: list as a table and as JSON', async () => {
    const { stdout, code } = await run('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^NAME +EVERY +LAST RUN +TOOK +OUTCOME +NEXT\n/);
    expect(stdout).toMatch(/^cancel unfulfillable invoices +10 minutes +\S+ +\d+ ms +done +\S+$/m);
    expect(stdout).toMatch(/^archive contacts +day +/m);
    expect(stdout).toMatch(/^poll payments +at every check +/m);
    const jobs = JSON.parse((await run('list', '--json')).stdout);
    expect(jobs).toContainEqual(
      expect.objectContaining({ name: 'domain lifecycle', everyMs: 60_000, failures: 0 }),
    );
  });

  test('success: show gives the last error, also when it has succeeded since', async () => {
    await registry.sql.run(sql`
      update jobs set failed_at = '2026-01-02T03:04:05Z', last_failure = 'the disk was full' where name = 'process due dates'`);
    const shown = await run('show', 'process due dates');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^outcome +done$/m);
    expect(shown.stdout).toMatch(/^failedAt +2026-01-02T03:04:05\.000Z$/m);
    expect(shown.stdout).toMatch(/^lastFailure +the disk was full$/m);
    expect(JSON.parse((await run('show', 'process due dates', '--json')).stdout)).toMatchObject({
      name: 'process due dates',
      lastFailure: 'the disk was full',
    });
  });

  test('success: a job that no program runs any more is forgotten; a dry run keeps it', async () => {
    await registry.sql.run(sql`insert into jobs (name, due_at, interval_ms) values ('of old', now(), 1000)`);
    const left = () => registry.sql.rows(sql`select from jobs where name = 'of old'`);
    expect(await run('forget', 'of old', '--dry-run')).toMatchObject({ code: 0, stderr: '' });
    expect(await left()).toHaveLength(1);
    const { code, stdout } = await run('forget', 'of old');
    expect([code, stdout]).toEqual([0, 'of old is forgotten.\n']);
    expect(await left()).toEqual([]);
  });

  test('failure: an unknown job cannot be forgotten', async () => {
    expect(await run('forget', 'of old')).toMatchObject({
      code: 1,
      stderr: 'There is no job of old; see: cadastre job list\n',
    });
  });

  test('success: run executes it now, and it is recorded; a dry run does nothing', async () => {
    await registry.sql.run(sql`
      insert into idempotency_keys (scope, key, fingerprint, answer, created_at)
      values ('test', 'old', '', '{}', now() - interval '3 days')`);
    const left = () => registry.sql.rows(sql`select key from idempotency_keys where scope = 'test'`);
    const tried = await run('run', 'delete old idempotency keys', '--dry-run');
    expect(tried).toMatchObject({ code: 0, stderr: '' });
    expect(tried.stdout).toMatch(/^Dry run: nothing was changed\./);
    expect(await left()).toHaveLength(1);
    const ran = await run('run', 'delete old idempotency keys', '--json');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({
      name: 'delete old idempotency keys',
      durationMs: expect.any(Number),
    });
    expect(await left()).toEqual([]);
  });

  test('failure: an unknown job, to show and to run', async () => {
    expect(await run('show', 'nothing')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no job nothing; see: cadastre job list\n',
    });
    const ran = await run('run', 'nothing');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^There is no job nothing .* there are domain lifecycle, .*\.\n$/);
  });

  test('failure: one that fails says why, ends with 1, and shows it afterwards', async () => {
    const production = await openProductionDatabase();
    const env = { DATABASE_URL: production.url };
    await production.sql.run(
      sql`insert into clock_readings (hour) values (date_trunc('hour', now() - interval '1 day'))`,
    );
    await production.sql.run(sql`drop table idempotency_keys`);
    const outcome = await cadastre(['job', 'run', 'delete old idempotency keys'], { env });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^delete old idempotency keys failed: .*idempotency_keys.*\n$/);
    const shown = await cadastre(['job', 'show', 'delete old idempotency keys'], { env });
    expect(shown.stdout).toMatch(/^outcome +failed$/m);
    expect(shown.stdout).toMatch(/^does +Deletes keys after 48 hours/m);
    expect(shown.stdout).toMatch(/^lastFailure +.*idempotency_keys/m);
    await production.drop();
  });
});

describe('progress', () => {
  const place = (isTTY: boolean) => {
    const written: string[] = [];
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        written.push(String(chunk));
        done();
      },
    });
    return Object.assign(stream, { isTTY, written });
  };

  test('success: a terminal shows the progress, and clears it at the end', async () => {
    const terminal = place(true);
    expect(await withProgress('counting', async () => 7, terminal as never)).toBe(7);
    expect(terminal.written[0]).toContain('counting (0 s)');
    expect(terminal.written.at(-1)).toBe('\r\u001b[K');
  });

  test('success: without a terminal it is silent; failure: errors are thrown', async () => {
    const file = place(false);
    await expect(
      withProgress('counting', () => Promise.reject(new Error('no')), file as never),
    ).rejects.toThrow('no');
    expect(file.written).toEqual([]);
  });
});
