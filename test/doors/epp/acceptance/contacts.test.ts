import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import type { EppClient } from '../../../support/epp.ts';
import type { ContactFields } from '../../../support/epp-objects.ts';
import { type EppTestServer, startEppServerForTest } from '../../../support/epp-server.ts';
import {
  contact,
  createContact,
  createDomain,
  expectAccepted,
  expectRefused,
  ident,
  newId,
  person,
  random,
} from './cases.ts';

let server: EppTestServer;
let client: EppClient;
let other: EppClient;

beforeAll(async () => {
  const contacts = {
    ...ee.contacts,
    clientStatuses: ['clientDeleteProhibited', 'clientUpdateProhibited'] as const,
  };
  server = await startEppServerForTest({ policy: { ...ee, contacts } });
  client = await server.logIn('alpha');
  other = await server.logIn('beta');
});
afterAll(() => server.stop());

type Row = readonly [what: string, fields: ContactFields];
const address = person.address;
const postalRows: readonly Row[] = [
  ['an unknown type of postal address', { postalType: 'tni' }],
  ['an empty type of postal address', { postalType: '' }],
  ['an empty name', { name: '' }],
  ['a name that shows nothing', { name: '\u3164' }],
  ['a name of 256 characters', { name: random(256) }],
  ['an organisation of 256 characters', { org: random(256) }],
  ['a street of 256 characters', { address: { ...address, street: [random(256)] } }],
  ['an empty city', { address: { ...address, city: '' } }],
  ['a city of 256 characters', { address: { ...address, city: random(256) } }],
  ...['', 'XX', 'U', 'USA'].map((cc): Row => [`the country "${cc}"`, { address: { ...address, cc } }]),
];
const wrongPhones = ['+12345', '+1111.1', '55', '+1.', '+1.123456789012345', '+1.a', '+a.1'];
const otherRows: readonly Row[] = [
  ...wrongPhones.map((voice): Row => [`the phone "${voice}"`, { voice }]),
  ...wrongPhones.map((fax): Row => [`the fax "${fax}"`, { fax }]),
  ...['example', 'example.example', '@example.com', '@', `${random(65)}@example.com`].map(
    (email): Row => [`the e-mail address "${email}"`, { email }],
  ),
];

test('epp-06: check of a taken, a free and an invalid id', async () => {
  const taken = await createContact(client);
  const answer = await client.command(contact.check(taken, newId()));
  expect(answer.attributes('cd/id', 'avail')).toEqual(['0', '1']);
  const invalid = await client.command(contact.check(random(17)));
  if (invalid.code < 2000) expect(invalid.attribute('cd/id', 'avail')).toBe('0');
  else expect([2001, 2004, 2005]).toContain(invalid.code);
});

describe('epp-07: contact create', () => {
  test('success: what was stored is shown', async () => {
    const id = await createContact(client);
    const shown = await client.command(contact.info(id));
    expect(shown.code).toBe(1000);
    expect(shown.texts('postalInfo/addr/street')).toEqual(address.street);
    const { city, sp, pc, cc } = address;
    expect(['city', 'sp', 'pc', 'cc'].map((name) => shown.text(`addr/${name}`))).toEqual([city, sp, pc, cc]);
    expect(['id', 'voice', 'email', 'clID', 'crID'].map((name) => shown.text(`infData/${name}`))).toEqual([
      id,
      person.voice,
      person.email,
      'ALPHA',
      'ALPHA',
    ]);
    expect(shown.text('postalInfo/name')).toBe(person.name);
  });

  test.each([
    ['', 'empty'],
    [random(17), 'of 17 characters'],
  ])('failure: the id "%s", %s', async (id) => {
    expectRefused(await client.command(contact.create(id, person), ident));
  });

  test.each([
    ...postalRows,
    ...otherRows,
    ['an empty phone', { voice: '' }],
    ['an empty e-mail address', { email: '' }],
  ] as Row[])('failure: %s', async (_, fields) => {
    const id = newId();
    expectRefused(await client.command(contact.create(id, { ...person, ...fields }), ident));
    expect((await client.command(contact.check(id))).attribute('cd/id', 'avail')).toBe('1');
  });
});

test('epp-08: another registrar can neither see nor change a contact', async () => {
  const id = await createContact(client);
  expectRefused(await other.command(contact.info(id)));
  expectRefused(await other.command(contact.update(id, { chg: { email: 'other@example.ee' } })));
  expect((await client.command(contact.info(id))).text('infData/email')).toBe(person.email);
});

describe('epp-09: contact update', () => {
  let id: string;
  beforeAll(async () => {
    id = await createContact(client);
  });

  test('success: new values, which are shown afterwards', async () => {
    const chg = { ...person, name: 'Mari Mustikas', voice: '+372.5559999', email: 'mustikas@example.ee' };
    const { code: _code, ...fields } = chg;
    expectAccepted(await client.command(contact.update(id, { chg: fields })));
    const shown = await client.command(contact.info(id));
    expect([shown.text('infData/voice'), shown.text('infData/email')]).toEqual([chg.voice, chg.email]);
    expect(shown.text('postalInfo/name')).toBe(chg.name);
  });

  test.each([...postalRows])('failure: %s', async (_, fields) => {
    const { name, address: place } = person;
    expectRefused(await client.command(contact.update(id, { chg: { name, address: place, ...fields } })));
  });
  test.each([...otherRows])('failure: %s', async (_, chg) => {
    expectRefused(await client.command(contact.update(id, { chg })));
  });

  // In this order: each row depends on the rows before it.
  test('statuses of the client can be added once and removed once, and no others', async () => {
    const add = (status: string) => client.command(contact.update(id, { add: [status] }));
    const rem = (status: string) => client.command(contact.update(id, { rem: [status] }));
    expectAccepted(await add('clientUpdateProhibited'));
    expectRefused(await add('clientUpdateProhibited'));
    expectAccepted(await rem('clientUpdateProhibited'));
    expectAccepted(await add('clientDeleteProhibited'));
    expectRefused(await add('clientDeleteProhibited'));
    for (const status of ['clientHold', 'linked', ...NOT_OF_CLIENTS]) expectRefused(await add(status));
    expectRefused(await rem('clientUpdateProhibited'));
    expectAccepted(await rem('clientDeleteProhibited'));
    expectRefused(await rem('clientDeleteProhibited'));
    for (const status of NOT_OF_CLIENTS) expectRefused(await rem(status));
    expect((await client.command(contact.info(id))).attributes('infData/status', 's')).toEqual(['ok']);
  });
});
const NOT_OF_CLIENTS = [
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'serverDeleteProhibited',
  'serverUpdateProhibited',
  'invalidStatusCode',
];

test('epp-10: a deleted contact is gone', async () => {
  const id = await createContact(client);
  expectAccepted(await client.command(contact.delete(id)));
  expect((await client.command(contact.info(id))).code).toBe(2303);
});

test('epp-15: a contact that a domain uses cannot be deleted', async () => {
  const id = await createContact(client);
  await createDomain(client, id);
  expect((await client.command(contact.delete(id))).code).toBe(2305);
  expect((await client.command(contact.info(id))).attributes('infData/status', 's')).toContain('linked');
});
