import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let admin: ConsoleClient;
let reader: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  await (await Registrant.of(alpha(registry.url))).register({ name: 'aed.ee' });
  [admin, reader] = [await loggedIn(registry.url), await loggedIn(registry.url, 'reader')];
});
afterAll(() => registry.stop());
afterEach(() => registry.sql.run(sql`delete from saved_views`));

const NAMED = '/console/views/domains/save?name=aed&sort=-name';
const save = (client: ConsoleClient, name: string, fields: Record<string, string> = {}, path = NAMED) =>
  client.post(path, { view_name: name, ...fields });

/** The tabs of a list: text, address, and whether it is the one that is shown. */
async function tabsOf(
  client: ConsoleClient,
  path = '/console/domains',
): Promise<[string, string, boolean][]> {
  const { status, text } = await client.get(path);
  expect(status).toBe(200);
  const [, nav = ''] = /<nav aria-label="Saved views">(.*?)<\/nav>/s.exec(text) ?? [];
  return [...nav.matchAll(/<a href="([^"]*)"( aria-current="true")?>(.*?)<\/a>/g)].map(
    ([, href = '', shown, words = '']) => [
      words.replace(/<\/?bdi>/g, ''),
      href.replaceAll('&amp;', '&'),
      shown !== undefined,
    ],
  );
}

const idOf = async (name: string): Promise<string> =>
  String((await registry.sql.one(sql<{ id: number }>`select id from saved_views where name = ${name}`)).id);

const ALL = ['All', '/console/domains', false];
const WITH_NAME = '/console/domains?name=aed&sort=-name';

describe('saved views', () => {
  test('success: there are no tabs where nothing is filtered or saved', async () => {
    expect(await tabsOf(admin)).toEqual([]);
    expect(await tabsOf(admin, WITH_NAME)).toEqual([ALL]);
  });

  test('success: filters and order are saved as a tab, which is shown as the present one', async () => {
    const saved = await save(admin, ' My garden ');
    expect([saved.status, saved.to]).toEqual([303, '/console/domains?name=aed&sort=-name&notice=viewSaved']);
    expect(await tabsOf(admin)).toEqual([
      ['All', '/console/domains', true],
      ['My garden', WITH_NAME, false],
    ]);
    expect(await tabsOf(admin, WITH_NAME)).toEqual([ALL, ['My garden', WITH_NAME, true]]);
    const { text } = await admin.get(WITH_NAME);
    expect(text).toContain('Edit view');
    expect(text).not.toContain('<summary>Save view');
  });

  test('success: the same form, sent twice, saves one view', async () => {
    for (const _ of [1, 2]) expect((await save(admin, 'Twice')).status).toBe(303);
    expect((await tabsOf(admin)).map(([name]) => name)).toEqual(['All', 'Twice']);
  });

  test('success: names are escaped', async () => {
    await save(admin, '<script>alert(1)</script>"');
    expect((await admin.get('/console/domains')).text).not.toContain('<script>alert');
  });

  test('success: days move along with today, or stay', async () => {
    const today = (
      await registry.sql.one(
        sql<{ day: string }>`select (now() at time zone 'Europe/Tallinn')::date::text as day`,
      )
    ).day;
    const path = `/console/views/domains/save?from=${today}&to=${today}`;
    await save(admin, 'Today', { moving: 'yes' }, path);
    await save(admin, 'Then', {}, path);
    const queries = await registry.sql.rows(
      sql<{ query: string }>`select query from saved_views order by id`,
    );
    expect(queries.map(({ query }) => query)).toEqual(['from=%400&to=%400', `from=${today}&to=${today}`]);
    expect((await tabsOf(admin)).map(([, href]) => href)).toEqual([
      '/console/domains',
      ...['Then', 'Today'].map(() => `/console/domains?from=${today}&to=${today}`),
    ]);
  });

  test.each(['contacts?name=a', 'messages?show=all', 'balance?about=a', 'invoices?status=paid'])(
    'success: of %s',
    async (address) => {
      const [list = '', query] = address.split('?');
      const { status } = await save(admin, 'Mine', {}, `/console/views/${list}/save?${query}`);
      expect(status).toBe(303);
      expect(await tabsOf(admin, `/console/${address}`)).toContainEqual([
        'Mine',
        `/console/${address}`,
        true,
      ]);
      expect(await tabsOf(admin)).toEqual([]);
    },
  );

  test('success: nobody else sees it, a reader has some too', async () => {
    await save(admin, 'Of the administrator');
    expect(await tabsOf(reader)).toEqual([]);
    expect((await save(reader, 'Of the reader')).status).toBe(303);
    expect((await tabsOf(reader)).map(([name]) => name)).toEqual(['All', 'Of the reader']);
    const id = await idOf('Of the administrator');
    for (const change of ['rename', 'remove', 'restore']) {
      const { status, to } = await reader.post(`/console/views/domains/${change}`, {
        view: id,
        view_name: 'Stolen',
      });
      expect([status, to]).toEqual([303, '/console/domains']);
    }
    expect((await tabsOf(admin)).map(([name]) => name)).toEqual(['All', 'Of the administrator']);
  });

  test('success: of the person at one registrar; what is left when it leaves is deleted', async () => {
    await save(reader, 'Left behind');
    const person = sql`(select id from people where email_key = ${PEOPLE.reader[0]})`;
    await registry.sql.run(sql`
      insert into saved_views (person_id, registrar_id, list, place, name, name_key, query, created_at)
      select person_id, registrar_id, 'contacts', 1, 'x', 'x', 'name=x', now() from memberships where person_id = ${person}`);
    const kept = await registry.sql.rows(sql<{ roles: string[]; registrarId: number }>`
      delete from memberships where person_id = ${person} returning roles, registrar_id as "registrarId"`);
    expect(
      (await registry.sql.one(sql<{ count: number }>`select count(*)::int as count from saved_views`)).count,
    ).toBe(0);
    for (const { roles, registrarId } of kept)
      await registry.sql.run(
        sql`insert into memberships (person_id, registrar_id, roles, created_at) values (${person}, ${registrarId}, ${roles}, now())`,
      );
    reader = await loggedIn(registry.url, 'reader');
  });

  test('success: it is renamed', async () => {
    await save(admin, 'Old');
    const view = await idOf('Old');
    const renamed = await admin.post('/console/views/domains/rename?name=aed&sort=-name', {
      view,
      view_name: 'New',
    });
    expect([renamed.status, renamed.to]).toEqual([
      303,
      '/console/domains?name=aed&sort=-name&notice=viewRenamed',
    ]);
    // In capitals only.
    expect((await admin.post('/console/views/domains/rename', { view, view_name: 'NEW' })).status).toBe(303);
    expect((await tabsOf(admin)).map(([name]) => name)).toEqual(['All', 'NEW']);
  });

  test('success: it is removed, and brought back by Undo', async () => {
    await save(admin, 'Gone');
    const view = await idOf('Gone');
    const { to } = await admin.post('/console/views/domains/remove?name=aed', { view });
    expect(to).toBe('/console/domains?name=aed&notice=viewRemoved');
    const { text } = await admin.get(to ?? '');
    expect(text).toContain('View removed.');
    expect(text).toContain('action="/console/views/domains/restore"');
    expect(await tabsOf(admin)).toEqual([]);
    for (const _ of [1, 2])
      expect((await admin.post('/console/views/domains/restore', { view })).status).toBe(303);
    expect((await tabsOf(admin)).map(([name]) => name)).toEqual(['All', 'Gone']);
  });

  test('success: what was removed is forgotten with the next removal', async () => {
    for (const name of ['First', 'Second']) {
      await save(admin, name);
      await admin.post('/console/views/domains/remove', { view: await idOf(name) });
    }
    const left = await registry.sql.rows(sql<{ name: string }>`select name from saved_views`);
    expect(left).toEqual([{ name: 'Second' }]);
  });

  test('failure: a removed view is not brought back beside one of its name', async () => {
    await save(admin, 'Same');
    const view = await idOf('Same');
    await admin.post('/console/views/domains/remove', { view });
    await save(admin, 'Same');
    const { status, text } = await admin.post('/console/views/domains/restore', { view });
    expect([status, text.includes('You have a view with this name')]).toEqual([409, true]);
  });

  test.each(['', '   ', 'a'.repeat(61), 'a\u202eb', '\u200b'])('failure: a name such as %j', async (name) => {
    const { status, text } = await save(admin, name);
    expect(status).toBe(400);
    expect(text).toContain('Enter a name of at most 60 characters.');
    expect(text).toContain('<details class="menu" open>');
    expect(await tabsOf(admin)).toEqual([]);
  });

  test('failure: a second one of the name, in capitals or not', async () => {
    await save(admin, 'Õun');
    const { status, text } = await save(admin, 'õUN', {}, '/console/views/domains/save?name=other');
    expect([status, text.includes('You have a view with this name')]).toEqual([409, true]);
    await save(admin, 'Other', {}, '/console/views/domains/save?name=other');
    const renamed = await admin.post('/console/views/domains/rename', {
      view: await idOf('Other'),
      view_name: 'ÕUN',
    });
    expect(renamed.status).toBe(409);
  });

  test('failure: more than twenty; also at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        save(admin, `View ${index}`, {}, `/console/views/domains/save?name=${index}`),
      ),
    );
    expect(answers.every(({ status }) => [303, 409].includes(status))).toBe(true);
    for (let index = 0; index < 21; index++) await save(admin, `Further ${index}`);
    const { status, text } = await save(admin, 'One more');
    expect([status, text.includes('You have 20 views of this list')]).toEqual([409, true]);
    expect(await tabsOf(admin)).toHaveLength(21);
  });

  test.each([
    ['/console/views/domains/save', 'Filter or sort the list first.'],
    ['/console/views/domains/save?from=abc', 'Filter or sort the list first.'],
    [
      `/console/views/domains/save?${['name', 'registrant', 'contact', 'nameserver'].map((name) => `${name}=${encodeURIComponent('õ'.repeat(200))}`).join('&')}`,
      'These filters are too long.',
    ],
  ])('failure: %#', async (path, words) => {
    const { status, text } = await save(admin, 'Nothing', {}, path);
    expect([status, text.includes(words)]).toEqual([400, true]);
  });

  test.each(['status=gone', 'sort=evil', 'name=a&further=b', 'from=@x', '%', 'name=%00'])(
    'success: with filters that are not there any more (%s) it opens the whole list, which says so',
    async (query) => {
      await save(admin, 'Outdated');
      await registry.sql.run(sql`update saved_views set query = ${query}`);
      const id = await idOf('Outdated');
      const [, tab] = await tabsOf(admin);
      expect(tab).toEqual(['Outdated', `/console/domains?view=${id}&notice=viewOutdated`, false]);
      const { status, text } = await admin.get(tab?.[1] ?? '');
      expect(status).toBe(200);
      expect(text).toContain('The filters of this view no longer exist');
      expect(text).toContain('aed.ee');
      expect(text).toContain('Remove view');
    },
  );

  test.each(['0', '-1', 'x', '99999999999999999999', '1 or 1=1'])(
    'failure: a view called %s',
    async (view) => {
      for (const change of ['rename', 'remove', 'restore'])
        expect((await admin.post(`/console/views/domains/${change}`, { view, view_name: 'a' })).status).toBe(
          303,
        );
    },
  );
});
