import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { moveClock } from '../../support/life.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const visitor = () => new ConsoleClient(registry.url);

describe('logging in', () => {
  test('success: with address and password, in any case of the address', async () => {
    const client = visitor();
    const [email, password] = PEOPLE.alpha;
    const { status, to, headers } = await client.logIn(` ${email.toUpperCase()}`, password);
    expect([status, to]).toEqual([303, '/console']);
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const start = await client.get('/console');
    expect(start.status).toBe(200);
    expect(start.text).toContain('Alpha Registrar');
    expect(start.text).toContain('Anna Alpha');
  });

  test('success: it leads to the page that was asked for, never to another site', async () => {
    const asked = await visitor().get('/console?q=a');
    expect([asked.status, asked.to]).toEqual([303, '/console/login?next=%2Fconsole%3Fq%3Da']);
    const [email, password] = PEOPLE.alpha;
    const after = (next: string) => visitor().post('/console/login', { email, password, next });
    expect((await after('/console/domains?q=a')).to).toBe('/console/domains?q=a');
    const hostile = [
      'https://evil.example/console',
      '//evil.example/console',
      '/\\evil.example',
      '/console/../../evil',
      '/consoled',
      'javascript:alert(1)',
      '/console/logout',
    ];
    for (const next of hostile) expect((await after(next)).to).toBe('/console');
  });

  test('failure: a wrong password, an unknown address and empty fields get the same answer', async () => {
    const client = visitor();
    const answers = [
      await client.logIn(PEOPLE.alpha[0], 'wrong'),
      await client.logIn('nobody@sandbox.example', 'wrong'),
      await client.logIn('', ''),
    ];
    for (const { status, text, headers } of answers) {
      expect(status).toBe(401);
      expect(text).toContain('is wrong');
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(client.cookie).toBe('');
    expect(registry.logged()).toContain('login of a person rejected');
    expect(registry.logged()).toContain('nobody@sandbox.example');
  });

  test('failure: too many failed logins from an address', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 3 });
    const client = new ConsoleClient(url);
    for (const wrong of ['a', 'b', 'c']) await client.logIn(`${wrong}@sandbox.example`, 'wrong');
    const { status, text } = await client.logIn(...PEOPLE.alpha);
    expect(status).toBe(429);
    expect(text).toContain('Too many failed attempts');
  });

  test('failure: a form of another site, with any password', async () => {
    const [email, password] = PEOPLE.alpha;
    for (const site of ['cross-site', 'same-site'])
      expect(
        (await visitor().post('/console/login', { email, password }, { 'sec-fetch-site': site })).status,
      ).toBe(403);
  });
});

describe('a session', () => {
  test('success: it ends with the log-out, also for a saved cookie', async () => {
    const client = await loggedIn(registry.url);
    const { cookie } = client;
    expect((await client.post('/console/logout', {})).to).toMatch(/^\/console\/login\?reason=loggedOut/);
    expect(client.cookie).toBe('');
    expect((await visitor().get('/console', { cookie })).status).toBe(303);
  });

  test('success: another login has another token and ends the one before', async () => {
    const client = await loggedIn(registry.url);
    const { cookie } = client;
    await client.logIn(...PEOPLE.alpha);
    expect(client.cookie).not.toBe(cookie);
    expect((await visitor().get('/console', { cookie })).status).toBe(303);
  });

  test('success: the clock of the sandbox does not end it', async () => {
    const moved = await freshRegistryForThisTest();
    const client = await loggedIn(moved.url);
    await moveClock(moved, { advance: 'P30D' });
    expect((await client.get('/console')).status).toBe(200);
  });

  test.each([
    ['idle for half an hour', sql`last_seen_at = last_seen_at - interval '31 minutes'`],
    ['older than twelve hours', sql`created_at = created_at - interval '13 hours'`],
    ['ended', sql`ended_at = now()`],
  ])('failure: one that is %s', async (_why, change) => {
    const client = await loggedIn(registry.url, 'beta');
    await registry.sql.run(
      sql`update person_sessions set ${change} where person_id = (select id from people where email_key = ${PEOPLE.beta[0]})`,
    );
    const { status, to } = await client.get('/console');
    expect([status, to]).toEqual([303, '/console/login?reason=ended&next=%2Fconsole']);
  });

  test('failure: tokens that were never issued', async () => {
    const cookies = ['', 'x', 'A'.repeat(43), "' or 1=1 --", '\u00e4'.repeat(3)];
    for (const value of cookies)
      expect((await visitor().get('/console', { cookie: encodeURI(`__Host-console=${value}`) })).status).toBe(
        303,
      );
  });
});

describe('a person of several registrars', () => {
  test('success: acts for one at a time, by choice', async () => {
    const { url, sql: db } = await freshRegistryForThisTest();
    await db.run(sql`
      insert into memberships (person_id, registrar_id, roles, created_at)
      select p.id, r.id, '{reader}', now() from people p, registrars r where p.email_key = ${PEOPLE.alpha[0]} and r.code = 'BETA'`);
    const client = await loggedIn(url);
    expect((await client.get('/console')).text).toMatch(/class="registrar">.*Alpha Registrar<\/p>/);
    expect((await client.post('/console/registrar', { registrar: 'BETA' })).to).toBe(
      '/console?notice=registrarChanged',
    );
    expect((await client.get('/console')).text).toMatch(/class="registrar">.*Beta Registrar<\/p>/);
    expect((await client.post('/console/registrar', { registrar: 'POOR' })).status).toBe(404);
  });

  test('success: in Estonian from the next page on', async () => {
    const client = await loggedIn(registry.url, 'reader');
    await client.post('/console/language', { language: 'et' });
    expect((await client.get('/console')).text).toContain('<html lang="et">');
    expect((await client.post('/console/language', { language: 'de' })).status).toBe(404);
  });
});

test('failure: during maintenance it says so', async () => {
  const { url, sql: db } = await freshRegistryForThisTest();
  const client = await loggedIn(url);
  await db.run(sql`update installation set maintenance_since = now(), maintenance_reason = 'test'`);
  await expect.poll(async () => (await client.get('/console')).status).toBe(503);
  expect((await client.get('/console')).text).toContain('under maintenance');
});
