import { describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { newToken } from '../../../src/platform/values/token.ts';
import { addRequester } from '../../../src/registry/lookup/add-requester.ts';
import { revokeRequester } from '../../../src/registry/lookup/revoke-requester.ts';
import { alpha } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { Registrant } from '../../support/domains.ts';
import { operator } from '../../support/operator.ts';
import { basic, RdapClient } from '../../support/rdap.ts';
import { PERSON } from '../../support/rdap-objects.ts';
import { freshRegistryForThisTest, registryForThisTest, type TestRegistry } from '../../support/registry.ts';

const DAY_MS = 86_400_000;

async function newRequester(registry: TestRegistry, expiresAt = new Date(Date.now() + DAY_MS)) {
  const [name, token] = [freshCode(), newToken()];
  const requester = { name, token, purpose: 'a test', expiresAt };
  const addedAt = new Date(Date.now() - DAY_MS);
  await carryOut(registry.sql, addRequester, requester, operator({ now: addedAt }));
  return { name, client: new RdapClient(registry.url, `Bearer ${token}`) };
}

const requestsOf = (registry: TestRegistry, name: string) =>
  registry.sql.rows(sql<{ kind: string; asked: string; address: string; requestId: string }>`
    select q.object_kind as kind, q.object_name as asked, host(q.address) as address, q.request_id as "requestId"
    from lookup_requests q join lookup_requesters r on r.id = q.requester_id where r.name = ${name} order by q.id`);

describe('authorised requesters', () => {
  test('success: they see hidden contacts, and each query is recorded, with any outcome', async () => {
    const registry = await registryForThisTest();
    const domain = await (await Registrant.of(alpha(registry.url))).register();
    const { name, client } = await newRequester(registry);
    const { text, headers } = await client.domain(domain.toUpperCase(), {
      headers: { 'x-request-id': 'case-17' },
    });
    for (const shown of [PERSON.name, PERSON.email, PERSON.code]) expect(text).toContain(shown);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await client.domain('nobody-has-this.ee')).status).toBe(404);
    expect((await client.entity('ALPHA')).status).toBe(200);
    expect((await client.nameserver('a\0b')).status).toBe(400);
    expect((await client.domain(domain, { method: 'HEAD' })).status).toBe(200);
    expect(await requestsOf(registry, name)).toEqual([
      { kind: 'domain', asked: domain.toUpperCase(), address: '127.0.0.1', requestId: 'case-17' },
      { kind: 'domain', asked: 'nobody-has-this.ee', address: '127.0.0.1', requestId: expect.any(String) },
      { kind: 'entity', asked: 'ALPHA', address: '127.0.0.1', requestId: expect.any(String) },
      { kind: 'nameserver', asked: 'ab', address: '127.0.0.1', requestId: expect.any(String) },
      { kind: 'domain', asked: domain, address: '127.0.0.1', requestId: expect.any(String) },
    ]);
  });

  test('failure: a query that cannot be recorded is not answered', async () => {
    const registry = await freshRegistryForThisTest();
    const { client } = await newRequester(registry);
    expect((await client.entity('ALPHA')).status).toBe(200);
    await registry.sql.script('alter table lookup_requests rename to elsewhere');
    expect((await client.entity('ALPHA')).status).toBe(500);
    expect((await new RdapClient(registry.url).entity('ALPHA')).status).toBe(200);
  });

  test('failure: a token that is unknown, expired or revoked is 401', async () => {
    const registry = await registryForThisTest();
    const expired = await newRequester(registry, new Date(Date.now() + 1));
    const revoked = await newRequester(registry);
    await carryOut(registry.sql, revokeRequester, { name: revoked.name }, operator());
    const others = ['Bearer', 'Bearer x', 'Bearer õ', 'Digest x', 'x', ''].map(
      (header) => new RdapClient(registry.url, header || ' '),
    );
    for (const client of [expired.client, revoked.client, ...others])
      await expect.poll(async () => (await client.entity('ALPHA')).status).toBe(401);
    const { headers } = await expired.client.entity('ALPHA');
    expect(headers.get('www-authenticate')).toMatch(/^Basic .*, Bearer /);
  });
});

describe('registrars', () => {
  test('failure: wrong credentials are 401, a user without the right to domains 403', async () => {
    const registry = await registryForThisTest();
    const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const header of [encoded('alpha:wrong'), encoded('nobody:x'), 'Basic !', 'Basic '])
      expect((await new RdapClient(registry.url, header).entity('ALPHA')).status).toBe(401);
    expect((await new RdapClient(registry.url, basic('alpha-billing')).entity('ALPHA')).status).toBe(403);
  });
});

describe('limits', () => {
  test('failure: an address over its rate limit gets Retry-After; registrars and requesters have limits of their own', async () => {
    const registry = await freshRegistryForThisTest({ lookupsPerMinute: 3, rateLimitPerMinute: 5 });
    const rdap = new RdapClient(registry.url);
    const { client } = await newRequester(registry);
    const registrar = new RdapClient(registry.url, basic('alpha'));
    for (const name of ['a.ee', 'a_b.ee', 'b.ee']) expect((await rdap.domain(name)).status).not.toBe(429);
    for (const reply of [
      await rdap.domain('a.ee'),
      await rdap.entity('ALPHA'),
      await rdap.nameserver('a.ee'),
      await rdap.domain('a.ee', { method: 'HEAD' }),
      await new RdapClient(registry.url, 'Bearer wrong').entity('ALPHA'),
    ]) {
      expect(reply.status).toBe(429);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const open of ['/help', '/dns.json', '/']) expect((await rdap.get(open)).status).toBe(200);
    for (const each of [client, registrar]) {
      for (let count = 0; count < 5; count += 1) expect((await each.entity('ALPHA')).status).toBe(200);
      expect((await each.entity('ALPHA')).status).toBe(429);
    }
    // The registrar API has separate limits.
    expect((await alpha(registry.url).get('/accounts/balance')).status).toBe(200);
  });
});
