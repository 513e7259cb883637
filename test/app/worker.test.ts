import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { alpha } from '../support/client.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const isPollWaiting = async (db: Sql) =>
  (
    await db.one(sql<{ waits: boolean }>`
      select exists (select from pg_locks where relation = 'jobs'::regclass and not granted) as waits`)
  ).waits;

describe('the poll for due jobs', () => {
  test('success: reads do not wait behind one that takes long', async () => {
    const { sql: db, url } = registry;
    await db.begin(async (transaction) => {
      await transaction.run(sql`lock table jobs in access exclusive mode`);
      while (!(await isPollWaiting(transaction))) await sleep(20);
      expect((await alpha(url).get('/accounts/balance')).status).toBe(200);
      expect(await isPollWaiting(transaction)).toBe(true);
    });
  });
});
