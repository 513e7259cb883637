import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endureAttacks, figuresOf } from '../../bench/hostile/hostile.ts';
import { Bar } from '../../bench/progress.ts';
import { callAsRegistrars, quantileOf } from '../support/attacks/registrar-calls.ts';
import { slowBodies } from '../support/attacks/slow-bodies.ts';

const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;

/** `npm test` runs the same attack against the same server, in hostile-clients.test.ts. */
test.runIf(process.env.TORTURE)(
  'success: registrars are measured without and during an attack on a production server',
  async () => {
    const results = await endureAttacks(0.5, new Bar(silent), [slowBodies.name]);
    expect(results).toHaveLength(1);
    expect(results[0]?.quiet.milliseconds).toHaveLength(30);
    expect([...(results[0]?.quiet.failures ?? [])]).toEqual([]);
    expect(results[0]?.meanwhile.milliseconds).toHaveLength(30);
    expect(figuresOf('attacks', results).map(({ what }) => what)).toEqual([
      "ms at p99 of registrars' reads: slow bodies",
      'reads that failed: slow bodies',
    ]);
  },
  120_000,
);

describe('effects on registrars', () => {
  async function callsOf(answer: RequestListener) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const calls = [
      { authorization: 'Basic YTpi', path: '/one' },
      { authorization: 'Basic YTpi', path: '/two' },
    ];
    return callAsRegistrars({ port, calls, perSecond: 100, seconds: 0.1 });
  }

  test('success: answers with 200 are no failures, and the slowest one is the last quantile', async () => {
    const outcome = await callsOf(({ url }, response) => {
      setTimeout(() => response.end('{}'), url === '/two' ? 50 : 0);
    });
    expect([...outcome.failures]).toEqual([]);
    expect(outcome.milliseconds).toHaveLength(10);
    expect(quantileOf(outcome, 1)).toBeGreaterThanOrEqual(49);
    expect(quantileOf(outcome, 0.1)).toBeLessThan(quantileOf(outcome, 1));
  });

  test('failure: refusals, dropped connections and truncated answers are counted', async () => {
    const outcome = await callsOf(({ url }, response) => {
      if (url === '/one') {
        response.writeHead(503).end();
      } else {
        response.writeHead(200, { 'content-length': 10 }).write('half');
        setTimeout(() => response.destroy(), 10);
      }
    });
    expect(outcome.failures.get('503')).toBe(5);
    expect([...outcome.failures.values()].reduce((sum, count) => sum + count, 0)).toBe(10);
  });
});
