import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../../src/ledger/check-ledger.ts';
import { loggedIn } from '../../support/console.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const HTML = { accept: 'text/html' };

describe('the example data of the sandbox', () => {
  let registry: TestRegistry;
  let began: Date;
  let first: { readonly status: number; readonly body: unknown };
  const load = (headers: Record<string, string> = {}) =>
    fetch(`${registry.url}/sandbox/example-data`, { method: 'POST', headers });
  const clock = async () => {
    const { now } = (await (await fetch(`${registry.url}/sandbox/clock`)).json()) as { now: string };
    return new Date(now);
  };
  beforeAll(async () => {
    registry = await startRegistry();
    began = await clock();
    const answer = await load();
    first = { status: answer.status, body: await answer.json() };
  }, 120_000);
  afterAll(() => registry.stop());

  test('success: a registrar with 300 domains, customers and money that adds up', async () => {
    expect(first).toEqual({
      status: 200,
      body: { status: 'loaded', registrar: 'ALPHA', domains: 300, contacts: 45 },
    });
    expect(await checkLedger(registry.sql)).toEqual([]);
    const days = ((await clock()).getTime() - began.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(385);
    expect(days).toBeLessThan(400);
  });

  test('success: domains in every state that a registrar meets', async () => {
    const rows = await registry.sql.rows(sql<{ status: string; domains: number }>`
      select status, count(*)::int as domains from domains d join registrars r on r.id = d.registrar_id and r.code = 'ALPHA',
        jsonb_object_keys(d.statuses) as status group by 1`);
    expect(rows.map(({ status }) => status)).toEqual(
      expect.arrayContaining([
        'clientHold',
        'expired',
        'pendingDelete',
        'pendingDeleteConfirmation',
        'pendingUpdate',
        'serverForceDelete',
        'serverHold',
        'serverRenewProhibited',
        'serverTransferProhibited',
      ]),
    );
    const { inactive, signed, soon } = await registry.sql.one(sql<
      Record<'inactive' | 'signed' | 'soon', number>
    >`
      select count(*) filter (where not exists (select from domain_nameservers n where n.domain_id = d.id))::int as inactive,
        count(*) filter (where exists (select from domain_keys k where k.domain_id = d.id))::int as signed,
        count(*) filter (where d.expire_time between ${await clock()} and ${await clock()}::timestamptz + interval '30 days')::int as soon
      from domains d join registrars r on r.id = d.registrar_id and r.code = 'ALPHA'`);
    for (const number of [inactive, signed, soon]) expect(number).toBeGreaterThan(3);
  });

  test('success: invoices of several statuses, unread messages, statements, and webhooks of which one fails', async () => {
    const invoices = await registry.sql.rows(
      sql<{ status: string }>`select distinct status from invoices order by 1`,
    );
    expect(invoices.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['cancelled', 'paid', 'unpaid']),
    );
    const { unread, statements } = await registry.sql.one(sql<Record<'unread' | 'statements', number>>`
      select (select count(*)::int from poll_messages m join registrars r on r.id = m.registrar_id and r.code = 'ALPHA' where m.read_at is null) as unread,
        (select count(*)::int from monthly_statements s join registrars r on r.id = s.registrar_id and r.code = 'ALPHA') as statements`);
    expect(unread).toBeGreaterThan(20);
    expect(statements).toBeGreaterThan(10);
    const endpoints = await registry.sql.rows(sql<{ description: string; isFailing: boolean }>`
      select description, failing_since is not null as "isFailing" from webhook_endpoints order by 1`);
    expect(endpoints).toEqual([
      { description: 'Invoicing', isFailing: true },
      { description: 'Order system', isFailing: false },
    ]);
  });

  test('success: repeated, it says so and changes nothing', async () => {
    const at = await clock();
    const { rows } = await registry.sql.one(sql<{ rows: number }>`select count(*)::int as rows from history`);
    const answer = await load();
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'already loaded', registrar: 'ALPHA', domains: 300, contacts: 45 },
    ]);
    expect(await (await load(HTML)).text()).toContain('Nothing was changed.');
    expect(
      (await registry.sql.one(sql<{ rows: number }>`select count(*)::int as rows from history`)).rows,
    ).toBe(rows);
    expect((await clock()).getTime() - at.getTime()).toBeLessThan(60_000);
  });

  test('success: the pages of the console show it', async () => {
    const browser = await loggedIn(registry.url);
    for (const page of [
      '/',
      '/domains',
      '/contacts',
      '/messages',
      '/balance',
      '/invoices',
      '/statements',
      '/figures',
      '/webhooks',
    ])
      expect((await browser.get(`/console${page}`)).status, page).toBe(200);
  });
});
