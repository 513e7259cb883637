import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { populate } from '../../performance/population.ts';
import { alpha, beta, type Client, type Reply } from '../../support/client.ts';
import { restRegularJobs } from '../../support/jobs.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

const [DOMAINS, AT_ONCE, MAX_WAITING] = [6_000, 2, 32];

let registry: TestRegistry;
let busy: Client;
let other: Client;
beforeAll(async () => {
  // No lock timeout: statements wait for the locks of these tests on a busy machine too.
  registry = await startFreshRegistry({
    listConnections: 3,
    lockTimeoutMs: 300_000,
    statementTimeoutMs: 300_000,
  });
  busy = alpha(registry.url);
  other = beta(registry.url);
  await populate(registry.sql, {
    registrars: ['ALPHA'],
    contactsEach: 100,
    domains: DOMAINS,
    messagesEach: 3,
  });
  // The job that issues top-ups reads a list every minute, and would wait for a locked table as well.
  await restRegularJobs(registry.sql);
});
afterAll(() => registry.stop());

async function waitingStatements(): Promise<number> {
  const text = await (await fetch(registry.metricsUrl)).text();
  return Number(/^cadastre_list_statements_waiting (\d+)$/m.exec(text)?.[1]);
}

/** Statements that wait for a lock in the database, found by a part of their text. */
async function blockedStatements(db: Sql, part: string): Promise<number> {
  await db.run(sql`select pg_stat_clear_snapshot()`);
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and position(${part} in query) > 0`);
  return count;
}

/** Sends requests that cannot be answered before `meanwhile` has ended, because their table is locked. */
async function whileLocked(
  table: string,
  send: () => Promise<Reply>[],
  meanwhile: (db: Sql) => Promise<void>,
): Promise<Reply[]> {
  const sent = await registry.sql.begin(async (db) => {
    await db.script(`lock table ${table} in access exclusive mode`);
    const replies = send();
    await meanwhile(db);
    return { replies };
  });
  return Promise.all(sent.replies);
}

const times = (count: number, request: () => Promise<Reply>) => Array.from({ length: count }, request);
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);

describe('concurrent lists of one registrar', () => {
  const renewal = { domains: ['loaded-1.ee'], renew_period: '1y' };
  test.each<[what: string, table: string, part: string, request: () => Promise<Reply>]>([
    ['domains', 'domains', 'with page as', () => busy.get('/domains?details=true')],
    ['contacts', 'contacts', 'select id, code, code_key', () => busy.get('/contacts?details=true&limit=10')],
    [
      'poll messages',
      'poll_messages',
      'as returned',
      () => busy.get('/registrar/notifications/all_notifications'),
    ],
    ['invoices', 'invoices', 'from invoices where registrar_id', () => busy.get('/invoices')],
    [
      'transactions',
      'ledger_entries',
      'e.balance_after',
      () => busy.get('/accounts/balance?detailed=true&until=2001-01-01'),
    ],
    [
      'the load of a bulk call',
      'domains',
      "'version', d.version",
      () => busy.post('/domains/renew/bulk', renewal, { headers: { 'dry-run': 'true' } }),
    ],
  ])(
    'success: %s: two run at once, and another registrar is answered',
    async (_what, table, part, request) => {
      const replies = await whileLocked(
        table,
        () => times(7, request),
        async (db) => {
          await expect.poll(waitingStatements, { timeout: 20_000 }).toBe(7 - AT_ONCE);
          await expect.poll(() => blockedStatements(db, part), { timeout: 20_000 }).toBe(AT_ONCE);
          const free = table === 'contacts' ? '/invoices' : '/contacts?limit=1';
          expect((await other.get(free)).status).toBe(200);
          expect(await waitingStatements()).toBe(7 - AT_ONCE);
        },
      );
      expect(new Set(replies.map(({ status, body }) => `${status} ${body.code}`)).size).toBe(1);
      expect(replies[0]?.status).not.toBe(503);
      expect(await waitingStatements()).toBe(0);
    },
  );

  test('success: names and codes take no turn, since they are read as quickly as single objects', async () => {
    const replies = await whileLocked(
      'poll_messages',
      () => times(7, () => busy.get('/registrar/notifications/all_notifications')),
      async () => {
        await expect.poll(waitingStatements, { timeout: 20_000 }).toBe(7 - AT_ONCE);
        expect((await busy.get('/domains?limit=2')).body.data.domains).toHaveLength(2);
        expect((await busy.get('/contacts?limit=2&offset=1')).body.data.contacts).toHaveLength(2);
        expect(await waitingStatements()).toBe(7 - AT_ONCE);
      },
    );
    expect(statusesOf(replies)).toEqual(Array.from({ length: 7 }, () => 200));
  });

  test('failure: lists beyond the queue get 503, and another registrar does not', async () => {
    const refused: Reply[] = [];
    const replies = await whileLocked(
      'poll_messages',
      () =>
        times(AT_ONCE + MAX_WAITING + 5, async () => {
          const reply = await busy.get('/registrar/notifications/all_notifications');
          if (reply.status !== 200) refused.push(reply);
          return reply;
        }),
      async () => {
        await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(5);
        expect(await waitingStatements()).toBe(MAX_WAITING);
        expect((await other.get('/contacts?details=true&limit=1')).status).toBe(200);
      },
    );
    for (const { status, body, headers } of refused)
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 2400, '1']);
    expect(statusesOf(replies).filter((status) => status === 200)).toHaveLength(AT_ONCE + MAX_WAITING);
  });

  test('success: a list of one item is answered before thirty heavy ones of another registrar', async () => {
    let answered = 0;
    const path = `/domains?details=true&limit=1000&offset=${DOMAINS - 1_000}`;
    const heavy = times(30, async () => {
      const reply = await busy.get(path);
      answered += 1;
      return reply;
    });
    await expect.poll(waitingStatements, { timeout: 20_000 }).toBeGreaterThan(10);
    expect((await other.get('/domains?details=true&limit=1')).status).toBe(200);
    expect(answered).toBeLessThan(20);
    for (const { status, body } of await Promise.all(heavy))
      expect([status, body.data.domains.length]).toEqual([200, 1_000]);
  });

  test('success: streamed transactions take turns page by page, and none is truncated', async () => {
    const replies = await Promise.all(times(12, () => busy.get('/accounts/balance?detailed=true')));
    for (const { status, body } of replies)
      expect([status, body.data.transactions.length >= DOMAINS]).toEqual([200, true]);
  });
});

describe('the maximum offset', () => {
  const lists = ['/domains', '/contacts', '/invoices', '/registrar/notifications/all_notifications'];
  test.each(lists)('success: 100,000 of %s', async (path) => {
    expect((await other.get(`${path}?offset=100000`)).status).toBe(200);
  });

  test.each(lists)('failure: 100,001 of %s', async (path) => {
    const { status, body } = await other.get(`${path}?offset=100001`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 2004, 'offset']);
  });
});
