import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startServeProcess } from '../support/cadastre.ts';
import { newContact } from '../support/contacts.ts';
import { freePort } from '../support/free-port.ts';
import { findHaproxy, startHaproxy } from '../support/haproxy.ts';
import { seededProduction } from '../support/seeded-production.ts';

/** The long run has the documented check interval and 25,000 requests; the short run fewer. */
const LONG = process.env.TORTURE !== undefined;
const [CHECK_INTERVAL, CHECK_MS] = LONG ? ['1s', 1_000] : ['200ms', 200];
/** The documented one: a balancer on a busy machine may need seconds for a check. */
const SHUTDOWN_DELAY_MS = '5000';
const REQUESTS = LONG ? 25_000 : 500;
const CLIENTS = LONG ? 8 : 3;
const PAUSE_MS = LONG ? 0 : 30;
const AUTHORIZATION = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
const unpacked = findHaproxy();
const root = 'root' in unpacked ? unpacked.root : undefined;

/** The status of the answer, or the error. */
const request = (url: string, agent: http.Agent, body?: string): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = {
      authorization: AUTHORIZATION,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const call = http.request(
      url,
      { agent, headers, method: body === undefined ? 'GET' : 'POST' },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', (error) => resolve(error.message));
      },
    );
    call.on('error', (error) => resolve(error.message));
    call.end(body);
  });

test.skipIf(root === undefined)(
  `success: servers behind a haproxy are restarted one by one, and no request of ${REQUESTS} fails${'reason' in unpacked ? ` (skipped: ${unpacked.reason})` : ''}`,
  { timeout: 300_000 },
  async () => {
    const { url: database } = await seededProduction();
    const ports = [String(await freePort()), String(await freePort())];
    const serve = (port: string) =>
      startServeProcess(database, {
        PORT: port,
        SHUTDOWN_DELAY_MS,
        RATE_LIMIT_PER_MINUTE: '1000000',
        LOG_LEVEL: 'warn',
      });
    const servers = await Promise.all(ports.map(serve));
    // The test is over by then: no further delay.
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.kill()))));
    const proxy = await startHaproxy(root ?? '', ports, CHECK_INTERVAL);
    onTestFinished(proxy.stop);

    const outcomes = new Map<number | string, number>();
    let [made, restarts, isOver] = [0, 0, false];
    const client = async () => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        const isWrite = made++ % 4 === 0;
        const place = `${proxy.url}/registry/v1/${isWrite ? 'contacts' : 'accounts/balance'}`;
        const outcome = await request(place, agent, isWrite ? JSON.stringify(newContact()) : undefined);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (PAUSE_MS > 0) await sleep(PAUSE_MS);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: CLIENTS }, client);
    while (restarts < servers.length || made < REQUESTS) {
      const index = restarts++ % servers.length;
      expect(await servers[index]?.stop()).toBe(0);
      servers[index] = await serve(ports[index] ?? '');
      await expect.poll(() => proxy.isUp(index), { interval: CHECK_MS }).toBe(true);
    }
    isOver = true;
    await Promise.all(clients);
    if (LONG)
      process.stdout.write(`${made} requests during ${restarts} restarts
`);
    expect([...outcomes]).toEqual([[200, made]]);
  },
);
