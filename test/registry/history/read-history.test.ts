import { afterAll, beforeAll, expect, test } from 'vitest';
import { alpha, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

test('success: every change of a contact is one row with who, what, before and after', async () => {
  const code = await createContact(client);
  await client.put(`/contacts/${code}`, { contact: { email: 'new@example.ee' } });
  await client.delete(`/contacts/${code}`);
  const rows = await registry.sql.rows(sql`
    select operation, actor, registrar_id is not null as registrar, request_id is not null as request, before, after
    from history where object_kind = 'contact' and object_name = ${code} order by id`);
  const first = {
    code,
    name: 'Mari Maasikas',
    email: 'mari@example.ee',
    phone: '+372.5551234',
    ident: { code: '60001019906', type: 'priv', country_code: 'EE' },
  };
  const second = { ...first, email: 'new@example.ee' };
  const by = { actor: 'user:alpha', registrar: true, request: true };
  expect([...rows]).toEqual([
    { operation: 'create', ...by, before: null, after: first },
    { operation: 'update', ...by, before: first, after: second },
    { operation: 'delete', ...by, before: second, after: null },
  ]);
});

test('success: no secret is in history or in the log', async () => {
  const code = await createContact(client);
  const { auth_info: secret } = (await client.get(`/contacts/${code}`)).body.data.contact;
  await client.put(`/contacts/${code}`, { contact: { phone: '+372.1' } });
  const [row] = await registry.sql.rows(sql<{ found: number }>`
    select count(*) as found from history where history::text like ${`%${secret}%`} or history::text ilike '%auth_info%' or history::text ilike '%argon2%'`);
  expect(row?.found).toBe(0);
  for (const word of [
    secret,
    'alpha-sandbox-password',
    Buffer.from('alpha:alpha-sandbox-password').toString('base64'),
    '$argon2id',
  ]) {
    expect(registry.logged()).not.toContain(word);
  }
});

test('failure: a refused change leaves no row', async () => {
  const code = await createContact(client);
  await client.put(`/contacts/${code}`, { contact: { phone: 'nonsense' } });
  const [row] = await registry.sql.rows(
    sql<{ count: number }>`select count(*) as count from history where object_name = ${code}`,
  );
  expect(row?.count).toBe(1);
});
