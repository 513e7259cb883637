import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { test } from 'vitest';
import { startServe, startServeProcess, startWorkProcess } from '../support/cadastre.ts';
import { inFiles, selfSigned } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
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

const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;

/** The number of calls that were answered until the server refused connections. */
async function callUntilRefused(url: string): Promise<number> {
  for (let calls = 0; ; calls++) {
    const answer = await fetch(`${url}/registry/v1/domains`, { headers: { authorization } }).catch(() => {});
    if (!answer) return calls;
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    await sleep(200);
  }
}

test('success: a server that is shutting down turns unready, serves for the delay, closes each connection with its answer, and counts every call', async () => {
  const { url: databaseUrl, sql: db } = await seededProduction();
  const server = await startServe(databaseUrl, { SHUTDOWN_DELAY_MS: String(DELAY_MS) });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await get(`${server.url}/health`, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });

  const counted = callUntilRefused(server.url);
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
  const calls = await counted;
  expect(calls).toBeGreaterThan(3);
  expect(
    await db.rows(
      sql<{ calls: number }>`select calls from api_calls where call = 'GET /registry/v1/domains'`,
    ),
  ).toEqual([{ calls }]);
});

/** The name in the certificate that a server shows. */
const shownName = (port: number): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      resolve([subject.CN].flat()[0]);
    }).on('error', reject);
  });

test('success: SIGHUP ends neither a server nor a worker; a server then shows the new certificates of HTTPS and EPP', async () => {
  const { url: databaseUrl } = await seededProduction();
  const [https, epp] = [
    await inFiles(await selfSigned('old.example')),
    await inFiles(await selfSigned('old.example')),
  ];
  const eppPort = await freePort();
  const server = await startServeProcess(databaseUrl, {
    TLS_KEY_FILE: https.tlsKeyFile,
    TLS_CERTIFICATE_FILE: https.tlsCertificateFile,
    EPP_PORT: String(eppPort),
    EPP_TLS_KEY_FILE: epp.tlsKeyFile,
    EPP_TLS_CERTIFICATE_FILE: epp.tlsCertificateFile,
    EPP_CERTIFICATES: 'optional',
  });
  onTestFinished(server.kill);
  const names = () => Promise.all([Number(new URL(server.url).port), eppPort].map(shownName));
  expect(await names()).toEqual(['old.example', 'old.example']);
  await https.write(await selfSigned('new.example'));
  await epp.write(await selfSigned('newer.example'));
  process.kill(server.pid, 'SIGHUP');
  await expect.poll(names).toEqual(['new.example', 'newer.example']);
  await expect.poll(server.output).toContain('SIGHUP: reading files again');
  expect(await server.stop()).toBe(0);
  expect(server.output()).toMatch(/"door":"HTTPS".*were renewed/);
  expect(server.output()).toMatch(/"door":"EPP".*were renewed/);
  const END = /"signal":"SIGTERM","msg":"stopping"}\n(.*\n)*.*"msg":"stopped"}\n$/;
  expect(server.output()).toMatch(END);

  const worker = await startWorkProcess(databaseUrl);
  worker.child.kill('SIGHUP');
  await expect.poll(worker.output).toContain('SIGHUP: reading files again');
  expect(await worker.stop()).toBe(0);
  expect(worker.output()).toMatch(END);
});
