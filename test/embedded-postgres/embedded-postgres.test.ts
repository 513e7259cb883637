import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import {
  locateEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import {
  cloneFile,
  cloneTheCode,
  isRoot,
  makeOriginal,
  postmasterPid,
  query,
  startServerProcess,
  stopAfterwards,
  temporaryDirectory,
} from './fixtures.ts';

const nobody = 65534;

async function start(home: string, notes: string[] = []) {
  const settings = { fsync: 'off' };
  const note = (sentence: string) => notes.push(sentence);
  return stopAfterwards(await startEmbeddedPostgres(home, { settings, note }));
}

let original: Awaited<ReturnType<typeof makeOriginal>>;
beforeAll(async () => {
  original = await makeOriginal();
});
afterAll(() => original.remove());

describe.concurrent('starting and stopping', () => {
  test('success: a fresh start creates the database, reachable through a protected socket only', async () => {
    const home = join(temporaryDirectory(), 'home');
    const server = stopAfterwards(
      await startEmbeddedPostgres(home, { settings: { work_mem: '5MB', fsync: 'off' } }),
    );
    const [row] = await query(
      server.address,
      `SELECT current_database() AS database, current_user AS username, lower('ÕÄ') AS lower,
        current_setting('listen_addresses') AS listens, current_setting('work_mem') AS memory,
        current_setting('TimeZone') AS zone, current_setting('data_checksums') AS checksums`,
    );
    expect(row).toEqual({
      database: 'cadastre',
      username: 'cadastre',
      lower: 'õä',
      listens: '',
      memory: '5MB',
      zone: 'UTC',
      checksums: 'on',
    });
    expect(statSync(server.address.host).mode & 0o777).toBe(0o700);
    expect(server).toMatchObject({ adopted: false, relocated: false });
    expect(locateEmbeddedPostgres(home)).toEqual(server.address);
    expect(existsSync(join(home, 'logs/postgres.log'))).toBe(true);
  });

  test('success: a restart keeps the data, and a second stop is harmless', async () => {
    const home = original.copied();
    const first = await start(home);
    await query(first.address, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await Promise.all([first.stop(), first.stop()]);
    expect(locateEmbeddedPostgres(home)).toBeUndefined();
    const second = await start(home);
    expect(await query(second.address, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  test('success: a home whose path is too long for a socket has its socket in the temporary directory', async () => {
    const home = join(temporaryDirectory(), 'a-rather-long-name'.repeat(5));
    const server = await start(home);
    const { host } = server.address;
    expect(host.length).toBeLessThan(90);
    expect(await query(server.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(locateEmbeddedPostgres(home)).toEqual(server.address);
    await server.stop();
    expect(existsSync(host)).toBe(false);
    if (!isRoot) return;
    // Another user who knows the name cannot create the directory first to intercept connections.
    mkdirSync(host);
    onTestFinished(() => rmSync(host, { recursive: true }));
    chownSync(host, nobody - 1, nobody);
    await expect(startEmbeddedPostgres(home)).rejects.toThrow('belongs to another user');
  });

  test('failure: a second start on the same home is refused, naming the first', async () => {
    const home = original.copied();
    const server = await start(home);
    const refusal = `The data directory ${home} is in use by process ${process.pid}.`;
    await expect(startEmbeddedPostgres(home)).rejects.toThrow(refusal);
    const { report } = await startServerProcess(home);
    expect(report.refusal).toContain(refusal);
    expect(await query(server.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe.concurrent('after a kill', () => {
  test('success: a server left by a killed process is adopted, watched and stopped', async () => {
    const home = original.copied();
    const serverProcess = await startServerProcess(home);
    await serverProcess.kill();
    expect(locateEmbeddedPostgres(home)).toEqual(serverProcess.report.address);
    const server = await start(home);
    expect(server).toMatchObject({ adopted: true, address: serverProcess.report.address });
    const adopted = postmasterPid(server.dataDirectory);
    process.kill(adopted, 'SIGKILL');
    await vi.waitFor(() => query(server.address, 'SELECT 1'), { interval: 50 });
    expect(postmasterPid(server.dataDirectory)).not.toBe(adopted);
    await server.stop();
    expect(locateEmbeddedPostgres(home)).toBeUndefined();
  });

  test.each([
    ['the server', undefined],
    ['a process of the server', `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`],
  ])(
    'success: %s is killed, and it is started again while ours runs, with all its data',
    async (_what, pidOf) => {
      const notes: string[] = [];
      const server = await start(original.copied(), notes);
      await query(server.address, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const [found] = pidOf === undefined ? [] : await query(server.address, pidOf);
      const pid = found && 'pid' in found ? Number(found.pid) : postmasterPid(server.dataDirectory);
      process.kill(pid, 'SIGKILL');
      const answer = () => query(server.address, 'SELECT answer FROM kept');
      await expect.poll(() => notes).toEqual(['PostgreSQL ended unexpectedly and is being started again.']);
      expect(await vi.waitFor(answer, { interval: 50 })).toEqual([{ answer: 42 }]);
    },
  );

  test('success: a start after both were killed waits for orphaned sessions and recovers', async () => {
    const home = original.copied();
    const serverProcess = await startServerProcess(home);
    const { address, dataDirectory = '' } = serverProcess.report;
    if (address === undefined) throw new Error(serverProcess.report.refusal);
    const busySession = query(address, 'SELECT count(*) FROM generate_series(1, 3000000)').catch(() => {});
    await vi.waitFor(() =>
      expect(
        query(address, `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT count%' AND state = 'active'`),
      ).resolves.toHaveLength(1),
    );
    process.kill(postmasterPid(dataDirectory), 'SIGKILL');
    await serverProcess.kill();
    const server = await start(home);
    expect(server.adopted).toBe(false);
    expect(await query(server.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await busySession;
  });

  test('success: a pid file whose pid was reused by another process is ignored', async () => {
    const home = original.copied();
    const first = await start(home);
    const pidFile = join(first.dataDirectory, 'postmaster.pid');
    const left = readFileSync(pidFile, 'utf8');
    const { uid, gid } = statSync(pidFile);
    await first.stop();
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    onTestFinished(() => other.kill());
    writeFileSync(pidFile, left.replace(/^\d+/, String(other.pid)), { mode: 0o600 });
    chownSync(pidFile, uid, gid);
    expect(locateEmbeddedPostgres(home)).toBeUndefined();
    const second = await start(home);
    expect(second.adopted).toBe(false);
    await second.stop();
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill();
    await once(other, 'exit');
  });
});

describe.runIf(isRoot)('as root', { concurrent: true }, () => {
  test('success: an inaccessible home has its data elsewhere, and a second start finds it', async () => {
    const home = join(temporaryDirectory(0o700), 'home');
    const notes: string[] = [];
    const first = await start(home, notes);
    expect(first.relocated).toBe(true);
    expect(notes.join()).toContain(`so the database lies in ${dirname(first.dataDirectory)}.`);
    await query(first.address, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start(home);
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await query(second.address, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  test('success: when an inaccessible home was removed, its data is set aside and the next start is fresh', async () => {
    const home = join(temporaryDirectory(0o700), 'home');
    const serverProcess = await startServerProcess(home);
    await serverProcess.kill();
    rmSync(home, { recursive: true });
    const notes: string[] = [];
    const server = await start(home, notes);
    expect(server).toMatchObject({ adopted: false, relocated: true });
    expect(notes.join()).toContain(`was set aside in ${server.dataDirectory}.former.`);
  });

  test('success: from an inaccessible clone the programs are copied to where the account reaches them', async () => {
    const closed = temporaryDirectory(0o700);
    const serverProcess = await startServerProcess(original.copied(), { code: cloneTheCode(closed) });
    expect(serverProcess.report.notes?.join()).toContain('its programs were copied to');
    expect(serverProcess.report.relocated).toBe(false);
    await serverProcess.end();
  });

  test('success: an ordinary user starts from packages that are not theirs, and root after them', async () => {
    const code = cloneTheCode(temporaryDirectory(0o755));
    const node = join(code, 'node');
    cloneFile(process.execPath, node);
    const home = join(code, 'home');
    mkdirSync(home);
    chownSync(home, nobody, nobody);
    chmodSync(home, 0o700);
    const serverProcess = await startServerProcess(home, { code, node, uid: nobody, gid: nobody });
    expect(serverProcess.report).toMatchObject({ adopted: false, relocated: false });
    expect(statSync(serverProcess.report.dataDirectory ?? '').uid).toBe(nobody);
    await serverProcess.end();
    await (await start(home)).stop();
    const again = await startServerProcess(home, { code, node, uid: nobody, gid: nobody });
    expect(again.report.refusal).toBeUndefined();
    await again.end();
  });
});

describe.concurrent('the packages', () => {
  test('success: two first starts at once from one clone both find the libraries', async () => {
    const code = cloneTheCode(temporaryDirectory());
    const homes = [original.copied(), original.copied()];
    const processes = await Promise.all(homes.map((home) => startServerProcess(home, { code })));
    for (const { report } of processes) expect(report.address).toBeDefined();
    await Promise.all(processes.map((serverProcess) => serverProcess.end()));
  });

  test('failure: without a package for this platform the alternative is named', async () => {
    const code = cloneTheCode(temporaryDirectory(), { withServer: false });
    const { report } = await startServerProcess(temporaryDirectory(), { code });
    expect(report.refusal).toContain('Set DATABASE_URL to use a PostgreSQL of your own.');
  });
});
