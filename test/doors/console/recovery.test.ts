import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConsoleClient, historyOf, loggedIn, PEOPLE, setUpApp } from '../../support/console.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry({ trustedProxies: ['127.0.0.0/8'] });
});
afterAll(() => registry.stop());
beforeEach(async () => {
  await registry.sql.run(sql`delete from login_steps`);
  await registry.sql.run(sql`delete from mails`);
});

const [EMAIL, PASSWORD] = PEOPLE.alpha;
const NEW = 'a wholly new password';
const PATH = '/console/login/recovery';
/** Each test comes from an address of its own. */
let visitors = 0;
const visitor = (url = registry.url) => {
  visitors += 1;
  return { client: new ConsoleClient(url), from: { 'x-forwarded-for': `192.0.2.${visitors}` } };
};
const ask = async (email: string, { client, from } = visitor()) => client.post(PATH, { email }, from);
type Sent = { to: string; subject: string; text: string; links: string[] };
const mails = async (url = registry.url): Promise<Sent[]> =>
  (await (await fetch(`${url}/sandbox/mail`)).json()) as Sent[];
const received = new Set<string>();
/** The path of the newest link that somebody was sent and no test has had yet: mails are written after the answer. */
async function linkTo(email: string): Promise<string> {
  const found = async () =>
    (await mails())
      .flatMap(({ to, links }) => (to === email ? links : []))
      .find((link) => !received.has(link));
  await expect.poll(found).toBeDefined();
  const link = (await found()) ?? '';
  received.add(link);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
const set = (path: string, fields: Record<string, string> = { chosen: NEW, repeated: NEW }) =>
  new ConsoleClient(registry.url).post(path, fields);
const works = async (password: string) =>
  (await new ConsoleClient(registry.url).logIn(EMAIL, password)).status;

describe('a forgotten password', () => {
  test('success: a link by mail sets another one, once; sessions end, and the person is told', async () => {
    const session = await loggedIn(registry.url);
    const asked = await ask(` ${EMAIL.toUpperCase()} `);
    expect([asked.status, asked.text.includes('Check your email')]).toEqual([200, true]);
    const path = await linkTo(EMAIL);
    expect(path).toMatch(/^\/console\/login\/recovery\/[\w-]{43}\?lang=en$/);
    const opened = await new ConsoleClient(registry.url).get(path);
    expect([opened.status, opened.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect(await works(PASSWORD)).toBe(303);
    expect((await session.get('/console')).status).toBe(200);
    const done = await set(path);
    expect([done.status, done.to]).toEqual([303, '/console/login?reason=passwordSet&lang=en']);
    expect(done.headers.getSetCookie()).toEqual([]);
    expect((await session.get('/console')).status).toBe(303);
    expect([await works(NEW), await works(PASSWORD)]).toEqual([303, 401]);
    expect(await historyOf(registry.sql, EMAIL)).toContainEqual({
      operation: 'recover password',
      actor: `person:${EMAIL}`,
    });
    const [told] = await mails();
    expect([told?.to, told?.subject, told?.links]).toEqual([
      EMAIL,
      'Your password for the registrars’ console was changed',
      [],
    ]);
    expect((await set(path, { chosen: PASSWORD, repeated: PASSWORD })).status).toBe(404);
    await ask(EMAIL);
    expect((await set(await linkTo(EMAIL), { chosen: PASSWORD, repeated: PASSWORD })).status).toBe(303);
  });

  test('success: the second factor is asked for after it', async () => {
    const [email, password] = PEOPLE.reader;
    await setUpApp(await loggedIn(registry.url, 'reader'));
    await ask(email);
    expect((await set(await linkTo(email), { chosen: password, repeated: password })).status).toBe(303);
    const { status, text } = await new ConsoleClient(registry.url).logIn(email, password);
    expect([status, text.includes('autocomplete="one-time-code"')]).toEqual([200, true]);
    await registry.sql.run(sql`update people set totp_secret = null where email_key = ${email}`);
  });

  test('success: in the language of the person', async () => {
    const set = (language: string) =>
      registry.sql.run(sql`update people set language = ${language} where email_key = ${EMAIL}`);
    await set('et');
    await ask(EMAIL);
    expect(await linkTo(EMAIL)).toContain('?lang=et');
    expect((await mails())[0]?.subject).toBe('Uus parool registripidajate konsoolile');
    await set('en');
  });

  test('failure: an unknown and a disabled account get the same answer, and no mail', async () => {
    const [disabled] = PEOPLE.reader;
    await registry.sql.run(sql`update people set disabled_at = now() where email_key = ${disabled}`);
    const answers = [];
    for (const email of ['nobody@sandbox.example', disabled, '', 'no address', EMAIL]) {
      const { status, text } = await ask(email);
      answers.push(`${status} ${text}`);
    }
    expect(new Set(answers).size).toBe(1);
    await linkTo(EMAIL);
    expect(await mails()).toHaveLength(1);
    await registry.sql.run(sql`update people set disabled_at = null where email_key = ${disabled}`);
  });

  test('failure: the answer does not wait for what is done about it', async () => {
    const answered = await registry.sql.begin(async (db) => {
      await db.run(sql`lock table login_steps in access exclusive mode`);
      const { status } = await ask(EMAIL);
      return { status, mails: await mails() };
    });
    expect(answered).toEqual({ status: 200, mails: [] });
    await linkTo(EMAIL);
  });

  test('failure: a fourth mail to one person within an hour', async () => {
    for (let count = 1; count <= 3; count += 1) {
      await ask(EMAIL);
      await expect.poll(async () => (await mails()).length).toBe(count);
    }
    await ask(EMAIL);
    await ask(PEOPLE.beta[0]);
    await linkTo(PEOPLE.beta[0]);
    expect((await mails()).filter(({ to }) => to === EMAIL)).toHaveLength(3);
    await registry.sql.run(sql`update login_steps set created_at = created_at - interval '61 minutes'`);
    await ask(EMAIL);
    await expect.poll(async () => (await mails()).filter(({ to }) => to === EMAIL).length).toBe(4);
  });

  test('failure: too many from one address, for whatever accounts', async () => {
    const { url } = await freshRegistryForThisTest();
    const one = new ConsoleClient(url);
    for (let count = 0; count < 10; count += 1)
      expect((await one.post(PATH, { email: `nobody${count}@sandbox.example` })).status).toBe(200);
    const { status, text, headers } = await one.post(PATH, { email: EMAIL });
    expect([status, text.includes('Too many failed attempts')]).toEqual([429, true]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await mails(url)).toEqual([]);
  });
});

describe('a link that sets a password', () => {
  const link = async () => {
    await ask(EMAIL);
    return linkTo(EMAIL);
  };

  test.each([
    [{ chosen: 'short', repeated: 'short' }, 'chosen'],
    [{ chosen: NEW, repeated: 'another password' }, 'repeated'],
    [{ chosen: `${NEW}\n`, repeated: `${NEW}\n` }, 'chosen'],
    [{}, 'chosen'],
  ])('failure: %j, and the link still works', async (fields, name) => {
    const path = await link();
    const { status, text } = await set(path, fields as Record<string, string>);
    expect([status, text.includes(`id="${name}-fault"`)]).toEqual([400, true]);
    expect(text).not.toContain(NEW);
    expect((await set(path, { chosen: PASSWORD, repeated: PASSWORD })).status).toBe(303);
  });

  test('failure: after half an hour, of a disabled person, and one that never was', async () => {
    const path = await link();
    await registry.sql.run(sql`update people set disabled_at = now() where email_key = ${EMAIL}`);
    expect((await set(path)).status).toBe(404);
    await registry.sql.run(sql`update people set disabled_at = null where email_key = ${EMAIL}`);
    await registry.sql.run(sql`update login_steps set expires_at = expires_at - interval '30 minutes'`);
    for (const other of [path, `${PATH}/${'A'.repeat(43)}`, `${PATH}/a%00b`, `${PATH}/..%2F`]) {
      expect((await new ConsoleClient(registry.url).get(other)).status).toBe(404);
      expect((await set(other)).status).toBe(404);
    }
    expect(await works(PASSWORD)).toBe(303);
  });

  test('failure: of two who send it at once only one sets the password', async () => {
    const path = await link();
    const answers = await Promise.all(
      ['first password', 'second password'].map((chosen) => set(path, { chosen, repeated: chosen })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect((await set(await link(), { chosen: PASSWORD, repeated: PASSWORD })).status).toBe(303);
  });

  test('success: another link ends with it, and so does one after a change of the password', async () => {
    const first = await link();
    await ask(EMAIL);
    await expect.poll(async () => (await mails()).length).toBe(2);
    const second = await linkTo(EMAIL);
    expect((await set(second, { chosen: PASSWORD, repeated: PASSWORD })).status).toBe(303);
    expect((await set(first)).status).toBe(404);
  });

  test('failure: a form of another site, and the token is stored as its hash', async () => {
    const path = await link();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const form = { chosen: NEW, repeated: NEW };
    expect((await new ConsoleClient(registry.url).post(path, form, headers)).status).toBe(403);
    expect((await new ConsoleClient(registry.url).post(PATH, { email: EMAIL }, headers)).status).toBe(403);
    const token = path.slice(PATH.length + 1, PATH.length + 44);
    const { rows } = await registry.sql.one(sql<{ rows: string }>`
      select string_agg(l::text, ' ') as rows from login_steps l`);
    expect(rows).not.toContain(token);
  });
});

describe('a colleague’s second factor', () => {
  const idOf = async (email: string) =>
    (await registry.sql.one(sql<{ id: number }>`select id from people where email_key = ${email}`)).id;
  const [READER, READER_PASSWORD] = PEOPLE.reader;

  async function reset(email: string, typed = email) {
    const client = await loggedIn(registry.url);
    const path = `/console/people/${await idOf(email)}/reset-factors`;
    const page = await client.get(path);
    const key = /name="key" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    return { page, answer: await client.post(path, { typed, key, step: 'confirm' }) };
  }

  test('success: an administrator resets it; sessions end, the password stays, and a mail tells the person', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    await setUpApp(reader);
    expect((await reader.get('/console/account')).text).toContain('10 unused recovery codes');
    const { page, answer } = await reset(READER);
    expect(page.text).toContain('all sessions end');
    expect(answer.to).toBe(`/console/people/${await idOf(READER)}?notice=factorsReset`);
    expect((await reader.get('/console')).status).toBe(303);
    expect((await new ConsoleClient(registry.url).logIn(READER, READER_PASSWORD)).status).toBe(303);
    expect(await historyOf(registry.sql, READER)).toContainEqual({
      operation: 'reset second factor',
      actor: `person:${EMAIL}`,
    });
    const [told] = await mails();
    expect([told?.to, told?.text.includes('Anna Alpha of Alpha Registrar')]).toEqual([READER, true]);
    const { codes } = await registry.sql.one(sql<{ codes: number }>`
      select count(*)::int as codes from recovery_codes c join people p on p.id = c.person_id where p.email_key = ${READER}`);
    expect(codes).toBe(0);
  });

  test('failure: another address typed, the own one, and of somebody who works elsewhere too', async () => {
    await setUpApp(await loggedIn(registry.url, 'reader'));
    expect((await reset(READER, EMAIL)).answer.status).toBe(400);
    const own = await reset(EMAIL);
    expect([own.answer.status, own.answer.text.includes('under My account')]).toEqual([409, true]);
    await registry.sql.run(sql`
      insert into memberships (person_id, registrar_id, roles, created_at)
      select p.id, r.id, '{reader}', now() from people p, registrars r where p.email_key = ${READER} and r.code = 'BETA'`);
    const elsewhere = await reset(READER);
    expect([elsewhere.answer.status, elsewhere.answer.text.includes('Ask the registry')]).toEqual([
      409,
      true,
    ]);
    await registry.sql.run(sql`
      delete from memberships m using people p, registrars r
      where p.id = m.person_id and r.id = m.registrar_id and p.email_key = ${READER} and r.code = 'BETA'`);
    const { has } = await registry.sql.one(sql<{ has: boolean }>`
      select totp_secret is not null as has from people where email_key = ${READER}`);
    expect(has).toBe(true);
  });

  test('failure: an old login must be confirmed first', async () => {
    const client = await loggedIn(registry.url);
    await registry.sql.run(sql`update person_sessions set authenticated_at = now() - interval '6 minutes'`);
    const { to } = await client.get(`/console/people/${await idOf(READER)}/reset-factors`);
    expect(to).toMatch(/^\/console\/login\?reason=stepUp/);
  });
});
