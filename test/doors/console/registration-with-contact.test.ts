import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { carryOut, formFields, preview } from '../../support/console-forms.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let jaan: string;
beforeAll(async () => {
  registry = await startRegistry();
  jaan = await createContact(alpha(registry.url), {
    name: 'Jaan Tamm',
    email: 'jaan.tamm@example.ee',
    ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
  });
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const REGISTER = '/console/domains/register';
const KADRI = {
  'contact-name': 'Kadri Kask',
  'contact-email': 'kadri@example.ee',
  'contact-phone': '+372.5551234',
  'contact-identType': 'priv',
  'contact-ident': '47605030299',
  'contact-identCountry': 'EE',
};

type State = { contacts: string; domains: string; entries: string; balance: string };
const stateNow = () =>
  registry.sql.one(sql<State>`
    select (select count(*) from contacts) as contacts, (select count(*) from domains) as domains,
      (select count(*) from history) as entries, (select balance::text from ledger_accounts where kind = 'registrar' and registrar_id = (select id from registrars where code = 'ALPHA')) as balance`);

type Made = { registrant: string; code: string; links: string[] };
const madeOf = (name: string) =>
  registry.sql.one(sql<Made>`
    select c.name as registrant, c.code,
      array(select l.role || ' ' || k.name from domain_contacts l join contacts k on k.id = l.contact_id where l.domain_id = d.id order by 1) as links
    from domains d join contacts c on c.id = d.registrant_id where d.name = ${name}`);

describe('a contact that is created with a domain', () => {
  test('success: as registrant and contact, with one price and one submission', async () => {
    const name = freshName();
    const before = await stateNow();
    const { shown, fields } = await preview(console, REGISTER, {
      ...KADRI,
      name,
      'contact-as-registrant': 'yes',
      'contact-as-admin': 'yes',
      techs: jaan,
    });
    for (const text of ['Kadri Kask (new contact)', 'kadri@example.ee', 'Jaan Tamm', '€9.00'])
      expect(shown.text).toContain(text);
    expect(await stateNow()).toEqual(before);
    const answer = await console.post(REGISTER, fields);
    expect([answer.status, answer.to]).toEqual([303, `/console/domains/${name}?notice=domainRegistered`]);
    expect(await madeOf(name)).toMatchObject({
      registrant: 'Kadri Kask',
      links: ['admin Kadri Kask', 'tech Jaan Tamm'],
    });
  });

  test('success: as contact only, for a registrant that is there, with a code of its own', async () => {
    const [name, code] = [freshName(), freshCode()];
    const filled = { ...KADRI, name, registrant: jaan, 'contact-id': code, 'contact-as-tech': 'yes' };
    const answer = await carryOut(console, `${REGISTER}?registrant=${jaan}`, filled);
    expect(answer.to).toBe(`/console/domains/${name}?notice=domainRegistered`);
    expect(await madeOf(name)).toMatchObject({ registrant: 'Jaan Tamm', links: ['tech Kadri Kask'] });
    const { made } = await registry.sql.one(sql<{ made: string[] }>`
      select array_agg(object_kind || ' ' || actor order by id) as made from history where object_name in (${code}, ${name})`);
    const actor = 'person:alpha@sandbox.example';
    expect(made).toEqual([`contact ${actor}`, `domain ${actor}`]);
  });

  test('success: sent many times at once, and again later, it makes one contact and one domain', async () => {
    const name = freshName();
    const { fields } = await preview(console, REGISTER, { ...KADRI, name, 'contact-as-registrant': 'yes' });
    const before = await stateNow();
    const answers = await Promise.all(Array.from({ length: 6 }, () => console.post(REGISTER, fields)));
    const late = await console.post(REGISTER, fields);
    for (const answer of [...answers, late])
      expect([answer.status, answer.to]).toEqual([303, `/console/domains/${name}?notice=domainRegistered`]);
    const after = await stateNow();
    expect([after.contacts, after.domains, after.entries].map(Number)).toEqual([
      Number(before.contacts) + 1,
      Number(before.domains) + 1,
      Number(before.entries) + 2,
    ]);
    const other = await console.post(REGISTER, { ...fields, 'contact-name': 'Mari Kask' });
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('already submitted')]);
    expect(await stateNow()).toEqual(after);
  });

  test('success: two forms with the same name and different keys: one contact is left, and none of the other', async () => {
    const name = freshName();
    const filled = { ...KADRI, name, 'contact-as-registrant': 'yes' };
    const forms = await Promise.all([1, 2, 3].map(() => preview(console, REGISTER, filled)));
    const before = await stateNow();
    const answers = await Promise.all(forms.map(({ fields }) => console.post(REGISTER, fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.text).toContain('id="name-fault"');
    expect(formFields(refused?.text ?? '')).toMatchObject(KADRI);
    const after = await stateNow();
    expect([after.contacts, after.domains].map(Number)).toEqual([
      Number(before.contacts) + 1,
      Number(before.domains) + 1,
    ]);
  });

  test('failure: the price has changed since the preview', async () => {
    const { fields } = await preview(console, REGISTER, {
      ...KADRI,
      name: freshName(),
      'contact-as-registrant': 'yes',
    });
    const before = await stateNow();
    const answer = await console.post(REGISTER, { ...fields, price: '1.00' });
    expect(answer.status).toBe(400);
    expect(formFields(answer.text)).toMatchObject(KADRI);
    expect(await stateNow()).toEqual(before);
  });

  const refused: [what: string, filled: () => Record<string, string>, field: string, text: string][] = [
    ['a taken name', () => ({ name: taken }), 'name', 'registered already'],
    ['no name', () => ({ name: '' }), 'name', 'This is required.'],
    ['no e-mail address', () => ({ 'contact-email': ' ' }), 'contact-email', 'This is required.'],
    ['a wrong number', () => ({ 'contact-ident': '47605030298' }), 'contact-ident', ''],
    ['a wrong phone', () => ({ 'contact-phone': '12' }), 'contact-phone', 'Expected: a phone number'],
    ['a taken code', () => ({ 'contact-id': jaan }), 'contact-id', ''],
    ['a code of another registrar', () => ({ 'contact-id': theirs }), 'contact-id', ''],
    ['no role', () => ({ 'contact-as-registrant': '', registrant: jaan }), 'contact-as-registrant', 'Choose'],
    [
      'two registrants',
      () => ({ registrant: jaan }),
      'registrant',
      'The new contact is the registrant already',
    ],
    ['no registrant', () => ({ 'contact-as-registrant': '', 'contact-as-tech': 'yes' }), 'registrant', ''],
    ['an unknown contact', () => ({ techs: theirs }), 'techs', 'There is no'],
    [
      'an organisation as admin',
      () => ({ 'contact-identType': 'org', 'contact-ident': '12345678', 'contact-as-admin': 'yes' }),
      'admins',
      'must be a person',
    ],
    ['markup', () => ({ 'contact-name': '<b>' }), 'contact-name', 'Expected'],
    ['one nameserver', () => ({ nameservers: 'ns1.example.ee' }), 'nameservers', 'Enter 2 to 11 nameservers'],
  ];
  let taken: string;
  let theirs: string;
  beforeAll(async () => {
    taken = await (await Registrant.of(beta(registry.url))).register();
    theirs = await createContact(beta(registry.url));
  });
  test.each(refused)(
    'failure: %s leaves no contact, and the form as it was',
    async (_, filled, field, text) => {
      const before = await stateNow();
      const sent = { ...KADRI, name: freshName(), 'contact-as-registrant': 'yes', ...filled() };
      const answer = await carryOut(console, REGISTER, sent);
      const fault = new RegExp(`id="${field}-fault">([^<]*)<`).exec(answer.text)?.[1];
      expect([answer.status, fault]).toEqual([400, expect.stringContaining(text)]);
      const typed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
      expect(formFields(answer.text)).toMatchObject(typed);
      expect(answer.text).toContain('<details class="group" open>');
      expect(await stateNow()).toEqual(before);
    },
  );

  test('failure: too little money, and texts that are too long', async () => {
    const poor = { ...KADRI, name: freshName(), years: '10', 'contact-as-registrant': 'yes' };
    const { fields } = await preview(console, REGISTER, poor);
    await registry.sql.run(
      sql`update ledger_accounts set balance = 100 where kind = 'registrar' and registrar_id = (select id from registrars where code = 'ALPHA')`,
    );
    const before = await stateNow();
    const answer = await console.post(REGISTER, fields);
    expect([answer.status, formFields(answer.text)]).toMatchObject([400, KADRI]);
    for (const length of [4_000, 10_000]) {
      const long = await console.post(REGISTER, {
        ...poor,
        'contact-name': 'õ'.repeat(length),
        step: 'preview',
      });
      expect([400, 413]).toContain(long.status);
    }
    expect(await stateNow()).toEqual(before);
  });
});

describe('contacts that are offered while one is looked for', () => {
  const found = async (q: string, client = console) => {
    const answer = await client.get(`/console/contacts/find.json?${new URLSearchParams({ q })}`);
    expect(answer.status).toBe(200);
    return (JSON.parse(answer.text) as { code: string }[]).map(({ code }) => code);
  };

  test('success: by a part of the name or code, and by the whole identification code or address', async () => {
    for (const text of ['jaan t', ' JAAN TAMM ', jaan.slice(1), '37605030299', 'Jaan.Tamm@example.ee'])
      expect(await found(text)).toEqual([jaan]);
    const shown = await console.post(REGISTER, { find: '37605030299', step: 'find' });
    expect(shown.text).toContain(`value="choose:${jaan}"`);
  });

  test('failure: nothing, controls and long texts, and contacts of another registrar', async () => {
    const beyond = await loggedIn(registry.url, 'beta');
    for (const text of ['', ' ', 'nobody at all', '\u0000', 'x'.repeat(1_000), '%', "'"])
      expect(await found(text)).toEqual([]);
    const long = 'x'.repeat(10_000);
    expect((await console.get(`/console/contacts/find.json?q=${long}`)).status).toBe(400);
    for (const text of ['jaan t', jaan, '37605030299', 'jaan.tamm@example.ee'])
      expect(await found(text, beyond)).toEqual([]);
  });

  test('failure: a reader, and nobody', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    expect((await reader.get('/console/contacts/find.json?q=jaan')).status).toBe(403);
    expect((await reader.post(REGISTER, { ...KADRI, step: 'preview' })).status).toBe(403);
  });
});
