import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import {
  cadastre,
  databaseUrl,
  emptyDatabase,
  productionDatabase,
  startProcess,
  startServeProcess,
} from '../support/cadastre.ts';
import { placeOfData, TEMPLATE } from '../support/global-setup.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

/** Several processes start at once. */
const PROCESSES = { timeout: 60_000 };

describe.concurrent('cadastre serve', PROCESSES, () => {
  test('success: nothing of the sandbox: no controls, no credentials, and a clean shutdown', async () => {
    const { url } = await productionDatabase();
    const server = await startServeProcess(url);
    onTestFinished(async () => void (await server.stop()));
    for (const [method, place] of [
      ['GET', 'clock'],
      ['POST', 'clock'],
      ['POST', 'reset'],
      ['POST', 'topup'],
      ['GET', 'mail'],
      ['GET', 'mail/1'],
      ['POST', 'faults'],
    ] as const)
      expect((await fetch(`${server.url}/sandbox/${place}`, { method })).status).toBe(404);
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${server.url}/docs/try/createContact`, { method })).status).toBe(404);
    expect(await (await fetch(`${server.url}/docs`)).text()).not.toContain('/docs/try');
    const home = await (await fetch(server.url)).text();
    expect(home).toContain('Cadastre');
    expect(home).not.toMatch(/password|alpha|sandbox/i);
    const confirmation = await fetch(`${server.url}/confirm/unknown`);
    expect(confirmation.status).toBe(404);
    expect(await confirmation.text()).not.toMatch(/sandbox/i);
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({
      status: 'ok',
      mode: 'production',
    });
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    const { port } = new URL(server.url);
    expect(server.output()).toMatch(
      new RegExp(`"port":${port},"metrics":"http://127\\.0\\.0\\.1:\\d+/metrics","msg":"started"`),
    );
    expect(server.output()).toContain('CERTIFICATES is off');
  });

  test('failure: the database of a sandbox, an empty one, and none', async () => {
    const [sandbox, empty] = [await emptyDatabase(TEMPLATE), await emptyDatabase()];
    const run = (command: string, env: Record<string, string>) =>
      cadastre([command], { env: { PORT: '0', ...env } });
    const [served, worked, onEmpty, onNone] = await Promise.all([
      run('serve', { DATABASE_URL: sandbox.url }),
      run('work', { DATABASE_URL: sandbox.url }),
      run('serve', { DATABASE_URL: empty.url }),
      cadastre(['serve']),
    ]);
    for (const outcome of [served, worked]) {
      expect(outcome).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The database belongs to a sandbox; a production server does not touch it.\n',
      });
    }
    expect(onEmpty).toMatchObject({ code: 1, stdout: '' });
    expect(onEmpty.stderr).toMatch(/^The database .*run cadastre migrate first\.\n$/);
    expect(onNone).toMatchObject({ code: 1, stdout: '' });
    expect(onNone.stderr).toMatch(/^DATABASE_URL must be set;.*\.\n$/);
  });

  test('failure: a PostgreSQL without Cadastre and its role', async () => {
    const home = mkdtempSync(path.join(placeOfData(), 'cadastre-fresh-'));
    chmodSync(home, 0o711); // as root the database runs under another account, which needs access
    const fresh = await startEmbeddedPostgres(home, { settings: { fsync: 'off' } });
    onTestFinished(async () => {
      await fresh.stop();
      rmSync(home, { recursive: true, force: true });
    });
    const env = { DATABASE_URL: databaseUrl(fresh.address.database, fresh.address), PORT: '0' };
    for (const args of [['serve'], ['registrar', 'list']]) {
      const outcome = await cadastre(args, { env });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/^The database .*run cadastre migrate first\.\n$/);
    }
  });
});

describe.concurrent('an unreachable database', PROCESSES, () => {
  const nowhere = path.join(mkdtempSync(path.join(os.tmpdir(), 'cadastre-nowhere-')), 'gone');
  rmSync(path.dirname(nowhere), { recursive: true });
  const socket = `postgres://app:very-secret-word@localhost/registry?host=${encodeURIComponent(nowhere)}`;
  const port = 'postgres://app:very-secret-word@127.0.0.1:1/registry';

  test.each([
    ['serve', port],
    ['migrate', socket],
    ['registrar list', socket],
  ])('failure: cadastre %s says so in one sentence without the password', async (command, url) => {
    const outcome = await cadastre(command.split(' '), { env: { DATABASE_URL: url, PORT: '0' } });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^The database cannot be reached \(.*\)\.\n$/);
    expect(outcome.stderr).not.toContain('very-secret-word');
  });

  test('failure: neither DATABASE_URL nor a sandbox that runs here', async () => {
    const outcome = await cadastre(['user', 'list']);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^DATABASE_URL is not set, and no sandbox is running on .*\.\n$/);
  });
});

describe.concurrent('cadastre work', PROCESSES, () => {
  test('success: it runs what is due and ends at SIGTERM, leaving no connection behind', async () => {
    const { url, sql: db } = await productionDatabase();
    const worker = startProcess(['work'], { DATABASE_URL: url });
    onTestFinished(worker.kill);
    const finished = () =>
      db.rows(sql`select bool_and(finished_at is not null and failures = 0) as all from jobs`);
    await expect.poll(finished, { timeout: 30_000 }).toEqual([{ all: true }]);
    expect(await worker.stop()).toBe(0);
    // Its backends end a moment after their client.
    const connections = () =>
      db.rows(sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
    await expect.poll(connections).toEqual([{ count: 0 }]);
  });

  test('success: SIGTERM during the start ends it', async () => {
    const { url } = await productionDatabase();
    const worker = startProcess(['work'], { DATABASE_URL: url });
    await sleep(400);
    worker.child.kill('SIGINT');
    await worker.closed;
    expect([0, null]).toContain(worker.child.exitCode); // null where the signal came before its handler was installed
  });
});
