import { describe, expect, onTestFinished, test } from 'vitest';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { alpha } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { samplesAt } from '../../support/metrics.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { runningTime } from '../../support/running-time.ts';
import { sql } from '../../support/sql.ts';

/** Those that must be answered in time have long been; shorter than the timeout for locks. */
const ANSWER_TIMEOUT_MS = 3_000;

/** Blocks transactions that charge accounts until unlocked, and counts the registrations among them. */
async function lockAccounts({ sql: db }: TestRegistry) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<Sql>();
  const holding = db.begin(async (transaction) => {
    await transaction.run(sql`select from ledger_accounts for update`);
    lock(transaction);
    await released;
  });
  const transaction = await locked;
  const unlock = async () => {
    release();
    await holding;
  };
  onTestFinished(unlock);
  const registrations = async () => {
    await transaction.run(sql`select pg_stat_clear_snapshot()`);
    const found = await transaction.rows(sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into domains%'`);
    return found.length;
  };
  return { unlock, registrations };
}

async function inFlight(registry: TestRegistry): Promise<number> {
  const text = await (await fetch(registry.metricsUrl)).text();
  return Number(/^cadastre_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}

describe('the deadline of a request', () => {
  test('failure: it gets 503 at the deadline, counts as in flight until its work ends, and has no later effect; its key allows a retry', async () => {
    const registry = await freshRegistryForThisTest({ answerTimeoutMs: ANSWER_TIMEOUT_MS });
    const registrant = await Registrant.of(alpha(registry.url));
    const names = [freshName(), freshName()];
    const { unlock } = await lockAccounts(registry);
    const passed = runningTime();
    const replies = await Promise.all([
      registrant.try({ name: names[0] }),
      registrant.try({ name: names[1] }, { 'idempotency-key': 'deadline-1' }),
    ]);
    expect(passed()).toBeLessThan(2 * ANSWER_TIMEOUT_MS);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [503, 2400],
      [503, 2400],
    ]);
    expect(await inFlight(registry)).toBe(2);
    await unlock();
    await expect.poll(() => inFlight(registry)).toBe(0);
    const found = await registry.sql.rows(sql`select from domains where name = any(${names})`);
    expect(found).toHaveLength(0);
    const again = await registrant.try({ name: names[1] }, { 'idempotency-key': 'deadline-1' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('failure: a request that waits for a connection when its client disconnects is not begun', async () => {
    const registry = await freshRegistryForThisTest({ writeConnections: 1 });
    const registrant = await Registrant.of(alpha(registry.url));
    const code = await createContact(alpha(registry.url));
    const { unlock, registrations } = await lockAccounts(registry);
    const waiting = registrant.try({ name: freshName() });
    await expect.poll(() => inFlight(registry)).toBe(1);
    // So that the second is not in the same batch.
    await expect.poll(registrations, { interval: 10 }).toBe(1);
    const client = new AbortController();
    const writesWaiting = async () =>
      (await samplesAt(registry.metricsUrl)).get('cadastre_pool_waiting{pool="writes"}');
    // A deletion waits alone, not in a batch with the others.
    const aborted = fetch(`${registry.url}/registry/v1/contacts/${code}`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${btoa('alpha:alpha-sandbox-password')}` },
      signal: client.signal,
    }).catch(() => 'left');
    await expect.poll(() => inFlight(registry)).toBe(2);
    await expect.poll(writesWaiting).toBeGreaterThan(0);
    client.abort();
    expect(await aborted).toBe('left');
    await expect.poll(() => inFlight(registry)).toBe(1);
    await unlock();
    expect((await waiting).status).toBe(200);
    const kept = await registry.sql.rows(sql`select from contacts where code = ${code}`);
    expect(kept).toHaveLength(1);
    const metrics = await (await fetch(registry.metricsUrl)).text();
    expect(metrics).not.toMatch(/^cadastre_database_errors_total\{/m);
  });
});
