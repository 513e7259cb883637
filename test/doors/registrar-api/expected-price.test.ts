import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, poor, type Reply } from '../../support/client.ts';
import { OldClient, setProfile } from '../../support/compatibility.ts';
import { balanceOf, firstFailure, freshName, Registrant } from '../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A year costs 9.00, three months 3.00. */
let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startFreshRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const expiryOf = async (of: Client, name: string): Promise<string> =>
  (await of.get(`/domains/${name}`)).body.data.domain.expire_time.slice(0, 10);
const renew = async (of: Client, name: string, changes: object = {}, headers: Record<string, string> = {}) =>
  of.post(
    `/domains/${name}/renew`,
    { renews: { period: 1, period_unit: 'y', exp_date: await expiryOf(of, name), ...changes } },
    { headers },
  );
const money = ({ body }: Reply) => body.errors?.map(({ code, message, ...rest }) => rest);

describe('a price that a client expects', () => {
  test.each(['9.00', '9', '9.0'])('success: of %s, which is charged', async (price) => {
    const before = Number(await balanceOf(client));
    const name = await mari.register({ expected_price: price });
    expect((await renew(client, name, { expected_price: price })).status).toBe(200);
    const bulk = { domains: [name, await mari.register()], renew_period: '3m', expected_price: '6.00' };
    expect((await client.post('/domains/renew/bulk', bulk)).status).toBe(200);
    expect(Number(await balanceOf(client))).toBe(before - 3 * 9 - 6);
  });

  test('success: a transfer costs nothing', async () => {
    const [first, second] = [await mari.register({ transfer_code: 'a-code-of-ours' }), beta(registry.url)];
    const transfer = { transfer_code: 'a-code-of-ours', expected_price: '0.00' };
    expect((await second.post(`/domains/${first}/transfer`, { transfer })).status).toBe(200);
  });

  test('failure: another one than would be charged changes nothing, in a dry run too', async () => {
    const name = await mari.register({ transfer_code: 'a-code-of-ours' });
    const before = await balanceOf(client);
    const other = (field: string, price: string) => [{ field, reason: 'otherPrice', price }];
    for (const headers of [{}, { 'dry-run': 'true' }]) {
      const free = freshName();
      const created = await mari.try({ name: free, expected_price: '8.99' }, headers);
      expect(firstFailure(created)).toEqual([400, 2004, 'domain.expected_price']);
      expect(money(created)).toEqual(other('domain.expected_price', '9.00'));
      const renewed = await renew(client, name, { expected_price: '9.01' }, headers);
      expect(money(renewed)).toEqual(other('renews.expected_price', '9.00'));
      const bulk = { domains: [name], renew_period: '2y', expected_price: '9.00' };
      const many = await client.post('/domains/renew/bulk', bulk, { headers });
      expect(money(many)).toEqual(other('expected_price', '18.00'));
      const transfer = { transfer_code: 'a-code-of-ours', expected_price: '9.00' };
      const moved = await beta(registry.url).post(`/domains/${name}/transfer`, { transfer }, { headers });
      expect(money(moved)).toEqual(other('transfer.expected_price', '0.00'));
      expect((await client.get(`/domains/check/${free}`)).body.data.domain.available).toBe(true);
    }
    expect(await balanceOf(client)).toBe(before);
    expect((await client.get(`/domains/${name}`)).body.data.domain.registrar.name).toBe('Alpha Registrar');
  });

  test('failure: a transfer with the wrong price does not tell whether the code was right', async () => {
    const name = await mari.register({ transfer_code: 'a-code-of-ours' });
    const ask = (code: string) =>
      beta(registry.url).post(`/domains/${name}/transfer`, {
        transfer: { transfer_code: code, expected_price: '1.00' },
      });
    expect((await ask('a-wrong-guess')).text).toBe((await ask('a-code-of-ours')).text);
  });

  test('failure: what is no amount', async () => {
    const name = await mari.register();
    for (const price of ['nine', '9,00', '-9.00', '9.001']) {
      expect(firstFailure(await mari.try({ expected_price: price }))).toEqual([
        400,
        2005,
        'domain.expected_price',
      ]);
      expect(firstFailure(await renew(client, name, { expected_price: price }))).toEqual([
        400,
        2005,
        'renews.expected_price',
      ]);
    }
    expect(firstFailure(await mari.try({ expected_price: 9 }))).toEqual([400, 2005, 'domain.expected_price']);
  });
});

describe('a balance that does not cover the price', () => {
  const short = (field: string | null, price: string, missing: string, balance = '5.00') => ({
    field,
    reason: 'noFunds',
    price,
    balance,
    missing,
  });

  test('failure: the refusal has the price, the balance and what is missing, in a dry run too', async () => {
    const jaan = await Registrant.of(poor(registry.url));
    for (const headers of [{}, { 'dry-run': 'true' }]) {
      expect(money(await jaan.try({}, headers))).toEqual([short(null, '9.00', '4.00')]);
      expect(money(await jaan.try({ period: 10 }, headers))).toEqual([short(null, '90.00', '85.00')]);
    }
    const name = await jaan.register({ period: 3, period_unit: 'm' });
    const renewed = await renew(jaan.client, name, {}, { 'dry-run': 'true' });
    expect(money(renewed)).toEqual([short(null, '9.00', '7.00', '2.00')]);
    const bulk = { domains: [name], renew_period: '2y' };
    const many = await jaan.client.post('/domains/renew/bulk', bulk);
    expect(money(many)).toEqual([short('domains.0', '18.00', '16.00', '2.00')]);
  });

  test('failure: of a bulk renewal each of its domains has the total', async () => {
    const names = [await mari.register(), await mari.register()];
    const balance = await registry.sql.one(sql<{ cents: number }>`
      update ledger_accounts set balance = 1000 where kind = 'registrar'
        and registrar_id = (select id from registrars where code = 'ALPHA') returning balance::int as cents`);
    expect(balance.cents).toBe(1000);
    const reply = await client.post('/domains/renew/bulk', { domains: names, renew_period: '1y' });
    expect(money(reply)).toEqual(
      names.map((_, index) => short(`domains.${index}`, '18.00', '8.00', '10.00')),
    );
  });

  test('failure: a debt is missing too', async () => {
    await registry.sql.run(sql`
      update ledger_accounts set balance = 150 where kind = 'debt' and registrar_id = (select id from registrars where code = 'BETA')`);
    const jaan = await Registrant.of(beta(registry.url));
    const balance = await balanceOf(jaan.client);
    expect(money(await jaan.try())).toEqual([short(null, '9.00', '1.50', balance)]);
  });

  test('success: with the compatibility profile errors are as they were', async () => {
    await setProfile(registry, 'BETA', 'on');
    const old = new OldClient(registry.url, undefined, 'beta:beta-sandbox-password');
    const code = (await old.get('/contacts')).body.data.contacts[0];
    const domain = { name: freshName(), registrant: code, period: 1, period_unit: 'y' };
    const { body } = await old.post('/domains', { domain });
    expect(body.errors).toEqual([
      { code: 2104, message: 'The balance does not cover the price', field: null, reason: 'noFunds' },
    ]);
  });
});
