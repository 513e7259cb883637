import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, type Data } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { codeOf, messagesAbout, newRegistrant, take } from '../../support/transfers.ts';
import { whileChanging } from '../../support/waiting.ts';

let registry: TestRegistry;
let losing: Client;
let gaining: Client;
beforeAll(async () => {
  registry = await startRegistry();
  losing = alpha(registry.url);
  gaining = beta(registry.url);
});
afterAll(() => registry.stop());

type Roles = { registrant: string; admin: string[]; tech: string[] };
/** The contact in each role, as the sponsor sees it. */
async function rolesOf(sponsor: Client, name: string): Promise<Roles> {
  const { registrant } = (await sponsor.get(`/domains/${name}`)).body.data.domain;
  const { admin_contacts, tech_contacts } = (await sponsor.get(`/domains/${name}/contacts`)).body.data;
  return { registrant: registrant.code, admin: admin_contacts, tech: tech_contacts };
}
const contactOf = async (client: Client, code: string): Promise<Data> =>
  (await client.get(`/contacts/${code}`)).body.data.contact;
const countOf = async (client: Client): Promise<number> =>
  (await client.get('/contacts?limit=1')).body.data.count;
async function transfer(name: string, from = losing, to = gaining): Promise<void> {
  expect(outcome(await take(to, name, await codeOf(from, name)))).toEqual([200, 1000]);
}
const PERSON = {
  name: 'Mari Maasikas',
  phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
};

describe('the contacts of a transferred domain', () => {
  test('success: one contact in three roles is copied once; the copy has a code and an auth_info of its own', async () => {
    const mari = await newRegistrant(losing);
    await registry.sql.run(
      sql`update contacts set disclosed_attributes = '{email}' where code = ${mari.code}`,
    );
    const name = await mari.register({ admin_contacts: [mari.code], tech_contacts: [mari.code] });
    const [before, original] = [await countOf(gaining), await contactOf(losing, mari.code)];
    await transfer(name);
    const { registrant: code, admin, tech } = await rolesOf(gaining, name);
    expect([admin, tech]).toEqual([[code], [code]]);
    expect(await countOf(gaining)).toBe(before + 1);
    const copy = await contactOf(gaining, code);
    expect(copy).toMatchObject({
      code: expect.stringMatching(/^BETA:[0-9a-f]{8}$/),
      auth_info: expect.stringMatching(/^[0-9a-f]{22}$/),
      registrar: { name: 'Beta Registrar' },
      statuses: { ok: null, linked: null },
      disclosed_attributes: ['email'],
      domains: [{ name, roles: ['Registrant', 'AdminDomainContact', 'TechDomainContact'] }],
    });
    expect(copy.auth_info).not.toBe(original.auth_info);
    for (const member of ['name', 'email', 'phone', 'ident'])
      expect([member, copy[member]]).toEqual([member, original[member]]);
  });

  test('success: a contact that differs in its disclosed attributes only is not reused', async () => {
    const mari = await newRegistrant(losing);
    const first = await mari.register();
    await transfer(first);
    const { registrant: hidden } = await rolesOf(gaining, first);
    const second = await mari.register();
    await losing.put(`/contacts/${mari.code}`, { contact: { disclosed_attributes: ['email'] } });
    await transfer(second);
    const { registrant: code } = await rolesOf(gaining, second);
    expect(code).not.toBe(hidden);
    expect((await contactOf(gaining, hidden)).disclosed_attributes).toEqual([]);
    expect((await contactOf(gaining, code)).disclosed_attributes).toEqual(['email']);
  });

  test('success: the original stays with its registrar, linked to nothing, and can be deleted', async () => {
    const mari = await newRegistrant(losing);
    const original = await contactOf(losing, mari.code);
    const name = await mari.register({ tech_contacts: [mari.code] });
    await transfer(name);
    expect(await contactOf(losing, mari.code)).toEqual(original);
    expect(outcome(await gaining.get(`/contacts/${mari.code}`))).toEqual([404, 2303]);
    expect(outcome(await losing.delete(`/contacts/${mari.code}`))).toEqual([200, 1000]);
    expect(outcome(await gaining.get(`/domains/${name}`))).toEqual([200, 1000]);
  });

  test('success: different contacts become different contacts, each in its roles', async () => {
    const [mari, jaan, juku] = [
      await newRegistrant(losing),
      await newRegistrant(losing),
      await newRegistrant(losing),
    ];
    const name = await mari.register({
      admin_contacts: [jaan.code, mari.code],
      tech_contacts: [juku.code, jaan.code],
    });
    const emailsOf = async (sponsor: Client) => {
      const { registrant, admin, tech } = await rolesOf(sponsor, name);
      const emails = (codes: string[]) =>
        Promise.all(codes.map(async (code) => (await contactOf(sponsor, code)).email as string));
      return [await emails([registrant]), (await emails(admin)).toSorted(), (await emails(tech)).toSorted()];
    };
    const before = await emailsOf(losing);
    await transfer(name);
    expect(await emailsOf(gaining)).toEqual(before);
    const { registrant, admin, tech } = await rolesOf(gaining, name);
    expect(new Set([registrant, ...admin, ...tech]).size).toBe(3);
  });

  test('success: an identical contact is reused instead of copied', async () => {
    const person = { ...PERSON, email: `${freshCode()}@example.ee` };
    const [theirs, mine] = [await Registrant.of(losing, person), await createContact(gaining, person)];
    const name = await theirs.register({ tech_contacts: [theirs.code] });
    const before = await countOf(gaining);
    await transfer(name);
    expect(await rolesOf(gaining, name)).toEqual({ registrant: mine, admin: [], tech: [mine] });
    expect(await countOf(gaining)).toBe(before);
  });

  test.each([
    ['name', { name: 'Mari Mustikas' }],
    ['the case of the name', { name: 'mari maasikas' }],
    ['email', { email: 'other@example.ee' }],
    ['phone', { phone: '+372.9' }],
    ['identification', { ident: { ...PERSON.ident, ident: '37605030299' } }],
    [
      'type of identification',
      { ident: { ident: '60001019906', ident_type: 'org', ident_country_code: 'FI' } },
    ],
    ['country', { ident: { ...PERSON.ident, ident_country_code: 'LV' } }],
  ])('success: one that differs in %s is not reused', async (_what, difference) => {
    const person = { ...PERSON, email: `${freshCode()}@example.ee` };
    await createContact(gaining, { ...person, ...difference });
    const before = await countOf(gaining);
    const name = await (await Registrant.of(losing, person)).register();
    await transfer(name);
    expect(await countOf(gaining)).toBe(before + 1);
    expect(await contactOf(gaining, (await rolesOf(gaining, name)).registrant)).toMatchObject({
      name: person.name,
      email: person.email,
      phone: person.phone,
      ident: { code: '60001019906', type: 'priv', country_code: 'EE' },
    });
  });

  test('success: a copy has the address, and a contact with another address is not reused', async () => {
    const email = `${freshCode()}@example.ee`;
    const setAddress = (code: string, street: string[] | null, city: string, country: string) =>
      registry.sql.run(sql`
        update contacts set street = ${street}::text[], city = ${city}, country_code = ${country} where code = ${code}`);
    const [theirs, duplicate] = [
      await Registrant.of(losing, { email }),
      await createContact(losing, { email }),
    ];
    const [bare, abroad] = [await createContact(gaining, { email }), await createContact(gaining, { email })];
    await setAddress(theirs.code, ['Pikk 1'], 'Tallinn', 'EE');
    await setAddress(duplicate, ['Pikk 2'], 'Tallinn', 'EE');
    await setAddress(abroad, ['Pikk 1'], 'Tallinn', 'LV');
    const name = await theirs.register({ tech_contacts: [duplicate] });
    await transfer(name);
    const { registrant: copy, tech } = await rolesOf(gaining, name);
    expect(new Set([bare, abroad, copy, ...tech])).toHaveProperty('size', 4);
    const rows = await registry.sql.rows(sql`
      select c.street, c.city, c.country_code, c.state, h.after->'address' as recorded from contacts c
      join history h on h.object_kind = 'contact' and h.object_name = c.code and h.operation = 'copy' where c.code = ${copy}`);
    const address = { street: ['Pikk 1'], city: 'Tallinn', country_code: 'EE' };
    expect(rows).toEqual([{ ...address, state: null, recorded: address }]);
    const again = await theirs.register({ tech_contacts: [duplicate] });
    await transfer(again);
    expect(await rolesOf(gaining, again)).toEqual({ registrant: copy, admin: [], tech });
  });

  test('success: two identical contacts become one, in each of their roles', async () => {
    const person = { ...PERSON, email: `${freshCode()}@example.ee` };
    const [one, two] = [await Registrant.of(losing, person), await createContact(losing, person)];
    const name = await one.register({ admin_contacts: [two], tech_contacts: [one.code, two] });
    await createContact(gaining, person);
    await transfer(name);
    const { registrant, admin, tech } = await rolesOf(gaining, name);
    expect([admin, tech]).toEqual([[registrant], [registrant]]);
  });

  test('success: two identical contacts become one also if the gaining registrar has none like them', async () => {
    const person = { ...PERSON, email: `${freshCode()}@example.ee` };
    const [one, two] = [await Registrant.of(losing, person), await createContact(losing, person)];
    const name = await one.register({ tech_contacts: [one.code, two] });
    const before = await countOf(gaining);
    await transfer(name);
    const { registrant, tech } = await rolesOf(gaining, name);
    expect([tech, await countOf(gaining)]).toEqual([[registrant], before + 1]);
  });

  test('success: a contact of the gaining registrar is kept, even beside one like it', async () => {
    const person = { ...PERSON, email: `${freshCode()}@example.ee` };
    const [older, mine] = [await createContact(gaining, person), await createContact(gaining, person)];
    const name = await (await newRegistrant(losing)).register();
    // No call links a contact of another registrar; imported domains may have one.
    await registry.sql.run(sql`
      insert into domain_contacts (domain_id, contact_id, role)
      select d.id, c.id, 'tech' from domains d, contacts c where d.name = ${name} and c.code = ${mine}`);
    await transfer(name);
    expect((await rolesOf(gaining, name)).tech).toEqual([mine]);
    expect((await contactOf(gaining, older)).domains).toEqual([]);
  });

  test('success: a transfer back reuses the originals, and makes no copies of copies', async () => {
    const mari = await newRegistrant(losing);
    const name = await mari.register({ tech_contacts: [mari.code] });
    await transfer(name);
    const before = await countOf(losing);
    await transfer(name, gaining, losing);
    expect(await rolesOf(losing, name)).toEqual({ registrant: mari.code, admin: [], tech: [mari.code] });
    expect(await countOf(losing)).toBe(before);
  });

  test('success: a second domain of the same contacts reuses the copies of the first', async () => {
    const mari = await newRegistrant(losing);
    const [first, second] = [await mari.register(), await mari.register({ admin_contacts: [mari.code] })];
    await transfer(first);
    const { registrant } = await rolesOf(gaining, first);
    await transfer(second);
    expect(await rolesOf(gaining, second)).toEqual({ registrant, admin: [registrant], tech: [] });
  });

  test('success: a contact that a concurrent transaction added is transferred with the others', async () => {
    const [mari, late] = [await newRegistrant(losing), await newRegistrant(losing)];
    const name = await mari.register({ tech_contacts: [mari.code] });
    const code = await codeOf(losing, name);
    const reply = await whileChanging(
      registry.sql,
      name,
      (db) =>
        db.rows(sql`
        insert into domain_contacts (domain_id, contact_id, role)
        select d.id, c.id, 'tech' from domains d, contacts c where d.name = ${name} and c.code = ${late.code}`),
      () => take(gaining, name, code),
    );
    expect(outcome(reply)).toEqual([200, 1000]);
    const { tech } = await rolesOf(gaining, name);
    expect(tech).toEqual([expect.stringMatching(/^BETA:/), expect.stringMatching(/^BETA:/)]);
  });

  test('success: history names the original of each copy, and has no auth_info', async () => {
    const mari = await newRegistrant(losing);
    const name = await mari.register();
    await transfer(name);
    const { registrant: code } = await rolesOf(gaining, name);
    const { auth_info } = await contactOf(gaining, code);
    const rows = await registry.sql.rows(sql<{ operation: string; after: object }>`
      select operation, after from history where object_kind = 'contact' and object_name = ${code}`);
    expect(rows).toMatchObject([{ operation: 'copy', after: { code, copy_of: mari.code } }]);
    expect(JSON.stringify(rows)).not.toContain(auth_info);
  });
});

describe('messages to the two registrars', () => {
  const idOf = async (name: string) =>
    (await registry.sql.rows(sql<{ id: number }>`select id from domains where name = ${name}`))[0]?.id;

  test('success: the losing registrar gets the former contacts, the gaining registrar the former sponsor', async () => {
    const [mari, jaan] = [await newRegistrant(losing), await newRegistrant(losing)];
    const name = await mari.register({
      admin_contacts: [mari.code],
      tech_contacts: [mari.code, jaan.code],
    });
    await transfer(name);
    const attached = { attached_obj_type: 'Domain', attached_obj_id: await idOf(name) };
    const contacts = `${mari.code}, ${jaan.code}`;
    expect(await messagesAbout(losing, name)).toMatchObject([
      {
        type: 'transferred_away',
        text: `Domain ${name} was transferred to Beta Registrar; its registrant was ${mari.code}, its contacts ${contacts}`,
        ...attached,
      },
    ]);
    expect(await messagesAbout(gaining, name)).toMatchObject([
      {
        type: 'transferred_in',
        text: `Domain ${name} was transferred to you from Alpha Registrar`,
        ...attached,
      },
    ]);
  });

  test('success: a domain without contacts', async () => {
    const mari = await newRegistrant(losing);
    const name = await mari.register();
    await transfer(name);
    expect((await messagesAbout(losing, name)).map(({ text }) => text)).toEqual([
      `Domain ${name} was transferred to Beta Registrar; its registrant was ${mari.code}, its contacts none`,
    ]);
  });
});
