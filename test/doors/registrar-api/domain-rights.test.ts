import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../../../src/platform/sql/statement.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { hosts, KEY, OTHER_KEY, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { row } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;
const setStatuses = (name: string, statuses: Record<string, string>) =>
  registry.sql.rows(sql`update domains set statuses = ${json(statuses)} where name = ${name}`);

const UPDATE_PROHIBITING = ['serverObjUpdateProhibited'];

/** Every changing call on a domain. */
const changes = (name: string, contact: string): [string, string, object | undefined][] => [
  ['PUT', `/domains/${name}`, { domain: { transfer_code: 'new-transfer-code' } }],
  ['POST', `/domains/${name}/contacts`, { contacts: [{ code: contact, type: 'tech' }] }],
  ['DELETE', `/domains/${name}/contacts`, { contacts: [{ code: contact, type: 'admin' }] }],
  ['POST', `/domains/${name}/nameservers`, { nameservers: hosts('ns9.example.net') }],
  ['DELETE', `/domains/${name}/nameservers/ns3.example.net`, undefined],
  ['DELETE', `/domains/${name}/nameservers`, undefined],
  ['POST', `/domains/${name}/dnssec`, { dns_keys: [OTHER_KEY] }],
  ['DELETE', `/domains/${name}/dnssec`, { dns_keys: [KEY] }],
  ['PUT', `/domains/${name}/statuses/clientHold`, undefined],
];
const fullDomain = () =>
  mari.register({
    admin_contacts: [mari.code],
    nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net', 'ns3.example.net'),
    dnskeys_attributes: [KEY],
  });

describe('sponsorship', () => {
  test(`failure: ${row('domain of another registrar')} nothing of it can be changed, and its parts are not shown`, async () => {
    const name = await fullDomain();
    const before = await read(name);
    const calls = [
      ...changes(name, mari.code),
      ['DELETE', `/domains/${name}/statuses/clientHold`, undefined],
      ['DELETE', `/domains/${name}`, { domain: { delete: { verified: true } } }],
      [
        'POST',
        `/domains/${name}/renew`,
        { renews: { period: 1, period_unit: 'y', exp_date: before.expire_time.slice(0, 10) } },
      ],
      ['GET', `/domains/${name}/contacts`, undefined],
      ['GET', `/domains/${name}/nameservers`, undefined],
      ['GET', `/domains/${name}/dnssec`, undefined],
    ] as const;
    for (const [method, target, body] of calls) {
      expect([method, target, ...outcome(await beta(registry.url).call(method, target, { body }))]).toEqual([
        method,
        target,
        403,
        2201,
      ]);
    }
    expect(await read(name)).toEqual(before);
  });

  test('success: another registrar reads it without transfer code and names', async () => {
    const name = await fullDomain();
    const { domain } = (await beta(registry.url).get(`/domains/${name}`)).body.data;
    expect(domain).not.toHaveProperty('transfer_code');
    expect(domain.contacts).toEqual([{ code: mari.code, type: 'AdminDomainContact' }]);
  });

  test('failure: a domain that does not exist, and an invalid name', async () => {
    for (const name of ['nothing-here.ee', 'a.b.c', '%00', 'x'.repeat(200)]) {
      expect(outcome(await client.get(`/domains/${name}`))).toEqual([404, 2303]);
      for (const [method, target, body] of changes(name, mari.code))
        expect(outcome(await client.call(method, target, { body }))).toEqual([404, 2303]);
    }
  });

  test('failure: nothing of a domain that does not exist can be read, deleted or lifted', async () => {
    for (const part of ['contacts', 'nameservers', 'dnssec']) {
      expect(outcome(await client.get(`/domains/nothing-here.ee/${part}`))).toEqual([404, 2303]);
    }
    const deletion = { domain: { delete: { verified: true } } };
    expect(outcome(await client.delete('/domains/nothing-here.ee', deletion))).toEqual([404, 2303]);
    expect(outcome(await client.delete('/domains/nothing-here.ee/statuses/clientHold'))).toEqual([404, 2303]);
  });

  test('failure: a removed domain is 410 for its sponsor and 404 for others', async () => {
    const name = await mari.register();
    await registry.sql.run(sql`
      with gone as (delete from domains where name = ${name} returning registrar_id)
      insert into removed_objects (object_kind, name_key, registrar_id, removed_at) select 'domain', ${name}, registrar_id, now() from gone`);
    for (const target of ['', '/contacts', '/nameservers', '/dnssec'])
      expect(outcome(await client.get(`/domains/${name}${target}`))).toEqual([410, 2303]);
    for (const [method, target, body] of changes(name, mari.code))
      expect(outcome(await client.call(method, target, { body }))).toEqual([410, 2303]);
    expect(
      outcome(
        await client.post(`/domains/${name}/renew`, {
          renews: { period: 1, period_unit: 'y', exp_date: '2027-01-01' },
        }),
      ),
    ).toEqual([410, 2303]);
    expect(
      outcome(await client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } })),
    ).toEqual([410, 2303]);
    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([410, 2303]);
    expect(outcome(await beta(registry.url).get(`/domains/${name}`))).toEqual([404, 2303]);
  });

  test('success: names in paths are found in any case, trimmed, in Unicode and punycode', async () => {
    const name = await mari.register({ name: `${freshCode()}ü.ee` });
    const puny = new URL(`http://${name}`).hostname;
    for (const text of [name, name.toUpperCase(), puny, puny.toUpperCase(), `%20${name}%20`]) {
      expect((await client.get(`/domains/${text}`)).body.data.domain.name).toBe(name);
    }
  });
});

describe('what statuses forbid', () => {
  test.each(UPDATE_PROHIBITING.map((status) => [status]))(
    'failure: %s forbids every change and is not lost',
    async (status) => {
      const name = await fullDomain();
      await setStatuses(name, { [status]: 'a note' });
      for (const [method, target, body] of changes(name, mari.code)) {
        expect([method, target, ...outcome(await client.call(method, target, { body }))]).toEqual([
          method,
          target,
          400,
          2304,
        ]);
      }
      expect((await read(name)).statuses).toEqual({ [status]: 'a note' });
    },
  );

  test.each([['serverForceDelete']])('success: %s does not', async (status) => {
    const name = await fullDomain();
    await setStatuses(name, { [status]: '' });
    expect(
      (await client.put(`/domains/${name}`, { domain: { transfer_code: 'new-transfer-code' } })).status,
    ).toBe(200);
  });
});
