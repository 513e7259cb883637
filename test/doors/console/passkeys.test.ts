import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator, type AuthenticatorFaults } from '../../support/authenticator.ts';
import {
  type ConsoleAnswer,
  ConsoleClient,
  hiddenField,
  historyOf,
  loggedIn,
  PEOPLE,
} from '../../support/console.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let origin: string;
beforeAll(async () => {
  registry = await startRegistry();
  origin = registry.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => registry.stop());
beforeEach(() => registry.sql.run(sql`delete from passkeys`));

const [ALPHA, PASSWORD] = PEOPLE.alpha;
const visitor = () => new ConsoleClient(registry.url);

/** The options that the page passes to the browser. */
function askedOptions({ text }: ConsoleAnswer) {
  const [, options = ''] = /data-options="([^"]*)"/.exec(text) ?? [];
  return JSON.parse(options.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

async function addPasskey(
  client: ConsoleClient,
  authenticator = new Authenticator(origin),
  faults: AuthenticatorFaults = {},
): Promise<ConsoleAnswer & { readonly authenticator: Authenticator }> {
  const page = await client.post('/console/account/passkeys/new', { name: 'Laptop' });
  expect(page.status).toBe(200);
  const response = authenticator.create(askedOptions(page), faults);
  const step = hiddenField(page.text, 'step');
  const answer = await client.post('/console/account/passkeys/add', { step, name: 'Laptop', response });
  return { ...answer, authenticator };
}

async function asked(client: ConsoleClient) {
  const page = await client.post('/console/login/passkey', { next: '/console/account' });
  expect(page.status).toBe(200);
  return { options: askedOptions(page), step: hiddenField(page.text, 'step') };
}
const send = (client: ConsoleClient, step: string, response: string) =>
  client.post('/console/login/passkey/answer', { step, response });

async function logIn(authenticator: Authenticator, faults: AuthenticatorFaults = {}) {
  const client = visitor();
  const { options, step } = await asked(client);
  return { client, answer: await send(client, step, authenticator.get(options, faults)) };
}

describe('a passkey', () => {
  test('success: it is added, with recovery codes, logs in, and is removed', async () => {
    await registry.sql.run(sql`delete from recovery_codes`);
    const inside = await loggedIn(registry.url);
    const { cookie } = inside;
    const { text, authenticator } = await addPasskey(inside);
    expect(text.match(/\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b/g)).toHaveLength(10);
    expect((await visitor().get('/console', { cookie })).status).toBe(303);
    expect((await inside.get('/console/account/passkeys')).text).toContain('Laptop');
    const { client, answer } = await logIn(authenticator);
    expect([answer.status, answer.to]).toEqual([303, '/console/account']);
    expect((await client.get('/console/account')).text).toContain('passkey');
    const id = hiddenField((await client.get('/console/account/passkeys')).text, 'passkey');
    const otherPerson = await loggedIn(registry.url, 'beta');
    for (const other of [id, '', 'x', '0'])
      expect((await otherPerson.post('/console/account/passkeys/remove', { passkey: other })).status).toBe(
        404,
      );
    expect((await client.post('/console/account/passkeys/remove', { passkey: id })).to).toBe(
      '/console/account/passkeys?notice=passkeyRemoved',
    );
    expect((await logIn(authenticator)).answer.status).toBe(401);
    const operations = (await historyOf(registry.sql, ALPHA)).map(({ operation }) => operation);
    expect(operations).toEqual(
      expect.arrayContaining(['add passkey', 'issue recovery codes', 'log in by passkey', 'remove passkey']),
    );
  });

  test('success: discoverable, with user verification, for this host, and one per device', async () => {
    const client = await loggedIn(registry.url);
    await addPasskey(client);
    const options = askedOptions(await client.post('/console/account/passkeys/new', { name: '' }));
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(options.excludeCredentials).toHaveLength(1);
    expect((await asked(visitor())).options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
    });
  });

  test.each<[string, AuthenticatorFaults]>([
    ['for another challenge', { challenge: 'AAAA' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['that verified no user', { flags: 0x41 }],
    ['that is a login', { type: 'webauthn.get' }],
    ['with an RSA key of more than 8,192 bits', { modulusBytes: 1_025 }],
    ['with an id of more than 1,023 bytes', { idBytes: 1_024 }],
  ])('failure: one %s is not added', async (_what, faults) => {
    const { status, text } = await addPasskey(await loggedIn(registry.url), undefined, faults);
    expect([status, text.includes('was not accepted')]).toEqual([400, true]);
  });

  test.each<[string, AuthenticatorFaults]>([
    ['an RSA key of 8,192 bits', { modulusBytes: 1_024 }],
    ['an id of 1,023 bytes', { idBytes: 1_023 }],
  ])('success: one with %s is added', async (_what, faults) => {
    expect((await addPasskey(await loggedIn(registry.url), undefined, faults)).status).toBeLessThan(400);
  });

  test.each<[string, unknown, readonly string[]]>([
    ['known ones', ['hybrid', 'usb'], ['usb', 'hybrid']],
    ['unknown and repeated ones', ['usb', 'usb', 'pigeon', 1, null, ['nfc']], ['usb']],
    ['text that cannot be stored', ['\0', '\ud800'], []],
    ['an object', { usb: true }, []],
    ['a text', 'usb', []],
    ['a number', 1, []],
  ])('success: of the transports those of WebAuthn are stored: %s', async (_what, transports, stored) => {
    const { status } = await addPasskey(await loggedIn(registry.url), undefined, { transports });
    expect(status).toBeLessThan(400);
    expect(await registry.sql.rows(sql`select transports from passkeys`)).toEqual([{ transports: stored }]);
  });

  test("failure: a response that is replayed, late, or to another person's challenge", async () => {
    const [client, otherPerson] = [await loggedIn(registry.url), await loggedIn(registry.url, 'beta')];
    const ask = async () => {
      const page = await client.post('/console/account/passkeys/new', { name: '' });
      const response = new Authenticator(origin).create(askedOptions(page));
      return { step: hiddenField(page.text, 'step'), response, name: '' };
    };
    const add = async (by: ConsoleClient, answer: Record<string, string>) =>
      (await by.post('/console/account/passkeys/add', answer)).status;
    expect(await add(otherPerson, await ask())).toBe(400);
    const late = await ask();
    await registry.sql.run(sql`update login_steps set expires_at = now()`);
    expect(await add(client, late)).toBe(400);
    expect(await add(client, { ...(await ask()), response: '{"id":1}' })).toBe(400);
    const answer = await ask();
    expect(await add(client, answer)).toBeLessThan(400);
    expect(await add(client, answer)).toBe(400);
  });

  test.each<[string, AuthenticatorFaults]>([
    ['for another challenge', { challenge: 'AAAA' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['that verified no user', { flags: 0x01 }],
    ['whose counter decreased', { counter: 1 }],
    ['for another person', { userHandle: 'cGVyc29uIDE' }],
    ['that is a registration', { type: 'webauthn.create' }],
  ])('failure: a signature %s does not log in', async (_what, faults) => {
    const { authenticator } = await addPasskey(await loggedIn(registry.url, 'reader'));
    const { client, answer } = await logIn(authenticator, faults);
    expect([answer.status, client.cookie]).toEqual([401, '']);
    expect(answer.text).toContain('The passkey was not accepted.');
    expect((await logIn(authenticator)).answer.status).toBe(303);
  });

  test('failure: a response that is replayed, late, without a challenge, or of a disabled person', async () => {
    const { authenticator } = await addPasskey(await loggedIn(registry.url, 'reader'));
    const client = visitor();
    const { options, step } = await asked(client);
    const response = authenticator.get(options);
    expect((await send(client, step, response)).status).toBe(303);
    expect((await send(client, step, response)).status).toBe(401);
    const late = await asked(client);
    await registry.sql.run(sql`update login_steps set expires_at = now()`);
    expect((await send(client, late.step, authenticator.get(late.options))).status).toBe(401);
    const idsOfNone = ['', 'a\0', '\0', '\ud800', 'a=', 'x'.repeat(1_365)].map((id) =>
      JSON.stringify({ id }),
    );
    for (const broken of ['', 'null', '[]', '{}', '{"id":"x"}', '{"id":"x","response":null}', ...idsOfNone])
      expect((await send(client, (await asked(client)).step, broken)).status).toBe(401);
    expect((await send(client, '', authenticator.get(options))).status).toBe(401);
    await registry.sql.run(sql`update people set disabled_at = now() where email_key = ${PEOPLE.reader[0]}`);
    expect((await logIn(authenticator)).answer.status).toBe(401);
    await registry.sql.run(sql`update people set disabled_at = null`);
  });

  test('failure: too many challenges from one address', async () => {
    const { url } = await freshRegistryForThisTest();
    const client = new ConsoleClient(url);
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1)
      statuses.add((await client.post('/console/login/passkey', {})).status);
    expect([...statuses]).toEqual([200, 429]);
  });

  test('success: in production it is a second factor by itself, and a password does not replace it', async () => {
    const { url } = await freshRegistryForThisTest({ mode: 'production' });
    const client = await loggedIn(url);
    const own = new Authenticator(url.replace('127.0.0.1', 'localhost'));
    const { text } = await addPasskey(client, own);
    const [code = ''] = text.match(/\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b/g) ?? [];
    expect((await client.get('/console')).status).toBe(200);
    const again = new ConsoleClient(url);
    const page = await again.logIn(ALPHA, PASSWORD);
    expect([page.status, again.cookie]).toEqual([200, '']);
    const step = hiddenField(page.text, 'step');
    expect((await again.post('/console/login/code', { step, code })).status).toBe(303);
  });
});
