import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { translateRefusals } from '../../../../src/doors/registrar-api/compatibility/refusals.ts';
import { refusal } from '../../../../src/doors/registrar-api/registrar-api-refusals.ts';
import { ee } from '../../../../src/policy/ee.ts';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { hosts, KEY, newDomain, OTHER_KEY } from '../../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';

/** ALPHA has the profile, BETA has not. */
let registry: TestRegistry;
let old: OldClient;
let plain: OldClient;

const JAAN = { ident: '38501010002', ident_type: 'priv', ident_country_code: 'EE' };
const FIRM = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
const TWO = hosts('ns1.example.net', 'ns2.example.net');

beforeAll(async () => {
  registry = await startFreshRegistry();
  await setProfile(registry, 'ALPHA', 'on');
  old = new OldClient(registry.url);
  plain = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  for (const id of ['mari', 'marika']) await old.post('/contacts', newContact({ id }));
  await old.post('/contacts', newContact({ id: 'jaan', ident: JAAN }));
  await old.post('/contacts', newContact({ id: 'firm', ident: FIRM }));
  await plain.post('/contacts', newContact({ id: 'bert' }));
});
afterAll(() => registry.stop());

const register = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await old.post('/domains', newDomain('mari', changes));
  expect(body).toMatchObject({ code: 1000 });
  return `/domains/${body.data.domain.name}`;
};
const outcome = ({ status, body }: { status: number; body: { code: number } }) => [status, body.code];

describe('an update of a domain', () => {
  const act = (action: 'add' | 'rem', ...items: readonly object[]) =>
    items.map((item) => ({ ...item, action }));

  test('success: nameservers, keys, contacts and the transfer code at once', async () => {
    const path = await register({
      nameservers_attributes: TWO,
      dnskeys_attributes: [KEY],
      tech_contacts: ['jaan', 'marika'],
    });
    const domain = {
      nameservers: [...act('rem', ...hosts('ns1.example.net')), ...act('add', ...hosts('ns3.example.net'))],
      dns_keys: [...act('rem', KEY), ...act('add', OTHER_KEY)],
      contacts: [
        { code: 'jaan', type: 'admin' },
        { code: 'marika', type: 'tech' },
        { code: 'firm', type: 'billing' },
      ],
      transfer_code: 'a-code-of-ours',
    };
    const reply = await old.put(path, { domain });
    expect(outcome(reply)).toEqual([200, 1000]);
    expect(reply.headers.get('compatibility-discarded')).toBe('domain.contacts');
    const after = (await old.get(path)).body.data.domain;
    expect(after).toMatchObject({
      nameservers: [{ hostname: 'ns2.example.net' }, { hostname: 'ns3.example.net' }],
      dnssec_keys: [{ public_key: OTHER_KEY.public_key }],
      transfer_code: 'a-code-of-ours',
    });
    expect(after.contacts.map(({ code, type }: { code: string; type: string }) => [code, type])).toEqual([
      ['ALPHA:JAAN', 'AdminDomainContact'],
      ['ALPHA:MARIKA', 'TechDomainContact'],
    ]);
  });

  test('success: everything waits for the registrant where a new one must be confirmed', async () => {
    const path = await register({ nameservers_attributes: TWO });
    const nameservers = act('add', ...hosts('ns3.example.net'));
    expect(outcome(await old.put(path, { domain: { registrant: { code: 'jaan' }, nameservers } }))).toEqual([
      200, 1001,
    ]);
    expect((await old.get(path)).body.data.domain.nameservers).toHaveLength(2);
  });

  test.each([
    [
      'a nameserver that it does not have',
      { nameservers: act('rem', ...hosts('ns9.example.net')) },
      2303,
      'domain.nameservers',
    ],
    [
      'a nameserver that it has',
      { nameservers: act('add', ...hosts('ns1.example.net')) },
      2302,
      'domain.nameservers',
    ],
    [
      'too few nameservers',
      { nameservers: act('rem', ...hosts('ns1.example.net')) },
      2308,
      'domain.nameservers',
    ],
    [
      'a host that is none',
      { nameservers: act('add', ...hosts('no host!')) },
      2005,
      'domain.nameservers.0.hostname',
    ],
    ['no action', { nameservers: hosts('ns3.example.net') }, 2003, 'domain.nameservers.0.action'],
    ['a key that it does not have', { dns_keys: act('rem', OTHER_KEY) }, 2303, 'domain.dns_keys'],
    [
      'a key that is none',
      { dns_keys: act('add', { ...KEY, public_key: '!' }) },
      2005,
      'domain.dns_keys.0.public_key',
    ],
    ['an unknown contact', { contacts: [{ code: 'nobody', type: 'tech' }] }, 2303, 'domain.contacts.0'],
    ['an organisation as admin', { contacts: [{ code: 'firm', type: 'admin' }] }, 2306, 'domain.contacts.0'],
    [
      'an unknown registrant',
      { registrant: { code: 'nobody' }, nameservers: [] },
      2303,
      'domain.registrant.code',
    ],
  ])('failure: %s', async (_what, domain, code, field) => {
    const path = await register({ nameservers_attributes: TWO, dnskeys_attributes: [KEY] });
    const { status, body } = await old.put(path, { domain });
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, code, field]);
  });

  test('failure: without the profile these members are unknown', async () => {
    await plain.post('/domains', newDomain('bert', { name: 'bert.ee' }));
    const { body } = await plain.put('/domains/bert.ee', { domain: { nameservers: [], contacts: [] } });
    expect(body.errors?.map(({ field }) => field)).toEqual(['domain.nameservers', 'domain.contacts']);
  });
});

describe('a second deletion', () => {
  const deletion = (verified: boolean) => ({ domain: { delete: { verified } } });

  test('success: it changes nothing, and is pending while the registrant is asked', async () => {
    const [deleted, asked] = [await register(), await register()];
    await old.delete(deleted, deletion(true));
    await old.delete(asked, deletion(false));
    const before = (await old.get(deleted)).body.data;
    for (const verified of [true, false]) {
      expect(outcome(await old.delete(deleted, deletion(verified)))).toEqual([200, 1000]);
      expect(outcome(await old.delete(asked, deletion(verified)))).toEqual([200, 1001]);
    }
    expect((await old.get(deleted)).body.data).toEqual(before);
  });

  test('failure: a domain that must not be deleted, or whose registrant is asked about a change, is refused', async () => {
    const [locked, changing] = [await register(), await register()];
    await registry.sql.run(sql`
      update domains set statuses = '{"serverDeleteProhibited": "", "pendingDelete": ""}' where name = ${locked.slice(9)}`);
    await old.put(changing, { domain: { registrant: { code: 'jaan' } } });
    for (const path of [locked, changing])
      expect(outcome(await old.delete(path, deletion(true)))).toEqual([400, 2304]);
  });

  test('success: an Auth-Code of the sponsor is not looked at', async () => {
    const headers = { 'auth-code': 'another' };
    const sent = { json: deletion(true), headers };
    expect(outcome(await old.call('DELETE', await register(), sent))).toEqual([200, 1000]);
  });
});

describe('members outside of their object', () => {
  test('success: of a contact, an update and a transfer', async () => {
    const { contact } = newContact({ id: 'unwrapped' });
    expect((await old.post('/contacts', contact)).body.data.contact.code).toBe('ALPHA:UNWRAPPED');
    expect(outcome(await old.put('/contacts/unwrapped', { phone: '+372.5550000' }))).toEqual([200, 1000]);
    const path = await register();
    expect(outcome(await old.put(path, { transfer_code: 'a-code-of-ours' }))).toEqual([200, 1000]);
    expect(outcome(await old.post(`${path}/transfer`, { transfer_code: 'a-code-of-ours' }))).toEqual([
      400, 2002,
    ]);
  });

  test('failure: what the incumbent does not see outside is missing', async () => {
    const { domain } = newDomain('mari');
    expect(outcome(await old.post('/domains', domain))).toEqual([400, 2003]);
    expect(outcome(await old.put(await register(), {}))).toEqual([400, 2003]);
    expect(outcome(await plain.post('/contacts', newContact().contact))).toEqual([400, 2003]);
  });
});

describe('calls that are the incumbent’s alone', () => {
  test('success: an admin contact is replaced by another of the same person; what cannot be changed is skipped', async () => {
    const [one, other] = [
      await register({ admin_contacts: ['mari'] }),
      await register({ admin_contacts: ['mari', 'marika'] }),
    ];
    const ids = { current_contact_id: 'mari', new_contact_id: 'marika' };
    const { data } = (await old.patch('/domains/admin_contacts', ids)).body;
    expect(data).toEqual({ affected_domains: [one.slice(9)], skipped_domains: [other.slice(9)] });
    const after = (await old.get(`${one}/contacts`)).body.data;
    expect(after).toEqual({ admin_contacts: ['ALPHA:MARIKA'], tech_contacts: [] });
  });

  test('failure: another person, an unknown contact, and callers without the profile', async () => {
    const replace = (current_contact_id: string, new_contact_id: string, client = old) =>
      client.patch('/domains/admin_contacts', { current_contact_id, new_contact_id });
    expect(outcome(await replace('mari', 'jaan'))).toEqual([400, 2304]);
    expect(outcome(await replace('mari', 'bert'))).toEqual([404, 2303]);
    expect(outcome(await replace('bert', 'bert', plain))).toEqual([405, 2101]);
  });

  test('success: the account of the registrar, its users and their addresses', async () => {
    await registry.sql.run(sql`
      insert into console_addresses (registrar_id, range, created_at)
      select id, '192.0.2.0/24', '2020-01-01' from registrars where code = 'ALPHA'`);
    const { data } = (await old.get('/accounts/details')).body;
    expect(data).toMatchObject({
      account: { balance_auto_reload: null, linked_users: [], iban_max_length: 34, min_deposit: '0.01' },
      roles: ['super', 'epp', 'billing'],
      interfaces: ['registrar', 'api'],
    });
    expect(
      data.account.api_users.map(({ username, role }: Record<string, string>) => [username, role]),
    ).toEqual([
      ['alpha', 'super'],
      ['alpha-billing', 'billing'],
    ]);
    expect(data.account.white_ips).toEqual([
      { id: 1, ipv4: '192.0.2.0/24', ipv6: null, interfaces: ['registrar'], committed: true },
    ]);
    expect(JSON.stringify(data)).not.toContain('password');
  });

  test('failure: without the profile there is no such path', async () => {
    expect(outcome(await plain.get('/accounts/details'))).toEqual([404, 2000]);
  });
});

describe('refusals', () => {
  test('success: the role of a user is 401, another method 404, and any Accept is JSON', async () => {
    const billing = new OldClient(
      registry.url,
      '/registry/v1',
      'alpha-billing:alpha-billing-sandbox-password',
    );
    const refused = await billing.get('/contacts');
    expect([...outcome(refused), refused.headers.has('www-authenticate')]).toEqual([401, 2201, true]);
    expect(outcome(await old.call('PATCH', '/contacts'))).toEqual([404, 2101]);
    const sent = { headers: { accept: 'text/html' } };
    expect(outcome(await old.call('GET', '/accounts/balance', sent))).toEqual([200, 1000]);
    expect(outcome(await plain.call('GET', '/accounts/balance', sent))).toEqual([406, 2102]);
  });

  test('success: the object of the path is looked for before the body is read, but not before it has its object', async () => {
    const bad = { contacts: 'x', nameservers: 'x', dns_keys: 'x' };
    for (const target of ['contacts', 'nameservers', 'dnssec', 'renew', 'transfer'])
      expect([target, ...outcome(await old.post(`/domains/no-such.ee/${target}`, bad))]).toEqual([
        target,
        404,
        2303,
      ]);
    expect(outcome(await old.delete('/domains/no-such.ee', {}))).toEqual([404, 2303]);
    expect(outcome(await old.put('/contacts/nobody', { contact: { phone: 'x' } }))).toEqual([404, 2303]);
    expect(outcome(await old.put('/domains/no-such.ee', { domain: { registrant: {} } }))).toEqual([
      404, 2303,
    ]);
    expect(outcome(await old.put('/domains/no-such.ee', {}))).toEqual([400, 2003]);
    const path = await register();
    expect(outcome(await old.post(`${path}/contacts`, bad))).toEqual([400, 2005]);
    expect(outcome(await plain.post('/domains/no-such.ee/contacts', bad))).toEqual([400, 2005]);
  });

  test('success: in a contact numbers are texts; an object is passed over in an update, and missing otherwise', async () => {
    const numbers = newContact({ id: 12345, name: 123, ident: { ...JAAN, ident: Number(JAAN.ident) } });
    expect((await old.post('/contacts', numbers)).body.data.contact.code).toBe('ALPHA:12345');
    const passed = await old.put('/contacts/12345', { contact: { name: { a: 1 }, phone: '+372.5550000' } });
    expect([...outcome(passed), passed.headers.get('compatibility-discarded')]).toEqual([
      200,
      1000,
      'contact.name',
    ]);
    expect((await old.get('/contacts/12345')).body.data.contact).toMatchObject({ name: '123' });
    for (const changes of [{ name: ['a'] }, { ident: 'a' }])
      expect(outcome(await old.post('/contacts', newContact(changes)))).toEqual([400, 2003]);
    expect(outcome(await old.post('/contacts', [1]))).toEqual([400, 2003]);
    expect(outcome(await plain.post('/contacts', newContact({ name: 123 })))).toEqual([400, 2005]);
  });

  test('success: a domain of another registrar has contacts without their names', async () => {
    await plain.post('/domains', newDomain('bert', { name: 'other.ee', tech_contacts: ['bert'] }));
    const { contacts } = (await old.get('/domains/other.ee')).body.data.domain;
    expect(contacts).toEqual([{ code: 'bert', type: 'TechDomainContact', name: 'N/A' }]);
  });

  test('success: a renewal that is too early has the code of the incumbent, alone and in bulk', () => {
    const early = refusal('renewalTooEarly', { days: 90 });
    const mismatch = refusal('expiryMismatch', { field: 'renews.exp_date' });
    const codes = (call: string, ...refusals: [typeof early, ...(typeof early)[]]) =>
      translateRefusals(refusals, { call, body: {}, policy: ee }).map(({ code }) => code);
    expect(codes('renewDomain', early)).toEqual([2304]);
    expect(codes('renewDomains', early)).toEqual([2002]);
    expect(codes('renewDomain', refusal('noPrice'), mismatch)).toEqual([2306, 2104]);
    expect(codes('updateDomain', early)).toEqual([2105]);
  });
});
