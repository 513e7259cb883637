import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserName } from '../../../src/doors/console/account/browser-name.ts';
import { ConsoleClient, historyOf, loggedIn, PEOPLE } from '../../support/console.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const [ALPHA, PASSWORD] = PEOPLE.alpha;

/** The ids of the sessions that the page offers to end. */
async function sessionsToEnd(client: ConsoleClient): Promise<string[]> {
  const { status, text } = await client.get('/console/account');
  expect(status).toBe(200);
  return [...text.matchAll(/name="session" value="(\d+)"/g)].map(([, id = '']) => id);
}

describe('the account page', () => {
  test('success: it shows the person and the sessions', async () => {
    const client = await loggedIn(registry.url);
    const other = new ConsoleClient(registry.url);
    await other.post('/console/login', { email: ALPHA, password: PASSWORD }, { 'user-agent': FIREFOX });
    const { text } = await client.get('/console/account');
    for (const shown of ['Anna Alpha', ALPHA, 'administrator', '127.0.0.1', 'Firefox, Linux', 'this session'])
      expect(text).toContain(shown);
    expect(text).toContain('aria-current="page"');
  });

  test('success: one session is ended, and the actor is recorded', async () => {
    const client = await loggedIn(registry.url, 'beta');
    const other = await loggedIn(registry.url, 'beta');
    const [id = ''] = await sessionsToEnd(client);
    const { to } = await client.post('/console/account/sessions/end', { session: id });
    expect(to).toBe('/console/account?notice=sessionEnded');
    expect((await other.get('/console')).status).toBe(303);
    expect((await client.get('/console')).status).toBe(200);
    expect(await historyOf(registry.sql, PEOPLE.beta[0])).toContainEqual({
      operation: 'end session',
      actor: `person:${PEOPLE.beta[0]}`,
    });
    expect((await client.post('/console/account/sessions/end', { session: id })).status).toBe(404);
  });

  test('success: all others are ended', async () => {
    const client = await loggedIn(registry.url);
    const others = [await loggedIn(registry.url), await loggedIn(registry.url)];
    const { to } = await client.post('/console/account/sessions/end-others', {});
    expect(to).toBe('/console/account?notice=otherSessionsEnded');
    for (const other of others) expect((await other.get('/console')).status).toBe(303);
    expect((await client.get(to ?? '')).text).toContain('All your other sessions have ended.');
    expect(await sessionsToEnd(client)).toEqual([]);
  });

  test("failure: another person's session, and an invalid one, are not found", async () => {
    const client = await loggedIn(registry.url);
    await loggedIn(registry.url);
    const [id = ''] = await sessionsToEnd(client);
    const otherPerson = await loggedIn(registry.url, 'reader');
    for (const session of [id, '', '0', '-1', 'x', '9'.repeat(40)])
      expect((await otherPerson.post('/console/account/sessions/end', { session })).status).toBe(404);
    expect(await sessionsToEnd(client)).toContain(id);
    expect((await client.get('/console/account/sessions/end')).status).toBe(404);
  });

  test.each([
    [
      'Edge, Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0',
    ],
    [
      'Safari, iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/26.0 Mobile Safari/604.1',
    ],
    ['curl/8.0', 'curl/8.0'],
    ['', ''],
  ])('success: a browser is called %o', (name, userAgent) => expect(browserName(userAgent)).toBe(name));
});

describe('the own password', () => {
  const CHOSEN = 'correct horse battery';
  const change = (client: ConsoleClient, fields: Record<string, string> = {}) =>
    client.post('/console/account/password', {
      current: PASSWORD,
      chosen: CHOSEN,
      repeated: CHOSEN,
      ...fields,
    });

  test('success: it is changed, the other sessions end, and only the new one logs in', async () => {
    const { url, sql: db } = await freshRegistryForThisTest();
    const [client, other] = [await loggedIn(url), await loggedIn(url)];
    expect((await client.get('/console/account/password')).text).toContain('autocomplete="new-password"');
    expect((await change(client)).to).toBe('/console/account?notice=passwordChanged');
    expect((await client.get('/console')).status).toBe(200);
    expect((await other.get('/console')).status).toBe(303);
    expect((await other.logIn(ALPHA, PASSWORD)).status).toBe(401);
    expect((await other.logIn(ALPHA, CHOSEN)).status).toBe(303);
    expect(await historyOf(db, ALPHA)).toContainEqual({
      operation: 'change password',
      actor: `person:${ALPHA}`,
    });
  });

  test.each([
    ['a wrong current one', 401, 'current', { current: 'wrong' }],
    ['none', 401, 'current', { current: '' }],
    ['one that is too short', 400, 'chosen', { chosen: 'short', repeated: 'short' }],
    ['one that is too long', 400, 'chosen', { chosen: 'x'.repeat(201), repeated: 'x'.repeat(201) }],
    [
      'one with a control character',
      400,
      'chosen',
      { chosen: `${CHOSEN}\u0007`, repeated: `${CHOSEN}\u0007` },
    ],
    ['the present one', 400, 'chosen', { chosen: PASSWORD, repeated: PASSWORD }],
    ['another repetition', 400, 'repeated', { repeated: 'something else' }],
  ])('failure: %s', async (_what, status, wrong, fields) => {
    const client = await loggedIn(registry.url);
    const answer = await change(client, fields);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('The password was not changed');
    expect(answer.text).toContain(`id="${wrong}-fault"`);
    expect(answer.text).not.toContain(CHOSEN);
    expect((await new ConsoleClient(registry.url).logIn(ALPHA, PASSWORD)).status).toBe(303);
  });

  test('failure: guesses in an open session are limited', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 3 });
    const client = await loggedIn(url);
    expect((await change(client, { current: 'a' })).status).toBe(401);
    expect((await change(client, { current: 'b' })).status).toBe(429);
  });
});
