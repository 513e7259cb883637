import http from 'node:http';
import { test } from 'vitest';
import { startServe } from '../support/cadastre.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

type Answer = {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
};

/** Long enough for three requests on a busy machine. */
const DELAY_MS = 3_000;

const get = (url: string, agent: http.Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (answer) => {
        let body = '';
        answer.on('data', (chunk) => (body += chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, connection: answer.headers.connection, body }),
        );
      })
      .on('error', reject);
  });

test('success: a server that is told to stop says so, goes on for the delay, and each answer ends its connection', async () => {
  const { url: databaseUrl } = await seededProduction();
  const server = await startServe(databaseUrl, { SHUTDOWN_DELAY_MS: String(DELAY_MS) });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await get(`${server.url}/health`, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });

  const begun = performance.now();
  const stopped = server.stop();
  const readiness = async () => (await fetch(`${server.url}/ready`)).status;
  await expect.poll(readiness).toBe(503);
  expect(JSON.parse((await get(`${server.url}/ready`, agent)).body)).toMatchObject({
    stopping: true,
    writable: true,
  });
  expect(await get(`${server.url}/health`, agent)).toMatchObject({ status: 200, connection: 'close' });
  expect(performance.now() - begun).toBeLessThan(DELAY_MS);

  expect(await stopped).toBe(0);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(DELAY_MS - 10);
  await expect(fetch(`${server.url}/health`)).rejects.toThrow();
});
