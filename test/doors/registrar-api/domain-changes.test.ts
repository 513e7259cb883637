import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import {
  balanceOf,
  firstFailure,
  hosts,
  KEY,
  OTHER_KEY,
  outcome,
  Registrant,
} from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { row } from '../../support/rows.ts';

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
  registry.sql`update domains set statuses = ${registry.sql.json(statuses)} where name = ${name}`;
const UPDATE_PROHIBITING = [
  ...[
    'clientUpdateProhibited',
    'serverUpdateProhibited',
    'serverObjUpdateProhibited',
    'pendingUpdate',
    'pendingDelete',
    'pendingDeleteConfirmation',
  ],
  ...['pendingCreate', 'pendingRenew', 'pendingTransfer', 'deleteCandidate'],
];

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

describe('whose domain it is', () => {
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

  test('failure: a domain that does not exist, and a name that cannot', async () => {
    for (const name of ['nothing-here.ee', 'a.b.c', '%00', 'x'.repeat(200)]) {
      expect(outcome(await client.get(`/domains/${name}`))).toEqual([404, 2303]);
      for (const [method, target, body] of changes(name, mari.code))
        expect(outcome(await client.call(method, target, { body }))).toEqual([404, 2303]);
    }
  });

  test('failure: a domain that was removed is gone for its sponsor and unknown to others', async () => {
    const name = await mari.register();
    await registry.sql`
      with gone as (delete from domains where name = ${name} returning registrar_id)
      insert into removed_objects (object_kind, name_key, registrar_id, removed_at) select 'domain', ${name}, registrar_id, now() from gone`;
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

  test.each([['serverForceDelete'], ['expired'], ['serverHold']])('success: %s does not', async (status) => {
    const name = await fullDomain();
    await setStatuses(name, { [status]: '' });
    expect(
      (await client.put(`/domains/${name}`, { domain: { transfer_code: 'new-transfer-code' } })).status,
    ).toBe(200);
  });

  test('failure: contact changes have statuses of their own', async () => {
    const name = await fullDomain();
    await setStatuses(name, { serverAdminChangeProhibited: '' });
    const add = (type: string) =>
      client.post(`/domains/${name}/contacts`, { contacts: [{ code: mari.code, type }] });
    expect(outcome(await add('admin'))).toEqual([400, 2304]);
    expect(outcome(await add('tech'))).toEqual([200, 1000]);
    await setStatuses(name, { serverTechChangeProhibited: '' });
    expect(outcome(await add('tech'))).toEqual([400, 2304]);
  });
});

describe('PUT /domains/:domain_name', () => {
  test('success: a transfer code alone', async () => {
    const name = await mari.register();
    expect(
      (await client.put(`/domains/${name}`, { domain: { transfer_code: 'chosen-by-us' } })).body.data,
    ).toEqual({ domain: { name } });
    expect((await read(name)).transfer_code).toBe('chosen-by-us');
  });

  test('success: verified changes the registrant at once, with a new transfer code', async () => {
    const name = await mari.register();
    const before = await read(name);
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    for (const verified of [true, 'true']) {
      const reply = await client.put(`/domains/${name}`, {
        domain: { registrant: { code: jaan, verified } },
      });
      expect([reply.body.message, reply.body.data]).toEqual([
        'Command completed successfully',
        { domain: { name } },
      ]);
    }
    const after = await read(name);
    expect(after.registrant.code).toBe(jaan);
    expect(after.transfer_code).not.toBe(before.transfer_code);
  });

  test('success: the same holder under another contact needs no confirmation; a chosen code wins', async () => {
    const name = await mari.register();
    const twin = await createContact(client, { name: 'Mari Abielunaine' });
    await client.put(`/domains/${name}`, {
      domain: { registrant: { code: twin }, transfer_code: 'chosen-by-us' },
    });
    expect(await read(name)).toMatchObject({ registrant: { code: twin }, transfer_code: 'chosen-by-us' });
  });

  test('success: anybody else is asked first; nothing is applied and the request is stored', async () => {
    const name = await mari.register();
    const before = await read(name);
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const reply = await client.put(`/domains/${name}`, {
      domain: { registrant: { code: jaan }, transfer_code: 'for-the-new-one' },
    });
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully; action pending',
      { domain: { name, pending: true } },
    ]);
    const after = await read(name);
    expect(after).toMatchObject({
      registrant: before.registrant,
      transfer_code: before.transfer_code,
      statuses: { inactive: '', pendingUpdate: '' },
    });
    const [request] = await registry.sql`
      select r.kind, c.code, r.new_transfer_code as "newCode", extract(epoch from lapses_at - requested_at)::int as seconds
      from registrant_requests r join domains d on d.id = r.domain_id join contacts c on c.id = r.new_registrant_id where d.name = ${name}`;
    expect(request).toEqual({
      kind: 'registrant change',
      code: jaan,
      newCode: 'for-the-new-one',
      seconds: 48 * 3600,
    });
    expect(outcome(await client.put(`/domains/${name}`, { domain: { registrant: { code: jaan } } }))).toEqual(
      [400, 2304],
    );
  });

  test('success: a dry run asks nobody; a replay says pending again', async () => {
    const name = await mari.register();
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    const body = { domain: { registrant: { code: jaan } } };
    await client.put(`/domains/${name}`, body, { headers: { 'dry-run': 'true' } });
    expect((await read(name)).statuses).toEqual({ inactive: '' });
    const headers = { 'idempotency-key': freshCode() };
    const [first, again] = [
      await client.put(`/domains/${name}`, body, { headers }),
      await client.put(`/domains/${name}`, body, { headers }),
    ];
    expect(again.text).toBe(first.text);
  });

  test('failure: an unknown registrant, one of another registrar, nothing at all', async () => {
    const name = await mari.register();
    const foreign = await createContact(beta(registry.url));
    for (const code of ['nobody', foreign]) {
      expect(
        firstFailure(await client.put(`/domains/${name}`, { domain: { registrant: { code } } })),
      ).toEqual([400, 2303, 'domain.registrant.code']);
    }
    expect(firstFailure(await client.put(`/domains/${name}`, { domain: {} }))).toEqual([400, 2003, 'domain']);
    expect(firstFailure(await client.put(`/domains/${name}`, { domain: { registrant: {} } }))).toEqual([
      400,
      2003,
      'domain.registrant.code',
    ]);
    expect(
      firstFailure(await client.put(`/domains/${name}`, { domain: { transfer_code: 'short' } })),
    ).toEqual([400, 2005, 'domain.transfer_code']);
  });

  test('failure: serverRegistrantChangeProhibited, unless the holder stays the same', async () => {
    const name = await mari.register();
    await setStatuses(name, { serverRegistrantChangeProhibited: '' });
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    expect(
      outcome(
        await client.put(`/domains/${name}`, { domain: { registrant: { code: jaan, verified: true } } }),
      ),
    ).toEqual([400, 2304]);
    expect(
      outcome(
        await client.put(`/domains/${name}`, {
          domain: { registrant: { code: await createContact(client), verified: true } },
        }),
      ),
    ).toEqual([200, 1000]);
  });

  test('failure: a disputed domain', async () => {
    const name = await mari.register();
    await registry.sql`insert into disputes (name, code, starts_at, expires_at) values (${name}, 'x', '2020-01-01', '2099-01-01')`;
    expect(await read(name)).toMatchObject({ dispute: true, statuses: { disputed: '', inactive: '' } });
    expect(
      outcome(await client.put(`/domains/${name}`, { domain: { transfer_code: 'new-transfer-code' } })),
    ).toEqual([400, 2304]);
    expect(
      outcome(await client.delete(`/domains/${name}`, { domain: { delete: { verified: true } } })),
    ).toEqual([400, 2304]);
  });
});

describe('contacts of a domain', () => {
  test('success: added, listed and removed; adding again is no failure', async () => {
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

  test('success: two from none, one more, one less, and all gone', async () => {
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

  test('failure: one alone, twelve, twice, bad names and addresses, no glue, unknown', async () => {
    const name = await mari.register({ nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') });
    expect(firstFailure(await add(await mari.register(), ...hosts('ns1.example.net')))).toEqual([
      400,
      2308,
      'nameservers',
    ]);
    expect(
      firstFailure(await add(name, ...hosts(...Array.from({ length: 10 }, (_, i) => `x${i}.example.net`)))),
    ).toEqual([400, 2308, 'nameservers']);
    expect(firstFailure(await add(name, ...hosts('ns1.EXAMPLE.net')))).toEqual([
      400,
      2302,
      'nameservers.0.hostname',
    ]);
    expect(firstFailure(await add(name, ...hosts('ns3.example.net', 'ns3.example.net')))).toEqual([
      400,
      2302,
      'nameservers.1.hostname',
    ]);
    expect(firstFailure(await add(name, ...hosts('192.0.2.1')))).toEqual([
      400,
      2005,
      'nameservers.0.hostname',
    ]);
    expect(firstFailure(await add(name, ...hosts('ab--cd.example.net')))).toEqual([
      400,
      2005,
      'nameservers.0.hostname',
    ]);
    expect(firstFailure(await add(name, { hostname: 'a.example.net', ipv6: ['::g'] }))).toEqual([
      400,
      2005,
      'nameservers.0.ipv6.0',
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
      alg: '8',
      public_key: Buffer.from(`key number ${i}`).toString('base64'),
    }));
    expect(firstFailure(await add(...many))).toEqual([400, 2004, 'dns_keys']);
    expect(firstFailure(await add({ ...KEY, public_key: 'no base64' }))).toEqual([
      400,
      2005,
      'dns_keys.0.public_key',
    ]);
    expect(firstFailure(await add({ ...OTHER_KEY, alg: '4' }))).toEqual([400, 2005, 'dns_keys.0.alg']);
    expect(firstFailure(await add({ flags: '257' }))).toEqual([400, 2003, 'dns_keys.0.protocol']);
    const unknown = await client.delete(`/domains/${name}/dnssec`, { dns_keys: [{ ...KEY, flags: '256' }] });
    expect(firstFailure(unknown)).toEqual([400, 2303, 'dns_keys.0']);
  });
});

describe('clientHold', () => {
  test('success: set twice, removed once, and no other status is lost', async () => {
    const name = await mari.register();
    await setStatuses(name, { serverHold: 'by court order', expired: '' });
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
    for (const status of ['serverHold', 'ok', 'clienthold', 'clientDeleteProhibited', 'x']) {
      expect(outcome(await client.put(`/domains/${name}/statuses/${status}`))).toEqual([400, 2306]);
      expect(outcome(await client.delete(`/domains/${name}/statuses/${status}`))).toEqual([400, 2306]);
    }
    await setStatuses(name, { serverManualInzone: '' });
    expect(outcome(await client.put(`/domains/${name}/statuses/clientHold`))).toEqual([400, 2304]);
  });
});

describe('DELETE /domains/:domain_name', () => {
  const remove = (name: string, verified: unknown, headers = {}) =>
    client.delete(`/domains/${name}`, { domain: { delete: { verified } } }, { headers });

  test('success: verified marks it for deletion; renewal brings it back', async () => {
    const name = await mari.register();
    const reply = await remove(name, true);
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully',
      { domain: { name } },
    ]);
    const gone = await read(name);
    expect(gone.statuses).toEqual({ pendingDelete: '', serverHold: '', inactive: '' });
    expect(gone.outzone_at).not.toBeNull();
    const days =
      (Date.parse(`${gone.delete_date}T00:00:00Z`) -
        Date.parse(`${gone.outzone_at.slice(0, 10)}T00:00:00Z`)) /
      86_400_000;
    expect(days).toBe(31);
    const before = await balanceOf(client);
    await client.post(`/domains/${name}/renew`, {
      renews: { period: 3, period_unit: 'm', exp_date: gone.expire_time.slice(0, 10) },
    });
    expect(await read(name)).toMatchObject({
      statuses: { inactive: '' },
      outzone_at: null,
      delete_date: null,
    });
    expect(Number(before) - Number(await balanceOf(client))).toBeCloseTo(3);
  });

  test('success: not verified asks the registrant first', async () => {
    const name = await mari.register();
    const reply = await remove(name, 'false');
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully; action pending',
      { domain: { name, pending: true } },
    ]);
    expect((await read(name)).statuses).toEqual({ pendingDeleteConfirmation: '', inactive: '' });
    const [request] =
      await registry.sql`select kind from registrant_requests r join domains d on d.id = r.domain_id where d.name = ${name}`;
    expect(request).toEqual({ kind: 'deletion' });
    expect(outcome(await remove(name, true))).toEqual([400, 2304]);
  });

  test(`failure: ${row('wrong code')} a wrong Auth-Code even from the sponsor; the right one passes`, async () => {
    const name = await mari.register();
    const { transfer_code: code } = await read(name);
    expect(firstFailure(await remove(name, true, { 'auth-code': 'wrong' }))).toEqual([
      400,
      2202,
      'Auth-Code',
    ]);
    expect((await read(name)).statuses).toEqual({ inactive: '' });
    expect(outcome(await remove(name, true, { 'auth-code': code }))).toEqual([200, 1000]);
  });

  test(`failure: ${row('too many wrong codes')} the sponsor is told once`, async () => {
    const name = await mari.register();
    for (let attempt = 0; attempt < 10; attempt++)
      await remove(name, true, { 'auth-code': `wrong ${attempt}` });
    const { transfer_code: code } = await read(name);
    expect(outcome(await remove(name, true, { 'auth-code': code }))).toEqual([429, 2502]);
    const messages = (await client.get('/registrar/notifications/all_notifications')).body.data.filter(
      ({ text }: { text: string }) => text.includes(name),
    );
    expect(messages).toMatchObject([{ type: 'wrong_codes', attached_obj_type: 'Domain' }]);
    expect(outcome(await remove(name, true))).toEqual([200, 1000]);
  });

  test.each([
    ['clientDeleteProhibited'],
    ['serverDeleteProhibited'],
    ['pendingUpdate'],
    ['pendingDelete'],
    ['pendingTransfer'],
    ['deleteCandidate'],
  ])('failure: the status %s', async (status) => {
    const name = await mari.register();
    await setStatuses(name, { [status]: '' });
    expect(outcome(await remove(name, true))).toEqual([400, 2304]);
    expect((await read(name)).statuses).toEqual({ [status]: '', inactive: '' });
  });

  test.each([
    [undefined, 'domain'],
    [{}, 'domain'],
    [{ domain: {} }, 'domain.delete'],
    [{ domain: { delete: {} } }, 'domain.delete.verified'],
    [{ domain: { delete: { verified: 'yes' } } }, 'domain.delete.verified'],
  ])('failure: %j', async (body, field) => {
    const reply = await client.delete(`/domains/${await mari.register()}`, body);
    expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([400, field]);
  });
});

describe('guessing in parallel', () => {
  test('failure: of forty wrong codes at once ten are told to be wrong, and the sponsor is told once', async () => {
    const name = await mari.register();
    const guesses = Array.from({ length: 40 }, (_, index) =>
      client.delete(
        `/domains/${name}`,
        { domain: { delete: { verified: true } } },
        { headers: { 'auth-code': `wrong ${index}` } },
      ),
    );
    const replies = await Promise.all(guesses);
    expect(replies.filter(({ body }) => body.code === 2202)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
    const messages = (await client.get('/registrar/notifications/all_notifications?limit=1000')).body.data;
    expect(messages.filter(({ text }: { text: string }) => text.includes(name))).toHaveLength(1);
  });
});

describe('a contact that a registrant is asked to accept', () => {
  test('failure: cannot be deleted while the request stands', async () => {
    const name = await mari.register();
    const jaan = await createContact(client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
    await client.put(`/domains/${name}`, { domain: { registrant: { code: jaan } } });
    expect(outcome(await client.delete(`/contacts/${jaan}`))).toEqual([400, 2305]);
  });
});
