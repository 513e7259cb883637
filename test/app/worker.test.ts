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

/** The poll only reads; what claims a job waits for another mode. */
const isPollWaiting = async (db: Sql) =>
  (
    await db.rows(sql`
      select from pg_locks where relation = 'jobs'::regclass and mode = 'AccessShareLock' and not granted`)
  ).length > 0;

describe('the poll for due jobs', () => {
  test('success: reads do not wait behind one that takes long', async () => {
    const { sql: db, url } = registry;
    await db.begin(async (transaction) => {
      await transaction.run(sql`lock table jobs in access exclusive mode`);
      await expect.poll(() => isPollWaiting(transaction), { interval: 20 }).toBe(true);
      expect((await alpha(url).get('/accounts/balance')).status).toBe(200);
      await expect.poll(() => isPollWaiting(transaction), { interval: 20 }).toBe(true);
    });
  });
});
