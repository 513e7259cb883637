import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { ConsoleClient, codeNow, hiddenField, PEOPLE, setUpApp } from '../../support/console.ts';
import { addPeopleToGuess } from '../../support/quick-passwords.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { type SecureServer, startServer } from '../../support/secure-server.ts';
import { sql } from '../../support/sql.ts';

const [ALPHA, PASSWORD] = PEOPLE.alpha;
const HOME = '192.0.2.1';
const BEHIND_PROXY = { trustedProxies: ['127.0.0.0/8'] };

type Place = { readonly url: string };

/** The status of a login from an address. */
async function login({ url }: Place, [email, password]: readonly [string, string], address: string) {
  const headers = { 'x-forwarded-for': address };
  const fields = { email, password };
  return (await new ConsoleClient(url).post('/console/login', fields, headers)).status;
}

async function serverForThisTest(failuresPerMinute = 30): Promise<SecureServer> {
  const server = await startServer({ ...BEHIND_PROXY, failuresPerMinute }, wallClock);
  onTestFinished(() => server.stop());
  return server;
}

/** Wrong passwords for one person, in turn from each of these addresses. */
async function guess(place: Place, email: string, addresses: readonly string[], count: number) {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      login(place, [email, `guess ${index}`], addresses[index % addresses.length] ?? ''),
    ),
  );
  return statuses.sort();
}
const repeated = (status: number, count: number) => Array<number>(count).fill(status);
const STRANGE = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];

describe('guesses from strange addresses', () => {
  test('success: thirty of them do not lock a person out at a known address, also after a restart', async () => {
    const server = await serverForThisTest();
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(303);
    expect(await login(server, PEOPLE.alpha, '2001:db8::1')).toBe(303);
    await server.restart();
    expect(await guess(server, ALPHA, STRANGE, 30)).toEqual(repeated(401, 30));
    expect(await login(server, PEOPLE.alpha, '192.0.2.2')).toBe(429);
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(303);
    expect(await login(server, PEOPLE.alpha, '2001:db8::2')).toBe(303);
    expect(await login(server, PEOPLE.alpha, '2001:db8:0:1::2')).toBe(429);
    expect(await login(server, PEOPLE.beta, '192.0.2.2')).toBe(303);
  });

  test('failure: a stranger gets 429 whether there is such a person or not', async () => {
    const server = await serverForThisTest(6);
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(303);
    for (const email of [ALPHA, 'nobody@sandbox.example'])
      expect(await guess(server, email, [...STRANGE, '198.51.100.4'], 8)).toEqual([
        ...repeated(401, 6),
        ...repeated(429, 2),
      ]);
    expect(await login(server, [ALPHA, 'wrong'], 'unknown')).toBe(429);
  });

  test('failure: a known address is limited by its own failures', async () => {
    const server = await serverForThisTest(6);
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(303);
    expect(await guess(server, ALPHA, [HOME], 3)).toEqual([401, 401, 429]);
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(429);
  });

  test('failure: an address from which the person logged in a month ago is a strange one', async () => {
    const server = await serverForThisTest(3);
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(303);
    await server.sql.run(sql`update person_sessions set created_at = created_at - interval '32 days'`);
    expect(await guess(server, ALPHA, STRANGE, 3)).toEqual(repeated(401, 3));
    expect(await login(server, PEOPLE.alpha, HOME)).toBe(429);
  });
});

test('success: people are let in at known addresses while a flood from eighty others is answered with 503', async () => {
  const server = await serverForThisTest(1_000_000);
  await addPeopleToGuess(server.sql, 80);
  for (const person of [PEOPLE.alpha, PEOPLE.beta]) expect(await login(server, person, HOME)).toBe(303);
  await server.restart();
  const seen: number[] = [];
  let isOver = false;
  const flood = Array.from({ length: 80 }, async (_, index) => {
    for (let count = 0; !isOver; count += 1)
      seen.push(
        await login(server, [`person${index}@guess.example`, `guess ${count}`], `203.0.113.${index}`),
      );
  });
  onTestFinished(async () => {
    isOver = true;
    await Promise.all(flood);
  });
  const refused = () => seen.filter((status) => status === 503).length;
  await expect.poll(refused).toBeGreaterThan(0);
  for (const person of [PEOPLE.alpha, PEOPLE.beta]) {
    const before = refused();
    expect(await login(server, person, HOME)).toBe(303);
    await expect.poll(refused).toBeGreaterThan(before);
  }
  isOver = true;
  await Promise.all(flood);
  expect(new Set(seen)).toEqual(new Set([401, 503]));
});

describe('an attempt that ends in an error releases its slots', () => {
  const registryForThisTest = () => freshRegistryForThisTest({ failuresPerMinute: 1 });
  const logIn = ({ url }: Place) => new ConsoleClient(url).logIn(ALPHA, PASSWORD);

  test('success: where the person cannot be read', async () => {
    const registry = await registryForThisTest();
    await registry.sql.run(sql`alter table people rename to people_elsewhere`);
    expect((await logIn(registry)).status).toBe(500);
    await registry.sql.run(sql`alter table people_elsewhere rename to people`);
    expect((await logIn(registry)).status).toBe(303);
  });

  test('success: where the verification throws, as often as there are places for verifications', async () => {
    const registry = await registryForThisTest();
    const { hash } = await registry.sql.one(
      sql<{ hash: string }>`select password_hash as hash from people where email_key = ${ALPHA}`,
    );
    const store = (text: string) =>
      registry.sql.run(sql`update people set password_hash = ${text} where email_key = ${ALPHA}`);
    await store('no hash');
    for (let count = 0; count < 3; count += 1) expect((await logIn(registry)).status).toBe(500);
    await store(hash);
    expect((await logIn(registry)).status).toBe(303);
  });

  test('success: where the second factor cannot be read', async () => {
    const registry = await registryForThisTest();
    const inside = new ConsoleClient(registry.url);
    await inside.logIn(ALPHA, PASSWORD);
    const { secret } = await setUpApp(inside);
    const client = new ConsoleClient(registry.url);
    const step = hiddenField((await client.logIn(ALPHA, PASSWORD)).text, 'step');
    const sendCode = (code: string) => client.post('/console/login/code', { step, code });
    await registry.sql.run(sql`alter table recovery_codes rename to codes_elsewhere`);
    expect((await sendCode('aaaa-bbbb-cccc-dddd')).status).toBe(500);
    await registry.sql.run(sql`alter table codes_elsewhere rename to recovery_codes`);
    expect((await sendCode(codeNow(secret, 1))).status).toBe(303);
  });
});

describe('an address that has used up its failures gets 429 before its body is read', () => {
  /** The first line of the answer to a form whose body is announced and never sent. */
  async function announce({ url }: TestRegistry, path: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString('latin1').split('\r\n', 1)[0] ?? '';
  }

  test.each(['/console/login', '/console/login/code'])('failure: of %s', async (path) => {
    const registry = await freshRegistryForThisTest({ failuresPerMinute: 1 });
    expect((await new ConsoleClient(registry.url).logIn('a@sandbox.example', 'wrong')).status).toBe(401);
    expect(await announce(registry, path)).toBe('HTTP/1.1 429 Too Many Requests');
  });

  test('failure: of /console/login/passkey, for its own limit', async () => {
    const registry = await freshRegistryForThisTest();
    const client = new ConsoleClient(registry.url);
    for (let count = 0; count < 60; count += 1) await client.post('/console/login/passkey', {});
    expect(await announce(registry, '/console/login/passkey')).toBe('HTTP/1.1 429 Too Many Requests');
  });
});
