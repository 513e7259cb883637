import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { newToken, tokenHash } from '../../../src/platform/values/token.ts';
import { createToken } from '../../../src/reservations/create-token.ts';
import { revokeToken } from '../../../src/reservations/revoke-token.ts';
import { KnownTokens } from '../../../src/reservations/tokens.ts';
import { operator } from '../../support/operator.ts';
import { PORTAL_API, Portal } from '../../support/portal.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

const TOKEN = 'portal-sandbox-token';
const PATH = `${PORTAL_API}/domain_names/Foo`;

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
const create = (name: string, token: string) =>
  carryOut(registry.sql, createToken, { name, token }, operator());

describe('the token', () => {
  test.each([
    ['another scheme', `Token ${TOKEN}`],
    ['a part of it', 'Bearer portal-sandbox'],
    ['more than it', `Bearer ${TOKEN}s`],
    ['another case', `Bearer ${TOKEN.toUpperCase()}`],
    ['its hash', `Bearer ${tokenHash(TOKEN).toString('hex')}`],
    ['a very long header', `Bearer ${'x'.repeat(7_500)}`],
  ])('failure: 401 for %s, in the same bytes as without a token', async (_what, authorization) => {
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

  test('success: several are valid at once; a revoked one is refused within seconds, the others stay valid', async () => {
    const [one, other] = [newToken(), newToken()];
    await create('one', one);
    await create('other', other);
    await expect.poll(() => statusFor(other), NOTICED).toBe(200);
    expect([await statusFor(one), await statusFor(TOKEN)]).toEqual([200, 200]);
    await carryOut(registry.sql, revokeToken, { name: 'one' }, operator());
    await expect.poll(() => statusFor(one), NOTICED).toBe(401);
    expect([await statusFor(other), await statusFor(TOKEN)]).toEqual([200, 200]);
  });

  test('success: an expired one is refused', async () => {
    const token = newToken();
    const brief = { name: 'brief', token, duration: 'PT1M' };
    const { expiresAt } = await carryOut(registry.sql, createToken, brief, operator());
    if (!expiresAt) throw new Error('it does not expire');
    let now = new Date(expiresAt.getTime() - 1);
    const tokens = new KnownTokens(registry.sql, { now: () => now });
    await tokens.refresh();
    expect(tokens.find(token)?.name).toBe('brief');
    now = expiresAt;
    expect(tokens.find(token)).toBeUndefined();
  });

  test('success: only its hash is stored', async () => {
    const [row] = await registry.sql.rows(
      sql`select to_jsonb(t)::text as text from portal_tokens t where name = 'portal'`,
    );
    expect(row?.text).not.toContain(TOKEN);
    expect(registry.logged()).not.toContain(TOKEN);
  });
});

describe('the address', () => {
  test('failure: 401 in the same bytes with the right token from another address', async () => {
    const { url } = await freshRegistryForThisTest({ portalAllowedIps: ['192.0.2.0/24', '2001:db8::/32'] });
    const right = await ask(url, bearer(TOKEN));
    expect(right).toEqual(await ask(url));
    expect(right).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' });
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect((await ask(url, { ...bearer(TOKEN), [header]: '192.0.2.7' })).status).toBe(401);
  });

  test('success: behind a trusted proxy the address that it names counts', async () => {
    const { url } = await freshRegistryForThisTest({
      portalAllowedIps: ['192.0.2.0/24', '2001:db8::/32'],
      trustedProxies: ['127.0.0.0/8'],
    });
    for (const [forwarded, status] of [
      ['192.0.2.7', 200],
      ['2001:db8::17', 200],
      ['198.51.100.1, 192.0.2.7', 200],
      ['192.0.2.7, 198.51.100.1', 401],
      ['nonsense', 401],
    ] as const) {
      const headers = { ...bearer(TOKEN), 'x-forwarded-for': forwarded };
      expect([forwarded, (await ask(url, headers)).status]).toEqual([forwarded, status]);
    }
  });
});

describe('limits', () => {
  const tooMany = { status: 429, text: '{"error":"Too many requests"}' };

  test('failure: 429 for more requests per minute than the token may make', async () => {
    const { url } = await freshRegistryForThisTest({ portalRequestsPerMinute: 3 });
    for (let sent = 0; sent < 3; sent++) expect((await ask(url, bearer(TOKEN))).status).toBe(200);
    const refused = await ask(url, bearer(TOKEN));
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('failure: 429 for more failures than an address may make, also with a valid token', async () => {
    const { url } = await freshRegistryForThisTest({ failuresPerMinute: 2 });
    for (const token of ['wrong', 'wronger']) expect((await ask(url, bearer(token))).status).toBe(401);
    expect(await ask(url, bearer('wrongest'))).toMatchObject(tooMany);
    expect(await ask(url, bearer(TOKEN))).toMatchObject(tooMany);
  });

  test('failure: 429 for a token that asks for too many unknown reservations', async () => {
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

test('success: the billing API does not accept the token', async () => {
  const reply = await fetch(`${registry.url}/api/v1/invoices/1`, { headers: bearer(TOKEN) });
  expect([reply.status, await reply.json()]).toEqual([401, { message: 'Access denied', code: '403' }]);
});
