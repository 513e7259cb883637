import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer } from '../../support/billing.ts';
import { alpha, alphaBilling, beta, type Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const clock = (body: object) =>
  fetch(`${registry.url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const transactions = async (
  query = '',
): Promise<
  { description: string; sum: string; balance: string; type: string; created_at: string; id: number }[]
> => (await client.get(`/accounts/balance?detailed=true${query}`)).body.data.transactions;

describe('GET /accounts/balance', () => {
  test('success: the balance alone, for billing users too', async () => {
    expect((await alphaBilling(registry.url).get('/accounts/balance')).body.data).toEqual({
      balance: '100000.00',
      currency: 'EUR',
    });
  });

  test('success: transactions, newest first, each with the balance after it', async () => {
    const mari = await Registrant.of(client);
    const name = await mari.register();
    await fetch(`${registry.url}/sandbox/topup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"registrar":"ALPHA","amount":"0.50"}',
    });
    const [topUp, create, opening] = await transactions();
    expect(topUp).toMatchObject({ type: 'credit', sum: '0.50', balance: '99991.50' });
    expect(create).toMatchObject({
      type: 'debit',
      sum: '-9.00',
      balance: '99991.00',
      description: `Create ${name}`,
    });
    expect(opening).toMatchObject({ type: 'credit', sum: '100000.00', balance: '100000.00' });
    expect(create?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[23]:00$/);
  });

  test('success: what each is about, for programs', async () => {
    const mari = await Registrant.of(client);
    const headers = { 'idempotency-key': freshCode(), 'x-request-id': freshCode() };
    const name = (await mari.try({ period: 3, period_unit: 'm' }, headers)).body.data.domain.name;
    const expiry = (await client.get(`/domains/${name}`)).body.data.domain.expire_time.slice(0, 10);
    const renews = { period: 2, period_unit: 'y', exp_date: expiry };
    await client.post(`/domains/${name}/renew`, { renews });
    const { invoice_number: number, payment_link: link } = (
      await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } })
    ).body.data.invoice;
    const payer = new Payer(registry.url);
    await payer.pay(link);
    await payer.invoice(number);
    const nothing = {
      domain: null,
      period: null,
      period_unit: null,
      invoice_number: null,
      idempotency_key: null,
    };
    const [topUp, renewal, create, ...older] = await transactions();
    expect([topUp, renewal, create, older.at(-1)]).toMatchObject([
      { ...nothing, operation: 'top-up', invoice_number: number, request_id: null },
      { ...nothing, operation: 'renew', domain: name, period: 2, period_unit: 'y' },
      {
        ...nothing,
        operation: 'create',
        domain: name,
        period: 3,
        period_unit: 'm',
        request_id: headers['x-request-id'],
        idempotency_key: headers['idempotency-key'],
      },
      { ...nothing, operation: 'opening', request_id: null },
    ]);
    const ids = [topUp, renewal, create].map((each) => Number(each?.id));
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  });

  test('success: from is a day in the time zone of the registry, until the first day not shown', async () => {
    await clock({ set: '2028-06-14T23:59:30+03:00' });
    const mari = await Registrant.of(beta(registry.url));
    const last = await mari.register();
    await clock({ set: '2028-06-15T00:00:01+03:00' });
    const first = await mari.register();
    const shown = async (query: string) =>
      (await mari.client.get(`/accounts/balance?detailed=true&${query}`)).body.data.transactions.map(
        ({ description }: { description: string }) => description,
      );
    expect(await shown('from=2028-06-15')).toEqual([`Create ${first}`]);
    expect(await shown('from=2028-06-14&until=2028-06-15')).toEqual([`Create ${last}`]);
    expect(await shown('until=2028-06-14')).toEqual(['Opening balance']);
    expect(await shown('from=2029-01-01')).toEqual([]);
    expect(await shown('from=2028-06-15&until=')).toEqual([`Create ${first}`]);
  });

  test('success: the statement adds up line by line, also after parallel charges', async () => {
    const mari = await Registrant.of(client);
    await Promise.all(Array.from({ length: 24 }, () => mari.register()));
    const { balance, transactions: lines } = (await client.get('/accounts/balance?detailed=true')).body.data;
    const cents = (text: string) => Math.round(Number(text) * 100);
    expect(lines[0].balance).toBe(balance);
    expect(lines.length).toBeGreaterThan(24);
    for (const [place, line] of lines.entries()) {
      const older = lines[place + 1];
      if (older) expect(cents(line.balance)).toBe(cents(older.balance) + cents(line.sum));
    }
  });

  test('success: thousands of transactions arrive complete and in order', async () => {
    await registry.sql.run(sql`
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor)
      select '2030-01-01'::timestamptz + (n / 3) * interval '1 second', p.id, a.id, 1, 'top-up', 'many ' || n, a.registrar_id, n, 'test'
      from generate_series(1, 2345) as n, ledger_accounts a join registrars r on r.id = a.registrar_id and r.code = 'POOR', ledger_accounts p
      where a.kind = 'registrar' and p.kind = 'payments'`);
    const poor = new (client.constructor as typeof Client)(registry.url, 'poor:poor-sandbox-password');
    const { data } = (await poor.get('/accounts/balance?detailed=true&from=2030-01-01')).body;
    expect(data.transactions.map(({ description }: { description: string }) => description)).toEqual(
      Array.from({ length: 2345 }, (_, index) => `many ${2345 - index}`),
    );
  });

  test.each([['from=yesterday'], ['until=2026-02-30'], ['from=2026-1-1'], ['from=0000-01-01']])(
    'failure: %s',
    async (query) => {
      expect((await client.get(`/accounts/balance?detailed=true&${query}`)).status).toBe(400);
    },
  );
});
