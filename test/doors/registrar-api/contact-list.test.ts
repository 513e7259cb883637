import { afterAll, beforeAll, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let client: Client;
const NAMES = ['Anna Lepp', 'anneli Kask', 'Õie Tamm', 'Bert Saar', 'Annabel Ilves'];

beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  for (const [index, name] of NAMES.entries()) await createContact(client, { id: `C${9 - index}`, name });
  await createContact(beta(registry.url), { id: 'C-beta', name: 'Anna Foreign' });
});
afterAll(() => registry.stop());

const codes = async (query: string): Promise<string[]> =>
  (await client.get(`/contacts${query}`)).body.data.contacts;

test('success: codes of the registrar’s own contacts, the oldest first', async () => {
  const { data } = (await client.get('/contacts')).body;
  expect(data).toEqual({ contacts: ['C9', 'C8', 'C7', 'C6', 'C5'], count: 5 });
});

test('success: an empty value of the query is not given', async () => {
  const all = (await client.get('/contacts')).text;
  expect((await client.get('/contacts?limit=&offset=&after=&details=&q=&sort=')).text).toBe(all);
});

test('success: details are full objects', async () => {
  const { contacts } = (await client.get('/contacts?details=true&limit=1')).body.data;
  expect(contacts[0]).toMatchObject({
    code: 'C9',
    name: 'Anna Lepp',
    domains: [],
    domains_count: 0,
    statuses: { ok: null },
  });
});

test('success: pages are linked to the next', async () => {
  const seen: string[] = [];
  let target: string | undefined = '/contacts?limit=2&sort=code';
  while (target) {
    const reply = await client.get(target);
    expect(reply.body.data.count).toBe(5);
    seen.push(...reply.body.data.contacts);
    target = /^<\/registry\/v1(.*)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(['C5', 'C6', 'C7', 'C8', 'C9']);
});

test('success: sorts by code, name and age, both ways', async () => {
  expect(await codes('?sort=-code')).toEqual(['C9', 'C8', 'C7', 'C6', 'C5']);
  expect(await codes('?sort=name')).toEqual(['C9', 'C5', 'C8', 'C6', 'C7']);
  expect(await codes('?sort=-name')).toEqual(['C7', 'C6', 'C8', 'C5', 'C9']);
  expect(await codes('?sort=-created_at')).toEqual(['C5', 'C6', 'C7', 'C8', 'C9']);
});

test('success: q is a prefix of code or name in any case, and count follows it', async () => {
  expect((await client.get('/contacts?q=ANN&sort=name')).body.data).toEqual({
    contacts: ['C9', 'C5', 'C8'],
    count: 3,
  });
  expect(await codes('?q=c7')).toEqual(['C7']);
  expect(await codes(`?q=${encodeURIComponent('õi')}`)).toEqual(['C7']);
  expect(await codes('?q=%25')).toEqual([]);
});

test('success: an offset beyond the end is an empty page', async () => {
  const reply = await client.get('/contacts?offset=100');
  expect(reply.body.data).toEqual({ contacts: [], count: 5 });
  expect(reply.headers.get('link')).toBeNull();
});

test.each([
  ['limit=0', 2004, 'limit'],
  ['limit=1001', 2004, 'limit'],
  ['limit=ten', 2005, 'limit'],
  ['limit=1e2', 2005, 'limit'],
  ['limit=1&limit=2', 2005, 'limit'],
  ['limit=99999999999999999999', 2004, 'limit'],
  ['offset=-1', 2004, 'offset'],
  ['details=yes', 2005, 'details'],
  ['sort=phone', 2005, 'sort'],
  ['q=%00', 2005, 'q'],
  ['page=2', 2005, 'page'],
  ['__proto__=1', 2005, '__proto__'],
])('failure: %s', async (query, code, field) => {
  const reply = await client.get(`/contacts?${query}`);
  expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, code, field]);
});
