import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestPage } from '../../../src/doors/pages/confirmation/confirmation-page.ts';
import { ee } from '../../../src/policy/ee.ts';
import { alpha, type Client } from '../../support/client.ts';
import { moveClock } from '../../support/life.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { askForDeletion, askForNewRegistrant, messagesAbout } from '../../support/requests.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

type Sent = { readonly headers?: Record<string, string>; readonly body?: string | URLSearchParams };
const send = (link: string, method = 'GET', { headers = {}, body }: Sent = {}) =>
  fetch(link, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
const decide = (link: string, decision: string, headers: Record<string, string> = {}) =>
  send(link, 'POST', { body: new URLSearchParams({ decision }), headers });
const textOf = async (link: string, headers?: Record<string, string>) =>
  (await send(link, 'GET', headers && { headers })).text();
const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;
const tokenOf = (link: string) => link.split('/').at(-1) ?? '';
const unknownLink = (url: string) => `${url}/confirm/${'A'.repeat(43)}`;
const heading = (text: string) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];

describe('opening the link', () => {
  test('success: GET and HEAD show the request and decide nothing, with any query string', async () => {
    const { domain, link } = await askForNewRegistrant(client);
    for (const method of ['GET', 'HEAD'])
      for (const query of ['', '?lang=en', '?decision=confirm', '?decision=reject&lang=et'])
        expect((await send(`${link}${query}`, method)).status).toBe(200);
    const page = await textOf(`${link}?lang=en`);
    for (const words of [domain, 'Alpha Registrar', 'Mari Maasikas', 'Jaan Jõgi'])
      expect(page).toContain(words);
    expect(page.match(/<button/g)).toHaveLength(2);
    expect(page).toContain('<form class="decision" method="post">');
    expect((await read(domain)).statuses).toHaveProperty('pendingUpdate');
    expect(await messagesAbout(client, domain)).toEqual([]);
  });

  test('success: times are those of the registry’s zone', async () => {
    const { link } = await askForDeletion(client);
    const page = await textOf(`${link}?lang=en`);
    const times = Array.from(page.matchAll(/<time datetime="([^"]+)">([^<]+)<\/time>/g));
    expect(times).toHaveLength(2);
    for (const [, iso = '', shown] of times) {
      const zoned = { timeZone: 'Europe/Tallinn', hour: '2-digit', minute: '2-digit' } as const;
      expect(shown).toContain(new Date(iso).toLocaleTimeString('en-GB', zoned));
    }
    const [asked = 0, until = 0] = times.map(([, iso = '']) => Date.parse(iso));
    expect(until - asked).toBe(48 * 3_600_000);
    expect(page).toContain('(Eastern European Time)');
  });

  test.each([
    ['', undefined, 'et'],
    ['', 'en-GB,en;q=0.9', 'en'],
    ['', 'et-EE, en;q=0.8', 'et'],
    ['', 'de, en;q=0.5, et;q=0.4', 'en'],
    ['', 'de', 'et'],
    ['', '*', 'et'],
    ['?lang=en', 'et', 'en'],
    ['?lang=et', 'en', 'et'],
    ['?lang=de', 'en', 'en'],
    ['?lang=en&lang=et', undefined, 'et'],
  ])('success: "%s" with Accept-Language %s is answered in %s', async (query, accepted, lang) => {
    const { link } = await askForDeletion(client);
    const page = await textOf(`${link}${query}`, { 'accept-language': accepted ?? '' });
    expect(page).toContain(`<html lang="${lang}">`);
    const other = lang === 'et' ? 'en' : 'et';
    expect(page).toContain(`<a href="?lang=${other}" lang="${other}" hreflang="${other}">`);
  });

  test('success: no answer is cached, and its policy allows its own form only', async () => {
    const { link } = await askForDeletion(client);
    const answers = [
      await send(link),
      await send(link, 'HEAD'),
      await send(unknownLink(registry.url)),
      await decide(link, 'maybe'),
      await send(link, 'POST', { body: '{}', headers: { 'content-type': 'application/json' } }),
      await decide(link, 'reject'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400, 415, 303]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^\S+$/);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(policy).not.toMatch(/script|unsafe|\*/);
    }
  });
});

describe('an unknown link', () => {
  test.each([
    ['of the right form', 'A'.repeat(43)],
    ['too short', 'x'],
    ['too long', 'a'.repeat(8_000)],
    ['empty', ''],
    ['with a NUL', '%00'],
    ['with a malformed escape', '%zz'],
    ['of characters beyond ASCII', 'õ'],
    ['with a further segment', 'a/b'],
    ['with a path traversal', '..%2f..%2fhealth'],
  ])('failure: a token %s', async (_what, token) => {
    const reply = await send(`${registry.url}/confirm/${token}`);
    const [page, other] = [await reply.text(), await textOf(unknownLink(registry.url))];
    expect([reply.status, heading(page)]).toEqual([404, 'Siin ei ole midagi kinnitada']);
    expect(page).toBe(other);
    expect(page).not.toContain('<form');
  });

  test('failure: no token', async () => {
    const reply = await send(`${registry.url}/confirm`);
    expect([reply.status, heading(await reply.text())]).toEqual([404, 'Siin ei ole midagi kinnitada']);
  });

  test('failure: it cannot be answered, and other methods are 404', async () => {
    const { domain, link } = await askForDeletion(client);
    expect((await decide(unknownLink(registry.url), 'confirm')).status).toBe(404);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect((await send(link, method)).status).toBe(404);
    expect((await read(domain)).statuses).toHaveProperty('pendingDeleteConfirmation');
  });
});

describe('answering', () => {
  test.each([
    ['confirm', 'update_confirmed', 'The change was confirmed.'],
    ['reject', 'update_rejected', 'The change was rejected.'],
  ])('success: %s another registrant', async (decision, type, words) => {
    const { domain, newRegistrant, link } = await askForNewRegistrant(client);
    const before = await read(domain);
    const reply = await decide(`${link}?lang=en`, decision, { 'x-request-id': `by-hand-${decision}` });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '?lang=en']);
    const after = await read(domain);
    const done = decision === 'confirm';
    expect(after.registrant.code).toBe(done ? newRegistrant : before.registrant.code);
    expect(after.transfer_code === before.transfer_code).toBe(!done);
    expect(after.statuses).not.toHaveProperty('pendingUpdate');
    expect(await messagesAbout(client, domain)).toMatchObject([{ type }]);
    const page = await textOf(`${link}?lang=en`);
    expect(page).toContain(words);
    expect(page).not.toContain('<form');
    const [history] = await registry.sql.rows(
      sql`select actor, operation from history where request_id = ${`by-hand-${decision}`}`,
    );
    expect(history).toMatchObject({ actor: 'registrant' });
  });

  test.each([
    ['confirm', 'deletion_confirmed', 'The deletion was confirmed.', ['pendingDelete', 'serverHold']],
    ['reject', 'deletion_rejected', 'The deletion was rejected.', []],
  ])('success: %s a deletion', async (decision, type, words, statuses) => {
    const { domain, link } = await askForDeletion(client);
    expect((await decide(link, decision)).headers.get('location')).toBe('?lang=et');
    const after = Object.keys((await read(domain)).statuses).filter((status) => status !== 'inactive');
    expect(after.toSorted()).toEqual(statuses.toSorted());
    expect(await messagesAbout(client, domain)).toMatchObject([{ type }]);
    expect(await textOf(`${link}?lang=en`)).toContain(words);
  });

  test('success: the charset of a form and other fields are ignored', async () => {
    const { domain, link } = await askForDeletion(client);
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    expect((await send(link, 'POST', { body: 'a=1&decision=reject', headers })).status).toBe(303);
    expect(await messagesAbout(client, domain)).toHaveLength(1);
  });

  test('success: a second answer changes nothing and is shown the first', async () => {
    const { domain, link } = await askForDeletion(client);
    await decide(link, 'reject');
    expect((await decide(link, 'confirm')).status).toBe(303);
    expect(await textOf(`${link}?lang=en`)).toContain('The deletion was rejected.');
    expect((await read(domain)).statuses).not.toHaveProperty('pendingDelete');
    expect(await messagesAbout(client, domain)).toHaveLength(1);
  });

  test('success: of many concurrent answers one counts', async () => {
    const { domain, newRegistrant, link } = await askForNewRegistrant(client);
    const replies = await Promise.all(Array.from({ length: 12 }, () => decide(link, 'confirm')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect((await read(domain)).registrant.code).toBe(newRegistrant);
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'update_confirmed' }]);
  });

  test('success: of a concurrent yes and no one counts, and all answers show which', async () => {
    const { domain, link } = await askForDeletion(client);
    await Promise.all(
      Array.from({ length: 10 }, (_, turn) => decide(link, turn % 2 === 0 ? 'confirm' : 'reject')),
    );
    const [message, ...others] = await messagesAbout(client, domain);
    expect(others).toEqual([]);
    const confirmed = message?.type === 'deletion_confirmed';
    expect('pendingDelete' in (await read(domain)).statuses).toBe(confirmed);
    expect(await textOf(`${link}?lang=en`)).toContain(confirmed ? 'was confirmed' : 'was rejected');
  });

  test('failure: a change that is no longer possible is not applied, and the page says so', async () => {
    const { domain, link } = await askForDeletion(client);
    await registry.sql.run(
      sql`update domains set statuses = statuses || '{"serverDeleteProhibited": ""}' where name = ${domain}`,
    );
    expect((await decide(link, 'confirm')).status).toBe(303);
    expect(await textOf(`${link}?lang=en`)).toContain('could not be carried out');
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'deletion_failed' }]);
  });

  test('failure: after 48 hours it is too late', async () => {
    const own = await freshRegistryForThisTest();
    const registrar = alpha(own.url);
    const { domain, link } = await askForNewRegistrant(registrar);
    await moveClock(own, { advance: 'PT48H' });
    expect((await decide(link, 'confirm')).status).toBe(303);
    expect(await textOf(`${link}?lang=en`)).toContain('The time to answer is over.');
    const { registrant, statuses } = (await registrar.get(`/domains/${domain}`)).body.data.domain;
    expect([registrant.name, 'pendingUpdate' in statuses]).toEqual(['Mari Maasikas', false]);
    expect(await messagesAbout(registrar, domain)).toMatchObject([{ type: 'update_lapsed' }]);
  });
});

describe('every state of every request', () => {
  const request = {
    domain: 'õunaaed.ee',
    registrar: 'Alpha Registrar',
    registrant: 'Mari Maasikas',
    hasFurtherChanges: false,
    requestedAt: new Date('2026-07-01T09:00:00Z'),
    expiresAt: new Date('2026-07-03T09:00:00Z'),
  };
  const states = ['open', 'confirmed', 'rejected', 'lapsed', 'failed', 'withdrawn'] as const;
  const cases = (['et', 'en'] as const).flatMap((lang) =>
    states.flatMap((state) =>
      (['registrant change', 'deletion'] as const).map((kind) => ({ lang, state, kind })),
    ),
  );

  test.each(cases)('success: $kind, $state, in $lang', ({ lang, state, kind }) => {
    const newRegistrant = kind === 'deletion' ? null : 'Jaan Jõgi';
    const page = requestPage(
      { ...request, kind, state, newRegistrant },
      { lang, policy: ee, badge: undefined },
    );
    expect(page).not.toMatch(/undefined|null|NaN|\[object/);
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page.includes('<form')).toBe(state === 'open');
    expect(page.includes('class="outcome')).toBe(state !== 'open');
    // Later holders of the domain are not shown on an old link.
    expect(page.includes('Mari Maasikas')).toBe(state === 'open');
    expect(page).toContain(lang === 'et' ? '1. juuli 2026, kell 12:00' : '1 July 2026 at 12:00');
  });

  test('success: the page says that more than the registrant changes', () => {
    const open = { ...request, kind: 'registrant change', state: 'open', newRegistrant: 'Jaan' } as const;
    const pages = [true, false].map((hasFurtherChanges) =>
      requestPage({ ...open, hasFurtherChanges }, { lang: 'en', policy: ee, badge: undefined }),
    );
    expect(pages.map((page) => page.includes('further changes of the domain'))).toEqual([true, false]);
  });

  test('success: a new registrant whose contact was deleted is named by a placeholder', () => {
    const gone = { ...request, kind: 'registrant change', state: 'confirmed', newRegistrant: null } as const;
    const page = requestPage(gone, { lang: 'en', policy: ee, badge: undefined });
    expect(page).toContain('passed to <bdi>the new registrant</bdi>.');
    expect(page).not.toContain('<dt>New registrant</dt>');
  });
});

describe('a form other than that of the page', () => {
  const FORM = 'application/x-www-form-urlencoded';
  test.each([
    ['no decision', FORM, 'other=1', 400],
    ['an empty decision', FORM, 'decision=', 400],
    ['another decision', FORM, 'decision=delete', 400],
    ['another case', FORM, 'decision=Confirm', 400],
    ['two decisions', FORM, 'decision=confirm&decision=reject', 400],
    ['the same twice', FORM, 'decision=confirm&decision=confirm', 400],
    ['malformed escapes', FORM, 'decision=%zz%', 400],
    ['an empty body', FORM, '', 400],
    ['JSON', 'application/json', '{"decision":"confirm"}', 415],
    ['text', 'text/plain', 'decision=confirm', 415],
    ['parts', 'multipart/form-data; boundary=x', '--x--', 415],
    ['an unknown type', 'x', 'decision=confirm', 415],
    ['an oversized form', FORM, `decision=confirm&x=${'x'.repeat(5_000)}`, 413],
  ])('failure: %s', async (_what, type, body, status) => {
    const { domain, link } = await askForDeletion(client);
    const reply = await send(`${link}?lang=en`, 'POST', { body, headers: { 'content-type': type } });
    const page = await reply.text();
    expect([reply.status, heading(page)]).toEqual([status, 'The answer was not understood']);
    expect(page).toContain('<a href="?lang=en">Back to the request</a>');
    expect((await read(domain)).statuses).toHaveProperty('pendingDeleteConfirmation');
    expect(await messagesAbout(client, domain)).toEqual([]);
  });

  test('failure: a client that disconnects within the body decides nothing, and is logged as 499 only', async () => {
    const own = await freshRegistryForThisTest();
    const { domain, link } = await askForDeletion(alpha(own.url));
    const { port, pathname } = new URL(link);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 16\r\n\r\ndecision=confir`,
    );
    // A later answer proves that the earlier bytes have arrived.
    await once(socket, 'ready');
    expect((await fetch(`${own.url}/health`)).status).toBe(200);
    socket.destroy();
    await expect.poll(own.logged).toContain('"status":499');
    expect(own.logged()).not.toMatch(/trouble|failure/);
    expect(await messagesAbout(alpha(own.url), domain)).toEqual([]);
  });
});

describe('guessing tokens', () => {
  test('failure: an address with too many unknown links is refused for a while', async () => {
    const own = await freshRegistryForThisTest({ failuresPerMinute: 5, trustedProxies: ['127.0.0.0/8'] });
    const { domain, link } = await askForDeletion(alpha(own.url));
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const ask = (address: string, target: string) => send(target, 'GET', { headers: from(address) });
    // A link may be opened any number of times.
    for (let turn = 0; turn < 8; turn++) expect((await ask('192.0.2.1', link)).status).toBe(200);
    for (let turn = 0; turn < 4; turn++)
      expect((await ask('192.0.2.1', `${own.url}/confirm/${turn}`)).status).toBe(404);
    expect((await decide(unknownLink(own.url), 'confirm', from('192.0.2.1'))).status).toBe(404);
    const refused = await ask('192.0.2.1', link);
    expect([refused.status, heading(await refused.text())]).toEqual([429, 'Liiga palju katseid']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await decide(link, 'confirm', from('192.0.2.1'))).status).toBe(429);
    expect(await messagesAbout(alpha(own.url), domain)).toEqual([]);
    expect((await ask('192.0.2.2', link)).status).toBe(200);
  });

  test('failure: the addresses of one IPv6 network are counted together', async () => {
    const own = await freshRegistryForThisTest({ failuresPerMinute: 3, trustedProxies: ['127.0.0.0/8'] });
    const ask = (address: string) =>
      send(unknownLink(own.url), 'GET', { headers: { 'x-forwarded-for': address } });
    for (const host of [1, 2, 3]) expect((await ask(`2001:db8::${host}`)).status).toBe(404);
    expect((await ask('2001:db8::ffff:0:0:4')).status).toBe(429);
    expect((await ask('2001:db8:0:1::4')).status).toBe(404);
  });
});

describe('while the registry is unavailable', () => {
  test('failure: under maintenance nothing is shown or decided', async () => {
    const own = await freshRegistryForThisTest();
    const { link } = await askForDeletion(alpha(own.url));
    await own.sql.run(sql`update installation set maintenance_since = now()`);
    await expect.poll(async () => (await send(link)).status, NOTICED).toBe(503);
    const reply = await decide(`${link}?lang=en`, 'confirm');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '60']);
    expect(heading(await reply.text())).toBe('The registry cannot be reached at the moment');
    await own.sql.run(sql`update installation set maintenance_since = null`);
    await expect.poll(async () => (await send(link)).status, NOTICED).toBe(200);
    expect(await textOf(link)).toContain('<form');
  });

  test('failure: nor while the database is unavailable; afterwards it works again', async () => {
    const own = await freshRegistryForThisTest();
    const { link } = await askForDeletion(alpha(own.url));
    await registry.sql.script(`alter database ${own.databaseName} allow_connections false`);
    await registry.sql.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${own.databaseName}`,
    );
    for (const reply of [await send(link), await decide(link, 'confirm')]) {
      const page = await reply.text();
      expect([reply.status, heading(page)]).toEqual([503, 'Register ei ole praegu kättesaadav']);
      expect(reply.headers.get('retry-after')).toBe('60');
      expect(page).not.toMatch(/Error|at \w+ \(/);
    }
    await registry.sql.script(`alter database ${own.databaseName} allow_connections true`);
    await expect.poll(async () => (await send(link)).status, { timeout: 30_000 }).toBe(200);
    expect(own.logged()).not.toContain(tokenOf(link));
  });

  test('failure: an internal error is shown without its cause', async () => {
    const own = await freshRegistryForThisTest();
    const { link } = await askForDeletion(alpha(own.url));
    await own.sql.run(sql`alter table registrant_requests rename to elsewhere`);
    for (const reply of [await send(link), await decide(link, 'confirm')]) {
      const page = await reply.text();
      expect([reply.status, heading(page)]).toEqual([500, 'Midagi läks valesti']);
      expect(page).not.toMatch(/registrant_requests|at \w+ \(/);
    }
    expect(own.logged()).toContain('unexpected error');
    expect(own.logged()).not.toContain(tokenOf(link));
  });
});

describe('logs and metrics', () => {
  test('failure: neither log nor metrics hold the token, on any path', async () => {
    const own = await freshRegistryForThisTest();
    const { link } = await askForDeletion(alpha(own.url));
    const token = tokenOf(link);
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) await send(`${link}?lang=en`, method);
    await send(`${link}/more`);
    await send(`${own.url}/confirm/x?token=${token}`);
    await send(link, 'POST', { body: token, headers: { 'content-type': 'text/plain' } });
    await decide(link, token);
    await decide(link, 'confirm');
    await decide(link, 'confirm');
    await expect.poll(own.logged).toContain('"route":"/confirm/:token","status":303');
    const metrics = await (await fetch(own.metricsUrl)).text();
    expect(metrics).toContain('route="/confirm/:token",status="303"');
    expect(own.logged()).not.toContain(token);
    expect(metrics).not.toContain(token);
  });
});
