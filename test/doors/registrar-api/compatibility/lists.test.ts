import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { newDomain } from '../../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';

let registry: TestRegistry;
let old: OldClient;
let plain: OldClient;
/** In ascending order of expiry. */
const DOMAINS = ['beta-two.ee', 'alpha-one.ee', 'alpha-one.com.ee', 'gamma.ee'];
const CONTACTS = ['Mari Maasikas', 'Jaan Tamm', 'Marika Mets'];

beforeAll(async () => {
  registry = await startFreshRegistry();
  await setProfile(registry, 'ALPHA', 'on');
  old = new OldClient(registry.url);
  plain = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  for (const [index, name] of CONTACTS.entries())
    await old.post('/contacts', newContact({ id: index === 1 ? 'mariJaan' : `c${index}`, name }));
  for (const [index, name] of DOMAINS.entries())
    await old.post('/domains', newDomain('c0', { name, period: DOMAINS.length - index }));
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

  test('success: q[name_matches] with a prefix or a whole name, and blank filters are ignored', async () => {
    expect(await domains('q[name_matches]=ALPHA%25&q[s]=name')).toEqual(['alpha-one.com.ee', 'alpha-one.ee']);
    expect(await domains('q[name_matches]=alpha-one.ee')).toEqual(['alpha-one.ee']);
    expect(await domains('q[name_matches]=&q[s]=&q[statuses_contains_array][]=')).toHaveLength(4);
  });

  test('success: the next page keeps order and filter', async () => {
    const first = await old.get('/domains?limit=1&q[name_matches]=alpha%25');
    const link = /<\/registry\/v1([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect([...first.body.data.domains, ...(await old.get(link)).body.data.domains]).toEqual([
      ...['alpha-one.com.ee', 'alpha-one.ee'],
    ]);
  });

  test.each([
    ['registrant_code_eq', 'ALPHA:C0'],
    ['contacts_ident_eq', '60001019906'],
    ['nameservers_hostname_eq', 'ns1.example.net'],
    ['valid_to_gteq', '2030-01-01'],
    ['valid_to_lteq', '2030-01-01'],
    ['statuses_contains_array', 'ok'],
    ['name_matches', '%25one%25'],
    ['name_matches', 'alpha'],
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
    expect(data).toEqual({ contacts: ['ALPHA:C0', 'ALPHA:C2'], count: 2 });
    for (const code of ['c2', 'ALPHA:C2', 'alpha:c2'])
      expect(await contacts(`q[code_eq]=${code}`)).toEqual(['ALPHA:C2']);
    expect(await contacts('q[code_eq]=c')).toEqual([]);
  });

  test('success: the next page keeps order and filter', async () => {
    const first = await old.get('/contacts?limit=1&q[name_matches]=mari%25&q[s]=name');
    const link = /<\/registry\/v1([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await old.get(link)).body.data).toEqual({ contacts: ['ALPHA:C2'], count: 2 });
  });

  test.each([
    ...['ident_matches', 'ident_type_eq', 'email_matches', 'country_code_eq', 'types_contains_array'],
    ...['updated_at_gteq', 'created_at_gteq', 'created_at_lteq', 'statuses_contains_array', 'name_matches'],
  ])('failure: q[%s] is refused by its name', async (filter) => {
    expect(await refused(old, `/contacts?q[${filter}]=x`)).toEqual([400, [2005, `q[${filter}]`]]);
  });
});

test('success: lists have up to 1,000 entries; without the profile 200', async () => {
  for (const registrar of ['ALPHA', 'BETA'])
    await registry.sql.run(sql`
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code,
        auth_info, created_at, updated_at)
      select r.id, r.code || ':N' || n, lower(r.code || ':N' || n), 'N', 'n', 'n@example.ee', '+372.1', '1', 'priv', 'LV', 'a',
        '2020-01-01', '2020-01-01'
      from registrars r, generate_series(1, 1100) as n where r.code = ${registrar}`);
  expect(await contacts('')).toHaveLength(1_000);
  expect(await contacts('limit=10')).toHaveLength(10);
  expect((await plain.get('/contacts')).body.data.contacts).toHaveLength(200);
});

test('failure: without the profile the filters are unknown', async () => {
  expect(await refused(plain, '/domains?q[name_matches]=a%25&q[s]=name')).toEqual([
    ...[400, [2005, 'q[name_matches]'], [2005, 'q[s]']],
  ]);
  expect(await refused(plain, '/contacts?q[code_eq]=c2')).toEqual([400, [2005, 'q[code_eq]']]);
});
