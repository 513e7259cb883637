import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newToken, tokenHash } from '../../src/platform/values/token.ts';
import { acceptAsMember, acceptAsNewPerson } from '../../src/registry/people/accept-invitation.ts';
import { findInvitation } from '../../src/registry/people/find-invitation.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

let database: DroppableDatabase;
const command = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: database.url, PUBLIC_URL: 'https://registry.example' } });
const run = (...args: string[]) => command('person', ...args);
beforeAll(async () => {
  database = await openProductionDatabase();
  for (const code of ['GAMMA', 'DELTA'])
    await command('registrar', 'create', code, '--name', `${code} OÜ`, '--website', 'https://gamma.example');
});
afterAll(() => database.drop());

const moment = () => ({ now: new Date(), requestId: 'request-1' });
const mailsTo = (email: string) =>
  database.sql.rows(sql<{ subject: string; text: string }>`
    select subject, text from mails where recipient = ${email} order by id`);
const tokenIn = (text = '') => /\/console\/invitation\/([\w-]{43})\?/.exec(text)?.[1] ?? '';
/** Invites, and returns the token from the mail. */
async function invited(email: string, registrar = 'GAMMA', ...more: string[]): Promise<string> {
  const { code, stderr } = await run('invite', email, '--registrar', registrar, '--role', 'domains', ...more);
  expect([code, stderr]).toEqual([0, '']);
  return tokenIn((await mailsTo(email)).at(-1)?.text);
}
const accept = (token: string) =>
  acceptAsNewPerson(database.sql, token, { name: 'Mari', passwordHash: 'hash' }, moment());
async function accepted(email: string, registrar?: string): Promise<number> {
  const outcome = await accept(await invited(email, registrar));
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome.personId;
}
const find = (token: string, now = new Date()) => findInvitation(database.sql, token, now);
const rowsOf = async (email: string): Promise<{ registrar: string | null; status: string }[]> => {
  const rows: { email: string; registrar: string | null; status: string }[] = JSON.parse(
    (await run('list', '--json')).stdout,
  );
  return rows.filter((row) => row.email === email).map(({ registrar, status }) => ({ registrar, status }));
};

describe('cadastre person invite', () => {
  test('success: a mail with a single-use link, and a history without the token', async () => {
    const { code, stdout } = await run(
      'invite',
      ' Anna@Gamma.Example ',
      '--registrar',
      'GAMMA',
      '--role',
      'reader',
      'admin',
      '--name',
      'Anna',
      '--language',
      'en',
      '--reason',
      'letter 7-2',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^anna@gamma\.example is invited to work for GAMMA, and can accept until 2.*Z\.\n$/,
    );
    const [mail, ...others] = await mailsTo('anna@gamma.example');
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Invitation to the registrars’ console: GAMMA OÜ');
    expect(mail?.text).toContain('https://registry.example/console/invitation/');
    const token = tokenIn(mail?.text);
    expect(await find(token)).toMatchObject({ name: 'Anna', roles: ['admin', 'reader'], language: 'en' });
    expect(await find(token, new Date(Date.now() + 49 * 3_600_000))).toBeUndefined();

    expect(await accept(token)).toEqual({ personId: expect.any(Number) });
    expect(await accept(token)).toBe('closed');
    const { stdout: history } = await command('history', 'anna@gamma.example', '--json');
    expect(JSON.parse(history)).toMatchObject([
      { operation: 'invite', reason: 'letter 7-2', actor: expect.stringMatching(/^operator:/) },
      { operation: 'accept invitation', actor: 'person:anna@gamma.example' },
    ]);
    expect(history + stdout).not.toContain(token);
  });

  test('success: another invitation replaces the open one', async () => {
    const [first, second] = [await invited('again@gamma.example'), await invited('again@gamma.example')];
    expect(await find(first)).toBeUndefined();
    expect(await find(second)).toMatchObject({ email: 'again@gamma.example' });
    expect(await rowsOf('again@gamma.example')).toEqual([{ registrar: 'GAMMA', status: 'invited' }]);
  });

  test('success: a person of another registrar keeps the password, and joins when logged in', async () => {
    const email = 'both@gamma.example';
    const personId = await accepted(email);
    const token = await invited(email, 'DELTA');
    expect(await find(token)).toMatchObject({ isForExistingPerson: true });
    expect(await accept(token)).toBe('existing');
    const other = { personId: await accepted('other@gamma.example'), email: 'other@gamma.example' };
    expect(await acceptAsMember(database.sql, token, other, moment())).toBe('existing');
    expect(await acceptAsMember(database.sql, token, { personId, email }, moment())).toEqual({ personId });
    expect(await acceptAsMember(database.sql, token, { personId, email }, moment())).toBe('closed');
    expect(await rowsOf(email)).toEqual([
      { registrar: 'DELTA', status: 'active' },
      { registrar: 'GAMMA', status: 'active' },
    ]);
  });

  test('success: a dry run mails nobody', async () => {
    const { stdout } = await run(
      'invite',
      'dry@gamma.example',
      '--registrar',
      'GAMMA',
      '--role',
      'admin',
      '--dry-run',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ email: 'dry@gamma.example', roles: ['admin'], dryRun: true });
    expect(await mailsTo('dry@gamma.example')).toEqual([]);
  });

  const GAMMA = ['--registrar', 'GAMMA'];
  test.each([
    ['no address', ['nobody', ...GAMMA, '--role', 'admin'], /^nobody is no email address\.\n$/],
    ['two', ['a@b.example,c@d.example', ...GAMMA, '--role', 'admin'], /is no email address\.\n$/],
    ['no role', ['a@b.example', ...GAMMA, '--role', 'king'], /^"king" is no role; there are admin, /],
    [
      'no registrar',
      ['a@b.example', '--registrar', 'NO', '--role', 'admin'],
      /^There is no registrar NO\.\n$/,
    ],
    [
      'no language',
      ['a@b.example', ...GAMMA, '--role', 'admin', '--language', 'fr'],
      /^--language is en or et/,
    ],
    ['no name', ['a@b.example', ...GAMMA, '--role', 'admin', '--name', 'a\u202Eb'], /^--name has 1 to 100 /],
  ])('failure: %s', async (_what, args, sentence) => {
    const outcome = await run('invite', ...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(await mailsTo('a@b.example')).toEqual([]);
  });

  test('failure: a person who is a member already, or is disabled', async () => {
    await accepted('there@gamma.example');
    const invite = (registrar: string) =>
      run('invite', 'there@gamma.example', '--registrar', registrar, '--role', 'admin');
    expect((await invite('GAMMA')).stderr).toBe('there@gamma.example works for GAMMA already.\n');
    await run('disable', 'there@gamma.example');
    expect((await invite('DELTA')).stderr).toMatch(/^there@gamma\.example is disabled; enable /);
  });
});

describe('cadastre person disable, enable, remove, reset', () => {
  /** A session and every factor. */
  const addEveryFactor = (personId: number) =>
    database.sql.run(sql`
      with app as (update people set totp_secret = decode(repeat('00', 20), 'hex'), identity = 'issuer ' || id where id = ${personId}),
      passkey as (
        insert into passkeys (person_id, credential_id, public_key, counter, transports, name, created_at)
        values (${personId}, ${newToken()}, '', 0, '{}', 'key', now())),
      code as (insert into recovery_codes (person_id, code_hash, created_at) values (${personId}, ${tokenHash(newToken())}, now()))
      insert into person_sessions (token_hash, person_id, registrar_id, factor, address, user_agent, created_at, authenticated_at, last_seen_at)
      select ${tokenHash(newToken())}, m.person_id, m.registrar_id, 'password', '192.0.2.1', '', now(), now(), now()
      from memberships m where m.person_id = ${personId}`);
  const stateOf = (personId: number) =>
    database.sql.one(sql`
      select (select count(*)::int from person_sessions s where s.person_id = p.id and s.ended_at is null) as sessions,
        (select count(*)::int from passkeys k where k.person_id = p.id) as passkeys,
        (select count(*)::int from recovery_codes c where c.person_id = p.id) as codes,
        totp_secret is not null as app, identity is not null as identity, password_hash as password
      from people p where id = ${personId}`);
  const EVERY_FACTOR = { sessions: 1, passkeys: 1, codes: 1, app: true, identity: true, password: 'hash' };

  test('success: disable ends sessions and withdraws invitations; enable keeps the login as it was', async () => {
    const email = 'leaves@gamma.example';
    const personId = await accepted(email);
    await addEveryFactor(personId);
    const token = await invited(email, 'DELTA');
    expect((await run('disable', email.toUpperCase(), '--dry-run')).code).toBe(0);
    expect(await stateOf(personId)).toEqual(EVERY_FACTOR);
    expect(await run('disable', email)).toEqual({ code: 0, stdout: `${email} is disabled.\n`, stderr: '' });
    expect(await stateOf(personId)).toEqual({ ...EVERY_FACTOR, sessions: 0 });
    expect(await find(token)).toBeUndefined();
    expect((await run('disable', email)).stderr).toBe(`There is no active person ${email}.\n`);
    expect((await run('enable', email)).code).toBe(0);
    expect(await rowsOf(email)).toEqual([{ registrar: 'GAMMA', status: 'active' }]);
    expect((await run('enable', email)).stderr).toMatch(/^There is no disabled person /);
  });

  test('success: reset forgets every factor but the password, and ends sessions', async () => {
    const personId = await accepted('lost@gamma.example');
    await addEveryFactor(personId);
    const asked = await run('reset', 'lost@gamma.example');
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/add --yes if it is meant\.\n$/)]);
    expect(await stateOf(personId)).toEqual(EVERY_FACTOR);
    expect((await run('reset', 'lost@gamma.example', '--yes', '--reason', 'lost phone')).code).toBe(0);
    expect(await stateOf(personId)).toEqual({
      sessions: 0,
      passkeys: 0,
      codes: 0,
      app: false,
      identity: false,
      password: 'hash',
    });
    expect((await run('reset', 'nobody@gamma.example', '--yes')).stderr).toBe(
      'There is no person nobody@gamma.example.\n',
    );
  });

  test('success: encrypt encrypts secrets in clear text, and needs CONSOLE_SECRET', async () => {
    const personId = await accepted('coded@gamma.example');
    await addEveryFactor(personId);
    const lengths = async () => [
      ...new Set(
        (
          await database.sql.rows(sql<{ length: number }>`
            select octet_length(totp_secret) as length from people where totp_secret is not null`)
        ).map(({ length }) => length),
      ),
    ];
    expect(await run('encrypt')).toEqual({ code: 1, stdout: '', stderr: 'CONSOLE_SECRET is not set.\n' });
    const env = { DATABASE_URL: database.url, CONSOLE_SECRET: 'a-long-secret-of-the-console' };
    const encrypt = (...args: string[]) => cadastre(['person', 'encrypt', ...args], { env });
    expect((await encrypt('--dry-run')).stdout).toMatch(/^Dry run: .*\nSecrets .* encrypted: [1-9]\d*\.\n$/);
    expect(await lengths()).toEqual([20]);
    expect((await encrypt()).stdout).toMatch(
      /^Secrets of authenticator apps that were encrypted: [1-9]\d*\.\n$/,
    );
    expect(await lengths()).toEqual([49]);
    expect(JSON.parse((await encrypt('--json')).stdout)).toEqual({ encrypted: 0 });
  });

  test('success: remove ends one membership; without any the person is disabled, and can be invited again', async () => {
    const email = 'moves@gamma.example';
    const personId = await accepted(email);
    await addEveryFactor(personId);
    const remove = (registrar: string) => run('remove', email, '--registrar', registrar);
    expect((await remove('DELTA')).stderr).toBe(`${email} neither works for DELTA nor is invited by it.\n`);
    expect((await remove('GAMMA')).stdout).toBe(`${email} does not work for GAMMA any more.\n`);
    expect(await stateOf(personId)).toEqual({ ...EVERY_FACTOR, sessions: 0 });
    expect(await rowsOf(email)).toEqual([{ registrar: null, status: 'disabled' }]);
    expect((await run('enable', email)).code).toBe(1);

    const token = await invited(email, 'DELTA');
    expect(await find(token)).toMatchObject({ isForExistingPerson: false });
    expect(await accept(token)).toEqual({ personId });
    expect(await stateOf(personId)).toMatchObject({ passkeys: 0, codes: 0, app: false, identity: false });
    expect(await rowsOf(email)).toEqual([{ registrar: 'DELTA', status: 'active' }]);
  });

  test('success: remove does not affect another registrar', async () => {
    const email = 'keeps@gamma.example';
    const personId = await accepted(email);
    await acceptAsMember(database.sql, await invited(email, 'DELTA'), { personId, email }, moment());
    await run('remove', email, '--registrar', 'GAMMA');
    expect(await rowsOf(email)).toEqual([{ registrar: 'DELTA', status: 'active' }]);
  });

  test('success: remove withdraws an invitation', async () => {
    const token = await invited('unwanted@gamma.example');
    const { stdout } = await run('remove', 'unwanted@gamma.example', '--registrar', 'GAMMA');
    expect(stdout).toBe('The invitation of unwanted@gamma.example is withdrawn.\n');
    expect([await find(token), await accept(token)]).toEqual([undefined, 'closed']);
  });

  test('success: roles are replaced; the last administrator keeps the role and the access', async () => {
    const [first, second] = ['boss@gamma.example', 'deputy@gamma.example'];
    for (const email of [first, second]) await accepted(email, 'DELTA');
    const roles = (email: string, ...given: string[]) => run('roles', email, 'DELTA', ...given);
    expect(await roles(first, 'reader', 'admin')).toEqual({
      code: 0,
      stdout: `${first} has the roles admin, reader at DELTA.\n`,
      stderr: '',
    });
    for (const args of [
      ['roles', first, 'DELTA', 'reader'],
      ['disable', first],
      ['remove', first, '--registrar', 'DELTA'],
    ])
      expect((await run(...args)).stderr).toMatch(
        /^boss@gamma\.example is the last administrator of a registrar/,
      );
    expect(await rowsOf(first)).toEqual([{ registrar: 'DELTA', status: 'active' }]);
    await roles(second, 'admin');
    expect((await run('disable', first)).code).toBe(0);
    expect((await roles(first, 'king')).stderr).toMatch(/^"king" is no role/);
    expect((await run('roles', first, 'GAMMA', 'admin')).stderr).toBe(`${first} does not work for GAMMA.\n`);
  });

  test('success: list shows one registrar, or all', async () => {
    await accepted('listed@gamma.example', 'DELTA');
    const [all, delta] = [await run('list'), await run('list', '--registrar', 'DELTA', '--json')];
    expect(all.stdout).toMatch(/^EMAIL +NAME +REGISTRAR +ROLES +STATUS +SECOND FACTOR +INVITED UNTIL\n/);
    const rows: { registrar: string }[] = JSON.parse(delta.stdout);
    expect(new Set(rows.map(({ registrar }) => registrar))).toEqual(new Set(['DELTA']));
  });
});
