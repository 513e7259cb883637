import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleChanges } from '../../../src/doors/console/pages.ts';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { undoOf } from '../../support/console-forms.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const [READER] = PEOPLE.reader;
let registry: TestRegistry;
let console: ConsoleClient;
let domain: string;
let person: string;
beforeAll(async () => {
  registry = await startRegistry();
  domain = await (await Registrant.of(alpha(registry.url))).register();
  const { id } = await registry.sql.one(
    sql<{ id: number }>`select id from people where email_key = ${READER}`,
  );
  person = String(id);
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const state = () =>
  registry.sql.one(sql<Record<string, unknown>>`
    select (select array_agg(r order by r) from unnest(m.roles) r) as roles, m.disabled_at is not null as "isShutOut",
      (select jsonb_object_agg(s, true) from jsonb_object_keys(d.statuses) s) as statuses,
      array(select a.range || ' ' || a.note from allowed_addresses a where a.registrar_id = m.registrar_id order by 1) as addresses,
      (select array_agg(r order by r) from unnest(u.roles) r) as "userRoles", u.disabled_at is not null as "isUserShutOut"
    from memberships m, domains d, api_users u
    where m.person_id = ${Number(person)} and d.name = ${domain} and u.username = 'alpha'`);

/** Each that can be taken back. */
const changes: [name: string, path: () => string, fields?: Record<string, string>][] = [
  ['a hold', () => `/domains/${domain}/hold`],
  ['shutting a person out', () => `/people/${person}/disable`],
  ['roles of a person', () => `/people/${person}/roles`, { 'role-billing': 'yes', 'role-domains': 'yes' }],
  ['roles of a user', () => '/access/users/alpha/roles', { 'role-billing': 'yes' }],
  ['shutting a user out', () => '/access/users/alpha/disable'],
  [
    'an address put on a list',
    () => '/access/addresses',
    { purpose: 'api', 'api-range': '192.0.2.0/24', 'api-note': 'büroo & <b>' },
  ],
];

/** Changes, follows the redirect, and takes it back with what the page offers; what it offers then is the change again. */
async function changeAndUndo(path: string, fields: Record<string, string> = {}): Promise<void> {
  const before = await state();
  const done = await console.post(`/console${path}`, fields);
  expect(done.status).toBe(303);
  const after = await state();
  expect(after).not.toEqual(before);
  const undo = undoOf((await console.get(done.to ?? '')).text);
  const undone = await console.post(undo.path, undo.fields);
  expect(undone.status).toBe(303);
  expect(await state()).toEqual(before);
  const redo = undoOf((await console.get(undone.to ?? '')).text);
  await console.post(redo.path, redo.fields);
  expect(await state()).toEqual(after);
  await console.post(undo.path, undo.fields);
  expect(await state()).toEqual(before);
}

describe('what is done at once', () => {
  test.each(changes)('success: %s is taken back from its notice', async (_name, path, fields) => {
    await changeAndUndo(path(), fields);
  });

  test('success: an address is put on the list again with its note', async () => {
    const note = `"'&<>äõ`;
    await console.post('/console/access/addresses', {
      purpose: 'api',
      'api-range': '203.0.113.0/24',
      'api-note': note,
    });
    await changeAndUndo('/access/addresses/remove', { purpose: 'api', range: '203.0.113.0/24' });
    expect(await state()).toMatchObject({ addresses: [`203.0.113.0/24 ${note}`] });
    await console.post('/console/access/addresses/remove', { purpose: 'api', range: '203.0.113.0/24' });
  });

  test('failure: no address offers to undo what nobody has done: neither a forged link nor another session', async () => {
    const notice = '/console/access?notice=addressDisallowed';
    const fresh = await loggedIn(registry.url);
    expect((await fresh.get(`${notice}&path=/access/addresses&purpose=api`)).text).not.toContain('>Undo<');
    const { to } = await console.post(`/console/domains/${domain}/hold`, {});
    expect((await console.get(to ?? '')).text).toContain('>Undo<');
    // Not beside another notice, on another page, or for another person of the same browser.
    for (const elsewhere of [notice, '/console/domains?notice=domainHeld', `/console/domains/${domain}`])
      expect((await console.get(elsewhere)).text).not.toContain('>Undo<');
    const undo = /__Host-console-undo=[^;]+/.exec(console.cookie)?.[0] ?? '';
    const session = /__Host-console=[^;]+/.exec(fresh.cookie)?.[0] ?? '';
    const other = await fresh.get(to ?? '', { cookie: `${session}; ${undo}` });
    expect([other.status, other.text.includes('>Undo<')]).toEqual([200, false]);
    for (const forged of ['x', '%%%', 'e30', Buffer.from('=1 1 domainHeld').toString('base64url')]) {
      const { status, text } = await fresh.get(to ?? '', {
        cookie: `${session}; __Host-console-undo=${forged}`,
      });
      expect([status, text.includes('>Undo<')]).toEqual([200, false]);
    }
    // Nor is a page outside of the console offered, whoever has written it into the cookie.
    const own = new URLSearchParams(Buffer.from(undo.split('=')[1] ?? '', 'base64url').toString());
    const outside = new URLSearchParams([
      ['', [...own.values()][0] ?? ''],
      ['', '/../sandbox/reset'],
    ]);
    const planted = Buffer.from(outside.toString()).toString('base64url');
    const cookie = `${/__Host-console=[^;]+/.exec(console.cookie)?.[0]}; __Host-console-undo=${planted}`;
    expect((await console.get(to ?? '', { cookie })).text).not.toContain('>Undo<');
    await console.post(`/console/domains/${domain}/release`, {});
  });

  test('success: what is so already is answered as done, and can still be taken back', async () => {
    await console.post(`/console/people/${person}/disable`, {});
    const { status, to } = await console.post(`/console/people/${person}/disable`, {});
    expect([status, to]).toEqual([303, `/console/people/${person}?notice=personDisabled`]);
    const { path, fields } = undoOf((await console.get(to ?? '')).text);
    expect(path).toBe(`/console/people/${person}/enable`);
    await console.post(path, fields);
  });

  test('success: one path is one change', () => {
    const paths = consoleChanges.map((change) => change.path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});
