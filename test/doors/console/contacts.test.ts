import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { createContact } from '../../support/contacts.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let reader: ConsoleClient;
let mari: string;
let firm: string;
let foreign: string;
const IDENT = '60001019906';

beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  mari = await createContact(client, { id: 'mari-1', name: 'Mari Maasikas' });
  firm = await createContact(client, {
    id: 'puuviljad',
    email: 'Pood@Puuviljad.example',
    name: 'Puuviljad OÜ',
    ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
  });
  foreign = await createContact(beta(registry.url), { name: 'Mari Teine' });
  await new Registrant(client, mari).register({ name: 'mets.ee', tech_contacts: [mari] });
  console = await loggedIn(registry.url);
  reader = await loggedIn(registry.url, 'reader');
});
afterAll(() => registry.stop());

const ROW = /data-label="Code"><div><a href="[^"]+">([^<]+)<\/a>/g;
const codesIn = (text: string): string[] => [...text.matchAll(ROW)].map(([, code]) => code ?? '');
const pathOf = (code: string) => `/console/contacts/${encodeURIComponent(code)}`;

describe('the list of contacts', () => {
  test.each([
    [{}, 'both'],
    [{ sort: '-name' }, 'reversed'],
    [{ sort: 'code' }, 'both'],
    [{ name: 'MAASIK' }, 'mari'],
    [{ name: 'oü' }, 'firm'],
    [{ name: 'teine' }, 'none'],
    [{ code: 'ARI-1' }, 'mari'],
    [{ code: 'nobody' }, 'none'],
    [{ ident: '12345678' }, 'firm'],
    [{ ident: '2345' }, 'firm'],
    [{ ident: '1234*' }, 'firm'],
    [{ ident: '"1234567"' }, 'none'],
    [{ ident: '"12345678"' }, 'firm'],
    [{ ident: '%' }, 'none'],
    [{ name: 'mari*' }, 'mari'],
    [{ name: '*OÜ' }, 'firm'],
    [{ name: '"maasikas"' }, 'none'],
    [{ code: '*ari-1*' }, 'mari'],
    [{ email: 'pood@PUUVILJAD.example' }, 'firm'],
    [{ email: 'pood@puuviljad' }, 'firm'],
    [{ email: '*@puuviljad' }, 'none'],
    [{ email: '*@Puuviljad.example' }, 'firm'],
    [{ email: '"POOD@puuviljad.example"' }, 'firm'],
    [{ email: '"pood@puuviljad"' }, 'none'],
    [{ email: '_' }, 'none'],
    [{ email: 'pood@puuviljad.example', ident: '12345678' }, 'firm'],
    [{ email: 'pood@puuviljad.example', ident: IDENT }, 'none'],
    [{ ident: IDENT, name: 'mari', sort: '-code' }, 'mari'],
  ] as const)('success: %j', async (query, found) => {
    const expected = { both: [mari, firm], reversed: [firm, mari], mari: [mari], firm: [firm], none: [] };
    const { status, text } = await console.get(`/console/contacts?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    expect(codesIn(text)).toEqual(expected[found]);
  });

  test('success: pages have neither gaps nor repeats, though many have the same name', async () => {
    await registry.sql.run(sql`
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
      select c.registrar_id, 'page-' || n, 'page-' || n, 'Same Name', 'same name', c.email, c.phone, c.ident, c.ident_type, c.ident_country_code, 'x', c.created_at, c.updated_at
      from contacts c, generate_series(1, 120) as n where c.code = ${mari}`);
    for (const query of ['name=same', 'name=same&sort=-code', `ident=${IDENT}&code=page`]) {
      const codes: string[] = [];
      let address: string | undefined = `/console/contacts?${query}`;
      while (address !== undefined) {
        const { text }: { text: string } = await console.get(address);
        codes.push(...codesIn(text));
        address = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      }
      expect([codes.length, new Set(codes).size]).toEqual([120, 120]);
    }
    await registry.sql.run(sql`delete from contacts where code like 'page-%'`);
  });

  test.each([
    'after=x',
    'after=1.%00',
    'sort=evil',
    'name=a&name=b',
    'name=%00',
    'ident=%07',
    `code=${'a'.repeat(999)}`,
  ])('success: %# is answered without an internal error', async (query) => {
    expect([200, 400]).toContain((await console.get(`/console/contacts?${query}`)).status);
    expect([200, 404]).toContain((await console.get(`/console/contacts.csv?${query}`)).status);
  });
});

describe('the file of contacts', () => {
  test('success: identification as its reader may see it, and no formula', async () => {
    await registry.sql.run(sql`update contacts set name = '=1+1' where code = ${mari}`);
    const lines = (await console.get('/console/contacts.csv?sort=code')).text.split('\r\n');
    expect(lines[0]).toBe('contact,name,ident,email,phone,created');
    expect(lines[1]).toContain(`${mari},'=1+1,"${IDENT} (priv, EE)",`);
    expect(lines[1]).toContain(",'+372.");
    expect(lines).toHaveLength(4);
    const { text } = await reader.get('/console/contacts.csv');
    expect([text.includes(IDENT), text.includes('12345678')]).toEqual([false, true]);
    await registry.sql.run(sql`update contacts set name = 'Mari Maasikas' where code = ${mari}`);
  });
});

describe('the page of a contact', () => {
  test('success: its data, its domains with the roles, and its timeline', async () => {
    await alpha(registry.url).put(`/contacts/${mari}`, { contact: { email: 'new@example.ee' } });
    const { status, text } = await console.get(pathOf(mari));
    expect(status).toBe(200);
    for (const shown of [
      'Mari Maasikas',
      IDENT,
      'mets.ee',
      'Registrant',
      'new@example.ee',
      'Created',
      'Email address: <bdi>',
      '</bdi> → <bdi>new@example.ee</bdi>',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('auth_info');
  });

  test('failure: a reader finds a person by no part of what identifies it, in any list or the search', async () => {
    const part = IDENT.slice(0, 6);
    const found = async (client: ConsoleClient, address: string) =>
      (await client.get(`/console/${address}`)).text.includes(mari);
    for (const text of [part, `${part}*`, `*${IDENT.slice(5)}`, `${IDENT.slice(0, 4)}*${IDENT.slice(-3)}`]) {
      for (const list of ['contacts', 'contacts.csv'])
        expect(await found(reader, `${list}?ident=${encodeURIComponent(text)}`)).toBe(false);
      for (const list of ['search?q', 'domains?registrant', 'domains.csv?registrant'])
        expect(await found(reader, `${list}=${encodeURIComponent(text)}`)).toBe(false);
    }
    for (const text of [IDENT, `"${IDENT}"`])
      for (const list of ['contacts?ident', 'domains?registrant'])
        expect(
          await found(list.startsWith('contacts') ? reader : console, `${list}=${encodeURIComponent(text)}`),
        ).toBe(true);
    expect(await found(console, `domains?registrant=${part}`)).toBe(true);
  });

  test('success: a reader does not see what identifies a person, nor in the history', async () => {
    await registry.sql.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, before, after)
      select now(), 'contact', id, code, 'update', registrar_id, 'user:alpha', '{"ident": {"code": "60001019907"}}', '{"ident": {"code": "60001019906"}}'
      from contacts where code = ${mari}`);
    expect((await console.get(pathOf(mari))).text).toContain('60001019907');
    const { text } = await reader.get(pathOf(mari));
    for (const hidden of [IDENT, '60001019907']) expect(text).not.toContain(hidden);
    expect((await reader.get('/console/contacts')).text).not.toContain(IDENT);
    expect((await reader.get(pathOf(firm))).text).toContain('12345678');
  });

  test('success: text of third parties is escaped', async () => {
    const hostile = '<svg onload=alert(1)>';
    await registry.sql.run(
      sql`update contacts set name = ${hostile}, email = ${hostile}, phone = ${hostile}, ident = ${hostile}, city = ${hostile}, country_code = 'EE' where code = ${firm}`,
    );
    for (const path of [
      pathOf(firm),
      '/console/contacts',
      `/console/contacts?name=${encodeURIComponent(hostile)}`,
    ])
      expect((await console.get(path)).text).not.toContain('<svg onload');
    expect((await console.get(pathOf(firm))).text.split('&lt;svg onload').length).toBeGreaterThan(5);
  });

  test.each(['nobody', '%00', '%ff', 'a%2fb', 'x'.repeat(300)])('failure: %s is not found', async (code) => {
    expect([400, 404]).toContain((await console.get(`/console/contacts/${code}`)).status);
  });

  test("failure: another registrar's contact, and a person with the accounting role only", async () => {
    expect((await console.get(pathOf(foreign))).status).toBe(404);
    await registry.sql.run(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
    );
    for (const path of ['/console/contacts', '/console/contacts.csv', pathOf(mari)])
      expect((await reader.get(path)).status).toBe(403);
  });
});
