import { vi } from 'vitest';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { sql } from './sql.ts';
import { expect } from './this-test.ts';

/** Of what has no bound of its own: as long as `expect.poll` waits, see vitest.config.ts. */
const WAIT_TIMEOUT_MS = 20_000;

/** Servers look every second for changes of users, addresses, certificates, tokens and maintenance; the rest is for a busy machine. */
export const NOTICED = { timeout: WAIT_TIMEOUT_MS, interval: 50 };

const waitFor = vi.waitFor;

/** The `vi.waitFor` of all tests: vitest's own gives up after a second, and no setting changes that. */
export const waitForChange: typeof vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_TIMEOUT_MS, ...options });

/**
 * Makes a request wait for a domain that is being changed, and lets it go on when the change is done: whatever the
 * request decides, it must have seen the change.
 */
export async function whileChanging<T>(
  db: Pool,
  name: string,
  change: (db: Sql) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const { reply } = await db.begin(async (changing) => {
    await changing.run(sql`update domains set updated_at = updated_at where name = ${name}`);
    await change(changing);
    const reply = request();
    await expect.poll(() => waitingFor(changing), { interval: 10 }).toBeGreaterThan(0);
    return { reply };
  });
  return reply;
}

/** How many sessions wait for a lock in this database. */
export async function waitingFor(db: Sql): Promise<number> {
  await db.run(sql`select pg_stat_clear_snapshot()`);
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return count;
}
