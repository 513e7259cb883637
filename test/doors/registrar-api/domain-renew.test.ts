import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, poor } from '../../support/client.ts';
import { balanceOf, firstFailure, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;
const expiryOf = async (name: string): Promise<string> => (await read(name)).expire_time.slice(0, 10);
const cents = async (who: Client) => Math.round(Number(await balanceOf(who)) * 100);

/** A domain that was not deleted long after its expiry. */
async function lateBy(time: string): Promise<string> {
  const name = await mari.register();
  await setStatuses(registry.sql, name, { expired: '', serverReleaseProhibited: '' });
  await registry.sql.run(sql`
    update domains set expire_time = date_trunc('day', now() - ${time}::text::interval), reminded_at = now() where name = ${name}`);
  return name;
}

describe('POST /domains/:domain_name/renew', () => {
  const renew = async (
    name: string,
    changes: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) =>
    client.post(
      `/domains/${name}/renew`,
      { renews: { period: 1, period_unit: 'y', exp_date: await expiryOf(name), ...changes } },
      { headers },
    );

  test('success: the old expiry plus the period, and one charge', async () => {
    const name = await mari.register();
    const [before, money] = [await expiryOf(name), await cents(client)];
    expect((await renew(name, { period: 6, period_unit: 'm' })).body.data).toMatchObject({
      domain: { name },
    });
    const [year = 0, month = 0, day] = before.split('-').map(Number);
    const expected = new Date(Date.UTC(year, month - 1 + 6, day)).toISOString().slice(0, 10);
    expect(await expiryOf(name)).toBe(expected);
    expect(money - (await cents(client))).toBe(500);
    const [latest] = (await client.get('/accounts/balance?detailed=true')).body.data.transactions;
    expect(latest).toMatchObject({ type: 'debit', sum: '-5.00', description: `Renew ${name}` });
  });

  test('success: twelve months are a year; a dry run quotes and changes nothing', async () => {
    const name = await mari.register();
    const before = await expiryOf(name);
    const quote = await renew(name, { period: 12, period_unit: 'm' }, { 'dry-run': 'true' });
    expect(quote.body.data).toMatchObject({ domain: { name }, dry_run: { price: '9.00' } });
    expect(await expiryOf(name)).toBe(before);
  });

  test('success: renews an expired domain', async () => {
    const name = await mari.register();
    await registry.sql.run(
      sql`update domains set outzone_at = updated_at, delete_date = now() + interval '30 days' where name = ${name}`,
    );
    await setStatuses(
      registry.sql,
      name,
      { expired: '', serverHold: '', serverUpdateProhibited: 'kept' },
      'expiry',
    );
    await renew(name);
    expect(await read(name)).toMatchObject({
      statuses: { serverUpdateProhibited: 'kept', inactive: '' },
      outzone_at: null,
      delete_date: null,
    });
  });

  test('success: keeps what the registry holds, without a note too, and says no cause', async () => {
    const name = await mari.register();
    await setStatuses(registry.sql, name, { serverHold: '' });
    await renew(name);
    expect((await read(name)).statuses).toEqual({ inactive: '', serverHold: '' });
  });

  test.each([['clientRenewProhibited']])('failure: the status %s', async (status) => {
    const name = await mari.register();
    await setStatuses(registry.sql, name, { [status]: '' });
    expect(outcome(await renew(name))).toEqual([400, 2304]);
  });

  test('failure: a different exp_date, a malformed one, none', async () => {
    const name = await mari.register();
    expect(firstFailure(await renew(name, { exp_date: '2020-01-01' }))).toEqual([
      400,
      2306,
      'renews.exp_date',
    ]);
    expect(firstFailure(await renew(name, { exp_date: '2027-02-30' }))).toEqual([
      400,
      2005,
      'renews.exp_date',
    ]);
    expect(firstFailure(await renew(name, { exp_date: 'soon' }))).toEqual([400, 2005, 'renews.exp_date']);
    expect(firstFailure(await renew(name, { exp_date: undefined }))).toEqual([400, 2003, 'renews.exp_date']);
    expect(firstFailure(await client.post(`/domains/${name}/renew`))).toEqual([400, 2003, 'renews']);
  });

  test.each([
    [{ period: 11 }, 2104],
    [{ period: '1' }, 2005],
    [{ period_unit: 'w' }, 2005],
    [{ period: 1001 }, 2004],
  ])('failure: %j', async (changes, code) => {
    expect(outcome(await renew(await mari.register(), changes))).toEqual([400, code]);
  });

  test('failure: an expiry eleven years from now or later', async () => {
    const name = await mari.register({ period: 10 });
    expect(outcome(await renew(name, { period: 9, period_unit: 'm' }))).toEqual([200, 1000]);
    expect(firstFailure(await renew(name, { period: 3, period_unit: 'm' }))).toEqual([400, 2105, null]);
  });

  test('failure: a late renewal that would leave the domain expired is not charged; a longer one succeeds', async () => {
    const name = await lateBy('95 days');
    const money = await cents(client);
    const reply = await renew(name, { period: 3, period_unit: 'm' });
    expect(firstFailure(reply)).toEqual([400, 2105, null]);
    expect(reply.body.message).toContain('would still be expired');
    expect([await cents(client), (await read(name)).statuses]).toEqual([
      money,
      { expired: '', serverReleaseProhibited: '', inactive: '' },
    ]);
    expect(outcome(await renew(name, { period: 6, period_unit: 'm' }))).toEqual([200, 1000]);
    expect((await read(name)).statuses).toEqual({ serverReleaseProhibited: '', inactive: '' });
  });

  test('failure: no funds', async () => {
    const jaan = await Registrant.of(poor(registry.url));
    const name = await jaan.register({ period: 3, period_unit: 'm' });
    const { expire_time: expiry } = (await jaan.client.get(`/domains/${name}`)).body.data.domain;
    const reply = await jaan.client.post(`/domains/${name}/renew`, {
      renews: { period: 3, period_unit: 'm', exp_date: expiry.slice(0, 10) },
    });
    expect(outcome(reply)).toEqual([400, 2104]);
    expect(await balanceOf(jaan.client)).toBe('2.00');
  });

  test('failure: an unknown domain', async () => {
    expect(
      outcome(
        await client.post('/domains/nothing.ee/renew', {
          renews: { period: 1, period_unit: 'y', exp_date: '2027-01-01' },
        }),
      ),
    ).toEqual([404, 2303]);
  });
});

describe('POST /domains/renew/bulk', () => {
  const bulk = (domains: unknown, renew_period: unknown = '1y', headers: Record<string, string> = {}) =>
    client.post('/domains/renew/bulk', { domains, renew_period }, { headers });

  test('success: all of them, each with its own charge and history', async () => {
    const names = [
      await mari.register(),
      await mari.register({ name: `${(await mari.register()).slice(0, -3)}.com.ee` }),
      await mari.register(),
    ];
    const [before, money] = [await Promise.all(names.map(expiryOf)), await cents(client)];
    const quote = await bulk(names, '2y', { 'dry-run': 'true' });
    expect(quote.body.data.dry_run.price).toBe('54.00');
    expect(await Promise.all(names.map(expiryOf))).toEqual(before);
    const reply = await bulk(
      names.map((name) => name.toUpperCase()),
      '2y',
    );
    expect(reply.body.data).toEqual({ updated_domains: names });
    expect(money - (await cents(client))).toBe(5400);
    const years = (text: string) => Number(text.slice(0, 4));
    expect((await Promise.all(names.map(expiryOf))).map(years)).toEqual(
      before.map((text) => years(text) + 2),
    );
    const rows = await registry.sql.rows(sql`
      select e.amount, e.description from ledger_entries e join history h on h.id = e.history_id where h.object_name = any(${names}) and h.operation = 'renew' order by e.id`);
    expect(rows.map(({ description }) => description).toSorted()).toEqual(
      names.map((name) => `Renew ${name}`).toSorted(),
    );
  });

  test('failure: with one failing domain nothing is renewed or charged; the message names all that failed', async () => {
    const [good, held] = [await mari.register(), await mari.register()];
    await setStatuses(registry.sql, held, { serverRenewProhibited: '' });
    const foreign = await (await Registrant.of(beta(registry.url))).register();
    const [before, money] = [await expiryOf(good), await cents(client)];
    const reply = await bulk([good, 'nothing-here.ee', held, foreign, 'no name']);
    expect(outcome(reply)).toEqual([400, 2303]);
    for (const name of ['nothing-here.ee', held, foreign, 'no name'])
      expect(reply.body.message.split(name)).toHaveLength(2);
    expect(reply.body.message).not.toContain(good);
    expect(outcome(await bulk([good, held]))).toEqual([400, 2304]);
    expect(reply.body.errors?.map(({ code, field, reason }) => [code, field, reason])).toEqual([
      [2303, 'domains.1', 'bodyObjectMissing'],
      [2304, 'domains.2', 'statusProhibits'],
      [2201, 'domains.3', 'notSponsor'],
      [2303, 'domains.4', 'bodyObjectMissing'],
    ]);
    expect([await expiryOf(good), await cents(client)]).toEqual([before, money]);
  });

  test('failure: with one that would stay expired nothing is renewed or charged', async () => {
    const [good, late] = [await mari.register(), await lateBy('95 days')];
    const [before, money] = [await expiryOf(good), await cents(client)];
    const reply = await bulk([good, late], '3m');
    expect(outcome(reply)).toEqual([400, 2105]);
    expect(reply.body.message).toContain(`${late}: The domain would still be expired`);
    expect([await expiryOf(good), await cents(client)]).toEqual([before, money]);
    expect(outcome(await bulk([good, late], '6m'))).toEqual([200, 1000]);
  });

  test('failure: another registrar’s domain is not renewed, and there is no charge', async () => {
    const jaan = await Registrant.of(beta(registry.url));
    const foreign = await jaan.register();
    const money = [await cents(client), await cents(jaan.client)];
    expect(outcome(await bulk([foreign]))).toEqual([403, 2201]);
    expect([await cents(client), await cents(jaan.client)]).toEqual(money);
  });

  test.each([[['']], [[5]], [[{}]], [[null]]])('failure: a list with %j in it', async (domains) => {
    expect((await bulk([await mari.register(), ...domains])).status).toBe(400);
  });

  test('failure: a name twice, in any spelling; no names; no list; too many', async () => {
    const name = await mari.register();
    expect(firstFailure(await bulk([name, name.toUpperCase()]))).toEqual([400, 2005, 'domains.1']);
    expect(firstFailure(await bulk([]))).toEqual([400, 2003, 'domains']);
    expect(firstFailure(await bulk(name))).toEqual([400, 2005, 'domains']);
    expect(firstFailure(await bulk(Array.from({ length: 1001 }, (_, i) => `x${i}.ee`)))).toEqual([
      400,
      2004,
      'domains',
    ]);
  });

  test.each([['11y'], [1]])('failure: the period %j', async (period) => {
    expect(firstFailure(await bulk([await mari.register()], period))).toEqual([400, 2005, 'renew_period']);
  });

  test('failure: the balance covers each price, but not the sum', async () => {
    const jaan = await Registrant.of(poor(registry.url));
    await fetch(`${registry.url}/sandbox/topup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"registrar":"POOR","amount":"20.00"}',
    });
    const names = [
      await jaan.register({ period: 3, period_unit: 'm' }),
      await jaan.register({ period: 3, period_unit: 'm' }),
    ];
    const money = await cents(jaan.client);
    const reply = await jaan.client.post('/domains/renew/bulk', { domains: names, renew_period: '1y' });
    expect(money).toBeLessThan(1800);
    expect(outcome(reply)).toEqual([400, 2104]);
    for (const name of names) expect(reply.body.message).toContain(name);
    expect(await cents(jaan.client)).toBe(money);
  });

  test('failure: one exceeds the maximum term', async () => {
    const [one, old] = [await mari.register(), await mari.register({ period: 10 })];
    expect(outcome(await bulk([one, old]))).toEqual([400, 2105]);
  });
});
