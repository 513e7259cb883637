import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { describe, test } from 'vitest';
import { cadastre, emptyDatabase, startServe, startServeProcess } from '../../support/cadastre.ts';
import { freePort } from '../../support/free-port.ts';
import { seededProduction } from '../../support/seeded-production.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

const AUTHORIZATION = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;

/** A call of the registrar API over a connection of its own. */
const call = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { agent: false, headers: { authorization: AUTHORIZATION } } as const;
    http
      .get(`${url}/registry/v1/accounts/balance`, options, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      })
      .on('error', reject);
  });

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number)
    .filter((child) => child > 0);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.concurrent('cadastre serve --processes', { timeout: 90_000 }, () => {
  test('success: they share one port and the limits of a user, each reports its metrics, and they are replaced when they end', async () => {
    const [{ url: databaseUrl }, metricsPort] = [await seededProduction(), await freePort()];
    const server = await startServeProcess(
      databaseUrl,
      { METRICS_PORT: String(metricsPort), RATE_LIMIT_PER_MINUTE: '40' },
      ['--processes', '2'],
    );
    onTestFinished(server.stop);
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/cadastre_database_available\{process="2"\} 1/);

    const statuses: (number | undefined)[] = [];
    const callOften = async (times: number) => {
      for (let made = 0; made < times; made++) statuses.push(await call(server.url));
      return new Set(statuses.slice(-times));
    };
    expect(await callOften(40)).toEqual(new Set([200]));
    // What one process has counted reaches the other; alone each of the two would allow forty.
    await expect.poll(() => callOften(20), { interval: 150 }).toEqual(new Set([429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(80);
    const text = await metrics();
    for (const process of [1, 2])
      expect(text).toMatch(
        new RegExp(`cadastre_request_seconds_count\\{[^}]*status="200"[^}]*process="${process}"`),
      );

    const children = childrenOf(server.pid);
    process.kill(server.pid, 'SIGHUP');
    const reloads = () => server.output().match(/"msg":"SIGHUP: reading files again"/g)?.length;
    await expect.poll(reloads).toBe(2);
    expect(childrenOf(server.pid)).toEqual(children);

    const [first] = children;
    process.kill(first ?? 0, 'SIGKILL');
    const readiness = async () => (await fetch(`${server.url}/ready`)).status;
    await expect.poll(readiness).toBe(200);
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/cadastre_process_restarts_total 1/);
    await expect.poll(() => childrenOf(server.pid).length).toBe(2);
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/cadastre_processes 2/);
    // One that is ended before it listens to signals never says that it has started.
    await expect.poll(() => server.output().match(/"msg":"started"/g)?.length, { timeout: 30_000 }).toBe(3);
    expect(await server.stop()).toBe(0);
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'a process ended and is replaced')).toHaveLength(1);
    const started = lines.filter(({ msg }) => msg === 'started').map((line) => line.process);
    expect(started.toSorted()).toHaveLength(3);
    expect(new Set(started)).toEqual(new Set([1, 2]));
  });

  test('success: when their supervisor is killed, they end', async () => {
    const { url: databaseUrl } = await seededProduction();
    const server = await startServeProcess(databaseUrl, {}, ['--processes', '2']);
    await expect.poll(() => childrenOf(server.pid).length).toBe(2);
    const children = childrenOf(server.pid);
    process.kill(server.pid, 'SIGKILL');
    // One that is still starting ends when it has.
    await expect.poll(() => children.filter(isAlive), { timeout: 60_000 }).toEqual([]);
  });

  test.runIf(process.env.TORTURE)('success: one that does not respond is killed and replaced', async () => {
    const { url: databaseUrl } = await seededProduction();
    const server = await startServeProcess(databaseUrl, {}, ['--processes', '2']);
    onTestFinished(server.stop);
    await expect.poll(() => childrenOf(server.pid).length).toBe(2);
    const [stopped = 0] = childrenOf(server.pid);
    process.kill(stopped, 'SIGSTOP');
    await expect.poll(() => isAlive(stopped), { timeout: 60_000, interval: 500 }).toBe(false);
    await expect.poll(() => childrenOf(server.pid).length).toBe(2);
    expect(server.output()).toContain('a process does not respond and is killed');
  });

  test('failure: the reason why the first cannot start is reported once, and nothing is served', async () => {
    const { url } = await emptyDatabase();
    const server = startServeProcess(url, {}, ['--processes', '3']);
    const message = await server.then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(message.match(/run cadastre migrate first/g)).toHaveLength(1);
    expect(message).toContain('nothing is served');
  });

  test.for([['0'], ['two'], ['1000']])('failure: %s processes', async ([number]) => {
    const { code, stderr } = await cadastre(['serve', '--processes', String(number)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('from 1 to 128')]);
  });
});

describe.concurrent('cadastre serve --doors', () => {
  test('success: only these are open; health and the documents are on every one', async () => {
    const { url: databaseUrl } = await seededProduction();
    const server = await startServe(databaseUrl, {}, ['--doors', 'registrar, confirmation']);
    onTestFinished(server.stop);
    const statusOf = async (path: string) => (await fetch(server.url + path)).status;
    expect(await call(server.url)).toBe(200);
    expect(await statusOf('/ready')).toBe(200);
    expect(await statusOf('/openapi/billing.json')).toBe(200);
    expect(await statusOf('/confirm/unknown')).toBe(404);
    expect(await (await fetch(`${server.url}/confirm/unknown`)).text()).toContain('<html');
    for (const path of ['/api/v1/business_registry/status', '/api/v1/invoice_generator/oneoff'])
      expect(await (await fetch(server.url + path)).json()).toEqual({ error: 'Not found' });
  });

  test('failure: an unknown door', async () => {
    const { code, stderr } = await cadastre(['serve', '--doors', 'registrar,window']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('"window" is none of registrar, reservation'),
    ]);
  });
});
