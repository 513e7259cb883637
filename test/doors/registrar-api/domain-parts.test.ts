import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { firstFailure, hosts, KEY, OTHER_KEY, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { setStatuses } from '../../support/statuses.ts';

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

describe('contacts of a domain', () => {
  test('success: added, listed and removed; adding twice succeeds', async () => {
    const [name, jaan] = [await mari.register(), await createContact(client)];
    const contacts = [
      { code: jaan, type: 'admin' },
      { code: jaan.toUpperCase(), type: 'tech' },
      { code: mari.code, type: 'tech' },
    ];
    for (let time = 0; time < 2; time++)
      expect((await client.post(`/domains/${name}/contacts`, { contacts })).body.data).toEqual({
        domain: { name },
      });
    expect((await client.get(`/domains/${name}/contacts`)).body.data).toEqual({
      admin_contacts: [jaan],
      tech_contacts: [mari.code, jaan],
    });
    await client.delete(`/domains/${name}/contacts`, { contacts: [{ code: jaan, type: 'tech' }] });
    expect((await client.get(`/domains/${name}/contacts`)).body.data).toEqual({
      admin_contacts: [jaan],
      tech_contacts: [mari.code],
    });
  });

  test('failure: unknown, twice, not linked, another type, an organisation as admin', async () => {
    const name = await mari.register();
    const org = await createContact(client, {
      ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    });
    const child = await createContact(client, {
      ident: { ident: '2020-01-01', ident_type: 'birthday', ident_country_code: 'US' },
    });
    const add = (...contacts: object[]) => client.post(`/domains/${name}/contacts`, { contacts });
    expect(firstFailure(await add({ code: 'nobody', type: 'tech' }))).toEqual([400, 2303, 'contacts.0']);
    expect(firstFailure(await add({ code: org, type: 'tech' }, { code: org, type: 'tech' }))).toEqual([
      400,
      2306,
      'contacts.1',
    ]);
    expect(firstFailure(await add({ code: org, type: 'admin' }))).toEqual([400, 2306, 'contacts.0']);
    expect(firstFailure(await add({ code: child, type: 'admin' }))).toEqual([400, 2304, 'contacts.0']);
    expect(firstFailure(await add({ code: org, type: 'billing' }))).toEqual([400, 2005, 'contacts.0.type']);
    expect(firstFailure(await add())).toEqual([400, 2003, 'contacts']);
    expect(
      firstFailure(
        await client.delete(`/domains/${name}/contacts`, { contacts: [{ code: org, type: 'tech' }] }),
      ),
    ).toEqual([400, 2303, 'contacts.0']);
    const many = await Promise.all(
      Array.from({ length: 11 }, async () => ({ code: await createContact(client), type: 'tech' })),
    );
    expect(firstFailure(await add(...many))).toEqual([400, 2004, 'contacts']);
  });
});

describe('nameservers of a domain', () => {
  const list = async (name: string) =>
    (await client.get(`/domains/${name}/nameservers`)).body.data.nameservers.map(
      ({ hostname }: { hostname: string }) => hostname,
    );
  const add = (name: string, ...nameservers: object[]) =>
    client.post(`/domains/${name}/nameservers`, { nameservers });

  test('success: from none to two, one added, one removed, and all removed', async () => {
    const name = await mari.register();
    await add(name, ...hosts('NS1.example.net', 'ns2.example.net'));
    expect((await read(name)).statuses).toEqual({ ok: '' });
    await add(name, { hostname: `ns3.${name}`, ipv4: ['192.0.2.3'] });
    expect(await list(name)).toEqual(['ns1.example.net', 'ns2.example.net', `ns3.${name}`]);
    await client.delete(`/domains/${name}/nameservers/NS2.EXAMPLE.NET`);
    expect(await list(name)).toEqual(['ns1.example.net', `ns3.${name}`]);
    expect(firstFailure(await client.delete(`/domains/${name}/nameservers/ns1.example.net`))).toEqual([
      400,
      2308,
      'nameservers',
    ]);
    expect((await client.delete(`/domains/${name}/nameservers`)).body.data).toEqual({ domain: { name } });
    expect((await read(name)).statuses).toEqual({ inactive: '' });
  });

  test('failure: one alone, twice, a bad name, no glue, unknown', async () => {
    const name = await mari.register({ nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') });
    expect(firstFailure(await add(await mari.register(), ...hosts('ns1.example.net')))).toEqual([
      400,
      2308,
      'nameservers',
    ]);
    expect(firstFailure(await add(name, { hostname: `ns3.${name}`, ipv4: ['127.0.0.1'] }))).toEqual([
      400,
      2005,
      'nameservers.0.ipv4.0',
    ]);
    expect(firstFailure(await add(name, ...hosts('ns1.EXAMPLE.net')))).toEqual([
      400,
      2302,
      'nameservers.0.hostname',
    ]);
    expect(firstFailure(await add(name, ...hosts('192.0.2.1')))).toEqual([
      400,
      2005,
      'nameservers.0.hostname',
    ]);
    expect(firstFailure(await add(name, ...hosts(`ns.${name}`)))).toEqual([400, 2003, 'nameservers.0']);
    expect(outcome(await client.delete(`/domains/${name}/nameservers/ns9.example.net`))).toEqual([404, 2303]);
    expect(await list(name)).toEqual(['ns1.example.net', 'ns2.example.net']);
  });
});

describe('DNSSEC keys of a domain', () => {
  test('success: added, listed as numbers and removed by all four fields', async () => {
    const name = await mari.register();
    await client.post(`/domains/${name}/dnssec`, {
      dns_keys: [KEY, { ...OTHER_KEY, flags: 256, protocol: 3, alg: 15 }],
    });
    const shown = (await client.get(`/domains/${name}/dnssec`)).body.data.dns_keys;
    expect(shown).toEqual([
      { flags: 257, protocol: 3, alg: 13, public_key: KEY.public_key },
      { flags: 256, protocol: 3, alg: 15, public_key: OTHER_KEY.public_key },
    ]);
    await client.delete(`/domains/${name}/dnssec`, { dns_keys: [KEY] });
    expect((await client.get(`/domains/${name}/dnssec`)).body.data.dns_keys).toHaveLength(1);
  });

  test('failure: twice, too many, unknown, malformed', async () => {
    const name = await mari.register({ dnskeys_attributes: [KEY] });
    const add = (...dns_keys: object[]) => client.post(`/domains/${name}/dnssec`, { dns_keys });
    expect(firstFailure(await add(KEY))).toEqual([400, 2302, 'dns_keys.0.public_key']);
    const many = Array.from({ length: 9 }, (_, i) => ({
      ...KEY,
      alg: '13',
      public_key: Buffer.alloc(64, i + 1).toString('base64'),
    }));
    expect(firstFailure(await add(...many))).toEqual([400, 2004, 'dns_keys']);
    expect(firstFailure(await add({ ...OTHER_KEY, alg: 13 }))).toEqual([400, 2005, 'dns_keys.0.public_key']);
    expect(firstFailure(await add({ ...KEY, public_key: 'no base64!' }))).toEqual([
      400,
      2005,
      'dns_keys.0.public_key',
    ]);
    expect(firstFailure(await add({ flags: '257' }))).toEqual([400, 2003, 'dns_keys.0.protocol']);
    const unknown = await client.delete(`/domains/${name}/dnssec`, { dns_keys: [{ ...KEY, flags: '256' }] });
    expect(firstFailure(unknown)).toEqual([400, 2303, 'dns_keys.0']);
  });
});

test('failure: every failed item of a list is in errors', async () => {
  const name = await mari.register();
  const nameservers = [
    { hostname: '' },
    { hostname: 'no_host.example' },
    { hostname: 'ns1.example.net', ipv4: ['x'], colour: 1 },
  ];
  const { body } = await client.post(`/domains/${name}/nameservers`, { nameservers });
  expect(
    body.errors?.map(({ code, field }: { code: number; field: string | null }) => [code, field]),
  ).toEqual([
    [2003, 'nameservers.0.hostname'],
    [2005, 'nameservers.1.hostname'],
    [2005, 'nameservers.2.ipv4.0'],
    [2005, 'nameservers.2.colour'],
  ]);
});

describe('clientHold', () => {
  test('success: set twice, removed once, and no other status is lost', async () => {
    const name = await mari.register();
    await setStatuses(registry.sql, name, { serverHold: 'by court order', expired: '' });
    for (let time = 0; time < 2; time++) {
      expect((await client.put(`/domains/${name}/statuses/clientHold`)).body.data).toEqual({
        domain: name,
        status: 'clientHold',
      });
    }
    expect((await read(name)).statuses).toEqual({
      clientHold: '',
      serverHold: 'by court order',
      expired: '',
      inactive: '',
    });
    expect((await client.delete(`/domains/${name}/statuses/clientHold`)).body.data).toEqual({});
    expect((await read(name)).statuses).toEqual({ serverHold: 'by court order', expired: '', inactive: '' });
    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([400, 2306]);
  });

  test('failure: any other status, and a hold against serverManualInzone', async () => {
    const name = await mari.register();
    for (const status of ['serverHold', 'x']) {
      expect(outcome(await client.put(`/domains/${name}/statuses/${status}`))).toEqual([400, 2306]);
      expect(outcome(await client.delete(`/domains/${name}/statuses/${status}`))).toEqual([400, 2306]);
    }
    await setStatuses(registry.sql, name, { serverManualInzone: '' });
    expect(outcome(await client.put(`/domains/${name}/statuses/clientHold`))).toEqual([400, 2304]);
    await setStatuses(registry.sql, name, { clientHold: '', serverUpdateProhibited: '' });
    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([400, 2304]);
  });
});
