import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { disableMembership } from '../../../src/registry/people/disable-membership.ts';
import { disablePerson } from '../../../src/registry/people/disable-person.ts';
import type { PersonRole } from '../../../src/registry/people/person.ts';
import { removePerson } from '../../../src/registry/people/remove-person.ts';
import { setPersonRoles } from '../../../src/registry/people/set-person-roles.ts';
import { type ConsoleClient, historyOf, loggedIn, PEOPLE } from '../../support/console.ts';
import { confirm } from '../../support/console-forms.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const [ADMIN] = PEOPLE.alpha;
const [READER] = PEOPLE.reader;
const [BETA] = PEOPLE.beta;

let registry: TestRegistry;
let client: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  client = await loggedIn(registry.url);
});
afterAll(() => registry.stop());
beforeEach(async () => {
  await membership(ADMIN, ['admin']);
  await membership(READER, ['reader']);
});

const membership = (email: string, roles: PersonRole[], registrar = 'ALPHA') =>
  registry.sql.run(sql`
    with enabled as (update people set disabled_at = null where email_key = ${email})
    insert into memberships (person_id, registrar_id, roles, created_at)
    select p.id, r.id, ${roles}::text[], now() from people p, registrars r where p.email_key = ${email} and r.code = ${registrar}
    on conflict (person_id, registrar_id) do update set roles = excluded.roles, disabled_at = null`);
const idOf = async (email: string) =>
  (await registry.sql.one(sql<{ id: number }>`select id from people where email_key = ${email}`)).id;
const stateOf = async (email: string, registrar = 'ALPHA') => {
  const row = await registry.sql.maybe(sql<{ roles: PersonRole[]; isDisabled: boolean }>`
    select m.roles, m.disabled_at is not null as "isDisabled" from memberships m
    join people p on p.id = m.person_id join registrars r on r.id = m.registrar_id
    where p.email_key = ${email} and r.code = ${registrar}`);
  return row && (row.isDisabled ? 'disabled' : row.roles.join(' '));
};
const post = async (email: string, change: string, fields: Record<string, string> = {}, by = client) =>
  by.post(`/console/people/${await idOf(email)}/${change}`, fields);
const remove = async (email: string, typed = email) =>
  confirm(client, `/console/people/${await idOf(email)}/remove`, { typed });
const lastRecord = async (email: string) => (await historyOf(registry.sql, email)).at(-1);

describe('people of a registrar', () => {
  test('success: the list has the people of this registrar only', async () => {
    const { status, text } = await client.get('/console/people');
    expect(status).toBe(200);
    expect(text).toContain(READER);
    expect(text).not.toContain(BETA);
  });

  test('success: roles apply from the next request on, recorded with the person', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    expect((await reader.get('/console/people')).status).toBe(403);
    expect(await post(READER, 'roles', { 'role-admin': 'yes', 'role-billing': 'yes' })).toMatchObject({
      status: 303,
      to: `/console/people/${await idOf(READER)}?notice=personRolesChanged`,
    });
    expect((await reader.get('/console/people')).status).toBe(200);
    expect(await lastRecord(READER)).toEqual({ operation: 'roles', actor: `person:${ADMIN}` });
    expect((await post(READER, 'roles')).status).toBe(400);
    expect(await stateOf(READER)).toBe('admin billing');
  });

  test('success: disabled, enabled and removed; sessions end at once', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    expect((await post(READER, 'disable')).status).toBe(303);
    expect((await reader.get('/console')).to).toMatch(/^\/console\/login\?reason=ended/);
    await expect(loggedIn(registry.url, 'reader')).rejects.toThrow('403');
    expect((await post(READER, 'enable')).status).toBe(303);
    const again = await loggedIn(registry.url, 'reader');
    expect((await post(READER, 'end-sessions')).status).toBe(303);
    expect((await again.get('/console')).status).toBe(303);
    expect((await remove(READER)).to).toBe('/console/people?notice=personRemoved');
    expect(await stateOf(READER)).toBeUndefined();
    expect((await post(READER, 'enable')).status).toBe(404);
    expect((await historyOf(registry.sql, READER)).slice(-5).map(({ operation }) => operation)).toEqual([
      'disable at registrar',
      'enable at registrar',
      'log in by password',
      'end sessions',
      'remove from registrar',
    ]);
  });

  test('failure: the membership at another registrar stays', async () => {
    await membership(READER, ['domains'], 'BETA');
    await post(READER, 'disable');
    expect([await stateOf(READER), await stateOf(READER, 'BETA')]).toEqual(['disabled', 'domains']);
    // The login selects the remaining registrar.
    const reader = await loggedIn(registry.url, 'reader');
    expect((await reader.get('/console')).text).toContain('Beta');
    expect((await reader.post('/console/registrar', { registrar: 'ALPHA' })).status).toBe(404);
    await remove(READER);
    expect(await stateOf(READER, 'BETA')).toBe('domains');
    expect((await reader.get('/console')).status).toBe(200);
    await registry.sql.run(sql`delete from memberships where person_id = ${await idOf(READER)}`);
  });

  test('failure: people of another registrar are not found, and stay', async () => {
    for (const change of ['roles', 'disable', 'enable', 'remove', 'end-sessions'])
      expect((await post(BETA, change, { 'role-reader': 'yes' })).status).toBe(404);
    expect(await stateOf(BETA, 'BETA')).toBe('admin');
  });
});

describe('the last administrator', () => {
  test.each([['disable'], ['remove'], ['roles']])('failure: %s', async (change) => {
    const { status, text } = await (change === 'remove'
      ? remove(ADMIN)
      : post(ADMIN, change, { 'role-reader': 'yes' }));
    expect(status).toBe(409);
    expect(text).toContain('the last administrator');
    expect(await stateOf(ADMIN)).toBe('admin');
  });

  test('failure: disabled people do not count', async () => {
    await membership(READER, ['admin']);
    await post(READER, 'disable');
    expect((await remove(ADMIN)).status).toBe(409);
    await membership(READER, ['admin']);
    await registry.sql.run(sql`update people set disabled_at = now() where email_key = ${READER}`);
    expect((await remove(ADMIN)).status).toBe(409);
  });

  const by = operator({ actor: 'person:test' });
  const at = { registrar: 'ALPHA', wallTime: new Date() };
  const ways: [string, (db: Pool, email: string) => Promise<unknown>][] = [
    [
      'lose the role',
      (db, email) => carryOut(db, setPersonRoles, { email, registrar: 'ALPHA', roles: ['reader'] }, by),
    ],
    ['are disabled', (db, email) => carryOut(db, disableMembership, { email, ...at }, by)],
    ['are removed', (db, email) => carryOut(db, removePerson, { email, ...at }, by)],
    ['are disabled by an operator', (db, email) => carryOut(db, disablePerson, { email, ...at }, by)],
  ];
  test.each(ways)('failure: of two who %s concurrently one stays', async (_what, way) => {
    const database = openDatabase(
      { ...inject('server'), database: registry.databaseName },
      readConfig('sandbox', {}),
      'Europe/Tallinn',
    );
    for (let round = 0; round < 5; round++) {
      await membership(ADMIN, ['admin']);
      await membership(READER, ['admin']);
      const outcomes = await Promise.allSettled([way(database.writes, ADMIN), way(database.writes, READER)]);
      expect(outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))).toMatchObject([
        { refusals: [{ name: 'lastAdministrator' }] },
      ]);
    }
    await database.close();
  });
});

describe('invitations', () => {
  // The races before have ended all sessions.
  beforeAll(async () => {
    await membership(ADMIN, ['admin']);
    client = await loggedIn(registry.url);
  });
  const form = { email: 'New@Alpha.Example', name: 'Uus Inimene', language: 'et', 'role-domains': 'yes' };
  const mails = () =>
    registry.sql.rows(
      sql<{ text: string }>`select text from mails where recipient = 'new@alpha.example' order by id`,
    );

  test('success: a mail with a link; once withdrawn, the link is invalid', async () => {
    expect((await client.post('/console/people/invite', form)).to).toBe(
      '/console/people?notice=personInvited',
    );
    const link = /\/console\/invitation\/[\w-]{43}/.exec((await mails()).at(-1)?.text ?? '')?.[0] ?? '';
    expect((await client.get('/console/people')).text).toContain('new@alpha.example');
    expect((await client.get(link)).status).toBe(200);
    const withdrawn = await client.post('/console/people/withdraw', { email: 'new@alpha.example' });
    expect(withdrawn.to).toBe('/console/people?notice=invitationWithdrawn');
    expect((await client.get(link)).status).toBe(404);
    const beta = await loggedIn(registry.url, 'beta');
    await client.post('/console/people/invite', form);
    await beta.post('/console/people/withdraw', { email: 'new@alpha.example' });
    expect((await client.get('/console/people')).text).toContain('new@alpha.example');
  });

  test.each([
    ['no address', { email: 'x' }, 400],
    ['no name', { name: '' }, 400],
    ['no role', { 'role-domains': '' }, 400],
    ['a colleague', { email: READER }, 409],
  ])('failure: %s', async (_what, wrong, status) => {
    const before = await mails();
    const answer = await client.post('/console/people/invite', { ...form, ...wrong });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('role="alert"');
    expect(await mails()).toEqual(before);
  });

  test('failure: more than a hundred a day', async () => {
    await registry.sql.run(sql`
      insert into invitations (token_hash, email, name, language, registrar_id, roles, invited_by, created_at, expires_at)
      select sha256(n::text::bytea), 'n' || n, 'n', 'en', r.id, '{reader}', 'test', now(), now()
      from generate_series(1, 100) n, registrars r where r.code = 'ALPHA'`);
    const { status, text } = await client.post('/console/people/invite', form);
    expect([status, text.includes('too many invitations')]).toEqual([409, true]);
  });

  test('failure: removed without the address of the person typed', async () => {
    const { status, text } = await remove(READER, ADMIN);
    expect([status, text.includes('id="typed-fault"'), await stateOf(READER)]).toEqual([400, true, 'reader']);
  });

  test('failure: an old login must be confirmed first', async () => {
    await registry.sql.run(sql`update person_sessions set authenticated_at = now() - interval '6 minutes'`);
    expect((await post(READER, 'remove')).to).toMatch(/^\/console\/login\?reason=stepUp/);
    expect(await stateOf(READER)).toBe('reader');
  });
});
