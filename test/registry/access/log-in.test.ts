import { afterAll, beforeAll, describe, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { Refused } from '../../../src/operations/refusal.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { Authenticator } from '../../../src/registry/access/authenticator.ts';
import type { CertificateMode } from '../../../src/registry/access/known-users.ts';
import { readKnownAddresses } from '../../../src/registry/access/login-addresses.ts';
import { changeOwnPassword } from '../../../src/registry/users/change-own-password.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { replacePassword } from '../../../src/registry/users/replace-password.ts';
import { ownAuthority, revokeSerial, signedFor } from '../../support/certificates.ts';
import { operator } from '../../support/operator.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect } from '../../support/this-test.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
});
afterAll(() => close());

const PASSWORD = 'a password of its own';
const YEAR_MS = 365 * 86_400_000;

/** The registry's clock may be years ahead in a sandbox; certificates use the wall clock. */
const openAuthenticator = (failuresPerMinute = 1_000) =>
  new Authenticator(
    database,
    { now: () => new Date(Date.now() + 20 * YEAR_MS) },
    {
      failuresPerMinute,
      certificates: 'ignored',
      onRejected: () => {},
      addressNotWritten: () => {},
    },
  );

let users = 0;
async function newUser(roles: readonly ('epp' | 'billing')[] = ['epp']): Promise<string> {
  users += 1;
  const username = `login${users}`;
  const user = { username, registrar: 'ALPHA', roles, password: PASSWORD };
  await carryOut(database.writes, createUser, user, operator());
  return username;
}

const outcomeOf = (login: Promise<{ username: string }>) =>
  login.then(
    ({ username }) => username,
    (error: unknown) => (error instanceof Refused ? error.refusals[0].name : String(error)),
  );

describe('a login', () => {
  test('failure: needs the right password and the right to objects', async () => {
    const authenticator = openAuthenticator();
    const [username, billing] = [await newUser(), await newUser(['billing'])];
    const client = { address: '192.0.2.1', fingerprint: undefined };
    const logIn = (user: string, password: string) =>
      outcomeOf(authenticator.logIn({ username: user, password }, client, 'optional'));
    expect(await logIn(username, PASSWORD)).toBe(username);
    expect(await logIn(username, `${PASSWORD}!`)).toBe('badCredentials');
    expect(await logIn('nobody', PASSWORD)).toBe('badCredentials');
    expect(await logIn(`${username}:`, PASSWORD)).toBe('badCredentials');
    expect(await logIn(username, 'x'.repeat(10_000))).toBe('badCredentials');
    expect(await logIn(billing, PASSWORD)).toBe('notAllowed');
  });

  test('failure: its failures and those of requests count together', async () => {
    const authenticator = openAuthenticator(9);
    const username = await newUser();
    const client = { address: '198.51.100.1', fingerprint: undefined };
    const header = `Basic ${Buffer.from(`${username}:wrong`).toString('base64')}`;
    const outcomes: string[] = [];
    for (const attempt of [1, 2, 3])
      outcomes.push(
        await outcomeOf(authenticator.logIn({ username, password: `guess ${attempt}` }, client, 'optional')),
      );
    outcomes.push(await outcomeOf(authenticator.admit(header, client)));
    expect(outcomes).toEqual(['badCredentials', 'badCredentials', 'badCredentials', 'tooManyFailures']);
  });

  test('failure: a certificate of another user, a revoked one, or none where one is required', async () => {
    const authenticator = openAuthenticator();
    const [username, other] = [await newUser(), await newUser()];
    const authority = await ownAuthority(database.writes);
    const own = await signedFor(database.writes, authority, username);
    const others = await signedFor(database.writes, authority, other);
    const logIn = (mode: CertificateMode, fingerprint?: string) =>
      outcomeOf(
        authenticator.logIn({ username, password: PASSWORD }, { address: '192.0.2.2', fingerprint }, mode),
      );
    const outcomes = async (fingerprint?: string) => ({
      ignored: await logIn('ignored', fingerprint),
      optional: await logIn('optional', fingerprint),
      required: await logIn('required', fingerprint),
    });
    const [yes, no] = [username, 'badCredentials'];
    expect(await outcomes()).toEqual({ ignored: yes, optional: yes, required: no });
    expect(await outcomes(own.certificate.fingerprint)).toEqual({
      ignored: yes,
      optional: yes,
      required: yes,
    });
    expect(await outcomes(others.certificate.fingerprint)).toEqual({
      ignored: yes,
      optional: no,
      required: no,
    });
    await revokeSerial(database.writes, own.certificate.serial);
    expect(await outcomes(own.certificate.fingerprint)).toEqual({
      ignored: yes,
      optional: no,
      required: no,
    });
  });
});

describe('a password changed by its user', () => {
  const client = { address: '192.0.2.3', fingerprint: undefined };
  const contextOf = async (username: string) => ({
    principal: await openAuthenticator().logIn({ username, password: PASSWORD }, client, 'ignored'),
    now: new Date(),
    requestId: 'SRV-1',
    clientTransactionId: 'CLIENT-1',
  });

  test('success: replaces the old one at once, and history names the user', async () => {
    const authenticator = openAuthenticator();
    const username = await newUser();
    const logIn = (password: string) =>
      outcomeOf(authenticator.logIn({ username, password }, client, 'ignored'));
    expect(await logIn(PASSWORD)).toBe(username);
    await changeOwnPassword(database, 'the next password', await contextOf(username));
    expect([await logIn(PASSWORD), await logIn('the next password')]).toEqual(['badCredentials', username]);
    const rows = await database.reads.rows(sql`
      select actor, operation, request_id, client_transaction_id, after from history
      where object_kind = 'user' and object_name = ${username} order by id desc limit 1`);
    expect(rows).toEqual([
      {
        actor: `user:${username}`,
        operation: 'change password',
        request_id: 'SRV-1',
        client_transaction_id: 'CLIENT-1',
        after: null,
      },
    ]);
  });

  test.each([
    ['too short', 'elevenchars', 'outOfRange'],
    ['too long', 'x'.repeat(201), 'outOfRange'],
    ['with a control character', 'a password\tof it', 'wrongSyntax'],
    ['equal to the present one', PASSWORD, 'samePassword'],
  ])('failure: %s', async (_, password, name) => {
    const username = await newUser();
    await expect(changeOwnPassword(database, password, await contextOf(username))).rejects.toMatchObject({
      refusals: [{ name, at: ['newPassword'] }],
    });
  });

  test('failure: the one that an operator is replacing, while it is valid; afterwards it is like any other', async () => {
    const username = await newUser();
    const context = await contextOf(username);
    const until = new Date(Date.now() + 3_600_000);
    const replacement = { username, password: 'the next password', oldUntil: until };
    await carryOut(database.writes, replacePassword, replacement, operator());
    for (const password of [PASSWORD, 'the next password'])
      await expect(changeOwnPassword(database, password, context)).rejects.toMatchObject({
        refusals: [{ name: 'samePassword' }],
      });
    await changeOwnPassword(database, PASSWORD, { ...context, now: until });
    expect(
      await outcomeOf(openAuthenticator().logIn({ username, password: PASSWORD }, client, 'ignored')),
    ).toBe(username);
  });
});

test('success: the addresses of logins are known with the registrar of the latest one, the latest last', async () => {
  const authenticator = openAuthenticator();
  const username = await newUser();
  for (const address of ['203.0.113.1', '203.0.113.2', '2001:db8:7::1'])
    await authenticator.logIn(
      { username, password: PASSWORD },
      { address, fingerprint: undefined },
      'optional',
    );
  const known = async () =>
    (await readKnownAddresses(database.reads)).filter(({ address }) => /^(203|2001:db8:7)/.test(address));
  await expect.poll(known).toHaveLength(3);
  expect(new Set((await known()).map(({ registrar }) => registrar))).toEqual(new Set(['ALPHA']));
  expect((await known()).map(({ address }) => address)).toContain('2001:db8:7::/64');
});
