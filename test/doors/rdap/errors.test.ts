import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from '../../../src/app/seed.ts';
import { switchMaintenance } from '../../../src/installation/switch-maintenance.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { freshName } from '../../support/domains.ts';
import { operator } from '../../support/operator.ts';
import { RdapClient } from '../../support/rdap.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let rdap: RdapClient;
beforeAll(async () => {
  registry = await startRegistry();
  rdap = new RdapClient(registry.url);
});
afterAll(() => registry.stop());

describe('objects that do not exist', () => {
  test('failure: free, blocked, reserved, zone and foreign names have the same answer (rdap-08)', async () => {
    const free = await rdap.domain(freshName());
    expect(free.status).toBe(404);
    const names = [
      seed.blocked,
      seed.reserved.name,
      'ee',
      'com.ee',
      'EE.',
      'example.com',
      'www.example.ee',
      'example',
      'пример.рф',
      'õun.com',
      '192.0.2.1',
      'xn--80akhbyknj4f.ee',
      'ж.ee',
    ];
    for (const name of names) {
      const { status, text, headers } = await rdap.domain(name);
      expect([name, status, text]).toEqual([name, 404, free.text]);
      expect([...headers.keys()].sort()).toEqual([...free.headers.keys()].sort());
    }
  });

  test('failure: unknown nameservers (rdap-09) and entities (rdap-10) too', async () => {
    const { text } = await rdap.domain(freshName());
    for (const reply of [
      await rdap.nameserver('ns1.nobody.example'),
      await rdap.nameserver('ns1.registry.example'),
      await rdap.entity('NOBODY'),
      await rdap.entity('no such handle'),
      await rdap.entity('\0'),
      await rdap.entity('õ'),
    ])
      expect([reply.status, reply.text]).toEqual([404, text]);
  });
});

describe('invalid queries', () => {
  test.each([
    '',
    'a..ee',
    '-a.ee',
    'a_b.ee',
    'a b.ee',
    'a/b.ee',
    `${'a'.repeat(64)}.ee`,
    'xn--a.ee',
    `${'abcdefgh.'.repeat(30)}ee`,
    'a\0.ee',
    '%',
    'õ.xn--abc.ee',
    `${'õ'.repeat(600)}.ee`,
  ])('failure: %j is not a name', async (name) => {
    expect((await rdap.domain(name)).status).toBe(400);
    expect((await rdap.nameserver(name)).status).toBe(400);
  });

  test.each(['/domain', '/nowhere', '/domain/a.ee/more', '/entity', '/help/more', '//'])(
    'failure: %s is not a query',
    async (path) => {
      expect((await rdap.get(path)).status).toBe(400);
    },
  );

  test('failure: a malformed escape is not a name', async () => {
    expect((await rdap.get('/domain/%zz.ee')).status).toBe(400);
    expect((await rdap.get('/domain/%ff.ee')).status).toBe(400);
  });

  test.each([
    '/ip/192.0.2.1',
    '/ip/2001:db8::/32',
    '/autnum/64496',
    '/domains?name=a*.ee',
    '/domains',
    '/nameservers?ip=192.0.2.1',
    '/entities?fn=Mari*',
    '/entities?handle=*',
  ])('failure: %s is not offered', async (path) => {
    expect((await rdap.get(path)).status).toBe(501);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND'])(
    'failure: %s is not allowed',
    async (method) => {
      for (const path of ['/domain/a.ee', '/help', '/', '/ip/192.0.2.1', '/nowhere']) {
        const { status, headers } = await rdap.get(path, { method });
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      }
    },
  );

  test('success: a preflight of any page is answered', async () => {
    for (const path of ['/domain/a.ee', '/help', '/', '']) {
      const { status, headers } = await rdap.get(path, { method: 'OPTIONS' });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(headers.get('access-control-allow-headers')).toContain('authorization');
    }
  });
});

describe('parameters and headers', () => {
  test('success: unknown parameters and any Accept header are ignored', async () => {
    const plain = await rdap.entity('ALPHA');
    for (const accept of ['text/html', 'image/png', 'application/json;q=0', 'application/rdap+json', '']) {
      const { status, body } = await rdap.entity('ALPHA', { headers: { accept } });
      expect([status, body.handle]).toEqual([200, 'ALPHA']);
    }
    expect((await rdap.get('/entity/ALPHA?fieldSet=brief&x[]=%zz')).body.handle).toBe(plain.body.handle);
  });

  test('success: look-ups work during maintenance', async () => {
    const own = await freshRegistryForThisTest();
    const client = new RdapClient(own.url);
    await carryOut(own.sql, switchMaintenance, { isOn: true }, operator());
    await expect.poll(async () => (await fetch(`${own.url}/registry/v1/accounts/balance`)).status).toBe(503);
    expect((await client.entity('ALPHA')).status).toBe(200);
  });
});
