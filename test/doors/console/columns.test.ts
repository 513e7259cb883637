import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { tableRows } from '../../support/table-rows.ts';

let registry: TestRegistry;
let admin: ConsoleClient;
let reader: ConsoleClient;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  mari = await Registrant.of(alpha(registry.url), { name: 'Mari Maasikas' });
  await mari.register({
    name: 'aed.ee',
    tech_contacts: [mari.code],
    nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
  });
  await registry.sql.run(sql`update domains set reference = 'order <7>' where name = 'aed.ee'`);
  [admin, reader] = [await loggedIn(registry.url), await loggedIn(registry.url, 'reader')];
});
afterAll(() => registry.stop());
afterEach(() => registry.sql.run(sql`delete from chosen_columns`));

type List = 'domains' | 'contacts';
const choose = (
  list: List,
  columns: readonly string[],
  { by = admin, query = '', more = [] as [string, string][] } = {},
) =>
  by.post(`/console/columns/${list}${query}`, [
    ...columns.map((name): [string, string] => ['column', name]),
    ...more,
  ]);
const page = async (list: List, by = admin) => (await by.get(`/console/${list}?name=a`)).text;
const headings = (text: string): string[] =>
  [...text.slice(text.indexOf('<table')).matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, title = '']) =>
    title.replaceAll(/<[^>]*>| [↑↓]/g, ''),
  );
const USUAL = {
  domains: ['Domain', 'Registrant', 'State', 'Expires', 'Registered'],
  contacts: ['Name', 'Code', 'Identification', 'Email address', 'Phone'],
};

describe('the columns of a list', () => {
  test.each(['domains', 'contacts'] as const)(
    'success: %s has the usual ones, and boxes for all',
    async (list) => {
      const text = await page(list);
      expect(headings(text)).toEqual(USUAL[list]);
      expect([...text.matchAll(/name="column" value="\w+" checked/g)]).toHaveLength(4);
    },
  );

  test('success: domains with all there is to see, in the order of the list', async () => {
    const all = [
      'reference',
      'nameservers',
      'techs',
      'admins',
      'changed',
      'created',
      'expires',
      'state',
      'registrant',
    ];
    const { status, to } = await choose('domains', all, { query: '?name=a&sort=-name' });
    expect([status, to]).toEqual([303, '/console/domains?name=a&sort=-name&notice=columnsChosen']);
    const text = await page('domains');
    const more = [
      'Last changed',
      'Administrative contacts',
      'Technical contacts',
      'Nameservers',
      'Your reference',
    ];
    expect(headings(text)).toEqual([...USUAL.domains, ...more]);
    const [row = []] = tableRows(text, /Domains/).filter((cells) => cells[0]?.includes('aed.ee'));
    expect(row.slice(-4)).toEqual(['', mari.code, 'ns1.example.net, ns2.example.net', 'order &lt;7&gt;']);
    expect(text).toContain(`href="/console/contacts/${mari.code}"`);
  });

  test('success: none but the name, and the usual ones again', async () => {
    await choose('domains', []);
    expect(headings(await page('domains'))).toEqual(['Domain']);
    await choose('domains', ['state'], { more: [['initial', 'yes']] });
    expect(headings(await page('domains'))).toEqual(USUAL.domains);
    expect(await registry.sql.rows(sql`select from chosen_columns`)).toEqual([]);
  });

  test('success: contacts; the name leads to the contact where its code is not shown', async () => {
    await choose('contacts', ['email', 'created', 'changed', 'reference']);
    const text = await page('contacts');
    expect(headings(text)).toEqual(['Name', 'Email address', 'Created', 'Last changed', 'Your reference']);
    expect(text).toContain(`<a href="/console/contacts/${mari.code}"><bdi>Mari Maasikas</bdi></a>`);
  });

  test('success: they are of one person and one list, whatever the view', async () => {
    await admin.post('/console/views/domains/save?name=aed', { view_name: 'Garden' });
    await choose('domains', ['expires']);
    expect(headings((await admin.get('/console/domains?name=aed')).text)).toEqual(['Domain', 'Expires']);
    expect(headings(await page('domains', reader))).toEqual(USUAL.domains);
    expect(headings(await page('contacts'))).toEqual(USUAL.contacts);
    await choose('contacts', ['phone'], { by: reader });
    expect(headings(await page('contacts', reader))).toEqual(['Name', 'Phone']);
  });

  test('success: files have what they always have', async () => {
    const before = (await admin.get('/console/domains.csv')).text;
    await choose('domains', ['reference']);
    expect((await admin.get('/console/domains.csv')).text).toBe(before);
  });

  test('success: columns that this version does not know are left out, and the list is there without the table', async () => {
    await choose('domains', ['state', 'colour', 'name']);
    expect(headings(await page('domains'))).toEqual(['Domain', 'State']);
    await registry.sql.run(sql`update chosen_columns set columns = '{shade,expires}'`);
    expect(headings(await page('domains'))).toEqual(['Domain', 'Expires']);
    await registry.sql.script('alter table chosen_columns rename to chosen_columns_later');
    try {
      expect(headings(await page('domains'))).toEqual(USUAL.domains);
    } finally {
      await registry.sql.script('alter table chosen_columns_later rename to chosen_columns');
    }
  });

  test('failure: a form of another site, nobody, and a person who may not see the list', async () => {
    const crossSite = await admin.post('/console/columns/domains', {}, { 'sec-fetch-site': 'cross-site' });
    expect(crossSite.status).toBe(403);
    const nobody = await admin.get('/console/columns/domains');
    expect([404, 405]).toContain(nobody.status);
    await registry.sql.run(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
    );
    const accountant = await loggedIn(registry.url, 'reader');
    expect((await choose('domains', ['state'], { by: accountant })).status).toBe(403);
    expect(await registry.sql.rows(sql`select from chosen_columns`)).toEqual([]);
  });
});
