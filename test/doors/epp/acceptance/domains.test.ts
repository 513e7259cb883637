import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import type { EppClient } from '../../../support/epp.ts';
import { type Key, secDns } from '../../../support/epp-frames.ts';
import type { NewDomain } from '../../../support/epp-objects.ts';
import { type EppTestServer, startEppServerForTest } from '../../../support/epp-server.ts';
import * as cases from './cases.ts';

const { CODE, createContact, createDomain, domain, expectAccepted, expectRefused } = cases;
const { ecdsa, ed448, nameservers, newName, random } = cases;

const CLIENT_STATUSES = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
] as const;

let server: EppTestServer;
let client: EppClient;
let other: EppClient;
let registrant: string;

beforeAll(async () => {
  server = await startEppServerForTest({
    policy: { ...ee, domains: { ...ee.domains, clientStatuses: CLIENT_STATUSES } },
  });
  client = await server.logIn('alpha');
  other = await server.logIn('beta');
  registrant = await createContact(client);
});
afterAll(() => server.stop());

/** A host below the domain, with one address. */
const glue = (host: string, ip: string, address: string) => ({ name: host, addresses: [{ ip, address }] });

const wrongKeys: readonly (readonly [string, Partial<Key>])[] = [
  ...['', '1', '-1', 'A'].map((flags) => [`the flags "${flags}"`, { flags }] as const),
  ...['', '1', '256', '-1', 'A'].map((protocol) => [`the protocol "${protocol}"`, { protocol }] as const),
  ...['', '-1', 'A', '123'].map((alg) => [`the algorithm "${alg}"`, { alg }] as const),
  ...['', 'this is not a DNSKEY.'].map((publicKey) => [`the key "${publicKey}"`, { publicKey }] as const),
];
const dsData = `<secDNS:dsData><secDNS:keyTag>12345</secDNS:keyTag><secDNS:alg>16</secDNS:alg><secDNS:digestType>2</secDNS:digestType><secDNS:digest>${random(64)}</secDNS:digest></secDNS:dsData>`;
const wrongAddresses: readonly (readonly [ip: string, address: string])[] = [
  ['v4', '2602:800:900e:1257::6'],
  ...['208.77.190', 'a.b.c.d', '256.1.1.1', '1.2.3.4.5', '127.0.0.1', ''].map(
    (text) => ['v4', text] as const,
  ),
  ['v6', '208.77.190.200'],
  ...['::', '::1', '::X', 'NOT::HEX::', ''].map((text) => ['v6', text] as const),
  ['v5', '208.77.190.197'],
];

test('epp-04: check of a registered, a free and an invalid name', async () => {
  const name = await createDomain(client, registrant);
  const answer = await client.command(domain.check(name, newName()));
  expect(answer.attributes('cd/name', 'avail')).toEqual(['0', '1']);
  const invalid = await client.command(domain.check('-rst-.ee'));
  if (invalid.code < 2000) expect(invalid.attribute('cd/name', 'avail')).toBe('0');
  else expect([2001, 2004, 2005]).toContain(invalid.code);
});

describe('epp-14: domain create', () => {
  const create = (fields: Partial<NewDomain>, ...extensions: string[]) =>
    client.command(
      domain.create({ name: newName(), period: '1y', nameservers, registrant, code: CODE, ...fields }),
      ...extensions,
    );

  test('success: with a key of algorithm 16, and info shows all of it', async () => {
    const name = newName();
    const created = await create({ name }, secDns.create([ed448]));
    expect(created.code, created.frame).toBe(1000);
    const shown = await client.command(domain.info(name));
    const texts = ['name', 'registrant', 'clID', 'crID', 'crDate', 'exDate'].map((each) =>
      shown.text(`infData/${each}`),
    );
    expect(texts).toEqual([
      name,
      registrant,
      'ALPHA',
      'ALPHA',
      created.text('creData/crDate'),
      created.text('creData/exDate'),
    ]);
    expect(shown.text('infData/roid')).toMatch(/^\w{1,80}-\w{1,8}$/);
    expect(shown.texts('hostAttr/hostName')).toEqual(nameservers);
    const key = ['flags', 'protocol', 'alg', 'pubKey'].map((each) => shown.text(`keyData/${each}`));
    expect(key).toEqual(['257', '3', '16', ed448.publicKey]);
    expect(yearsBetween(shown.text('infData/crDate'), shown.text('infData/exDate'))).toBe(1);
  });

  test('success: for ten years', async () => {
    const created = await create({ period: '10y' });
    expect(created.code, created.frame).toBe(1000);
    expect(yearsBetween(created.text('creData/crDate'), created.text('creData/exDate'))).toBe(10);
  });

  test.each(['11y', '-1y', '1.5y', '1x'])('failure: the period %s', async (period) => {
    expectRefused(await create({ period }));
  });

  test.each([`${random(64)}.ee`, `xn--${random(59)}.ee`, `xx--${random(18)}.ee`])(
    'failure: the name %s',
    async (name) => {
      expectRefused(await create({ name }));
    },
  );

  test('failure: a registrant that does not exist, and none', async () => {
    expectRefused(await create({ registrant: random(16) }));
    const { registrant: _none, ...without } = {
      name: newName(),
      period: '1y',
      nameservers,
      registrant,
      code: CODE,
    };
    expectRefused(await client.command(domain.create(without)));
  });

  test('failure: nameservers as host objects', async () => {
    const { body, ...command } = domain.create({ name: newName(), registrant, nameservers: [], code: CODE });
    const objects = nameservers.map((host) => `<domain:hostObj>${host}</domain:hostObj>`).join('');
    expectRefused(
      await client.command({ ...command, body: body.replace('<domain:ns>', `<domain:ns>${objects}`) }),
    );
  });

  test.each([
    ['v4', '208.77.190.199'],
    ['v6', '2602:800:900e:1257::7'],
  ])('success: glue of %s alone', async (ip, address) => {
    const name = newName();
    const created = await create({
      name,
      nameservers: [glue(`ns1.${name}`, ip, address), 'ns2.rst.example'],
    });
    expect(created.code, created.frame).toBe(1000);
  });

  test('failure: a host below the domain without an address', async () => {
    const name = newName();
    expectRefused(await create({ name, nameservers: [`ns1.${name}`, 'ns2.rst.example'] }));
  });

  test.each(wrongAddresses)('failure: glue of %s with "%s"', async (ip, address) => {
    const name = newName();
    expectRefused(await create({ name, nameservers: [glue(`ns1.${name}`, ip, address), 'ns2.rst.example'] }));
  });

  test.each(wrongKeys)('failure: a key with %s', async (_, wrong) => {
    expectRefused(await create({}, secDns.create([{ ...ed448, ...wrong }])));
  });

  // RST wants these refused: keys that do not sign keys are kept here, and have no DS record.
  test('success: a key with the flags 256', async () => {
    expectAccepted(await create({}, secDns.create([{ ...ed448, flags: 256 }])));
  });

  test('failure: DS data, since keys are the interface', async () => {
    const extension = `<secDNS:create xmlns:secDNS="urn:ietf:params:xml:ns:secDNS-1.1">${dsData}</secDNS:create>`;
    expectRefused(await create({}, extension));
  });
});

describe('epp-16: domain update', () => {
  let name: string;
  beforeAll(async () => {
    name = await createDomain(client, registrant);
  });
  const update = (changes: Parameters<typeof domain.update>[1], ...extensions: string[]) =>
    client.command(domain.update(name, changes), ...extensions);

  test('the five statuses of the client, each once, and no others', async () => {
    const add = (status: string) => update({ add: { statuses: [status] } });
    const rem = (status: string) => update({ rem: { statuses: [status] } });
    for (const status of CLIENT_STATUSES) expectAccepted(await add(status));
    expectRefused(await add('clientHold'));
    expectAccepted(await rem('clientUpdateProhibited'));
    for (const status of NOT_OF_CLIENTS) expectRefused(await add(status));
    for (const status of CLIENT_STATUSES.slice(0, -1)) expectAccepted(await rem(status));
    expectRefused(await rem('clientHold'));
    expectRefused(await rem('invalidStatusCode'));
    expect((await client.command(domain.info(name))).attributes('infData/status', 's')).toEqual(['ok']);
  });

  test('a nameserver is added once and removed once', async () => {
    const host = { nameservers: ['ns3.rst.example'] };
    expectAccepted(await update({ add: host }));
    expectRefused(await update({ add: host }));
    expectAccepted(await update({ rem: host }));
    expectRefused(await update({ rem: host }));
  });

  test('a nameserver below the domain needs a valid address', async () => {
    const host = (text: string) => `${text}.${name}`;
    expectRefused(await update({ add: { nameservers: [host('ns2')] } }));
    for (const [ip, address] of wrongAddresses)
      expectRefused(await update({ add: { nameservers: [glue(host('ns3'), ip, address)] } }));
    expectAccepted(await update({ add: { nameservers: [glue(host('ns2'), 'v4', '208.77.190.196')] } }));
    expectAccepted(
      await update({ add: { nameservers: [glue(host('ns5'), 'v6', '2602:800:900e:1257::5')] } }),
    );
    const shown = await client.command(domain.info(name));
    expect(shown.texts('hostAttr/hostAddr')).toEqual(['208.77.190.196', '2602:800:900e:1257::5']);
  });

  test('keys: wrong ones are refused, one is added and removed once', async () => {
    for (const [, wrong] of wrongKeys)
      expectRefused(await update({}, secDns.update({ add: [{ ...ed448, ...wrong }] })));
    expectAccepted(await update({}, secDns.update({ add: [ed448] })));
    expectRefused(await update({}, secDns.update({ rem: [ecdsa] })));
    expectAccepted(await update({}, secDns.update({ rem: [ed448] })));
    expectRefused(await update({}, secDns.update({ rem: [ed448] })));
  });

  test('another registrar may not update', async () => {
    const answer = await other.command(domain.update(name, { add: { statuses: ['clientHold'] } }));
    expect(answer.code).toBe(2201);
  });

  test('a new registrant', async () => {
    const successor = await createContact(client);
    expectAccepted(await update({ registrant: successor }));
  });
});
const NOT_OF_CLIENTS = [
  'linked',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'serverDeleteProhibited',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'invalidStatusCode',
];

describe('epp-18: domain renew', () => {
  test('the period is added, and a second command with the old date is refused', async () => {
    const name = await createDomain(client, registrant);
    const before = (await client.command(domain.info(name))).text('infData/exDate') ?? '';
    const renewed = await client.command(domain.renew(name, dateOf(before), '2y'));
    expect(renewed.code, renewed.frame).toBe(1000);
    expect(yearsBetween(before, renewed.text('renData/exDate'))).toBe(2);
    expectRefused(await client.command(domain.renew(name, dateOf(before), '2y')));
    expect((await client.command(domain.info(name))).text('infData/exDate')).toBe(
      renewed.text('renData/exDate'),
    );
  });

  test("failure: the day is right in the registry's zone or in UTC, so that only the balance is refused", async () => {
    const poor = await server.logIn('poor');
    const own = await createContact(poor);
    const name = newName();
    await poor.command(domain.create({ name, period: '3m', registrant: own, code: cases.CODE }));
    const expiry = (await poor.command(domain.info(name))).text('infData/exDate') ?? '';
    const localDay = dateOf(new Date(Date.parse(expiry) + 4 * 3_600_000).toISOString());
    expect(localDay).not.toBe(dateOf(expiry));
    for (const day of [dateOf(expiry), localDay])
      expect((await poor.command(domain.renew(name, day, '1y'))).codes).toEqual([2104]);
  });

  test('failure: beyond ten years ahead', async () => {
    const name = await createDomain(client, registrant);
    const expiry = (await client.command(domain.info(name))).text('infData/exDate') ?? '';
    expectRefused(await client.command(domain.renew(name, dateOf(expiry), '10y')));
  });
});

describe('epp-19: domain transfer, which is carried out at once', () => {
  test('failure: a wrong code, and a period that is too long', async () => {
    const name = await createDomain(client, registrant);
    expectRefused(await other.command(domain.transfer('request', name, { code: 'wrong-code-1' })));
    expectRefused(await other.command(domain.transfer('request', name, { code: CODE, period: '11y' })));
    expect((await client.command(domain.info(name))).text('infData/clID')).toBe('ALPHA');
  });

  test('success: the new sponsor, and a new code', async () => {
    const name = await createDomain(client, registrant);
    const answer = await other.command(domain.transfer('request', name, { code: CODE }));
    expect(answer.code, answer.frame).toBe(1000);
    expect(['trStatus', 'reID', 'acID'].map((each) => answer.text(`trnData/${each}`))).toEqual([
      'serverApproved',
      'BETA',
      'ALPHA',
    ]);
    const shown = await other.command(domain.info(name));
    expect(shown.text('infData/clID')).toBe('BETA');
    expect(shown.text('authInfo/pw')).not.toBe(CODE);
    const queried = await client.command(domain.transfer('query', name));
    expect(queried.text('trnData/reID')).toBe('BETA');
    for (const op of ['approve', 'reject', 'cancel'])
      expect((await client.command(domain.transfer(op, name))).code).toBe(2301);
  });
});

describe('epp-21: domain delete', () => {
  test('a domain that waits for its registrant or its removal says so', async () => {
    const name = await createDomain(client, registrant);
    const deleted = await client.command(domain.delete(name));
    expectAccepted(deleted);
    const statuses = (await client.command(domain.info(name))).attributes('infData/status', 's');
    expect(statuses).toContain(deleted.code === 1001 ? 'pendingUpdate' : 'pendingDelete');
  });
});

describe('idn-01: names of other characters', () => {
  test.each(['õun', 'šokolaad', 'žürii'])('success: %s, in both forms', async (label) => {
    const name = `${label}-${random(8)}.ee`;
    const created = await createDomain(client, registrant, name);
    const shown = await client.command(domain.info(created));
    const ascii = new URL(`http://${name}`).hostname;
    expect(shown.text('infData/name')).toBe(ascii);
    expect((await client.command(domain.info(ascii))).text('infData/roid')).toBe(shown.text('infData/roid'));
  });

  test.each(['señor', 'дом', '家'])('failure: %s, which the zone does not allow', async (label) => {
    const name = `${label}${random(6)}.ee`;
    expectRefused(
      await client.command(domain.create({ name, period: '1y', nameservers, registrant, code: CODE })),
    );
  });
});

/** As clients make it, although the expiry is midnight in the registry's time zone. */
const dateOf = (time: string): string => time.slice(0, 10);
const yearsBetween = (from: string | undefined, to: string | undefined): number =>
  Math.round((Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000 / 365.25);
