import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { databaseUrl, startServe } from '../support/cadastre.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { runningTime } from '../support/running-time.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import {
  credentials,
  freeze,
  getContact,
  homeForThisTest,
  postContact,
  postmasterOf,
  sandboxOn,
} from './processes.ts';

/** Two seconds on an idle machine; the rest is for a busy one. It is frozen until all are answered. */
const ANSWERED_WITHIN_MS = 8_000;
const FROZEN_MS = 4_500;
/** A connection with a statement under way has 5 seconds to end; the rest is for the process itself. */
const STOPPED_WITHIN_MS = 8_000;

type Seen = { readonly code: string; readonly status: number; readonly ms: number; readonly sentAt: number };

async function timed(code: string, call: () => Promise<Response>): Promise<Seen> {
  const sentAt = performance.now();
  const { status } = await call();
  return { code, status, ms: performance.now() - sentAt, sentAt };
}

test.concurrent('failure: while the database is frozen every request gets 503 within seconds, and has no effect later', async () => {
  const home = homeForThisTest();
  const { url } = await sandboxOn(home);
  await Promise.all(Array.from({ length: 8 }, (_, index) => postContact(url, `before-${index}`)));
  const calls: Promise<Seen>[] = [];
  let number = 0;
  const ask = () => {
    number += 1;
    const code = `frozen-${number}`;
    calls.push(timed(code, () => postContact(url, code)));
    calls.push(timed('read', () => fetch(`${url}/registry/v1/contacts/before-1`, { headers: credentials })));
    calls.push(timed('ready', () => fetch(`${url}/ready`)));
  };
  const asking = setInterval(ask, 40);
  await expect.poll(() => calls.length).toBeGreaterThan(30);
  const thaw = freeze(postmasterOf(home) ?? expect.fail('no database runs'));
  const frozenAt = performance.now();
  const before = calls.length;
  await sleep(FROZEN_MS);
  await expect.poll(() => calls.length - before).toBeGreaterThan(220);
  clearInterval(asking);
  const seen = await Promise.all(calls);
  thaw();
  await expect.poll(async () => (await postContact(url, 'after')).status, { interval: 50 }).not.toBe(503);

  const during = seen.filter(({ sentAt }) => sentAt > frozenAt + 100);
  expect(during.length).toBeGreaterThan(200);
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(ANSWERED_WITHIN_MS);
  const sent = during.filter(({ code }) => code.startsWith('frozen-'));
  const found = await Promise.all(
    sent.map(async ({ code }) => ((await getContact(url, code)).status === 200 ? [code] : [])),
  );
  expect(found.flat()).toEqual([]);
});

test.concurrent('success: serve stops within seconds though its database is frozen', async () => {
  const home = homeForThisTest();
  const postgres = await startEmbeddedPostgres(home, { settings: { fsync: 'off', max_connections: '30' } });
  onTestFinished(() => postgres.stop());
  const sandbox = await connectAsOwner({ ...postgres.address, database: 'cadastre' });
  await sandbox.script('create database production');
  const production = await connectAsOwner({ ...postgres.address, database: 'production' });
  await migrate(production, 'production', new Date());
  await Promise.all([sandbox.close(), production.close()]);
  const server = await startServe(databaseUrl('production', postgres.address));
  const thaw = freeze(postmasterOf(home) ?? expect.fail('no database runs'));
  const asked = fetch(`${server.url}/health`).then(
    ({ status }) => status,
    () => 'cut off',
  );
  const passed = runningTime();
  await server.stop();
  expect(passed()).toBeLessThan(STOPPED_WITHIN_MS);
  expect(await asked).not.toBe(200);
  thaw();
});
