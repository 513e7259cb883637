import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleChanges, consolePages } from '../../../src/doors/console/pages.ts';
import { FORM_TYPE } from '../../../src/doors/http/negotiation.ts';
import { ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
/** The session of tests that do not change it: a login costs a hash of the password. */
let other: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  other = await loggedIn(registry.url, 'beta');
});
afterAll(() => registry.stop());

/** A path with values in place of its parameters. */
const filled = (path: string) => `/console${path.replaceAll(/:\w+/g, 'example')}`;
const pages = consolePages.map(({ path }) => filled(path));
const changes = consoleChanges.map(({ path }) => filled(path));

describe('without a session', () => {
  test.each(pages)('failure: GET %s leads to the login', async (path) => {
    const { status, to } = await new ConsoleClient(registry.url).get(path);
    expect([status, to]).toEqual([303, `/console/login?${new URLSearchParams({ next: path })}`]);
  });

  test.each(changes)('failure: POST %s leads to the login', async (path) => {
    const { status, to } = await new ConsoleClient(registry.url).post(path, { language: 'et' });
    expect([status, to]).toEqual([303, '/console/login?next=%2Fconsole']);
  });

  test.each([...changes, '/console/nowhere'])(
    'failure: POST %s is answered before its body',
    async (path) => {
      const lines = [
        `POST ${path} HTTP/1.1`,
        'Host: a',
        'Connection: close',
        'Sec-Fetch-Site: same-origin',
        `Content-Type: ${FORM_TYPE}`,
        'Content-Length: 1000000',
      ];
      const announced = Buffer.from(`${lines.join('\r\n')}\r\n\r\na`);
      const [answer] = parseAnswers(
        await exchange(Number(new URL(registry.url).port), [announced], { silenceMs: 20_000 }),
      );
      expect(answer?.status).toBe(path === '/console/nowhere' ? 404 : 303);
    },
  );

  test.each([
    ['16 KiB', `email=${'a'.repeat(16_378)}`, 401],
    ['more', `email=${'a'.repeat(16_379)}`, 413],
    ['50 fields', 'a&'.repeat(49), 401],
    ['more', 'a&'.repeat(50), 413],
  ])('failure: a login with %s', async (_, body, status) => {
    const headers = { 'content-type': FORM_TYPE, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(new URL('/console/login', registry.url), { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  });
});

describe('forged forms', () => {
  const origins: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' }],
    ['an old browser on another site', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['a page without an origin', { 'sec-fetch-site': '', origin: 'null' }],
  ];
  test.each(changes.flatMap((path) => origins.map(([from, headers]) => [path, from, headers] as const)))(
    'failure: POST %s from %s is refused, though it has the cookie',
    async (path, _from, headers) => {
      const { status } = await other.post(path, { language: 'et', registrar: 'ALPHA' }, headers);
      expect(status).toBe(403);
      expect(await languageOf('beta')).toBe('en');
    },
  );

  test.each<[string, (own: string) => Record<string, string>]>([
    ['says nothing of where it comes from', () => ({})],
    ['comes from no page', () => ({ 'sec-fetch-site': 'none' })],
    ['comes from the other scheme', (own) => ({ origin: own.replace('http:', 'https:') })],
  ])('failure: a form that %s', async (_what, headersOf) => {
    const headers = { 'sec-fetch-site': '', ...headersOf(registry.url) };
    expect((await other.post('/console/language', { language: 'et' }, headers)).status).toBe(403);
    expect(await languageOf('beta')).toBe('en');
  });

  test('success: the form of a browser that sends only its origin', async () => {
    const headers = { 'sec-fetch-site': '', origin: registry.url };
    expect((await other.post('/console/language', { language: 'en' }, headers)).status).toBe(303);
  });

  test('failure: a log-out from another site', async () => {
    const client = await loggedIn(registry.url);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await client.post('/console/logout', {}, headers)).status).toBe(403);
    expect((await client.get('/console')).status).toBe(200);
  });

  test.each(['GET', 'HEAD'])('failure: %s changes nothing', async (method) => {
    const client = await loggedIn(registry.url, 'beta');
    for (const path of [...changes, '/console/logout']) {
      const answer = await fetch(new URL(`${path}?language=et`, registry.url), {
        method,
        redirect: 'manual',
        headers: { cookie: client.cookie },
      });
      expect(answer.status).not.toBe(500);
    }
    expect(await languageOf('beta')).toBe('en');
    expect((await client.get('/console')).status).toBe(200);
  });

  test.each([
    ['application/json', '{"language":"et"}', 415],
    ['text/plain', 'language=et', 415],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nlanguage=et\r\n--x--', 415],
    ['application/x-www-form-urlencoded', `language=${'e'.repeat(1_100_000)}`, 413],
    ['application/x-www-form-urlencoded', `language=${'e'.repeat(4_096)}`, 404],
    ['application/x-www-form-urlencoded', `language=${'e'.repeat(4_097)}`, 413],
    ['application/x-www-form-urlencoded', `a&other=${'%3C'.repeat(4_097)}`, 413],
    ['application/x-www-form-urlencoded', `${'a'.repeat(4_095)}&`.repeat(16), 404],
    ['application/x-www-form-urlencoded', `${'a'.repeat(4_095)}&`.repeat(16).concat('a'), 413],
    ['application/x-www-form-urlencoded', 'a&'.repeat(1_100), 413],
    ['application/x-www-form-urlencoded', 'a&'.repeat(1_099), 404],
    ['application/x-www-form-urlencoded', '%%%=%E0%A4%A', 404],
    ['application/x-www-form-urlencoded', 'language=et&language=et', 404],
  ])('failure: a form as %s', async (type, body, status) => {
    const { cookie } = await loggedIn(registry.url, 'beta');
    const headers = { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${registry.url}/console/language`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    expect(answer.status).toBe(status);
    expect(await languageOf('beta')).toBe('en');
  });

  test.each([
    [768 * 1024, 400],
    [768 * 1024 + 1, 413],
  ])('failure: a list of domains in a form of %d bytes', async (bytes, status) => {
    const path = '/console/bulk/renew';
    const names = 'a.ee+'.repeat(bytes / 5);
    const body = `names=${names}`.slice(0, bytes).padEnd(bytes, '+');
    const headers = { cookie: other.cookie, 'content-type': FORM_TYPE, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(new URL(path, registry.url), { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['identity', 303],
    ['gzip', 415],
    ['x', 415],
  ])('failure: a form that is encoded as %s', async (encoding, status) => {
    const headers = { 'content-encoding': encoding };
    expect((await other.post('/console/language', { language: 'en' }, headers)).status).toBe(status);
  });

  const FIELDS = [
    'email',
    'password',
    'current',
    'chosen',
    'repeated',
    'code',
    'step',
    'next',
    'name',
    'registrar',
    'language',
    'session',
    'passkey',
    'response',
    'role-admin',
    'username',
    'role-epp',
    'purpose',
    'range',
    'api-range',
    'request',
    'old',
    'url',
    'description',
    'events',
    'since',
  ];
  test.each(['/console/login', ...changes])(
    'failure: POST %s with characters that the database cannot store',
    async (path) => {
      const client = await loggedIn(registry.url);
      const form = Object.fromEntries(FIELDS.map((name) => [name, 'a\0b']));
      expect((await client.post(path, form)).status).toBeLessThan(500);
    },
  );

  test('failure: fields that the form does not have change nothing', async () => {
    const client = await loggedIn(registry.url, 'reader');
    const extra = {
      language: 'en',
      roles: 'admin',
      email: 'evil@example.com',
      person_id: '1',
      disabled_at: '',
    };
    expect((await client.post('/console/language', extra)).status).toBe(303);
    const { roles, email } = await registry.sql.one(
      sql<{ roles: string[]; email: string }>`
        select m.roles, p.email from people p join memberships m on m.person_id = p.id where p.email_key = ${PEOPLE.reader[0]}`,
    );
    expect([roles, email]).toEqual([['reader'], PEOPLE.reader[0]]);
  });
});

describe('every page', () => {
  // The forms above may have ended the session of the others.
  let visitor: ConsoleClient;
  beforeAll(async () => {
    visitor = await loggedIn(registry.url);
  });
  const PARAMETERS = [
    'registrant',
    'find',
    'name',
    'code',
    'ident',
    'who',
    'day',
    'from',
    'status',
    'list',
    'notice',
  ];
  test.each(consolePages.map(({ path }) => path))(
    'failure: %s with characters that the database cannot store',
    async (path) => {
      const nothing = `/console${path.replaceAll(/:\w+/g, '%00')}`;
      const query = new URLSearchParams(Object.fromEntries(PARAMETERS.map((name) => [name, 'a\0b'])));
      for (const asked of [nothing, `${filled(path)}?${query}`])
        expect([200, 400, 404]).toContain((await visitor.get(asked)).status);
    },
  );

  test.each(pages)('success: %s cannot be framed, cached or injected into', async (path) => {
    const { status, headers, text } = await visitor.get(path);
    expect([200, 404]).toContain(status);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(text).not.toMatch(/<script(?![^>]*src="\/console\/assets\/)|\sstyle=|\son\w+=|javascript:/i);
    expect(text).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
  });
});

describe('session fixation', () => {
  test('failure: a planted token is replaced at the login', async () => {
    const planted = '__Host-console=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const client = new ConsoleClient(registry.url);
    const [email, password] = PEOPLE.alpha;
    await client.post('/console/login', { email, password }, { cookie: planted });
    expect(client.cookie).toMatch(/^__Host-console=[\w-]{43}$/);
    expect(client.cookie).not.toBe(planted);
    expect((await new ConsoleClient(registry.url).get('/console', { cookie: planted })).status).toBe(303);
  });

  test('failure: two cookies of the same name are ignored', async () => {
    const { cookie } = await loggedIn(registry.url);
    const visitor = new ConsoleClient(registry.url);
    expect((await visitor.get('/console', { cookie: `${cookie}; __Host-console=x` })).status).toBe(303);
    expect((await visitor.get('/console', { cookie: `other=1; ${cookie}` })).status).toBe(200);
  });
});

async function languageOf(person: keyof typeof PEOPLE): Promise<string> {
  const row = await registry.sql.one(
    sql<{ language: string }>`select language from people where email_key = ${PEOPLE[person][0]}`,
  );
  return row.language;
}
