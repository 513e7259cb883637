import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const ANSWER_TIMEOUT_MS = 1_000;

/** Keeps whoever wants to move money waiting until the returned function is called. */
async function lockAccounts({ sql: db }: TestRegistry): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holding = db.begin(async (transaction) => {
    await transaction.run(sql`select from ledger_accounts for update`);
    lock();
    await released;
  });
  await locked;
  const unlock = async () => {
    release();
    await holding;
  };
  onTestFinished(unlock);
  return unlock;
}

async function inFlight(registry: TestRegistry): Promise<number> {
  const text = await (await fetch(registry.metricsUrl)).text();
  return Number(/^cadastre_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}

describe('the deadline of a request', () => {
  test('failure: it hears 503 then, counts until its work ends, and nothing of it happens later; its key settles it', async () => {
    const registry = await freshRegistryForThisTest({ answerTimeoutMs: ANSWER_TIMEOUT_MS });
    const registrant = await Registrant.of(alpha(registry.url));
    const names = [freshName(), freshName()];
    const unlock = await lockAccounts(registry);
    const began = performance.now();
    const replies = await Promise.all([
      registrant.try({ name: names[0] }),
      registrant.try({ name: names[1] }, { 'idempotency-key': 'deadline-1' }),
    ]);
    expect(performance.now() - began).toBeLessThan(2 * ANSWER_TIMEOUT_MS);
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

  test('failure: what waits for a connection when its client leaves is not begun', async () => {
    const registry = await freshRegistryForThisTest({ writeConnections: 1 });
    const registrant = await Registrant.of(alpha(registry.url));
    const [first, left] = [freshName(), freshName()];
    const unlock = await lockAccounts(registry);
    const waiting = registrant.try({ name: first });
    await expect.poll(() => inFlight(registry)).toBe(1);
    await sleep(100); // so that the second is in another statement
    const client = new AbortController();
    const aborted = fetch(`${registry.url}/registry/v1/contacts/${registrant.code}`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${btoa('alpha:alpha-sandbox-password')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ contact: { name: left } }),
      signal: client.signal,
    }).catch(() => 'left');
    await expect.poll(() => inFlight(registry)).toBe(2);
    await sleep(100);
    client.abort();
    expect(await aborted).toBe('left');
    await expect.poll(() => inFlight(registry)).toBe(1);
    await unlock();
    expect((await waiting).status).toBe(200);
    const changed = await registry.sql.rows(sql`select from contacts where name = ${left}`);
    expect(changed).toHaveLength(0);
    const metrics = await (await fetch(registry.metricsUrl)).text();
    expect(metrics).not.toMatch(/^cadastre_database_errors_total\{/m);
  });
});
