import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePages } from '../../../src/doors/console/pages.ts';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { carryOut, confirm, fieldNames, formFields } from '../../support/console-forms.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import { freshName, KEY, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
/** Objects that the forms refer to. */
let known: Record<'domain' | 'foreign' | 'jaan' | 'firm' | 'theirs' | 'unused', string>;
beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  const person = { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' };
  const organisation = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
  mari = await Registrant.of(client);
  const other = await Registrant.of(beta(registry.url));
  known = {
    domain: await mari.register(),
    foreign: await other.register(),
    theirs: other.code,
    jaan: await createContact(client, { ident: person }),
    unused: await createContact(client),
    firm: await createContact(client, { ident: organisation }),
  };
  await registry.sql.run(sql`
    insert into reserved_names (name, code, created_at) values ('broneeritud.ee', 'a-secret-code', now())`);
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

type Filled = Record<string, string>;
const entries = () => registry.sql.one(sql<{ n: number }>`select count(*)::int as n from history`);

/** Fills in a form, which must be refused at a field, or as a whole if that is null. */
async function expectRefused(path: string, filled: Filled, field: string | null, text: string) {
  const before = await entries();
  const { status, text: page } = await carryOut(console, `/console${path}`, filled);
  const fault = field === null ? page : new RegExp(`id="${field}-fault">([^<]*)<`).exec(page)?.[1];
  expect([status, fault]).toEqual([400, expect.stringContaining(text)]);
  expect(page).toContain('role="alert"');
  expect(formFields(page)).toMatchObject(filled);
  expect(await entries()).toEqual(before);
}

const HOST = 'ns1.example.ee';
const keyLine = `257 3 13 ${KEY.public_key}`;

describe('a refusal is shown at its field, with what was filled in, and nothing is changed', () => {
  test.each<[what: string, filled: () => Filled, field: string, text: string]>([
    ['no registrant', () => ({ registrant: '' }), 'registrant', 'This is required.'],
    ['no name', () => ({ name: '' }), 'name', 'This is required.'],
    ['no such name', () => ({ name: 'a b.ee' }), 'name', 'This cannot be a name'],
    ['a taken name', () => ({ name: known.domain }), 'name', 'yours already'],
    ['no such contact', () => ({ registrant: 'nobody' }), 'registrant', 'There is no nobody'],
    ['no such admin', () => ({ admins: 'nobody' }), 'admins', 'There is no nobody'],
    ['an organisation as admin', () => ({ admins: known.firm }), 'admins', 'must be a person'],
    ['a tech twice', () => ({ techs: `${known.jaan} ${known.jaan}` }), 'techs', 'twice'],
    ['one nameserver', () => ({ nameservers: HOST }), 'nameservers', 'Enter 2 to 11 nameservers'],
    ['an incomplete key', () => ({ keys: '257 3' }), 'keys', '257 3: Part of it is missing.'],
    ['no code', () => ({ name: 'broneeritud.ee' }), 'reservationCode', 'The name is reserved.'],
    [
      'no glue',
      () => ({ name: 'liimita.ee', nameservers: `${HOST}\nns.liimita.ee` }),
      'nameservers',
      'ns.liimita.ee: A nameserver inside the domain itself',
    ],
  ])('failure: a registration with %s', async (_what, filled, field, text) => {
    const form = { name: freshName(), registrant: known.jaan, ...filled() };
    await expectRefused('/domains/register', form, field, text);
  });

  test.each<[what: string, filled: () => Filled, field: string, text: string]>([
    ['a wrong code', () => ({ name: known.foreign }), 'transferCode', 'The code is wrong.'],
    ['an unknown domain', () => ({ name: freshName() }), 'name', 'There is no such domain.'],
    ['no name of a domain', () => ({ name: 'x' }), 'name', 'There is no such domain.'],
    ['an empty field', () => ({ name: '' }), 'name', 'This is required.'],
  ])('failure: a transfer with %s', async (_what, filled, field, text) => {
    await expectRefused('/domains/transfer', { transferCode: 'wrong-code', ...filled() }, field, text);
  });

  const UNCHANGED = 'It already has these values.';
  test.each<[page: string, what: string, filled: () => Filled, field: string | null, text: string]>([
    ['nameservers', 'no address', () => ({ nameservers: `${HOST} 192.0.2.300` }), 'nameservers', 'an IPv4'],
    ['nameservers', 'a host twice', () => ({ nameservers: `${HOST}\n${HOST}` }), 'nameservers', 'twice'],
    ['nameservers', 'no change', () => ({}), null, UNCHANGED],
    ['contacts', 'no change', () => ({}), null, UNCHANGED],
    ['contacts', 'no such contact', () => ({ techs: 'nobody' }), 'techs', 'There is no nobody'],
    ['keys', 'no change', () => ({}), null, UNCHANGED],
    ['keys', 'no key', () => ({ keys: '257 3 13 %%%' }), 'keys', 'a public key in Base64'],
    ['keys', 'a key twice', () => ({ keys: `${keyLine}\n${keyLine}` }), 'keys', 'has this key already'],
    ['registrant', 'the same', () => ({ registrant: mari.code }), 'registrant', 'is the present one'],
    ['registrant', 'an empty field', () => ({ registrant: '' }), 'registrant', 'This is required.'],
    ['registrant', 'that of another', () => ({ registrant: known.theirs }), 'registrant', 'There is no'],
  ])('failure: a change of %s with %s', async (page, _what, filled, field, text) => {
    await expectRefused(`/domains/${known.domain}/${page}`, filled(), field, text);
  });

  const TOO_LONG = 'There are more than 100 lines, or entries on one line.';
  const repeated = (count: number, text: string) => text.repeat(count).trim();
  test.each<[page: string, field: string, what: string, text: string]>([
    ['register', 'nameservers', '101 lines', repeated(101, 'x\n')],
    ['register', 'nameservers', 'a line of 101 words', repeated(101, 'x ')],
    ['register', 'keys', '101 lines', repeated(101, 'x\n')],
    ['register', 'admins', '101 codes', repeated(101, 'x ')],
    ['register', 'techs', '101 codes', repeated(101, 'x\n')],
    ['nameservers', 'nameservers', '101 lines', repeated(101, 'x\n')],
    ['nameservers', 'nameservers', 'a line of 101 words', repeated(101, 'x,')],
    ['keys', 'keys', '101 lines', repeated(101, 'x\n')],
    ['contacts', 'admins', '101 codes', repeated(101, 'x;')],
    ['contacts', 'techs', '101 codes', repeated(101, 'x ')],
  ])('failure: %s with too long a list in %s: %s', async (page, field, _what, text) => {
    const path = page === 'register' ? '/domains/register' : `/domains/${known.domain}/${page}`;
    const whole = page === 'register' ? { name: freshName(), registrant: known.jaan } : {};
    await expectRefused(path, { ...whole, [field]: text }, field, TOO_LONG);
  });

  test('failure: of a hundred lines each is looked at, and the first twenty refusals are listed', async () => {
    const nameservers = Array.from({ length: 100 }, (_, index) => `host${index}`).join('\n');
    const path = `/console/domains/${known.domain}/nameservers`;
    const { text } = await carryOut(console, path, { nameservers });
    const fault = /id="nameservers-fault">([^<]*)</.exec(text)?.[1];
    expect(fault?.match(/host\d+: Expected/g)).toHaveLength(20);
    expect(fault).toMatch(/host0: .* host19: Expected: the name of a host\. …$/);
  });

  const CONTACT = { name: 'Mari Maasikas', email: 'mari@example.ee', phone: '+372.5551234' };
  test.each<[what: string, filled: () => Filled, field: string, text: string]>([
    ['no name', () => ({ name: '' }), 'name', 'This is required.'],
    ['a wrong address', () => ({ email: 'mari@' }), 'email', 'an e-mail address'],
    ['a wrong phone', () => ({ phone: '5551234' }), 'phone', '+372.5555555'],
    ['no identification', () => ({ ident: '' }), 'ident', 'This is required.'],
    ['a wrong identification', () => ({ ident: '60001019907' }), 'ident', 'Expected'],
    ['an address without city', () => ({ street: 'Aia 1' }), 'city', 'This is required.'],
    ['a taken code', () => ({ id: known.jaan }), 'id', 'has a contact with this code already'],
    ['a wrong code', () => ({ id: 'a b' }), 'id', 'letters, digits'],
  ])('failure: a new contact with %s', async (_what, filled, field, text) => {
    await expectRefused('/contacts/~create', { ...CONTACT, ident: '60001019906', ...filled() }, field, text);
  });

  test('failure: a contact that a domain uses is not deleted, and deletion is not offered', async () => {
    const page = `/contacts/${mari.code}`;
    const refused = await confirm(console, `/console${page}/delete`);
    expect([refused.status, refused.text.includes('Domains use this contact')]).toEqual([409, true]);
    const { text } = await console.get(`/console${page}`);
    expect([text.includes(`${page}/delete"`), text.includes('Domains use this contact')]).toEqual([
      false,
      true,
    ]);
    await expectRefused(`${page}/change`, { name: 'Mari & Jaan' }, 'name', 'without symbols');
  });
});

describe('what is not possible', () => {
  const PAGES = [
    'nameservers',
    'contacts',
    'registrant',
    'keys',
    'hold',
    'transfer-code/new',
    'delete',
    'renew',
  ];
  test('failure: a status forbids it: it is not offered, the reason is shown, and the request is refused', async () => {
    const name = await mari.register({ dnskeys_attributes: [KEY] });
    await registry.sql.run(sql`
      update domains set statuses = '{"serverUpdateProhibited": "", "serverDeleteProhibited": "", "serverRenewProhibited": ""}' where name = ${name}`);
    const { text } = await console.get(`/console/domains/${name}`);
    expect(text.match(/The status forbids it: [^<]* locked by the registry\./g)).toHaveLength(PAGES.length);
    const filled = { nameservers: `${HOST}\nns2.example.ee`, techs: known.jaan, registrant: known.jaan };
    for (const page of PAGES) {
      const path = `/console/domains/${name}/${page}`;
      expect(text).not.toMatch(new RegExp(`(?:href|action)="${path}"`));
      const answer = await (page === 'hold'
        ? console.post(path, {})
        : page === 'delete'
          ? confirm(console, path, { typed: name })
          : carryOut(console, path, { ...filled, 'remove-0': 'yes' }));
      const status = ['hold', 'delete'].includes(page) ? 409 : 400;
      expect([page, answer.status, /The status forbids it/.test(answer.text)]).toEqual([page, status, true]);
    }
  });

  test('success: a person without the right to change anything is offered no change', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    const pages = [`/domains/${known.domain}`, '/domains', `/contacts/${mari.code}`, '/contacts'];
    for (const page of pages)
      expect((await reader.get(`/console${page}`)).text).not.toMatch(/class="(?:actions|closed)"/);
  });

  test('failure: sensitive operations require a recent login', async () => {
    const other = await loggedIn(registry.url, 'beta');
    await registry.sql.run(sql`
      update person_sessions set authenticated_at = authenticated_at - interval '6 minutes'
      where person_id = (select id from people where email_key = 'beta@sandbox.example')`);
    for (const page of ['delete', 'registrant']) {
      const { status, to } = await other.post(`/console/domains/${known.foreign}/${page}`, {
        step: 'preview',
      });
      expect([status, to?.split('?')[0]]).toEqual([303, '/console/login']);
    }
  });
});

describe('markup', () => {
  const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
  const paths = () =>
    [...new Set(consolePages.map(({ path }) => path))].filter((path) => !/account/.test(path));

  test('failure: it is escaped in every field of every form, and in stored values', async () => {
    const [name, code] = [await mari.register(), freshCode()];
    await createContact(alpha(registry.url), { id: code });
    await registry.sql.run(sql`update contacts set name = ${MARKUP}, email = ${MARKUP} where code = ${code}`);
    let forms = 0;
    for (const path of paths()) {
      const address = `/console${path.replace(':name', name).replace(':code', code)}`;
      const shown = await console.get(`${address}?find=script&registrant=${encodeURIComponent(MARKUP)}`);
      expect(shown.text).not.toMatch(/<script>|<img/);
      if (!shown.text.includes('name="step"')) continue;
      forms += 1;
      const filled = Object.fromEntries(fieldNames(shown.text).map((field) => [field, MARKUP]));
      for (const step of ['preview', 'edit', 'confirm']) {
        const { status, text } = await console.post(address, { ...filled, step });
        expect([address, status < 500, /<script>|<img/.test(text)]).toEqual([address, true, false]);
      }
    }
    expect(forms).toBeGreaterThanOrEqual(13);
    const { preview } = await carryOut(console, `/console/domains/${name}/registrant`, { registrant: code });
    expect(preview).toContain('&lt;script&gt;');
    expect(preview).not.toMatch(/<script>|<img/);
  });
});
