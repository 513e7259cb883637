import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { switchMaintenance } from '../../../src/platform/maintenance.ts';
import { newToken, tokenHash } from '../../../src/platform/values/token.ts';
import { createToken, revokeToken } from '../../../src/reservations/tokens.ts';
import { PORTAL_API, Portal } from '../../support/portal.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const TOKEN = 'portal-sandbox-token';
const PATH = `${PORTAL_API}/domain_names/Foo`;
/** A changed token is noticed by the next beat of the pulse. */
const NOTICED = { timeout: 3000 };

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

type Seen = { readonly status: number; readonly text: string; readonly headers: Record<string, string> };

async function ask(url: string, headers: Record<string, string> = {}, path = PATH): Promise<Seen> {
  const reply = await fetch(`${url}${path}`, { headers });
  const { date: _date, 'x-request-id': _id, ...steady } = Object.fromEntries(reply.headers);
  return { status: reply.status, text: await reply.text(), headers: steady };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusFor = async (token: string) => (await ask(registry.url, bearer(token))).status;
const change = () => ({ actor: 'test', at: new Date() });

describe('the token', () => {
  test('success: with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await ask(registry.url, { authorization: `${scheme} ${TOKEN}` })).status).toBe(200);
  });

  test.each([
    ['a bare token', TOKEN],
    ['Basic', `Basic ${TOKEN}`],
    ['Basic with the token as a password', `Basic ${Buffer.from(`portal:${TOKEN}`).toString('base64')}`],
    ['another scheme', `Token ${TOKEN}`],
    ['a word before it', `Bearer x ${TOKEN}`],
    ['a word behind it', `Bearer ${TOKEN} x`],
    ['the scheme alone', 'Bearer'],
    ['an empty token', 'Bearer '],
    ['half of it', 'Bearer portal-sandbox'],
    ['more than it', `Bearer ${TOKEN}s`],
    ['another case', `Bearer ${TOKEN.toUpperCase()}`],
    ['its hash', `Bearer ${tokenHash(TOKEN).toString('hex')}`],
    ['a list of tokens', `Bearer x, Bearer ${TOKEN}`],
    ['quotes', `Bearer "${TOKEN}"`],
    ['as much as a header may hold', `Bearer ${'x'.repeat(7_500)}`],
  ])('failure: 401 for %s, in the same bytes as for nothing', async (_what, authorization) => {
    const nothing = await ask(registry.url);
    expect(nothing).toMatchObject({
      status: 401,
      text: '{"error":"Unauthorized"}',
      headers: { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' },
    });
    expect(await ask(registry.url, { authorization })).toEqual(nothing);
  });

  test('failure: 401 on every path, whether there is one or not', async () => {
    for (const path of ['/reserve_domains/aaaaaaaaaa', '/long_reserve_domains_status', '/no_such_call', '/'])
      expect((await ask(registry.url, {}, PORTAL_API + path)).status).toBe(401);
    for (const path of ['/reserve_domains', '/long_reserve_domains']) {
      const reply = await fetch(`${registry.url}${PORTAL_API}${path}`, { method: 'POST', body: '{' });
      expect([reply.status, await reply.json()]).toEqual([401, { error: 'Unauthorized' }]);
    }
  });

  test('success: several are valid at once; a revoked one is out within seconds, the others stay', async () => {
    const [one, other] = [newToken(), newToken()];
    await createToken(registry.sql, { name: 'one', token: one, expiresAt: null }, change());
    await createToken(registry.sql, { name: 'other', token: other, expiresAt: null }, change());
    await expect.poll(() => statusFor(one), NOTICED).toBe(200);
    expect([await statusFor(other), await statusFor(TOKEN)]).toEqual([200, 200]);
    await revokeToken(registry.sql, 'one', change());
    await expect.poll(() => statusFor(one), NOTICED).toBe(401);
    expect([await statusFor(other), await statusFor(TOKEN)]).toEqual([200, 200]);
  });

  test('success: one that expires is out by itself', async () => {
    const token = newToken();
    const expiresAt = new Date(Date.now() + 2500);
    await createToken(registry.sql, { name: 'brief', token, expiresAt }, change());
    await expect.poll(() => statusFor(token), NOTICED).toBe(200);
    await expect.poll(() => statusFor(token), { timeout: 5000 }).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  test('success: nothing but its hash is kept', async () => {
    const [row] = await registry.sql.rows(
      sql`select to_jsonb(t)::text as text from portal_tokens t where name = 'portal'`,
    );
    expect(row?.text).not.toContain(TOKEN);
    expect(registry.logged()).not.toContain(TOKEN);
  });
});

describe('the address', () => {
  test('failure: 401 in the same bytes with the right token from elsewhere', async () => {
    const { url } = await freshRegistryForThisTest({ portalAllowedIps: ['192.0.2.0/24', '2001:db8::/32'] });
    const right = await ask(url, bearer(TOKEN));
    expect(right).toEqual(await ask(url));
    expect(right).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' });
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect((await ask(url, { ...bearer(TOKEN), [header]: '192.0.2.7' })).status).toBe(401);
  });

  test('failure: 401 for everybody where no address is allowed', async () => {
    const { url } = await freshRegistryForThisTest({ portalAllowedIps: [] });
    expect((await ask(url, bearer(TOKEN))).status).toBe(401);
  });

  test.each([
    ['192.0.2.7', 200],
    ['::ffff:192.0.2.7', 200],
    ['2001:db8::17', 200],
    ['198.51.100.1, 192.0.2.7', 200],
    ['192.0.2.7, 198.51.100.1', 401],
    ['198.51.100.1', 401],
    ['2001:db9::17', 401],
    ['nonsense', 401],
  ])('success: behind a trusted proxy that names %s: %i', async (forwarded, status) => {
    const { url } = await freshRegistryForThisTest({
      portalAllowedIps: ['192.0.2.0/24', '2001:db8::/32'],
      trustedProxies: ['127.0.0.0/8'],
    });
    const headers = { ...bearer(TOKEN), 'x-forwarded-for': forwarded };
    expect((await ask(url, headers)).status).toBe(status);
  });
});

describe('limits', () => {
  const tooMany = { status: 429, text: '{"error":"Too many requests"}' };

  test('failure: 429 for more requests per minute than the token may make; others go on', async () => {
    const { url, sql: db } = await freshRegistryForThisTest({ portalRequestsPerMinute: 3 });
    const other = newToken();
    await createToken(db, { name: 'other', token: other, expiresAt: null }, change());
    for (let sent = 0; sent < 3; sent++) expect((await ask(url, bearer(TOKEN))).status).toBe(200);
    const refused = await ask(url, bearer(TOKEN));
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    await expect.poll(async () => (await ask(url, bearer(other))).status, NOTICED).toBe(200);
  });

  test('failure: 429 for more failures than an address may make, also with a token that is right', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 2 });
    for (const token of ['wrong', 'wronger']) expect((await ask(url, bearer(token))).status).toBe(401);
    expect(await ask(url, bearer('wrongest'))).toMatchObject(tooMany);
    expect(await ask(url, bearer(TOKEN))).toMatchObject(tooMany);
  });

  test('failure: 429 for the failures of one IPv6 network together; another network goes on', async () => {
    const settings = {
      failuresPerMinute: 2,
      trustedProxies: ['127.0.0.0/8'],
      portalAllowedIps: ['2001:db8::/32'],
    };
    const { url } = await freshRegistryForThisTest(settings);
    const from = (address: string, token: string) =>
      ask(url, { ...bearer(token), 'x-forwarded-for': address });
    for (const address of ['2001:db8::1', '2001:db8::2:0:0:1'])
      expect((await from(address, 'wrong')).status).toBe(401);
    expect(await from('2001:db8::3', TOKEN)).toMatchObject(tooMany);
    expect((await from('2001:db8:0:1::3', TOKEN)).status).toBe(200);
  });

  test('success: who came in before is not shut out by the failures of another at the same address', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 2 });
    expect((await ask(url, bearer(TOKEN))).status).toBe(200);
    for (const status of [401, 401, 429, 429]) expect((await ask(url, bearer('wrong'))).status).toBe(status);
    expect((await ask(url, bearer(TOKEN))).status).toBe(200);
  });

  test('failure: 429 for a token that asks for too many reservations that nobody has', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 3 });
    const portal = new Portal(url);
    const { body } = await portal.post('/reserve_domains', { domain_names: ['arvatav.ee'] });
    const known = `/reserve_domains/${body.user_unique_id}`;
    expect((await portal.get(known)).status).toBe(200);
    const guesses = [
      '/reserve_domains/aaaaaaaaaa',
      '/reserve_domains/short',
      '/long_reserve_domains_status?invoice_number=1&user_unique_id=aaaaaaaaaa',
    ];
    for (const path of guesses) expect((await portal.get(path)).status).toBe(404);
    for (const path of [...guesses, known]) {
      const reply = await portal.get(path);
      expect([reply.status, reply.body]).toEqual([429, { error: 'Too many requests' }]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await portal.get('/domain_names/Foo')).status).toBe(200);
  });
});

describe('when nothing can be served', () => {
  test('failure: 503 in maintenance, before any authentication', async () => {
    const { url, sql: db } = await freshRegistryForThisTest();
    await switchMaintenance(db, { since: new Date(), reason: null });
    await expect.poll(async () => (await ask(url)).status, NOTICED).toBe(503);
    expect(await ask(url, bearer(TOKEN))).toMatchObject({
      status: 503,
      text: '{"error":"Service unavailable"}',
      headers: { 'retry-after': '1' },
    });
  });

  test('failure: 500 tells the request and nothing else', async () => {
    const { url, sql: db, logged } = await freshRegistryForThisTest();
    await db.run(sql`alter table blocked_names rename to hidden_names`);
    const reply = await new Portal(url).get('/domain_names/Foo');
    expect([reply.status, reply.body]).toEqual([
      500,
      { error: `Internal error, request ${reply.headers.get('x-request-id')}` },
    ]);
    expect(logged()).toContain('unexpected error');
  });
});

test('success: the billing API beside it is as it was', async () => {
  const reply = await fetch(`${registry.url}/api/v1/invoices/1`, { headers: bearer(TOKEN) });
  expect([reply.status, await reply.json()]).toEqual([401, { message: 'Access denied', code: '403' }]);
});
