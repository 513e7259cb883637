import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

async function ask(url: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const reply = await fetch(url);
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

describe('health and readiness', () => {
  test('success: both answer 200 in normal operation', async () => {
    expect(await ask(`${registry.url}/health`)).toEqual({
      status: 200,
      body: {
        status: 'ok',
        database: 'ok',
        mode: 'sandbox',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      },
    });
    expect(await ask(`${registry.url}/ready`)).toEqual({
      status: 200,
      body: {
        status: 'ready',
        migrated: true,
        writable: true,
        standby: false,
        standbyMissing: false,
        stopping: false,
        clock: 'ok',
      },
    });
  });

  test('failure: both answer 503 while the database is unavailable, and 200 once it is back', async () => {
    const own = await freshRegistryForThisTest();
    const { databaseName: name } = own;
    await own.sql.run(sql`select 1`);
    await registry.sql.script(`alter database ${name} allow_connections false`);
    await registry.sql.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
    );
    expect(await ask(`${own.url}/health`)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', database: 'away' },
    });
    expect(await ask(`${own.url}/ready`)).toMatchObject({
      status: 503,
      body: { status: 'not ready', migrated: null, writable: false, standby: null, standbyMissing: null },
    });
    expect((await alpha(own.url).get('/contacts')).status).toBe(503);
    const metrics = await (await fetch(own.metricsUrl)).text();
    expect(metrics).toMatch(/^cadastre_database_errors_total\{kind="unavailable"\} [1-9]/m);
    expect(metrics).toMatch(/^cadastre_mails_waiting Nan$/m); // unknown without the database
    await registry.sql.script(`alter database ${name} allow_connections true`);
    for (const place of ['health', 'ready'])
      await expect.poll(async () => (await ask(`${own.url}/${place}`)).status, { timeout: 30_000 }).toBe(200);
  });

  test('failure: a database of another version is healthy, but not ready', async () => {
    const own = await freshRegistryForThisTest();
    await own.sql.run(sql`insert into schema_migrations values (9999, 'from_the_future', 'x', now())`);
    expect((await ask(`${own.url}/health`)).status).toBe(200);
    expect(await ask(`${own.url}/ready`)).toMatchObject({ status: 503, body: { migrated: false } });
  });

  test('failure: a read-only database is healthy, but not ready', async () => {
    const own = await freshRegistryForThisTest();
    const { databaseName: name } = own;
    const readOnly = async (isSo: boolean) => {
      await registry.sql.script(`alter database ${name} set default_transaction_read_only = ${isSo}`);
      // Applies to new sessions.
      await registry.sql.run(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
      );
    };
    await readOnly(true);
    await expect
      .poll(() => ask(`${own.url}/ready`), NOTICED)
      .toMatchObject({ status: 503, body: { status: 'not ready', migrated: true, writable: false } });
    expect((await ask(`${own.url}/health`)).status).toBe(200);
    await readOnly(false);
    await expect
      .poll(() => ask(`${own.url}/ready`), NOTICED)
      .toMatchObject({ status: 200, body: { writable: true } });
  });

  test('success: maintenance does not affect either', async () => {
    const own = await freshRegistryForThisTest();
    await own.sql.run(sql`update installation set maintenance_since = now()`);
    await expect.poll(async () => (await alpha(own.url).get('/contacts')).status, NOTICED).toBe(503);
    expect((await ask(`${own.url}/health`)).status).toBe(200);
    expect((await ask(`${own.url}/ready`)).status).toBe(200);
  });
});

describe('metrics', () => {
  const metrics = async ({ metricsUrl }: TestRegistry) => (await fetch(metricsUrl)).text();

  test('success: on a port of its own, which serves nothing else; failure: not on the API port', async () => {
    expect(registry.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch(registry.metricsUrl)).status).toBe(200);
    expect((await fetch(`${registry.url}/metrics`)).status).toBe(404);
    for (const place of ['/', '/health', '/registry/v1/contacts', '/metrics/all'])
      expect((await fetch(new URL(place, registry.metricsUrl))).status).toBe(404);
  });

  test.runIf(process.platform === 'linux')('success: on another address where one is set', async () => {
    const own = await freshRegistryForThisTest({ metricsHost: '127.0.0.2' });
    expect(own.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/metrics$/);
    expect((await fetch(own.metricsUrl)).status).toBe(200);
    await expect(fetch(own.metricsUrl.replace('127.0.0.2', '127.0.0.1'))).rejects.toThrow('fetch failed');
  });

  test('success: requests by route, status and code, process metrics and requests in flight', async () => {
    const own = await freshRegistryForThisTest();
    const code = await createContact(alpha(own.url));
    await alpha(own.url).get(`/contacts/${code}`);
    await beta(own.url).get(`/contacts/${code}`);
    const count = (status: number, result: number) =>
      `cadastre_request_seconds_count{method="GET",route="/registry/v1/contacts/:contact_id",status="${status}",code="${result}"} 1`;
    // A request is counted after its answer was sent.
    await expect.poll(() => metrics(own)).toContain(count(404, 2303));
    const text = await metrics(own);
    expect(text).toContain(count(200, 1000));
    expect(text).toContain(count(404, 2303));
    expect(text).toMatch(/^cadastre_requests_in_flight 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).not.toContain(code);
  });

  test('success: nothing that a client sent: paths, queries, methods, names, ids', async () => {
    const own = await freshRegistryForThisTest();
    const marked = 'marked-by-client';
    const authorization = `Basic ${btoa(`${marked}:${marked}`)}`;
    const headers = { authorization, 'x-request-id': marked, 'user-agent': marked };
    for (const target of [
      `/${marked}`,
      `/registry/v1/${marked}`,
      `/registry/v1/contacts/${marked}?${marked}=1`,
      `/registry/v1/contacts/check/${marked}`,
      `/docs/${marked}`,
      `/%zz${marked}`,
    ])
      await (await fetch(`${own.url}${target}`, { headers })).text();
    await (await fetch(`${own.url}/registry/v1/contacts`, { method: 'PROPFIND', headers })).text();
    const text = await metrics(own);
    expect(text).toContain('route="none"');
    expect(text).not.toContain(marked);
    const routes = [...new Set(Array.from(text.matchAll(/route="([^"]*)"/g), ([, route]) => route))];
    expect(routes.length).toBeLessThan(8);
  });
});
