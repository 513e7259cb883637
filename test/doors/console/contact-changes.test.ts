import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { carryOut, confirm, confirmation, formFields, preview } from '../../support/console-forms.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const ACTOR = 'person:alpha@sandbox.example';
const stateOf = (code: string) =>
  registry.sql.maybe(sql<Record<string, unknown>>`
    select name, email, phone, ident, ident_type, ident_country_code, street, city, state, postal_code, country_code, disclosed_attributes,
      (select array[operation, actor] from history where object_kind = 'contact' and object_name = c.code order by id desc limit 1) as last
    from contacts c where code = ${code}`);

const FILLED = {
  name: 'Jaan Tamm',
  email: 'jaan@example.ee',
  phone: '+372.5551234',
  identType: 'priv',
  ident: '37605030299',
  identCountry: 'EE',
  street: 'Aia 1\r\n\r\n2. korrus',
  city: 'Tartu',
  postalCode: '51001',
  country: 'EE',
  'disclose-name': 'yes',
  'disclose-phone': 'yes',
};
const STORED = {
  name: 'Jaan Tamm',
  email: 'jaan@example.ee',
  phone: '+372.5551234',
  ident: '37605030299',
  ident_type: 'priv',
  ident_country_code: 'EE',
  street: ['Aia 1', '2. korrus'],
  city: 'Tartu',
  state: null,
  postal_code: '51001',
  country_code: 'EE',
  disclosed_attributes: ['name', 'phone'],
  last: ['create', ACTOR],
};

describe('a contact', () => {
  test('success: is created with all its fields, under a code of its own', async () => {
    const id = freshCode();
    const answer = await carryOut(console, '/console/contacts/~create', { ...FILLED, id });
    expect([answer.status, answer.to]).toEqual([303, `/console/contacts/${id}?notice=contactCreated`]);
    for (const text of ['Jaan Tamm', '37605030299', 'Aia 1, 2. korrus, Tartu, 51001, Estonia', 'Phone'])
      expect(answer.preview).toContain(text);
    expect(await stateOf(id)).toEqual(STORED);
  });

  test('success: gets a generated code, once, when the form is sent repeatedly', async () => {
    const { fields } = await preview(console, '/console/contacts/~create', FILLED);
    const sent = await Promise.all([1, 2].map(() => console.post('/console/contacts/~create', fields)));
    const [first, second] = sent.map(({ to }) => to);
    expect(first).toMatch(/^\/console\/contacts\/ALPHA%3A[0-9a-f]{8}\?notice=contactCreated$/);
    expect(second).toBe(first);
    // As release 0.3.0 stored it, which reads it too.
    const { answer } = await registry.sql.one(sql<{ answer: object }>`
      select answer from idempotency_keys where key = ${fields.key ?? ''}`);
    expect(answer).toEqual({ contact: { code: expect.stringMatching(/^ALPHA:[0-9a-f]{8}$/) } });
  });

  test('success: is changed in every field but its identification; what is not changed stays', async () => {
    const code = await createContact(alpha(registry.url), { disclosed_attributes: ['email'] });
    const path = `/console/contacts/${code}/change`;
    const before = await stateOf(code);
    expect(Object.keys(formFields((await console.get(path)).text))).not.toContain('ident');
    const address = { city: 'Tartu', country: 'EE' };
    const answer = await carryOut(console, path, {
      email: 'uus@example.ee',
      ...address,
      'disclose-name': 'yes',
    });
    expect([answer.status, answer.to]).toEqual([303, `/console/contacts/${code}?notice=contactChanged`]);
    expect(await stateOf(code)).toEqual({
      ...before,
      email: 'uus@example.ee',
      city: 'Tartu',
      country_code: 'EE',
      disclosed_attributes: ['name', 'email'],
      last: ['update', ACTOR],
    });
    // An address that is there cannot be left out by an empty form.
    const emptied = await carryOut(console, path, { city: '', country: '' });
    expect([emptied.status, emptied.text.includes('id="city-fault">This is required.')]).toEqual([400, true]);
  });

  test('success: is deleted', async () => {
    const code = await createContact(alpha(registry.url));
    const answer = await confirm(console, `/console/contacts/${code}/delete`);
    expect([answer.status, answer.to]).toEqual([303, '/console/contacts?notice=contactDeleted']);
    expect(await stateOf(code)).toBeUndefined();
    const [entry] = await registry.sql.rows(sql<{ operation: string; actor: string }>`
      select operation, actor from history where object_name = ${code} order by id desc limit 1`);
    expect(entry).toEqual({ operation: 'delete', actor: ACTOR });
  });

  test('success: a form that deletes and is sent twice leads to the same page, at once or later', async () => {
    const code = await createContact(alpha(registry.url));
    const path = `/console/contacts/${code}/delete`;
    const { fields } = await confirmation(console, path);
    const answers = await Promise.all([console.post(path, fields), console.post(path, fields)]);
    for (const { status, to } of [...answers, await console.post(path, fields)])
      expect([status, to]).toEqual([303, '/console/contacts?notice=contactDeleted']);
    const entries = await registry.sql.rows(sql`
      select from history where object_name = ${code} and operation = 'delete'`);
    expect(entries).toHaveLength(1);
    // Neither another key nor the key of another form, nor somebody else.
    const other = await createContact(alpha(registry.url));
    const elsewhere = `/console/contacts/${other}/delete`;
    await confirm(console, elsewhere);
    expect((await console.post(elsewhere, fields)).status).toBe(404);
    expect((await console.post(path, { ...fields, key: randomUUID() })).status).toBe(404);
    expect((await (await loggedIn(registry.url, 'beta')).post(path, fields)).status).toBe(404);
  });

  test.each(['change', 'delete'])('failure: %s after a concurrent change', async (page) => {
    const code = await createContact(alpha(registry.url));
    const path = `/console/contacts/${code}/${page}`;
    const { fields } =
      page === 'delete'
        ? await confirmation(console, path)
        : await preview(console, path, { email: 'uus@example.ee' });
    await registry.sql.run(sql`update contacts set phone = '+372.5550000' where code = ${code}`);
    const before = await stateOf(code);
    const stale = await console.post(path, fields);
    expect([stale.status, stale.text.includes('Someone changed this while you were editing.')]).toEqual([
      page === 'delete' ? 409 : 400,
      true,
    ]);
    const fresh = formFields((await console.get(path)).text);
    expect({ ...formFields(stale.text), key: '' }).toEqual({ ...fresh, key: '' });
    expect(await stateOf(code)).toEqual(before);
  });

  test('success: its page links to a registration for it, and shows pending requests', async () => {
    const mari = await Registrant.of(alpha(registry.url));
    const code = await createContact(alpha(registry.url), {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const [given, ended] = [await mari.register(), await mari.register()];
    await carryOut(console, `/console/domains/${given}/registrant`, { registrant: code });
    await confirm(console, `/console/domains/${ended}/delete`, { typed: ended });
    const [asked, successor] = await Promise.all(
      [mari.code, code].map(async (each) => (await console.get(`/console/contacts/${each}`)).text),
    );
    for (const text of [
      'This registrant must confirm the deletion',
      'This registrant must confirm another registrant',
      given,
      ended,
    ])
      expect(asked).toContain(text);
    expect(successor).toContain('The present registrant must confirm this contact as the new one');
    expect(successor).toContain('Domains use this contact, or are about to');
    expect(successor).toContain(`href="/console/domains/register?registrant=${code}"`);
    const { text } = await console.get(`/console/domains/${given}`);
    for (const part of [
      'Requested by</dt><dd><bdi>alpha@sandbox.example',
      'mari@example.ee',
      `/console/contacts/${code}`,
    ])
      expect(text).toContain(part);
    const form = await console.get(`/console/domains/register?registrant=${code}`);
    for (const part of [`value="${code}"`, 'The code of the contact: Mari Maasikas'])
      expect(form.text).toContain(part);
  });
});
