import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, poor } from '../../support/client.ts';
import { createContact, freshCode } from '../../support/contacts.ts';
import {
  balanceOf,
  firstFailure,
  freshName,
  hosts,
  KEY,
  OTHER_KEY,
  outcome,
  Registrant,
} from '../../support/domains.ts';
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

describe('POST /domains', () => {
  test('success: a full registration, read back as the document shows it', async () => {
    const [admin, tech] = [await createContact(client), await createContact(client)];
    const name = freshName();
    const nameservers = [
      { hostname: `NS1.${name}.`, ipv4: ['192.0.2.1'], ipv6: ['2001:DB8::1'] },
      { hostname: 'ns.näide.ee' },
    ];
    const reply = await mari.try({
      name: name.toUpperCase(),
      admin_contacts: [admin],
      tech_contacts: [tech, admin],
      transfer_code: 'my own code'.replaceAll(' ', '-'),
      nameservers_attributes: nameservers,
      dnskeys_attributes: [KEY, OTHER_KEY],
    });
    expect(reply.body).toMatchObject({
      code: 1000,
      message: 'Command completed successfully',
      data: { domain: { name } },
    });
    const { domain } = (await client.get(`/domains/${name}`)).body.data;
    expect(domain).toMatchObject({
      name,
      registrant: { code: mari.code, name: 'Mari Maasikas' },
      statuses: { ok: '' },
      dispute: false,
      transfer_code: 'my-own-code',
      registrar: { name: 'Alpha Registrar', website: 'https://alpha.example' },
      outzone_at: null,
      delete_date: null,
      force_delete_date: null,
    });
    expect(domain.contacts.map(({ code, type }: { code: string; type: string }) => [code, type])).toEqual([
      [admin, 'AdminDomainContact'],
      [admin, 'TechDomainContact'],
      [tech, 'TechDomainContact'],
    ]);
    expect(domain.nameservers).toEqual([
      { id: expect.any(Number), hostname: `ns1.${name}`, ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
      { id: expect.any(Number), hostname: 'ns.näide.ee', ipv4: [], ipv6: [] },
    ]);
    expect(domain.dnssec_keys[0]).toMatchObject({
      flags: 257,
      protocol: 3,
      alg: 13,
      public_key: KEY.public_key,
    });
  });

  test('success: without nameservers a domain is inactive, without a chosen code it has 32 hex digits', async () => {
    const { domain } = (await client.get(`/domains/${await mari.register()}`)).body.data;
    expect(domain.statuses).toEqual({ inactive: '' });
    expect(domain.transfer_code).toMatch(/^[0-9a-f]{32}$/);
  });

  test('success: the DS record is computed with the name in punycode', async () => {
    const name = `${freshCode()}ä.ee`;
    await mari.register({ name, dnskeys_attributes: [KEY] });
    const [key] = await registry.sql.rows(sql<{ keyTag: number; digest: string }>`
      select k.key_tag as "keyTag", k.digest from domain_keys k join domains d on d.id = k.domain_id where d.name = ${name}`);
    expect(key).toEqual({ keyTag: 55648, digest: expect.stringMatching(/^[0-9A-F]{64}$/) });
  });

  test.each([
    [3, 'm', '3.00'],
    [6, 'm', '5.00'],
    [9, 'm', '7.00'],
    [1, 'y', '9.00'],
    [12, 'm', '9.00'],
    [2, 'y', '18.00'],
    [10, 'y', '90.00'],
  ])('success: %d%s costs %s, and a dry run says so', async (period, period_unit, price) => {
    const before = Number(await balanceOf(client)) * 100;
    const quote = await mari.try({ period, period_unit }, { 'dry-run': 'true' });
    expect(quote.body.data.dry_run.price).toBe(price);
    expect(Number(await balanceOf(client)) * 100).toBeCloseTo(before);
    await mari.register({ period, period_unit });
    expect(await balanceOf(client)).toBe(quote.body.data.dry_run.balance_after);
  });

  test('success: a reserved name with its code, which removes the reservation', async () => {
    await mari.register({ name: 'reserved.ee', reserved_pw: 'reserved-sandbox-code' });
    const rows = await registry.sql.rows(sql`select from reserved_names where name = 'reserved.ee'`);
    expect(rows).toHaveLength(0);
  });

  test('success: an expired reservation does not block a registration', async () => {
    const name = freshName();
    await registry.sql.run(
      sql`insert into reserved_names (name, code, expires_at, created_at) values (${name}, 'x', '2020-01-01', '2019-01-01')`,
    );
    await mari.register({ name });
  });

  test('success: a disputed name with its code closes the dispute', async () => {
    const name = freshName();
    await registry.sql.run(
      sql`insert into disputes (name, code, starts_at, expires_at) values (${name}, 'dispute-code', '2020-01-01', '2099-01-01')`,
    );
    expect(outcome(await mari.try({ name }))).toEqual([400, 2003]);
    await mari.register({ name, reserved_pw: 'dispute-code' });
    expect((await client.get(`/domains/${name}`)).body.data.domain.dispute).toBe(false);
  });

  test('failure: a name that exists, in Unicode or punycode, at any registrar', async () => {
    const label = `${freshCode()}õ`;
    const name = await mari.register({ name: `${label}.ee` });
    const [balance, taken] = [await balanceOf(client), await mari.try({ name: name.toUpperCase() })];
    expect(firstFailure(taken)).toEqual([400, 2302, 'domain.name']);
    const puny = new URL(`http://${name}`).hostname;
    expect(puny).toMatch(/^xn--/);
    expect(firstFailure(await mari.try({ name: puny }))).toEqual([400, 2302, 'domain.name']);
    expect(outcome(await (await Registrant.of(beta(registry.url))).try({ name }))).toEqual([400, 2302]);
    expect(await balanceOf(client)).toBe(balance);
  });

  const REFUSED: readonly [string, Record<string, unknown>, number, string][] = [
    ['a name of no zone', { name: 'example.lv' }, 2005, 'domain.name'],
    ['a name with an underscore', { name: 'a_b.ee' }, 2005, 'domain.name'],
    ['the top zone', { name: 'EE' }, 2308, 'domain.name'],
    ['a zone below it', { name: 'com.ee' }, 2308, 'domain.name'],
    ['a blocked name', { name: 'blocked.ee' }, 2308, 'domain.name'],
    ['no name', { name: undefined }, 2003, 'domain.name'],
    ['an empty name', { name: '' }, 2003, 'domain.name'],
    ['no registrant', { registrant: undefined }, 2003, 'domain.registrant'],
    ['a registrant that is an object', { registrant: { code: 'x' } }, 2005, 'domain.registrant'],
    ['an unknown registrant', { registrant: 'nobody' }, 2303, 'domain.registrant'],
    ['no period', { period: undefined }, 2003, 'domain.period'],
    ['a period that is a text', { period: '1' }, 2005, 'domain.period'],
    ['a period of one and a half', { period: 1.5 }, 2005, 'domain.period'],
    ['an empty unit', { period_unit: '' }, 2003, 'domain.period_unit'],
    ['a unit that is null', { period_unit: null }, 2003, 'domain.period_unit'],
    ['a unit of days', { period_unit: 'd' }, 2005, 'domain.period_unit'],
    ['a period without a price', { period: 11 }, 2104, 'domain.period'],
    ['a transfer code of 7 characters', { transfer_code: '1234567' }, 2005, 'domain.transfer_code'],
    [
      'one nameserver',
      { nameservers_attributes: hosts('ns1.example.net') },
      2308,
      'domain.nameservers_attributes',
    ],
    [
      'a nameserver twice',
      { nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net', 'NS1.example.net.') },
      2302,
      'domain.nameservers_attributes.2.hostname',
    ],
    [
      'a nameserver with a bad name',
      { nameservers_attributes: hosts('ns1.example.net', 'ns_2.example.net') },
      2005,
      'domain.nameservers_attributes.1.hostname',
    ],
    [
      'a nameserver without a name',
      { nameservers_attributes: [{ ipv4: [] }, { hostname: 'a.example.net' }] },
      2003,
      'domain.nameservers_attributes.0.hostname',
    ],
    [
      'addresses that are not a list',
      {
        nameservers_attributes: [
          { hostname: 'a.example.net', ipv4: '192.0.2.1' },
          { hostname: 'b.example.net' },
        ],
      },
      2005,
      'domain.nameservers_attributes.0.ipv4',
    ],
    ['a key twice', { dnskeys_attributes: [KEY, KEY] }, 2302, 'domain.dnskeys_attributes.1.public_key'],
    [
      'ten keys',
      {
        dnskeys_attributes: Array.from({ length: 10 }, (_, i) => ({
          ...KEY,
          alg: '13',
          public_key: Buffer.alloc(64, i + 1).toString('base64'),
        })),
      },
      2004,
      'domain.dnskeys_attributes',
    ],
    [
      'a truncated key',
      { dnskeys_attributes: [{ ...KEY, public_key: KEY.public_key.slice(4) }] },
      2005,
      'domain.dnskeys_attributes.0.public_key',
    ],
    ['a member that the document does not know', { legal_document: {} }, 2005, 'domain.legal_document'],
  ];
  test.each(REFUSED)('failure: %s', async (_what, changes, code, field) => {
    const before = await balanceOf(client);
    const reply = await mari.try(changes);
    expect(firstFailure(reply)).toEqual([400, code, field]);
    expect(await balanceOf(client)).toBe(before);
  });

  test(`failure: ${row('object named in the body')} a contact of another registrar does not exist`, async () => {
    const foreign = await createContact(beta(registry.url));
    expect(firstFailure(await mari.try({ registrant: foreign }))).toEqual([400, 2303, 'domain.registrant']);
    expect(firstFailure(await mari.try({ tech_contacts: [foreign] }))).toEqual([
      400,
      2303,
      'domain.tech_contacts.0',
    ]);
  });

  test('failure: a host below the domain needs an address', async () => {
    const name = freshName();
    const reply = await mari.try({ name, nameservers_attributes: hosts(`ns1.${name}`, 'ns.example.net') });
    expect(firstFailure(reply)).toEqual([400, 2003, 'domain.nameservers_attributes.0']);
  });

  test('failure: admins are adult persons, none twice', async () => {
    const org = await createContact(client, {
      ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    });
    const child = await createContact(client, {
      ident: { ident: '2020-01-01', ident_type: 'birthday', ident_country_code: 'US' },
    });
    expect(firstFailure(await mari.try({ admin_contacts: [org] }))).toEqual([
      400,
      2306,
      'domain.admin_contacts',
    ]);
    expect(firstFailure(await mari.try({ admin_contacts: [child] }))).toEqual([
      400,
      2304,
      'domain.admin_contacts',
    ]);
    expect(firstFailure(await mari.try({ admin_contacts: [mari.code, mari.code.toUpperCase()] }))).toEqual([
      400,
      2306,
      'domain.admin_contacts.1',
    ]);
  });

  test('failure: a reserved name without its code, and with a wrong one', async () => {
    const name = freshName();
    await registry.sql.run(
      sql`insert into reserved_names (name, code, created_at) values (${name}, 'the code', now())`,
    );
    expect(firstFailure(await mari.try({ name }))).toEqual([400, 2003, 'domain.reserved_pw']);
    expect(firstFailure(await mari.try({ name, reserved_pw: 'another' }))).toEqual([
      400,
      2202,
      'domain.reserved_pw',
    ]);
    expect((await mari.try({ name, reserved_pw: 'the code' })).status).toBe(200);
  });

  test('failure: no funds, and the attempt costs nothing', async () => {
    const jaan = await Registrant.of(poor(registry.url));
    expect(outcome(await jaan.try())).toEqual([400, 2104]);
    expect(outcome(await jaan.try({}, { 'dry-run': 'true' }))).toEqual([400, 2104]);
    expect(await balanceOf(jaan.client)).toBe('5.00');
    expect((await jaan.try({ period: 6, period_unit: 'm' })).status).toBe(200);
    expect(await balanceOf(jaan.client)).toBe('0.00');
  });

  test('failure: no charge while there is a debt', async () => {
    await registry.sql.run(
      sql`update ledger_accounts set balance = 100 where kind = 'debt' and registrar_id = (select id from registrars where code = 'BETA')`,
    );
    const jaan = await Registrant.of(beta(registry.url));
    expect(outcome(await jaan.try())).toEqual([400, 2104]);
    expect((await jaan.client.get('/accounts/balance')).body.data.debt).toBe('1.00');
    await registry.sql.run(sql`update ledger_accounts set balance = 0 where kind = 'debt'`);
    expect((await jaan.try()).status).toBe(200);
  });

  test('failure: every failure at once, in the order of the document', async () => {
    const reply = await mari.try({
      dnskeys_attributes: [KEY, KEY],
      nameservers_attributes: hosts('ns1.example.net'),
      tech_contacts: ['nobody'],
      admin_contacts: ['no one'],
      period: 11,
      registrant: 'unknown',
      name: 'blocked.ee',
    });
    expect(reply.body.errors?.map(({ code, field }) => [code, field])).toEqual([
      [2308, 'domain.name'],
      [2303, 'domain.registrant'],
      [2104, 'domain.period'],
      [2303, 'domain.admin_contacts.0'],
      [2303, 'domain.tech_contacts.0'],
      [2308, 'domain.nameservers_attributes'],
      [2302, 'domain.dnskeys_attributes.1.public_key'],
    ]);
  });

  test('success: one history row, one charge, and no transfer code in either', async () => {
    const name = await mari.register({ transfer_code: 'a-secret-of-ours' });
    const rows = await registry.sql.rows(sql`
      select h.operation, h.actor, e.amount, e.description, (h::text || e::text) like '%a-secret-of-ours%' as leaked
      from history h left join ledger_entries e on e.history_id = h.id where h.object_kind = 'domain' and h.object_name = ${name}`);
    expect([...rows]).toEqual([
      { operation: 'create', actor: 'user:alpha', amount: 900, description: `Create ${name}`, leaked: false },
    ]);
    expect(registry.logged()).not.toContain('a-secret-of-ours');
  });

  test('success: a repeated registration under its key is answered as the first', async () => {
    const headers = { 'idempotency-key': freshCode() };
    const name = freshName();
    const [first, again] = [await mari.try({ name }, headers), await mari.try({ name }, headers)];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(outcome(await mari.try({ name }))).toEqual([400, 2302]);
  });
});

describe('concurrent registrations', () => {
  test('success: they share their statements, and an insufficient balance does not affect the others', async () => {
    const jaan = await Registrant.of(poor(registry.url));
    await fetch(`${registry.url}/sandbox/topup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"registrar":"POOR","amount":"3.00"}',
    });
    const cents = async (of: Client) => Math.round(Number(await balanceOf(of)) * 100);
    const [before, left] = [await cents(client), await cents(poor(registry.url))];
    const enoughFor = Math.floor(left / 300);
    expect(enoughFor).toBeLessThan(6);
    const quarter = { period: 3, period_unit: 'm' };
    const [funded, unfunded] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, () => mari.try({}))),
      Promise.all(Array.from({ length: 6 }, () => jaan.try(quarter))),
    ]);
    expect(funded.map(outcome)).toEqual(funded.map(() => [200, 1000]));
    expect(unfunded.map(({ body }) => body.code).toSorted()).toEqual(
      unfunded.map((_, index) => (index < enoughFor ? 1000 : 2104)),
    );
    expect(await cents(client)).toBe(before - 12 * 900);
    expect(await cents(poor(registry.url))).toBe(left - enoughFor * 300);
  });

  test('failure: one of two concurrent registrations of a name succeeds', async () => {
    const name = freshName();
    const wanted = [freshName(), name, freshName(), name, freshName(), name];
    const replies = await Promise.all(wanted.map((each) => mari.try({ name: each })));
    const codes = (which: (each: string) => boolean) =>
      replies.filter((_, index) => which(wanted[index] ?? '')).map(({ body }) => body.code);
    expect(codes((each) => each !== name)).toEqual([1000, 1000, 1000]);
    expect(codes((each) => each === name).toSorted()).toEqual([1000, 2302, 2302]);
  });
});

describe('guessing reservation codes', () => {
  test(`failure: ${row('too many wrong codes')} after ten wrong ones not even the right one is accepted for an hour`, async () => {
    const guarded = await startRegistry();
    try {
      const jaan = await Registrant.of(alpha(guarded.url));
      const guess = (reserved_pw: string, headers = {}) =>
        jaan.try({ name: 'reserved.ee', reserved_pw }, headers);
      for (let attempt = 0; attempt < 9; attempt++)
        expect(outcome(await guess(`wrong ${attempt}`))).toEqual([400, 2202]);
      expect(outcome(await guess('wrong in a dry run', { 'dry-run': 'true' }))).toEqual([400, 2202]);
      const refused = await guess('reserved-sandbox-code');
      expect(outcome(refused)).toEqual([429, 2502]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
      const other = await Registrant.of(beta(guarded.url));
      const dryRun = { 'dry-run': 'true' };
      const right = { name: 'reserved.ee', reserved_pw: 'reserved-sandbox-code' };
      expect(outcome(await other.try(right, dryRun))).toEqual([200, 1000]);
      await fetch(`${guarded.url}/sandbox/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"advance":"PT1H1M"}',
      });
      expect((await guess('reserved-sandbox-code')).status).toBe(200);
    } finally {
      await guarded.stop();
    }
  });
});

test.each([[null], [''], ['\u200b']])(
  'success: optional members that are %j are not given',
  async (empty) => {
    const name = await mari.register({
      reserved_pw: empty,
      transfer_code: empty,
      admin_contacts: empty,
      tech_contacts: empty,
      nameservers_attributes: [
        { hostname: 'ns1.example.net', ipv4: empty, ipv6: empty },
        { hostname: 'ns2.example.net' },
      ],
      dnskeys_attributes: empty,
    });
    const { domain } = (await mari.client.get(`/domains/${name}`)).body.data;
    expect(domain).toMatchObject({ contacts: [], dnssec_keys: [] });
    expect(domain.transfer_code).toMatch(/^[0-9a-f]{32}$/);
  },
);

test.each([
  ['name', null],
  ['registrant', ''],
  ['period', null],
])('failure: the required %s that is %j', async (field, empty) => {
  const domain = { name: freshName(), registrant: mari.code, period: 1, period_unit: 'y', [field]: empty };
  expect(firstFailure(await mari.client.post('/domains', { domain }))).toEqual([
    400,
    2003,
    `domain.${field}`,
  ]);
});
