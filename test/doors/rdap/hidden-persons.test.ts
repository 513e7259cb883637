import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { alpha, beta } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { basic, RdapClient } from '../../support/rdap.ts';
import { ORGANISATION } from '../../support/rdap-objects.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let rdap: RdapClient;
const names: string[] = [];

let persons = 0;
/** A person with unique data; identification codes of Germany have no format. */
const someone = () => {
  persons += 1;
  const tag = freshCode();
  return {
    name: `Hidden ${tag.replace(/[^a-z]/g, '')}${'abcdefghijklmnopqrstuvwxyz'[persons]}`,
    email: `${tag}@hidden.example`,
    phone: `+49.${4_000_000 + persons}`,
    ident: { ident: `id-${tag}`, ident_type: 'priv', ident_country_code: 'DE' },
  };
};
const company = () => ({
  ...ORGANISATION,
  email: `${freshCode()}@company.example`,
  phone: `+372.7${Date.now()}`.slice(0, 13),
});

beforeAll(async () => {
  registry = await startRegistry();
  rdap = new RdapClient(registry.url);
  for (const client of [alpha(registry.url), beta(registry.url)])
    for (const of of [someone, company])
      for (const [admins, techs] of [
        [[], []],
        [[someone], [someone]],
        [
          [someone, someone, someone],
          [company, someone],
        ],
      ] as const) {
        const registrant = await Registrant.of(client, of());
        const codesOf = (makers: readonly (() => object)[]) =>
          Promise.all(makers.map((maker) => createContact(client, { ...maker() })));
        names.push(
          await registrant.register({
            admin_contacts: await codesOf(admins),
            tech_contacts: await codesOf(techs),
            nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
          }),
        );
      }
}, 30_000);
afterAll(() => registry.stop());

type Hidden = { name: string; email: string; phone: string; ident: string; code: string };
const hiddenPersons = () =>
  registry.sql.rows(
    sql<Hidden>`select name, email, phone, ident, code from contacts where ident_type <> 'org'`,
  );

/** All queries that are possible with public data. */
async function allAnswers(client: RdapClient): Promise<string> {
  const answers: string[] = [];
  for (const name of names) answers.push((await client.domain(name)).text);
  for (const handle of ['ALPHA', 'BETA', 'POOR']) answers.push((await client.entity(handle)).text);
  for (const host of ['ns1.example.net', 'ns2.example.net'])
    answers.push((await client.nameserver(host)).text);
  answers.push((await client.get('/help')).text);
  return answers.join('\n');
}

describe('a filled registry', () => {
  test('success: no answer to the public has the name, mail, phone or code of any person', async () => {
    const text = (await allAnswers(rdap)).toLowerCase();
    const hidden = await hiddenPersons();
    expect(hidden.length).toBeGreaterThan(12);
    for (const { name, email, phone, ident, code } of hidden)
      for (const value of [name, email, phone, phone.replace('.', ''), phone.slice(4), ident, code])
        expect([value, text.includes(value.toLowerCase())]).toEqual([value, false]);
    const companies = await registry.sql.rows(
      sql<Pick<Hidden, 'email' | 'code'>>`select email, code from contacts where ident_type = 'org'`,
    );
    for (const { email, code } of companies)
      for (const value of [email, code]) expect([value, text.includes(value)]).toEqual([value, false]);
  });

  test('success: a registrar that is not the sponsor learns no mail, phone or identification', async () => {
    const beta = new RdapClient(registry.url, basic('beta'));
    const [first = ''] = names;
    const { text } = await beta.domain(first);
    const [own] = await registry.sql.rows(sql<Hidden>`
      select c.name, c.email, c.phone, c.ident, c.code from contacts c join domains d on d.registrant_id = c.id where d.name = ${first}`);
    expect(text).toContain(own?.name);
    for (const value of [own?.email, own?.phone.slice(4), own?.ident]) expect(text).not.toContain(value);
  });

  test('failure: no entity is found by any data of a contact', async () => {
    const { text: unknown } = await rdap.entity('NOBODY');
    for (const { name, email, code, ident } of await hiddenPersons())
      for (const value of [name, email, code, ident]) {
        const { status, text } = await rdap.entity(value);
        expect([status, text]).toEqual([404, unknown]);
      }
  });

  test('success: how many persons are contacts of a domain cannot be seen', async () => {
    const shapeOf = async (name = '') => {
      const { text, body } = await rdap.domain(name);
      return text
        .replaceAll(name, 'NAME')
        .replaceAll(body.handle, 'HANDLE')
        .replace(/"eventDate":"[^"]+"/g, '');
    };
    expect(await shapeOf(names[1])).toBe(await shapeOf(names[0]));
  });
});
