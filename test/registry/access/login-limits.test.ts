import { X509Certificate } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { type Clock, wallClock } from '../../../src/platform/clock/clock.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { loginAddressPurge } from '../../../src/registry/access/login-addresses.ts';
import { setUserRoles } from '../../../src/registry/users/set-user-roles.ts';
import { ownAuthority, signedFor } from '../../support/certificates.ts';
import { Client } from '../../support/client.ts';
import { operator } from '../../support/operator.ts';
import { addUsersToGuess, setQuickPassword } from '../../support/quick-passwords.ts';
import { type SecureServer, startServer } from '../../support/secure-server.ts';

const ALPHA = 'alpha:alpha-sandbox-password';
const HOME = '192.0.2.1';
const DAY_MS = 86_400_000;
const soon = { interval: 50 };

async function serverForThisTest(
  settings: Partial<Config> = {},
  clock: Clock = wallClock,
): Promise<SecureServer> {
  const server = await startServer({ trustedProxies: ['127.0.0.0/8'], ...settings }, clock);
  onTestFinished(() => server.stop());
  return server;
}

async function login(
  { url }: SecureServer,
  credentials: string,
  address: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const client = new Client(url, credentials);
  return (await client.get('/accounts/balance', { headers: { 'x-forwarded-for': address, ...headers } }))
    .status;
}

/** The number of answers by status. */
async function counted(attempts: readonly Promise<number>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of await Promise.all(attempts)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Wrong passwords for one user, each from a different address. */
const guessFromElsewhere = (server: SecureServer, count: number, username = 'alpha') =>
  counted(times(count, (index) => login(server, `${username}:guess ${index}`, `198.51.100.${index}`)));

type Known = { username: string; address: string; succeededAt: Date };
const knownAddresses = ({ sql: db }: SecureServer): Promise<Known[]> =>
  db.rows(sql<Known>`
  select u.username, l.address, l.succeeded_at as "succeededAt"
  from login_addresses l join api_users u on u.id = l.user_id order by u.username, l.address`);

/** Logs in once, and waits until that is recorded. */
async function becomeKnown(server: SecureServer, credentials: string, address: string): Promise<void> {
  const before = (await knownAddresses(server)).length;
  expect(await login(server, credentials, address)).toBe(200);
  await expect.poll(async () => (await knownAddresses(server)).length, soon).toBe(before + 1);
}

describe('guesses from unknown addresses', () => {
  test('success: thirty of them do not lock a user out at a known address, also after a restart and a change of the user', async () => {
    const server = await serverForThisTest();
    await becomeKnown(server, ALPHA, HOME);
    await server.restart();
    await carryOut(server.sql, setUserRoles, { username: 'alpha', roles: ['super', 'epp'] }, operator());
    await setQuickPassword(server.sql, 'alpha', 'the next password');
    expect(await guessFromElsewhere(server, 36)).toEqual({ 401: 30, 429: 6 });
    expect(await login(server, 'alpha:the next password', '192.0.2.2')).toBe(429);
    expect(await login(server, 'alpha:the next password', HOME)).toBe(200);
    expect(await login(server, 'beta:beta-sandbox-password', '192.0.2.2')).toBe(200);
  });

  test('failure: an unknown address gets 429 whether there is such a user or not', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 4 });
    for (const username of ['alpha', 'nobody'])
      expect(await guessFromElsewhere(server, 9, username)).toEqual({ 401: 4, 429: 5 });
    expect(await login(server, ALPHA, '192.0.2.2')).toBe(429);
  });

  test('failure: a known address is limited by its own failures', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 6 });
    await becomeKnown(server, ALPHA, HOME);
    await server.restart();
    const guesses = times(9, (index) => login(server, `alpha:guess ${index}`, HOME));
    expect(await counted(guesses)).toEqual({ 401: 2, 429: 7 });
    expect(await login(server, ALPHA, HOME)).toBe(429);
  });

  test('success: they do not lock out a user with a valid certificate, but one without it or with another’s', async () => {
    const settings = { certificates: 'proxy', failuresPerMinute: 6 } as const;
    const server = await serverForThisTest(settings);
    const authority = await ownAuthority(server.sql);
    const shown = async (username: string) => {
      const { cert } = await signedFor(server.sql, authority, username);
      return { ssl_client_cert: `:${new X509Certificate(cert).raw.toString('base64')}:` };
    };
    const [own, another] = [await shown('alpha'), await shown('beta')];
    expect(await guessFromElsewhere(server, 9)).toEqual({ 401: 6, 429: 3 });
    expect(await login(server, ALPHA, '192.0.2.2')).toBe(429);
    expect(await login(server, ALPHA, '192.0.2.3', another)).toBe(429);
    expect(await login(server, 'alpha:wrong', '192.0.2.4', own)).toBe(401);
    expect(await login(server, ALPHA, '192.0.2.5', own)).toBe(200);
  });
});

describe('concurrent attempts', () => {
  test('failure: of many wrong passwords from one address no more are verified than the limit', async () => {
    const server = await serverForThisTest();
    const byUser = times(68, (index) => login(server, `alpha:guess ${index}`, HOME));
    expect(await counted(byUser)).toEqual({ 401: 10, 429: 58 });
    await addUsersToGuess(server.sql, 68);
    const byAddress = times(68, (index) => login(server, `user${index}:wrong`, '192.0.2.2'));
    expect(await counted(byAddress)).toEqual({ 401: 30, 429: 38 });
  });

  test('failure: of one wrong password that is sent many times no more answers are given than the limit', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 12 });
    const attempts = times(20, () => login(server, 'alpha:wrong', HOME));
    expect(await counted(attempts)).toEqual({ 401: 4, 429: 16 });
  });

  test('success: a right password that is sent many times is one attempt, and releases its reservations', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 3 });
    for (const address of [HOME, '192.0.2.2']) {
      await server.restart();
      expect(await counted(times(40, () => login(server, ALPHA, address)))).toEqual({ 200: 40 });
      expect(await login(server, 'beta:wrong', address)).toBe(401);
      expect(await login(server, 'beta:wrong', address)).toBe(429);
    }
  });
});

describe('addresses', () => {
  test('failure: those of one IPv6 network are counted together, those of the next are not', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 3 });
    for (const host of [1, 2, 3])
      expect(await login(server, `user${host}:wrong`, `2001:db8::${host}`)).toBe(401);
    expect(await login(server, 'user4:wrong', '2001:db8::4:0:0:4')).toBe(429);
    expect(await login(server, 'user4:wrong', '2001:db8:0:1::4')).toBe(401);
  });

  test('success: a user is known in a whole IPv6 network', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 3 });
    await becomeKnown(server, ALPHA, '2001:db8::1');
    await server.restart();
    expect(await guessFromElsewhere(server, 4)).toEqual({ 401: 3, 429: 1 });
    expect(await login(server, ALPHA, '2001:db8:0:1::2')).toBe(429);
    expect(await login(server, ALPHA, '2001:db8::2')).toBe(200);
  });

  test('success: one user with a wrong password does not use up the limit of others at its address', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 6 });
    for (const status of [401, 401, 429, 429, 429, 429, 429])
      expect(await login(server, 'alpha:wrong', HOME)).toBe(status);
    expect(await login(server, 'beta:wrong', HOME)).toBe(401);
    expect(await login(server, 'beta:beta-sandbox-password', HOME)).toBe(200);
  });

  test('success: each is written once a day, also where the header was verified from another one', async () => {
    let ahead = 0;
    const server = await serverForThisTest({}, { now: () => new Date(Date.now() + ahead) });
    await becomeKnown(server, ALPHA, HOME);
    await becomeKnown(server, ALPHA, '192.0.2.2');
    const first = await knownAddresses(server);
    expect(first.map(({ username, address }) => `${username} ${address}`)).toEqual([
      `alpha ${HOME}`,
      'alpha 192.0.2.2',
    ]);
    ahead = 22 * 3_600_000;
    await server.restart();
    for (const address of [HOME, '192.0.2.2']) expect(await login(server, ALPHA, address)).toBe(200);
    await becomeKnown(server, 'beta:beta-sandbox-password', HOME);
    expect((await knownAddresses(server)).slice(0, 2)).toEqual(first);
    ahead = 25 * 3_600_000;
    expect(await login(server, ALPHA, HOME)).toBe(200);
    const written = async () => (await knownAddresses(server))[0]?.succeededAt;
    await expect.poll(written, soon).not.toEqual(first[0]?.succeededAt);
  });

  test('failure: one from which the user has not logged in for a month is unknown, and deleted', async () => {
    let ahead = 0;
    const server = await serverForThisTest(
      { failuresPerMinute: 3 },
      { now: () => new Date(Date.now() + ahead) },
    );
    await becomeKnown(server, ALPHA, HOME);
    const [first] = await knownAddresses(server);
    await server.restart();
    const forget = () => loginAddressPurge.removeSome(server.sql, new Date(Date.now() + ahead));
    ahead = 30 * DAY_MS;
    expect(await forget()).toBe(0);
    expect(await guessFromElsewhere(server, 3)).toEqual({ 401: 3 });
    ahead = 31 * DAY_MS;
    expect(await login(server, ALPHA, HOME)).toBe(429);
    ahead = 30 * DAY_MS;
    expect(await login(server, ALPHA, HOME)).toBe(200);
    const written = async () => (await knownAddresses(server))[0]?.succeededAt;
    await expect.poll(written, soon).not.toEqual(first?.succeededAt);
    await server.sql.run(sql`update login_addresses set succeeded_at = succeeded_at - interval '31 days'`);
    expect([await forget(), await knownAddresses(server)]).toEqual([1, []]);
  });
});

describe('more verifications than can be made', () => {
  test('success: known users are verified while a flood of guesses is answered with Retry-After', async () => {
    const server = await serverForThisTest({ failuresPerMinute: 1_000_000 });
    await addUsersToGuess(server.sql, 100);
    const users = ['alpha', 'beta', 'poor'].map((username) => `${username}:${username}-sandbox-password`);
    for (const credentials of users) await becomeKnown(server, credentials, HOME);
    await server.restart();
    const seen: number[] = [];
    let over = false;
    const flood = times(100, async (client) => {
      for (let guess = 0; !over; guess++)
        seen.push(await login(server, `user${client}:guess ${guess} of ${client}`, `198.51.100.${client}`));
    });
    onTestFinished(async () => {
      over = true;
      await Promise.all(flood);
    });
    const refused = () => seen.filter((status) => status === 503).length;
    await expect.poll(refused, soon).toBeGreaterThan(0);
    for (const credentials of users) {
      const before = refused();
      expect(await login(server, credentials, HOME)).toBe(200);
      await expect.poll(refused, soon).toBeGreaterThan(before);
    }
    over = true;
    await Promise.all(flood);
    // With the reserved places the queue has room for the whole flood: its refusal shows that it cannot take them.
    expect(new Set(seen)).toEqual(new Set([401, 503]));
  });
});
