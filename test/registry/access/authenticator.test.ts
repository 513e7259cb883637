import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { Authenticator } from '../../../src/registry/access/authenticator.ts';
import { PasswordVerifications } from '../../../src/registry/access/passwords.ts';
import { suspendRegistrar } from '../../../src/registry/registrars/suspend-registrar.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { disableUser } from '../../../src/registry/users/disable-user.ts';
import { dropOldPassword } from '../../../src/registry/users/drop-old-password.ts';
import { replacePassword } from '../../../src/registry/users/replace-password.ts';
import { setUserRoles } from '../../../src/registry/users/set-user-roles.ts';
import { alpha, beta, Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { operator } from '../../support/operator.ts';
import { addUsersToGuess, quicklyHashed } from '../../support/quick-passwords.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const PASSWORD = 'a long enough password';

async function newUser(): Promise<string> {
  const username = freshCode();
  const user = { username, registrar: 'ALPHA', roles: ['epp'] as const, password: PASSWORD };
  await carryOut(registry.sql, createUser, await quicklyHashed(user), operator());
  return username;
}
const changePassword = (username: string, oldUntil: Date | undefined) =>
  carryOut(registry.sql, replacePassword, { username, password: 'the next password', oldUntil }, operator());
const status = async (credentials: string) =>
  (await new Client(registry.url, credentials).get('/contacts')).status;

describe('authentication', () => {
  test('success: a password may contain colons and any characters', async () => {
    const username = freshCode();
    const user = { username, registrar: 'ALPHA', roles: ['epp'], password: 'a:b:c — õäöü' } as const;
    await carryOut(registry.sql, createUser, user, operator());
    expect(await status(`${username}:a:b:c — õäöü`)).toBe(200);
  });

  test('success: URL-safe Base64 is accepted', async () => {
    const username = freshCode();
    const user = { username, registrar: 'ALPHA', roles: ['epp'], password: 'a?>a?>a?>a?>' } as const;
    await carryOut(registry.sql, createUser, user, operator());
    const authorization = `Basic ${Buffer.from(`${username}:a?>a?>a?>a?>`).toString('base64url')}`;
    expect((await new Client(registry.url).get('/contacts', { headers: { authorization } })).status).toBe(
      200,
    );
  });

  test.each([
    ['Bearer abc'],
    ['Basic'],
    ['Basic %%%'],
    ['Basic ////'],
    [`Basic ${Buffer.from('alpha\0:x').toString('base64')}`],
    [`Basic ${'A'.repeat(2000)}`],
  ])('failure: %s', async (authorization) => {
    const reply = await new Client(registry.url).get('/contacts', { headers: { authorization } });
    expect([reply.status, reply.body.code]).toEqual([401, 2202]);
  });

  test('success: two passwords work while one is being replaced, and the old one ends', async () => {
    const username = await newUser();
    expect(await status(`${username}:${PASSWORD}`)).toBe(200);
    await changePassword(username, new Date(Date.now() + 60_000));
    // Cached users are invalidated together: the later change is visible only after that of the password.
    const later = await newUser();
    expect(await status(`${later}:${PASSWORD}`)).toBe(200);
    await carryOut(registry.sql, disableUser, { username: later, isDisabled: true }, operator());
    await expect.poll(() => status(`${later}:${PASSWORD}`), NOTICED).toBe(401);
    expect([await status(`${username}:${PASSWORD}`), await status(`${username}:the next password`)]).toEqual([
      200, 200,
    ]);
    await carryOut(registry.sql, dropOldPassword, { username }, operator());
    await expect.poll(() => status(`${username}:${PASSWORD}`), NOTICED).toBe(401);
    expect(await status(`${username}:the next password`)).toBe(200);
  });

  test('failure: an old password after its grace period', async () => {
    const username = await newUser();
    await changePassword(username, new Date(Date.now() - 1000));
    expect([await status(`${username}:${PASSWORD}`), await status(`${username}:the next password`)]).toEqual([
      401, 200,
    ]);
  });

  test('failure: a disabled user is refused within seconds, and accepted again when enabled', async () => {
    const username = await newUser();
    expect(await status(`${username}:${PASSWORD}`)).toBe(200);
    await carryOut(registry.sql, disableUser, { username, isDisabled: true }, operator());
    await expect.poll(() => status(`${username}:${PASSWORD}`), NOTICED).toBe(401);
    await carryOut(registry.sql, disableUser, { username, isDisabled: false }, operator());
    expect(await status(`${username}:${PASSWORD}`)).toBe(200);
  });

  test('failure: a suspended registrar is refused within seconds', async () => {
    expect((await beta(registry.url).get('/contacts')).status).toBe(200);
    await carryOut(registry.sql, suspendRegistrar, { code: 'BETA', isSuspended: true }, operator());
    await expect.poll(async () => (await beta(registry.url).get('/contacts')).status, NOTICED).toBe(401);
    await carryOut(registry.sql, suspendRegistrar, { code: 'BETA', isSuspended: false }, operator());
    expect((await beta(registry.url).get('/contacts')).status).toBe(200);
  });

  test('failure: a revoked role takes effect within seconds', async () => {
    const username = await newUser();
    expect(await status(`${username}:${PASSWORD}`)).toBe(200);
    await carryOut(registry.sql, setUserRoles, { username, roles: ['billing'] }, operator());
    await expect.poll(() => status(`${username}:${PASSWORD}`), NOTICED).toBe(403);
  });
});

describe('guessing', () => {
  test('failure: too many wrong passwords from one address', async () => {
    const strict = await freshRegistryForThisTest({ failuresPerMinute: 5 });
    for (let attempt = 0; attempt < 5; attempt++)
      await new Client(strict.url, `nobody${attempt}:wrong`).get('/contacts');
    const reply = await new Client(strict.url, 'somebody:wrong').get('/contacts');
    expect([reply.status, reply.body.code]).toEqual([429, 2502]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('failure: too many wrong passwords for one username, from many addresses', async () => {
    const strict = await freshRegistryForThisTest({ failuresPerMinute: 5, trustedProxies: ['127.0.0.0/8'] });
    const guess = (address: number) =>
      new Client(strict.url, 'alpha:wrong').get('/contacts', {
        headers: { 'x-forwarded-for': `192.0.2.${address}` },
      });
    for (let attempt = 0; attempt < 5; attempt++) expect((await guess(attempt)).status).toBe(401);
    expect((await guess(99)).status).toBe(429);
  });

  test('success: a recently verified header is not locked out by guesses from the same address', async () => {
    const strict = await freshRegistryForThisTest({ failuresPerMinute: 3 });
    expect((await alpha(strict.url).get('/contacts')).status).toBe(200);
    for (let attempt = 0; attempt < 6; attempt++)
      await new Client(strict.url, 'alpha:wrong').get('/contacts');
    await carryOut(strict.sql, setUserRoles, { username: 'beta', roles: ['super'] }, operator());
    expect((await alpha(strict.url).get('/contacts')).status).toBe(200);
  });

  test('failure: X-Forwarded-For of an untrusted client is ignored', async () => {
    const strict = await freshRegistryForThisTest({ failuresPerMinute: 5 });
    const guess = (address: number) =>
      new Client(strict.url, `u${address}:wrong`).get('/contacts', {
        headers: { 'x-forwarded-for': `192.0.2.${address}` },
      });
    for (let attempt = 0; attempt < 5; attempt++) await guess(attempt);
    expect((await guess(99)).status).toBe(429);
  });

  test('failure: more verifications than the queue holds are answered with Retry-After', async () => {
    const busy = await freshRegistryForThisTest({ failuresPerMinute: 100_000 });
    await addUsersToGuess(busy.sql, 120);
    const replies = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        new Client(busy.url, `user${index}:wrong ${index}`).get('/contacts'),
      ),
    );
    const counts = Object.groupBy(replies, ({ status: code }) => String(code));
    expect(counts['401']?.length).toBeGreaterThan(0);
    expect(counts['503']?.length).toBeGreaterThan(0);
    expect((counts['401']?.length ?? 0) + (counts['503']?.length ?? 0)).toBe(120);
    expect((await alpha(busy.url).get('/contacts')).status).toBe(200);
  });
});

describe('a verification is cached for a minute', () => {
  const client = { address: '192.0.2.1', fingerprint: undefined };
  /** An authenticator that has just verified a client, with a clock that the test moves. */
  async function verified() {
    const username = await newUser();
    const header = `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`;
    const rules = {
      failuresPerMinute: 10,
      certificates: 'ignored',
      onRejected: () => {},
      addressNotWritten: () => {},
    } as const;
    const verifications = new PasswordVerifications(wallClock);
    const match = vi.spyOn(verifications, 'match');
    const authenticator = new Authenticator(
      { reads: registry.sql, writes: registry.sql },
      wallClock,
      rules,
      verifications,
    );
    // A whole number, so that sixty seconds later are sixty seconds in floating point as well.
    const started = Math.ceil(performance.now());
    const clock = vi.spyOn(performance, 'now').mockReturnValue(started);
    onTestFinished(() => clock.mockRestore());
    await authenticator.admit(header, client);
    const recalledAfter = (seconds: number) => {
      clock.mockReturnValue(started + seconds * 1000);
      return authenticator.recall(header, client) !== undefined;
    };
    return { username, match, recalledAfter };
  }

  test('failure: a later request is verified in full again', async () => {
    const { recalledAfter } = await verified();
    expect([recalledAfter(44), recalledAfter(60)]).toEqual([true, false]);
  });

  test('success: a client that keeps sending is verified again in the background, and never waits', async () => {
    const { recalledAfter } = await verified();
    expect(recalledAfter(50)).toBe(true);
    await vi.waitFor(() => expect(recalledAfter(105)).toBe(true), NOTICED);
  });

  test('failure: a client whose password was changed meanwhile', async () => {
    const { username, match, recalledAfter } = await verified();
    await changePassword(username, undefined);
    expect(recalledAfter(50)).toBe(true);
    await vi.waitFor(() => expect(match).toHaveBeenCalledTimes(2));
    expect(await match.mock.results[1]?.value).toBeUndefined();
    await setImmediate();
    expect(recalledAfter(61)).toBe(false);
  });
});
