import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { hosts, newDomain } from '../../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';

let registry: TestRegistry;
let old: OldClient;
let plain: OldClient;
/** In descending order of expiry. */
const DOMAINS = ['beta-two.ee', 'alpha-one.ee', 'alpha-one.com.ee', 'gamma.ee'];
const CONTACTS = ['Mari Maasikas', 'Jaan Tamm', 'Marika Mets'];

beforeAll(async () => {
  registry = await startFreshRegistry();
  await setProfile(registry, 'ALPHA', 'on');
  old = new OldClient(registry.url);
  plain = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  for (const [index, name] of CONTACTS.entries())
    await old.post('/contacts', newContact({ id: index === 1 ? 'mariJaan' : `c${index}`, name }));
  for (const [index, name] of DOMAINS.entries()) {
    const parts = {
      tech_contacts: ['c2'],
      nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
    };
    const changes = { name, period: DOMAINS.length - index, ...(name === 'gamma.ee' && parts) };
    await old.post('/domains', newDomain('c0', changes));
  }
});
afterAll(() => registry.stop());

const domains = async (query: string): Promise<string[]> =>
  (await old.get(`/domains?${query}`)).body.data.domains;
const contacts = async (query: string): Promise<string[]> =>
  (await old.get(`/contacts?${query}`)).body.data.contacts;
const refused = async (client: OldClient, target: string) => {
  const { status, body } = await client.get(target);
  return [status, ...(body.errors ?? []).map(({ code, field }) => [code, field])];
};

describe('the list of domains', () => {
  test('success: by expiry unless q[s] has another order', async () => {
    expect(await domains('')).toEqual(DOMAINS.toReversed());
    expect(await domains('q[s]=valid_to+desc')).toEqual(DOMAINS);
    expect(await domains('q[s]=created_at%20asc')).toEqual(DOMAINS);
    expect(await domains('q[s]=name')).toEqual(DOMAINS.toSorted());
    expect(await domains('sort=-name')).toEqual(DOMAINS.toSorted().toReversed());
  });

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const ALPHAS = ['alpha-one.com.ee', 'alpha-one.ee'];
  test.each([
    ['name_matches', 'ONE', ALPHAS],
    ['name_matches', 'alpha%', ALPHAS],
    ['name_matches', '*alpha-one.ee*', ['alpha-one.ee']],
    ['registrant_code_eq', 'c0', DOMAINS.toSorted()],
    ['registrant_code_eq', 'ALPHA:C2', []],
    ['contacts_ident_eq', '60001019906', ['gamma.ee']],
    ['nameservers_hostname_eq', 'NS1.example.net', ['gamma.ee']],
    ['valid_to_lteq', inDays(500), ['gamma.ee']],
    ['valid_to_gteq', inDays(500).slice(0, 10), DOMAINS.slice(0, 3).toSorted()],
    ['valid_to_gteq', 'never', DOMAINS.toSorted()],
    ['statuses_contains_array', 'ok', ['gamma.ee']],
    ['statuses_contains_array', 'inactive', DOMAINS.slice(0, 3).toSorted()],
    ['statuses_contains_array', 'clientHold', []],
    ['statuses_contains_array', 'disputed', []],
  ])('success: q[%s]=%s', async (filter, value, names) => {
    const { data } = (await old.get(`/domains?q[${filter}]=${encodeURIComponent(value)}&q[s]=name`)).body;
    expect([data.domains, data.count]).toEqual([names, names.length]);
  });

  test('success: blank filters are ignored, and a list of values is one', async () => {
    expect(await domains('q[name_matches]=&q[s]=&q[statuses_contains_array][]=')).toHaveLength(4);
    expect(await domains('q[statuses_contains_array][]=ok')).toEqual(['gamma.ee']);
  });

  test('success: with details and simple: name, holder, statuses and transfer code', async () => {
    const { data } = (await old.get('/domains?details=true&simple=true&limit=1')).body;
    const members = ['name', 'expire_time', 'registrant', 'statuses', 'transfer_code'];
    for (const domain of [...data.domains, ...data.new_domain]) expect(Object.keys(domain)).toEqual(members);
    expect(data.statuses).toHaveLength(29);
  });

  test('success: the next page keeps order and filter', async () => {
    const first = await old.get('/domains?limit=1&q[name_matches]=alpha%25');
    const link = /<\/registry\/v1([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect([...first.body.data.domains, ...(await old.get(link)).body.data.domains]).toEqual([
      'alpha-one.com.ee',
      'alpha-one.ee',
    ]);
  });

  test.each([
    ['transfer_code_eq', 'a'],
    ['s', 'registrar_name asc'],
    ['s', 'name sideways'],
  ])('failure: q[%s]=%s is refused by its name', async (filter, value) => {
    expect(await refused(old, `/domains?q[${filter}]=${value}`)).toEqual([400, [2005, `q[${filter}]`]]);
  });
});

describe('the list of contacts', () => {
  test('success: newest first unless q[s] has another order', async () => {
    expect(await contacts('')).toEqual(['ALPHA:C2', 'ALPHA:MARIJAAN', 'ALPHA:C0']);
    expect(await contacts('q[s]=code+asc')).toEqual(['ALPHA:C0', 'ALPHA:C2', 'ALPHA:MARIJAAN']);
    expect(await contacts('q[s]=name+desc')).toEqual(['ALPHA:C2', 'ALPHA:C0', 'ALPHA:MARIJAAN']);
  });

  test('success: q[name_matches] filters names only, q[code_eq] one code; count follows', async () => {
    const { data } = (await old.get('/contacts?q[name_matches]=mari%25&q[s]=name')).body;
    expect(data).toMatchObject({ contacts: ['ALPHA:C0', 'ALPHA:C2'], count: 2 });
    for (const code of ['c2', 'ALPHA:C2', 'alpha:c2'])
      expect(await contacts(`q[code_eq]=${code}`)).toEqual(['ALPHA:C2']);
    expect(await contacts('q[code_eq]=c')).toEqual([]);
  });

  test('success: the next page keeps order and filter', async () => {
    const first = await old.get('/contacts?limit=1&q[name_matches]=mari%25&q[s]=name');
    const link = /<\/registry\/v1([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await old.get(link)).body.data).toMatchObject({ contacts: ['ALPHA:C2'], count: 2 });
  });

  const ALL = ['ALPHA:C0', 'ALPHA:C2', 'ALPHA:MARIJAAN'];
  test.each([
    ['ident_matches', '6000', ALL],
    ['ident_type_eq', 'org', []],
    ['email_matches', 'MARI@', ALL],
    ['country_code_eq', 'EE', []],
    ['types_contains_array', 'admin', ALL],
    ['updated_at_gteq', '2020-01-01', ALL],
    ['created_at_gteq', '2099-01-01', []],
    ['created_at_lteq', '2099-01-01T00:00:00Z', ALL],
    ['statuses_contains_array', 'linked', ['ALPHA:C0', 'ALPHA:C2']],
    ['statuses_contains_array', 'ok,linked', ['ALPHA:C0', 'ALPHA:C2']],
    ['statuses_contains_array', 'clientUpdateProhibited', []],
  ])('success: q[%s]=%s', async (filter, value, codes) => {
    expect(await contacts(`q[${filter}]=${encodeURIComponent(value)}&q[s]=code`)).toEqual(codes);
  });

  test('success: contacts in detail have no domains; one contact has them, each with its id and its sponsor', async () => {
    const [listed] = (await old.get('/contacts?details=true&q[code_eq]=c2')).body.data.contacts;
    expect(listed).toMatchObject({ statuses: { ok: '', linked: '' }, verification_snapshot: {} });
    expect(listed).not.toHaveProperty('domains');
    const { contact } = (await old.get('/contacts/c2')).body.data;
    expect(contact).toMatchObject({ ...listed, domains_count: 1 });
    const [domain] = contact.domains;
    expect(domain).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      registrar: { name: 'Alpha Registrar' },
      roles: ['TechDomainContact'],
      valid_to: domain.expire_time,
    });
  });

  test('failure: q[auth_info_eq] is refused by its name', async () => {
    expect(await refused(old, '/contacts?q[auth_info_eq]=x')).toEqual([400, [2005, 'q[auth_info_eq]']]);
  });
});

test('success: lists have up to 10,000 entries; without the profile 200', async () => {
  for (const registrar of ['ALPHA', 'BETA'])
    await registry.sql.run(sql`
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code,
        auth_info, created_at, updated_at)
      select r.id, r.code || ':N' || n, lower(r.code || ':N' || n), 'N', 'n', 'n@example.ee', '+372.1', '1', 'priv', 'LV', 'a',
        '2020-01-01', '2020-01-01'
      from registrars r, generate_series(1, case r.code when 'ALPHA' then 10100 else 300 end) as n where r.code = ${registrar}`);
  expect(await contacts('')).toHaveLength(10_000);
  expect(await contacts('limit=20000')).toHaveLength(10_000);
  expect(await contacts('limit=10')).toHaveLength(10);
  const none = await old.get('/contacts?limit=0');
  expect([none.body.data.contacts, none.body.data.count, none.headers.has('link')]).toEqual([
    [],
    10_103,
    false,
  ]);
  expect(await domains('limit=0')).toEqual([]);
  expect((await plain.get('/contacts')).body.data.contacts).toHaveLength(200);
});

test('failure: without the profile the filters are unknown', async () => {
  expect(await refused(plain, '/domains?q[name_matches]=a%25&q[s]=name')).toEqual([
    400,
    [2005, 'q[name_matches]'],
    [2005, 'q[s]'],
  ]);
  expect(await refused(plain, '/contacts?q[code_eq]=c2')).toEqual([400, [2005, 'q[code_eq]']]);
});
