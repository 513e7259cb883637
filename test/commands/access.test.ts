import { afterAll, beforeAll, describe, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { createUser } from '../../src/registry/users/create-user.ts';
import {
  cadastre,
  type DroppableDatabase,
  openProductionDatabase,
  type Server,
  startServe,
} from '../support/cadastre.ts';
import { operator } from '../support/operator.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';

/** Production as it runs: an operator's commands, and two servers that must both obey them. */
let database: DroppableDatabase;
let servers: Server[] = [];
const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: database.url } });
const runWith = (stdin: string, ...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: database.url }, stdin });
beforeAll(async () => {
  database = await openProductionDatabase();
  for (const code of ['GAMMA', 'DELTA'])
    await carryOut(database.sql, createRegistrar, { code, name: code }, operator());
  servers = await Promise.all([startServe(database.url), startServe(database.url)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

/** A user for a test that is not about creating one. */
const makeUser = (username: string, password: string, registrar = 'GAMMA') =>
  carryOut(database.sql, createUser, { username, password, registrar, roles: ['epp'] }, operator());

const ask = (server: Server, credentials: string) =>
  fetch(`${server.url}/registry/v1/contacts`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  });

/** What each server answers to these credentials. */
const answers = (credentials: string) =>
  Promise.all(servers.map(async (server) => (await ask(server, credentials)).status));

/** A command has its effect within seconds on every server. */
const soon = (credentials: string) => expect.poll(() => answers(credentials), NOTICED);

const passwordIn = (stdout: string): string => / shown this once: (\S+)\n$/.exec(stdout)?.[1] ?? '';

describe.concurrent('API users from the first to the last day', () => {
  test('success: a generated password logs in, and is shown once and stored nowhere', async () => {
    const created = await run('user', 'create', 'generated', '--registrar', 'GAMMA');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const password = passwordIn(created.stdout);
    expect(password).toMatch(/^[\w-]{20,}$/);
    expect(await answers(`generated:${password}`)).toEqual([200, 200]);
    expect(await answers('generated:another-password')).toEqual([401, 401]);
    const dump = await database.sql.rows(sql`
      select to_jsonb(u)::text as row from api_users u union all select to_jsonb(h)::text from history h`);
    expect(dump.map(({ row }) => row).join()).not.toContain(password);
    expect(servers.map((server) => server.output()).join()).not.toContain(password);
  });

  test('success: a new password beside the old one, until the old one is dropped', async () => {
    await runWith(
      'the-first-password\n',
      'user',
      'create',
      'change',
      '--registrar',
      'GAMMA',
      '--password-stdin',
    );
    expect(await answers('change:the-first-password')).toEqual([200, 200]);

    const changed = await runWith('the-second-password', 'user', 'password', 'change', '--password-stdin');
    expect(changed).toMatchObject({ code: 0, stderr: '' });
    expect(changed.stdout).not.toContain('the-second-password');
    const until = /works until (\S+)\./.exec(changed.stdout)?.[1] ?? '';
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(22 * 3_600_000); // a day, which may have 23 hours
    await soon('change:the-second-password').toEqual([200, 200]);
    // Cached users are invalidated together: a later change is visible only after that of the password.
    await makeUser('later', 'password-of-later');
    expect(await answers('later:password-of-later')).toEqual([200, 200]);
    await run('user', 'disable', 'later', '--reason', 'left');
    await soon('later:password-of-later').toEqual([401, 401]);
    expect(await answers('change:the-first-password')).toEqual([200, 200]);

    expect((await run('user', 'drop-old-password', 'change', '--yes')).stdout).toBe(
      'User change has one password now.\n',
    );
    await soon('change:the-first-password').toEqual([401, 401]);
    expect(await answers('change:the-second-password')).toEqual([200, 200]);
  });

  test('success: --keep-old PT0S ends the old password at once, PT2S after two seconds', async () => {
    await makeUser('quick', 'password-number-1');
    expect(await answers('quick:password-number-1')).toEqual([200, 200]);
    await runWith(
      'password-number-2',
      'user',
      'password',
      'quick',
      '--keep-old',
      'PT0S',
      '--yes',
      '--password-stdin',
    );
    await soon('quick:password-number-1').toEqual([401, 401]);
    await runWith('password-number-3', 'user', 'password', 'quick', '--keep-old', 'PT2S', '--password-stdin');
    await soon('quick:password-number-2').toEqual([401, 401]);
    expect(await answers('quick:password-number-3')).toEqual([200, 200]);
  });

  test('success: disable and enable reach both servers within seconds', async () => {
    await makeUser('off', 'disabled-password');
    expect(await answers('off:disabled-password')).toEqual([200, 200]);
    expect((await run('user', 'disable', 'off', '--reason', 'left')).stdout).toBe('User off is disabled.\n');
    await soon('off:disabled-password').toEqual([401, 401]);
    await run('user', 'enable', 'off');
    await soon('off:disabled-password').toEqual([200, 200]);
  });

  test('success: a change of roles reaches both servers', async () => {
    await makeUser('roles', 'roles-password-1');
    expect(await answers('roles:roles-password-1')).toEqual([200, 200]);
    expect((await run('user', 'roles', 'roles', 'billing')).stdout).toBe(
      'User roles has the roles billing.\n',
    );
    await soon('roles:roles-password-1').toEqual([403, 403]);
  });
});

test.concurrent('success: a suspended registrar is refused on both servers, and accepted again', async () => {
  await makeUser('delta', 'delta-password-1', 'DELTA');
  expect(await answers('delta:delta-password-1')).toEqual([200, 200]);
  await run('registrar', 'suspend', 'DELTA');
  await soon('delta:delta-password-1').toEqual([401, 401]);
  await run('registrar', 'activate', 'DELTA');
  await soon('delta:delta-password-1').toEqual([200, 200]);
});

// Not concurrent: it refuses every client.
test('success: maintenance on, status and off, on both servers', async () => {
  expect(await run('maintenance', 'on', '--reason', 'new disks')).toMatchObject({
    code: 0,
    stdout: 'Maintenance is on.\n',
  });
  await soon('nobody:nothing').toEqual([503, 503]);
  const [first] = servers;
  const reply = first && (await ask(first, 'nobody:nothing'));
  expect(await reply?.text()).not.toContain('new disks');
  expect((await fetch(`${first?.url}/health`)).status).toBe(200);
  const status = JSON.parse((await run('maintenance', 'status', '--json')).stdout);
  expect(status).toMatchObject({ maintenance: 'on', reason: 'new disks' });
  expect(Date.now() - Date.parse(status.since)).toBeLessThan(60_000);
  expect((await run('maintenance', 'off')).stdout).toBe('Maintenance is off.\n');
  await soon('nobody:nothing').toEqual([401, 401]);
  expect((await run('maintenance', 'status')).stdout).toMatch(/^maintenance {2}off\n/);
});
