import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identifier } from '../../../src/platform/sql/statement.ts';
import { authenticatorKeys, encryptSecret } from '../../../src/registry/people/authenticator-secrets.ts';
import { base32 } from '../../../src/registry/people/totp.ts';
import {
  ConsoleClient,
  codeNow,
  hiddenField,
  historyOf,
  loggedIn,
  PEOPLE,
  setUpApp,
  shownSecret,
} from '../../support/console.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());
beforeEach(async () => {
  await registry.sql.run(sql`update people set totp_secret = null, totp_last_step = null`);
  await registry.sql.run(sql`delete from login_steps`);
});

const [ALPHA, PASSWORD] = PEOPLE.alpha;
const visitor = () => new ConsoleClient(registry.url);

/** Logs in up to the step that asks for the code. */
async function askedForCode(client: ConsoleClient): Promise<string> {
  const { status, text, headers } = await client.post('/console/login', {
    email: ALPHA,
    password: PASSWORD,
    next: '/console/account',
  });
  expect([status, headers.getSetCookie()]).toEqual([200, []]);
  expect(text).toContain('autocomplete="one-time-code"');
  return hiddenField(text, 'step');
}
const sendCode = (client: ConsoleClient, step: string, code: string) =>
  client.post('/console/login/code', { step, code });

describe('setting up an authenticator app', () => {
  test('success: key and QR code, then ten recovery codes, once; other sessions end and this one has a new token', async () => {
    const [client, other] = [await loggedIn(registry.url), await loggedIn(registry.url)];
    const { cookie } = client;
    const begun = await client.post('/console/account/code/new', {});
    expect(shownSecret(begun.text)).toHaveLength(20);
    expect(begun.text).toMatch(/<svg class="qr" role="img"/);
    expect(begun.text).not.toMatch(/ style=/);
    const { recoveryCodes } = await setUpApp(client);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await client.get('/console/account')).text).toContain('password and code');
    expect((await client.get('/console/account/code')).text).toContain('10 unused recovery codes');
    for (const before of [cookie, other.cookie])
      expect((await visitor().get('/console', { cookie: before })).status).toBe(303);
    expect(await historyOf(registry.sql, ALPHA)).toContainEqual({
      operation: 'set up code generator',
      actor: `person:${ALPHA}`,
    });
  });

  test('failure: a wrong code, and no set-up after five of them', async () => {
    const client = await loggedIn(registry.url);
    const { text } = await client.post('/console/account/code/new', {});
    const [step, secret] = [hiddenField(text, 'step'), shownSecret(text)];
    for (let count = 0; count < 5; count += 1) {
      const wrong = await client.post('/console/account/code/confirm', { step, code: codeNow(secret, 9) });
      expect([wrong.status, wrong.text.includes('The code is wrong.')]).toEqual([400, true]);
    }
    const late = await client.post('/console/account/code/confirm', { step, code: codeNow(secret) });
    expect([late.status, late.text.includes('Begin again.')]).toEqual([400, true]);
    expect((await visitor().logIn(ALPHA, PASSWORD)).status).toBe(303);
  });

  test("failure: another person's step, an expired one, and none", async () => {
    const client = await loggedIn(registry.url);
    const { text } = await client.post('/console/account/code/new', {});
    const confirmation = { step: hiddenField(text, 'step'), code: codeNow(shownSecret(text)) };
    const confirm = (by: ConsoleClient, fields: Record<string, string> = {}) =>
      by.post('/console/account/code/confirm', { ...confirmation, ...fields });
    expect((await confirm(await loggedIn(registry.url, 'beta'))).text).toContain('Begin again.');
    expect((await confirm(client, { step: '' })).status).toBe(400);
    await registry.sql.run(sql`update login_steps set expires_at = now()`);
    expect((await confirm(client)).text).toContain('Begin again.');
    const { found } = await registry.sql.one(
      sql<{ found: number }>`select count(*) as found from people where totp_secret is not null`,
    );
    expect(found).toBe(0);
  });

  test('failure: an old login must be confirmed first, and returns to the page', async () => {
    const client = await loggedIn(registry.url);
    await setUpApp(client);
    await registry.sql.run(sql`update person_sessions set authenticated_at = now() - interval '6 minutes'`);
    for (const action of ['new', 'remove', 'recovery-codes']) {
      const { status, to } = await client.post(
        `/console/account/code/${action}`,
        {},
        { referer: `${registry.url}/console/account/code` },
      );
      expect([status, to]).toEqual([303, '/console/login?reason=stepUp&next=%2Fconsole%2Faccount%2Fcode']);
    }
    const page = await client.get('/console/login?reason=stepUp&next=%2Fconsole%2Faccount%2Fcode');
    expect(page.text).toContain('Confirm it’s you to continue.');
    expect(hiddenField(page.text, 'next')).toBe('/console/account/code');
    expect(page.text).toContain(`value="${ALPHA}"`);
  });

  test('success: it is removed, with its recovery codes', async () => {
    const client = await loggedIn(registry.url);
    const { recoveryCodes } = await setUpApp(client);
    expect((await client.post('/console/account/code/remove', {})).to).toBe(
      '/console/account?notice=codeGeneratorRemoved',
    );
    expect((await client.post('/console/account/code/remove', {})).status).toBe(404);
    expect((await visitor().logIn(ALPHA, PASSWORD)).status).toBe(303);
    const { found } = await registry.sql.one(
      sql<{ found: number }>`select count(*) as found from recovery_codes`,
    );
    expect([recoveryCodes.length, found]).toEqual([10, 0]);
  });
});

describe('logging in with a code', () => {
  test('success: password, then code, then the page that was asked for; no code twice', async () => {
    const { secret, code: first } = await setUpApp(await loggedIn(registry.url));
    const client = visitor();
    const used = await sendCode(client, await askedForCode(client), first);
    expect([used.status, used.text.includes('was used before')]).toEqual([401, true]);
    const step = await askedForCode(client);
    const code = codeNow(secret, 1);
    const { status, to } = await sendCode(client, step, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect([status, to]).toEqual([303, '/console/account']);
    expect((await client.get('/console/account')).text).toContain('password and code');
    expect((await sendCode(visitor(), step, code)).to).toContain('reason=codeExpired');
    expect((await sendCode(visitor(), await askedForCode(visitor()), code)).status).toBe(401);
  });

  test('success: a recovery code, in any spelling, works once', async () => {
    const {
      recoveryCodes: [first = '', second = ''],
    } = await setUpApp(await loggedIn(registry.url));
    const client = visitor();
    const written = first.toUpperCase().replaceAll('-', ' ');
    expect((await sendCode(client, await askedForCode(client), written)).status).toBe(303);
    expect((await client.get('/console/account')).text).toContain('password and recovery code');
    expect((await client.get('/console/account/code')).text).toContain('9 unused recovery codes');
    expect((await sendCode(visitor(), await askedForCode(visitor()), first)).status).toBe(401);
    const { text } = await client.post('/console/account/code/recovery-codes', {});
    expect(text).not.toContain(first);
    expect((await sendCode(visitor(), await askedForCode(visitor()), second)).status).toBe(401);
  });

  test('failure: five wrong codes end the login, twenty in an hour every login, and the page says why', async () => {
    const { url, sql: db } = await freshRegistryForThisTest({ failuresPerMinute: 1_000 });
    const { secret } = await setUpApp(await loggedIn(url));
    const client = new ConsoleClient(url);
    const limited = async (lang = 'en') => {
      const step = await askedForCode(client);
      return client.post(`/console/login/code?lang=${lang}`, { step, code: codeNow(secret, 1) });
    };
    let step = '';
    for (let count = 0; count < 20; count += 1) {
      if (count % 5 === 0) step = await askedForCode(client);
      expect((await sendCode(client, step, codeNow(secret, 9))).status).toBe(401);
      if (count === 4) expect((await sendCode(client, step, codeNow(secret, 1))).to).toContain('codeExpired');
    }
    expect(client.cookie).toBe('');
    const { status, text } = await limited();
    expect([status, text]).toEqual([
      429,
      expect.stringMatching(
        /Too many wrong codes were entered for your account within an hour. Try again in (59|60) minutes/,
      ),
    ]);
    expect((await limited('et')).text).toMatch(
      /liiga palju valesid koode. Proovi uuesti (59|60) minuti pärast/,
    );
    await db.run(
      sql`update login_steps set created_at = created_at - interval '1 hour' where state ? 'tries'`,
    );
    expect((await limited()).to).toBe('/console/account');
  });

  test('success: wrong codes from other addresses do not keep a person out at a known one', async () => {
    const { url } = await freshRegistryForThisTest({
      failuresPerMinute: 1_000,
      trustedProxies: ['127.0.0.0/8'],
    });
    const at = (address: string) => ({ 'x-forwarded-for': address });
    const send = async (address: string, code: string) => {
      const client = new ConsoleClient(url);
      const credentials = { email: ALPHA, password: PASSWORD };
      const { text } = await client.post('/console/login', credentials, at(address));
      const step = hiddenField(text, 'step');
      return (await client.post('/console/login/code', { step, code }, at(address))).status;
    };
    const home = new ConsoleClient(url);
    await home.post('/console/login', { email: ALPHA, password: PASSWORD }, at('192.0.2.1'));
    const { secret, recoveryCodes } = await setUpApp(home);
    const guesses = Array.from({ length: 20 }, (_, count) =>
      send(`198.51.100.${count % 2}`, codeNow(secret, 9)),
    );
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    expect(await send('203.0.113.1', codeNow(secret, 1))).toBe(429);
    expect(await send('192.0.2.1', codeNow(secret, 1))).toBe(303);
    expect(await send('192.0.2.1', recoveryCodes[0] ?? '')).toBe(303);
  });

  test('failure: wrong codes count as failed logins', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 3 });
    const { secret } = await setUpApp(await loggedIn(url));
    const client = new ConsoleClient(url);
    const step = await askedForCode(client);
    expect((await sendCode(client, step, codeNow(secret, 9))).status).toBe(401);
    expect((await sendCode(client, step, codeNow(secret, 1))).status).toBe(429);
    expect((await client.logIn(ALPHA, PASSWORD)).status).toBe(429);
  });

  test('failure: a step that expired, that is of another kind, and of a password that was changed since', async () => {
    const inside = await loggedIn(registry.url);
    const { secret } = await setUpApp(inside);
    const client = visitor();
    const expired = await askedForCode(client);
    await registry.sql.run(sql`update login_steps set expires_at = now()`);
    const foreign = hiddenField((await inside.post('/console/account/code/new', {})).text, 'step');
    const old = await askedForCode(client);
    const next = `${PASSWORD}-next`;
    await inside.post('/console/account/password', { current: PASSWORD, chosen: next, repeated: next });
    for (const step of [expired, foreign, old, '', 'x'])
      expect((await sendCode(client, step, codeNow(secret, 1))).to).toContain('reason=codeExpired');
    expect((await client.get('/console/login?reason=codeExpired')).text).toContain(
      'Start again with your password',
    );
    expect((await client.get('/console/login/code')).to).toBe('/console/login');
    await inside.post('/console/account/password', { current: next, chosen: PASSWORD, repeated: PASSWORD });
  });
});

/** Tables in which a secret is found, in any encoding. */
async function tablesWith(secret: Buffer): Promise<string[]> {
  const tables = await registry.sql.rows(sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`);
  const written = ['hex', 'base64'] as const;
  const forms = [...written.map((encoding) => secret.toString(encoding)), base32(secret)];
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await registry.sql.one(sql<{ rows: number }>`
      select count(*) as rows from ${identifier(name)} t, unnest(${forms}::text[]) form where strpos(t::text, form) > 0`);
    if (rows > 0) found.push(name);
  }
  return found;
}

describe('the stored secret', () => {
  test('success: it is nowhere in the database in clear text, neither during the set-up nor afterwards', async () => {
    const client = await loggedIn(registry.url);
    const begun = await client.post('/console/account/code/new', {});
    const secret = shownSecret(begun.text);
    expect(await tablesWith(secret)).toEqual([]);
    const step = hiddenField(begun.text, 'step');
    const done = await client.post('/console/account/code/confirm', { step, code: codeNow(secret) });
    expect([done.status, await tablesWith(secret)]).toEqual([200, []]);
    await registry.sql.run(sql`update people set totp_secret = ${secret} where email_key = ${ALPHA}`);
    expect(await tablesWith(secret)).toEqual(['people']);
    expect((await sendCode(visitor(), await askedForCode(visitor()), codeNow(secret, 1))).status).toBe(303);
    expect(await tablesWith(secret)).toEqual([]);
  });

  test('failure: one that cannot be decrypted is reported as such, and does not count as a wrong code', async () => {
    const { secret, recoveryCodes } = await setUpApp(await loggedIn(registry.url));
    const { current } = authenticatorKeys({
      consoleSecret: 'a-secret-of-others',
      consoleSecretPrevious: undefined,
    });
    const { id } = await registry.sql.one(
      sql<{ id: number }>`select id from people where email_key = ${ALPHA}`,
    );
    const foreign = current && encryptSecret(current, id, secret);
    await registry.sql.run(sql`update people set totp_secret = ${foreign ?? null} where id = ${id}`);
    const client = visitor();
    const step = await askedForCode(client);
    const refused = await sendCode(client, step, codeNow(secret, 1));
    expect([refused.status, client.cookie]).toEqual([503, '']);
    expect(refused.text).toContain(
      'The registry cannot check codes of your authenticator app at the moment.',
    );
    expect((await sendCode(client, step, recoveryCodes[0] ?? '')).status).toBe(303);
  });

  test('failure: without CONSOLE_SECRET no app can be set up', async () => {
    const { url } = await freshRegistryForThisTest({ mode: 'production', consoleSecret: undefined });
    const client = await loggedIn(url);
    const page = await client.get('/console/account/code');
    expect([page.status, page.text.includes('cannot be set up at the moment')]).toEqual([200, true]);
    expect(page.text).not.toContain('/account/code/new');
    const refused = await client.post('/console/account/code/new', {});
    expect([refused.status, refused.text.includes('cannot be set up at the moment')]).toEqual([503, true]);
    expect(shownSecret(refused.text)).toHaveLength(0);
    expect((await client.get('/console/account/passkeys')).status).toBe(200);
  });
});

describe('in production', () => {
  test('failure: a password alone leads to the set-up, and to nothing else', async () => {
    const { url } = await freshRegistryForThisTest({ mode: 'production' });
    const client = await loggedIn(url);
    for (const path of ['', '/account', '/account/password']) {
      const { status, to } = await client.get(`/console${path}`);
      expect([status, to]).toEqual([303, '/console/account/code']);
    }
    const session = await client.post('/console/account/sessions/end-others', {});
    expect([session.status, session.to]).toEqual([303, '/console/account/code']);
    expect((await client.get('/console/account/code')).text).toContain(
      'A password alone is not enough here.',
    );
    await setUpApp(client);
    expect((await client.get('/console')).status).toBe(200);
    expect((await client.get('/console/account/code')).text).not.toContain('not enough');
  });

  test('failure: a password does not replace a passkey', async () => {
    const { url, sql: db } = await freshRegistryForThisTest({ mode: 'production' });
    await db.run(sql`update people set identity = 'https://issuer.example EE1' where email_key = ${ALPHA}`);
    const client = new ConsoleClient(url);
    expect((await sendCode(client, await askedForCode(client), '123456')).status).toBe(401);
  });
});
