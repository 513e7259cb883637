import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { firstFailure, hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
const NAMES = ['mets.ee', 'aed.ee', 'õun.ee', 'maja.com.ee', 'mesi.ee'];

beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  const mari = await Registrant.of(client);
  for (const [index, name] of NAMES.entries())
    await mari.register({
      name,
      period: 5 - index,
      nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
    });
  await (await Registrant.of(beta(registry.url))).register({ name: 'meri.ee' });
});
afterAll(() => registry.stop());

const names = async (query: string): Promise<string[]> =>
  (await client.get(`/domains${query}`)).body.data.domains;

describe('GET /domains', () => {
  test('success: names, the oldest first, with the youngest as new_domain', async () => {
    expect((await client.get('/domains')).body.data).toEqual({
      new_domain: ['mesi.ee'],
      domains: NAMES,
      count: 5,
    });
  });

  test('success: details are the same objects as a single read', async () => {
    const { domains, new_domain } = (await client.get('/domains?details=true&limit=2&sort=name')).body.data;
    expect(domains[0]).toEqual((await client.get('/domains/aed.ee')).body.data.domain);
    expect(new_domain[0]).toEqual((await client.get('/domains/mesi.ee')).body.data.domain);
  });

  test('success: a registrar without domains', async () => {
    await registry.sql.run(sql`select 1`);
    const { data } = (
      await new (client.constructor as typeof Client)(registry.url, 'poor:poor-sandbox-password').get(
        '/domains',
      )
    ).body;
    expect(data).toEqual({ new_domain: [], domains: [], count: 0 });
  });

  test('success: sorts by name, age and expiry, both ways', async () => {
    expect(await names('?sort=name')).toEqual(['aed.ee', 'maja.com.ee', 'mesi.ee', 'mets.ee', 'õun.ee']);
    expect(await names('?sort=-name')).toEqual(['õun.ee', 'mets.ee', 'mesi.ee', 'maja.com.ee', 'aed.ee']);
    expect(await names('?sort=-created_at')).toEqual(NAMES.toReversed());
    expect(await names('?sort=expire_time')).toEqual(NAMES.toReversed());
    expect(await names('?sort=-expire_time')).toEqual(NAMES);
  });

  test('success: q is a prefix in any case, count follows it, pages link to the next', async () => {
    const reply = await client.get('/domains?q=ME&sort=name&limit=1');
    expect(reply.body.data).toMatchObject({ domains: ['mesi.ee'], count: 2, new_domain: ['mesi.ee'] });
    expect(reply.headers.get('link')).toMatch(
      /^<\/registry\/v1\/domains\?limit=1&q=ME&sort=name&after=[\w-]+>; rel="next"$/,
    );
    expect(await names(`?q=${encodeURIComponent('Õ')}`)).toEqual(['õun.ee']);
  });

  describe('by times', () => {
    const at = async (name: string, column: 'updated_at' | 'expire_time') => {
      const { domain } = (await client.get(`/domains/${name}`)).body.data;
      return encodeURIComponent(domain[column]);
    };
    const listed = async (query: string) => (await client.get(`/domains?${query}`)).body.data;

    test('success: changed at a time or later, with their number, also page by page', async () => {
      const since = await at('õun.ee', 'updated_at');
      expect(await listed(`updated_since=${since}`)).toMatchObject({ domains: NAMES.slice(2), count: 3 });
      expect(await listed('updated_since=2999-01-01T00:00:00Z')).toMatchObject({ domains: [], count: 0 });
      const first = await client.get(`/domains?updated_since=${since}&limit=2`);
      expect(first.body.data).toMatchObject({ domains: NAMES.slice(2, 4), count: 3 });
      const next = first.headers.get('link')?.match(/\/domains[^>]+/)?.[0] ?? '';
      expect((await client.get(next)).body.data).toMatchObject({ domains: NAMES.slice(4), count: 3 });
      await client.put('/domains/mets.ee/statuses/clientHold');
      await client.delete('/domains/mets.ee/statuses/clientHold');
      const names = (await listed(`updated_since=${await at('mets.ee', 'updated_at')}`)).domains;
      expect(names).toEqual(['mets.ee']);
    });

    test('success: that expire before a time, in any order, with other filters, and with details', async () => {
      const before = await at('aed.ee', 'expire_time');
      expect(await listed(`expires_before=${before}`)).toMatchObject({ domains: NAMES.slice(2), count: 3 });
      expect(await listed(`expires_before=${before}&sort=expire_time`)).toMatchObject({
        domains: NAMES.slice(2).toReversed(),
      });
      expect(await listed(`expires_before=${before}&q=m&details=true`)).toMatchObject({
        domains: [{ name: 'maja.com.ee' }, { name: 'mesi.ee' }],
        count: 2,
      });
      expect(await listed(`expires_before=${before}&updated_since=2999-01-01T00:00:00Z`)).toMatchObject({
        count: 0,
      });
    });

    test.each(['updated_since', 'expires_before'])(
      'failure: %s that is no time with its zone',
      async (name) => {
        for (const text of ['yesterday', '2026-11-15', '2026-11-15T10:00:00', '2026-13-15T10:00:00Z'])
          expect(firstFailure(await client.get(`/domains?${name}=${text}`))).toEqual([400, 2005, name]);
      },
    );
  });

  test.each([
    ['limit=1001', 2004],
    ['limit=x', 2005],
    ['sort=registrant', 2005],
    ['details=1', 2005],
    ['simple=true', 2005],
  ])('failure: %s', async (query, code) => {
    expect((await client.get(`/domains?${query}`)).body.code).toBe(code);
  });
});

describe('GET /domains/check/:domain_name', () => {
  test.each([
    ['free-name.ee', true, null],
    ['MESI.ee', false, 'in use'],
    ['blocked.ee', false, 'blocked'],
    ['reserved.ee', false, 'reserved'],
    ['com.ee', false, 'zone'],
    ['ee', false, 'zone'],
    ['a.b.ee', false, 'invalid'],
    ['example.lv', false, 'invalid'],
  ])('success: %s', async (name, available, reason) => {
    const { domain } = (await client.get(`/domains/check/${name}`)).body.data;
    expect(domain).toEqual({ name: reason === 'invalid' ? name : name.toLowerCase(), available, reason });
  });
});

describe('GET /domains?contact', () => {
  test('success: of one contact, in any role, each once and in pages', async () => {
    const [own, other] = [await Registrant.of(client), await Registrant.of(client)];
    const both = await own.register({ tech_contacts: [own.code], admin_contacts: [own.code] });
    const asTech = await other.register({ tech_contacts: [own.code] });
    await other.register();
    const query = `?contact=${own.code.toUpperCase()}`;
    expect(await names(query)).toEqual([both, asTech]);
    expect((await client.get(`/domains${query}&limit=1`)).body.data.count).toBe(2);
    expect(await names(`${query}&sort=-created_at&q=${asTech}`)).toEqual([asTech]);
    const first = await client.get(`/domains${query}&limit=1&details=true`);
    const next = /^<\/registry\/v1(.*)>/.exec(first.headers.get('link') ?? '')?.[1];
    const second = await client.get(next ?? expect.fail());
    expect(second.body.data.domains.map((domain: { name: string }) => domain.name)).toEqual([asTech]);
  });

  test('failure: a contact that does not exist, or another registrar’s', async () => {
    const foreign = (await Registrant.of(beta(registry.url))).code;
    for (const code of ['nobody', foreign]) {
      const reply = await client.get(`/domains?contact=${code}`);
      expect(firstFailure(reply)).toEqual([400, 2303, 'contact']);
    }
  });
});
