import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { freshName, hosts, newDomain } from '../../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';

/** ALPHA has the profile, BETA has not: every request is sent by both. */
let registry: TestRegistry;
let old: OldClient;
let plain: OldClient;

beforeAll(async () => {
  registry = await startFreshRegistry();
  await setProfile(registry, 'ALPHA', 'on');
  old = new OldClient(registry.url);
  plain = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  for (const client of [old, plain])
    for (const id of ['mari', 'jaan'])
      await client.post('/contacts', newContact({ id: client === old ? id : `beta-${id}` }));
  await registry.sql.run(sql`update contacts set ident = '38501019999' where code_key like '%jaan'`);
});
afterAll(() => registry.stop());

const register = async (client: OldClient, changes: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await client.post('/domains', newDomain(client === old ? 'mari' : 'beta-mari', changes));
  expect(body).toMatchObject({ message: 'Command completed successfully' });
  return body.data.domain.name;
};
const reasons = (reply: { body: { errors?: { reason: string; field: string | null }[] } }) =>
  reply.body.errors?.map(({ reason, field }) => [reason, field]);

describe('the header', () => {
  test('success: every answer names the profile, also a refusal; without it no answer does', async () => {
    for (const target of ['/accounts/balance', '/domains/no-such.ee', '/nowhere']) {
      expect((await old.get(target)).headers.get('compatibility-profile')).toBe('incumbent');
      expect((await plain.get(target)).headers.has('compatibility-profile')).toBe(false);
    }
  });
});

describe('the prefix /repp/v1', () => {
  test('success: an alias for every registrar, with 404 and 405 as under the own prefix', async () => {
    const alias = new OldClient(registry.url, '/repp/v1', 'beta:beta-sandbox-password');
    expect((await alias.get('/accounts/balance')).body.code).toBe(1000);
    for (const target of ['/nowhere', '', '?a=1']) expect((await alias.get(target)).body.code).toBe(2000);
    const longer = new OldClient(registry.url, '/repp/v12', 'beta:beta-sandbox-password');
    expect((await longer.get('/accounts/balance')).body.code).toBeUndefined();
    const other = await alias.call('PATCH', '/contacts');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  test('success: links stay under the prefix of the request, with the profile and without it', async () => {
    for (const prefix of ['/repp/v1', '/registry/v1'])
      for (const credentials of ['alpha:alpha-sandbox-password', 'beta:beta-sandbox-password']) {
        const link = (
          await new OldClient(registry.url, prefix, credentials).get('/contacts?limit=1')
        ).headers.get('link');
        expect(link).toMatch(new RegExp(`^<${prefix}/contacts\\?`));
      }
  });

  test('success: a trailing slash and .json are no part of the path', async () => {
    const under = new OldClient(registry.url, '/repp/v1');
    const targets = [
      '/accounts/balance/',
      '/accounts/balance.json',
      '/contacts.json?limit=1',
      '/contacts/mari/',
    ];
    for (const client of [old, under])
      for (const target of targets)
        expect([target, (await client.get(target)).status]).toEqual([target, 200]);
    const name = await register(old);
    for (const part of ['/contacts.json', '/nameservers/', '/transfer_info.json'])
      expect((await old.get(`/domains/${name}${part}`)).status).toBe(200);
    expect((await old.call('POST', '/domains/transfer.json', { json: {} })).body.code).toBe(2003);
    await old.post('/contacts', newContact({ id: 'dotted.json' }));
    expect((await old.get('/contacts/dotted.json')).body.data.contact.code).toBe('ALPHA:DOTTED.JSON');
  });

  test('failure: without the profile such a path is unknown, and so is /repp/v1/ for all', async () => {
    for (const target of ['/accounts/balance/', '/accounts/balance.json', '/contacts/'])
      expect((await plain.get(target)).body.code).toBe(2000);
    expect((await new OldClient(registry.url, '/repp/v1').get('/')).body.code).toBe(2000);
  });

  test('failure: an installation without the setting has no such path', async () => {
    const without = await startFreshRegistry({ registrarApiAlias: undefined });
    const reply = await fetch(`${without.url}/repp/v1/accounts/balance`);
    await without.stop();
    expect(reply.status).toBe(404);
  });
});

describe('changes that wait for a registrant', () => {
  const deletion = { domain: { delete: { verified: false } } };

  test('success: code 1001 with the same text, in updates, deletions and replays', async () => {
    const change = { domain: { registrant: { code: 'jaan' } } };
    const pending = { code: 1001, message: 'Command completed successfully; action pending' };
    expect((await old.put(`/domains/${await register(old)}`, change)).body).toMatchObject(pending);
    const name = await register(old);
    const key = { 'idempotency-key': 'pending-deletion' };
    const [first, again] = [
      await old.call('DELETE', `/domains/${name}`, { json: deletion, headers: key }),
      await old.call('DELETE', `/domains/${name}`, { json: deletion, headers: key }),
    ];
    expect(first.body).toMatchObject(pending);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test('success: changes that are applied at once stay 1000', async () => {
    const done = await old.delete(`/domains/${await register(old)}`, {
      domain: { delete: { verified: true } },
    });
    expect(done.body.code).toBe(1000);
  });

  test('success: without the profile the code is 1000', async () => {
    const { body } = await plain.delete(`/domains/${await register(plain)}`, deletion);
    expect(body).toMatchObject({ code: 1000, data: { domain: { pending: true } } });
  });
});

describe('addr, legal_document and locale', () => {
  const addr = { country_code: 'EE', city: 'Tallinn', street: 'Pikk 1', zip: '10123' };
  const legal_document = { body: 'QUJD'.repeat(2_000), type: 'pdf' };

  test('success: they are discarded and named', async () => {
    const created = await old.post(
      '/contacts?locale=et',
      newContact({ id: 'addressed', addr, legal_document }),
    );
    expect(created.body).toMatchObject({
      code: 1100,
      message: 'Command completed successfully; Postal address data discarded',
      data: { contact: { code: 'ALPHA:ADDRESSED' } },
    });
    expect(created.headers.get('compatibility-discarded')).toBe(
      'locale, contact.addr, contact.legal_document',
    );
    const registered = await old.post('/domains', newDomain('mari', { legal_document }));
    expect(registered.status).toBe(200);
    expect(registered.headers.get('compatibility-discarded')).toBe('domain.legal_document');
    expect((await old.get('/accounts/balance')).headers.has('compatibility-discarded')).toBe(false);
  });

  test('success: an update without any remaining field changes nothing', async () => {
    const emptied = await old.put('/contacts/addressed', { contact: { addr } });
    expect(emptied.body).toMatchObject({ code: 1100, data: { contact: { code: 'ALPHA:ADDRESSED' } } });
    const name = await register(old);
    expect((await old.put(`/domains/${name}`, { domain: { legal_document } })).body.code).toBe(1000);
    expect(reasons(await old.put(`/domains/${name}`, { domain: {} }))).toEqual([['fieldMissing', 'domain']]);
    expect((await old.put('/contacts/addressed', { contact: {} })).status).toBe(400);
    expect((await old.put('/contacts/nobody', { contact: { addr } })).status).toBe(404);
  });

  test('success: so is every other member that no call knows, and an optional null is as good as nothing', async () => {
    const created = await old.post('/contacts?language=et', newContact({ fax: '1', addr, id: null }));
    expect(created.status).toBe(200);
    expect(created.headers.get('compatibility-discarded')).toBe('language, contact.addr, contact.fax');
    const blank = { reserved_pw: '', transfer_code: '', admin_contacts: [''], tech_contacts: null };
    const registered = await old.post('/domains', { ...newDomain('mari', { ...blank, addr }), 'Ä\n': 1 });
    expect(registered.status).toBe(200);
    expect(registered.headers.get('compatibility-discarded')).toBe('domain.addr, ??');
  });

  test('failure: without the profile each of them is refused', async () => {
    expect(reasons(await plain.post('/contacts?language=et', newContact({ fax: '1' })))).toEqual([
      ['unknownField', 'language'],
      ['unknownField', 'contact.fax'],
    ]);
  });

  test('failure: without the profile each is refused by its name', async () => {
    const reply = await plain.post('/contacts?locale=et', newContact({ addr, legal_document }));
    expect(reasons(reply)).toEqual([
      ['unknownField', 'locale'],
      ['unknownField', 'contact.addr'],
      ['unknownField', 'contact.legal_document'],
    ]);
    expect(reply.headers.has('compatibility-discarded')).toBe(false);
  });
});

describe('contact ids', () => {
  test.each([
    ['abc', 'ALPHA:ABC'],
    ['ALPHA:def', 'ALPHA:DEF'],
    ['alpha:ghi', 'ALPHA:GHI'],
    ['BETA:jkl', 'ALPHA:BETA:JKL'],
  ])('success: %s is stored as %s', async (id, code) => {
    expect((await old.post('/contacts', newContact({ id }))).body.data).toEqual({ contact: { code } });
  });

  test.each([[undefined], [''], ['ALPHA']])('success: one is generated for %s', async (id) => {
    const { body } = await old.post('/contacts', newContact(id === undefined ? {} : { id }));
    expect(body.data.contact.code).toMatch(/^ALPHA:[0-9A-F]{8}$/);
  });

  test('success: a repeated request with a generated id is replayed', async () => {
    const headers = { 'idempotency-key': 'generated-id' };
    const [first, again] = [
      await old.post('/contacts', newContact(), headers),
      await old.post('/contacts', newContact(), headers),
    ];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  test('success: found with and without the prefix, in paths and bodies', async () => {
    await old.post('/contacts', newContact({ id: 'tech1' }));
    await old.post('/contacts', newContact({ id: 'tech2' }));
    for (const code of ['tech1', 'TECH1', 'ALPHA:TECH1', 'alpha:tech1'])
      expect((await old.get(`/contacts/${code}`)).body.data.contact.code).toBe('ALPHA:TECH1');
    const name = await register(old, { tech_contacts: ['tech1'], admin_contacts: ['mari'] });
    const contacts = async () => (await old.get(`/domains/${name}/contacts`)).body.data;
    expect(await contacts()).toEqual({ admin_contacts: ['ALPHA:MARI'], tech_contacts: ['ALPHA:TECH1'] });
    await old.patch('/domains/contacts', { current_contact_id: 'tech1', new_contact_id: 'tech2' });
    expect((await contacts()).tech_contacts).toEqual(['ALPHA:TECH2']);
    const other = { contacts: [{ code: 'jaan', type: 'tech' }] };
    expect((await old.post(`/domains/${name}/contacts`, other)).status).toBe(200);
    expect((await old.delete(`/domains/${name}/contacts`, other)).status).toBe(200);
    for (const code of ['tech2', 'ALPHA:TECH2'])
      expect((await old.get(`/domains?contact=${code}`)).body.data.domains).toEqual([name]);
    const change = { domain: { registrant: { code: 'jaan', verified: true } } };
    expect((await old.put(`/domains/${name}`, change)).status).toBe(200);
    expect((await old.get(`/domains/${name}`)).body.data.domain.registrant.code).toBe('ALPHA:JAAN');
  });

  test('success: a contact created before the profile is found by its own code, and with the prefix', async () => {
    await registry.sql.run(sql`
      update contacts set code = 'before', code_key = 'before' where code_key = 'alpha:abc'`);
    for (const code of ['before', 'ALPHA:before'])
      expect((await old.get(`/contacts/${code}`)).body.data.contact.code).toBe('before');
  });

  test('success: the check answers for the code that would be stored, under the code that was asked for', async () => {
    const check = async (code: string) => (await old.get(`/contacts/check/${code}`)).body.data.contact;
    expect(await check('mari')).toEqual({ code: 'mari', available: false });
    expect(await check('beta-mari')).toEqual({ code: 'beta-mari', available: true });
  });

  test('failure: unknown, removed and another registrar’s', async () => {
    await old.post('/contacts', newContact({ id: 'short-lived' }));
    expect((await old.delete('/contacts/short-lived')).status).toBe(200);
    expect((await old.get('/contacts/short-lived')).status).toBe(404);
    expect((await old.get('/contacts/nobody')).status).toBe(404);
    expect((await old.get('/contacts/beta-mari')).status).toBe(404);
    expect((await old.post('/contacts', newContact({ id: 'MARI' }))).body.code).toBe(2302);
    expect(reasons(await old.post('/contacts', newContact({ id: 'ß' })))).toEqual([
      ['wrongSyntax', 'contact.id'],
    ]);
    const unknown = await old.post('/domains', newDomain('nobody'));
    expect(unknown.body).toMatchObject({ code: 2303, message: 'Object does not exist: nobody' });
  });

  test('success: without the profile a code is stored as given, and found by it only', async () => {
    const { body } = await plain.post('/contacts', newContact({ id: 'as-given' }));
    expect(body.data.contact.code).toBe('as-given');
    expect((await plain.get('/contacts/BETA:as-given')).status).toBe(404);
    expect((await plain.post('/contacts', newContact())).body.data.contact.code).toMatch(
      /^BETA:[0-9a-f]{8}$/,
    );
  });
});

describe('form bodies', () => {
  const contact = [
    'contact[id]=formed&contact[name]=Mari+Maasikas&contact[email]=mari%40example.ee&contact[phone]=%2B372.5551234',
    'contact[ident][ident]=60001019906&contact[ident][ident_type]=priv&contact[ident][ident_country_code]=EE',
  ].join('&');
  const domain = (name: string) =>
    [
      `domain[name]=${name}&domain[registrant]=mari&domain[period]=1&domain[period_unit]=y`,
      'domain[nameservers_attributes][][hostname]=ns1.example.net&domain[nameservers_attributes][][ipv4][]=192.0.2.1',
      'domain[nameservers_attributes][][hostname]=ns2.example.net&domain[tech_contacts][]=jaan',
    ].join('&');

  test('success: read in bracket form, with integers and flags where the call has them', async () => {
    const created = await old.call('POST', '/contacts', { form: contact });
    expect(created.body.data).toEqual({ contact: { code: 'ALPHA:FORMED' } });
    const name = freshName();
    expect((await old.call('POST', '/domains', { form: domain(name) })).status).toBe(200);
    expect((await old.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      nameservers: [{ hostname: 'ns1.example.net', ipv4: ['192.0.2.1'] }, { hostname: 'ns2.example.net' }],
      contacts: [{ code: 'ALPHA:JAAN', type: 'TechDomainContact' }],
    });
    const deleted = await old.call('DELETE', `/domains/${name}`, { form: 'domain[delete][verified]=true' });
    expect(deleted.body.code).toBe(1000);
  });

  test('failure: errors in it are reported by field name', async () => {
    const reply = await old.call('POST', '/domains', {
      form: 'domain[name]=x.ee&domain[period]=one&domain[colour]=red',
    });
    expect(reasons(reply)).toEqual(
      expect.arrayContaining([
        ['fieldMissing', 'domain.registrant'],
        ['wrongSyntax', 'domain.period'],
      ]),
    );
    expect((await old.call('POST', '/contacts', { form: 'contact[name=1' })).body.code).toBe(2005);
  });

  test('failure: forms above 128 KiB or of more than 1,100 fields; the same body as JSON is read', async () => {
    const name = 'x'.repeat(131_072);
    const large = await old.call('POST', '/contacts', { form: `contact[name]=${name}` });
    expect(large.status).toBe(400);
    expect(reasons(large)).toEqual([['bodyTooLarge', null]]);
    expect(large.body).toMatchObject({ code: 2004, message: 'Request body is larger than 0.125 MiB' });
    const many = await old.call('POST', '/contacts', { form: 'contact[a]=&'.repeat(1_101) });
    expect(many.status).toBe(400);
    expect(reasons(many)).toEqual([['tooManyValues', null]]);
    expect(many.body).toMatchObject({ code: 2004, message: 'Request body holds more than 1100 values' });
    const json = await old.call('POST', '/contacts', { json: { contact: { name } } });
    expect(reasons(json)).toContainEqual(['fieldMissing', 'contact.email']);
  });

  test('failure: other formats stay refused', async () => {
    const xml = await old.call('POST', '/contacts', { json: {}, headers: { 'content-type': 'text/xml' } });
    expect(xml.status).toBe(406);
  });

  test('failure: without the profile a form is 406', async () => {
    expect((await plain.call('POST', '/contacts', { form: contact })).status).toBe(406);
  });
});

describe('the answer to a registration', () => {
  test('success: it has the transfer code, which is read again on a replay and stored with no key', async () => {
    const name = freshName();
    const headers = { 'idempotency-key': `registration of ${name}` };
    const first = await old.post('/domains', newDomain('mari', { name }), headers);
    const code = (await old.get(`/domains/${name}`)).body.data.domain.transfer_code;
    const { id } = first.body.data.domain;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.body.data).toEqual({ domain: { name, transfer_code: code, id } });
    await old.put(`/domains/${name}`, { domain: { transfer_code: 'chosen-later' } });
    const again = await old.post('/domains', newDomain('mari', { name }), headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual({ domain: { name, transfer_code: 'chosen-later', id } });
    const [stored] = await registry.sql.rows(sql<{ answer: object }>`
      select answer from idempotency_keys where key = ${headers['idempotency-key']}`);
    expect(stored?.answer).toEqual({ domain: { name } });
  });

  test('success: a domain that was transferred away shows no code, and neither does a dry run', async () => {
    const name = freshName();
    const headers = { 'idempotency-key': `lost ${name}` };
    const { body } = await old.post('/domains', newDomain('mari', { name }), headers);
    const transfer = { transfer: { transfer_code: body.data.domain.transfer_code } };
    expect((await plain.post(`/domains/${name}/transfer`, transfer)).status).toBe(200);
    const again = await old.post('/domains', newDomain('mari', { name }), headers);
    expect(again.body.data).toEqual({ domain: { name } });
    const dryRun = await old.post('/domains', newDomain('mari'), { 'dry-run': 'true' });
    expect(dryRun.body.data.domain).not.toHaveProperty('transfer_code');
    expect(dryRun.body.data.dry_run).toBeDefined();
  });

  test('success: without the profile it has the domain without its code', async () => {
    const name = freshName();
    const { domain } = (await plain.post('/domains', newDomain('beta-mari', { name }))).body.data;
    expect(domain).toMatchObject({ name, registrant: { code: 'beta-mari' } });
    expect(domain).not.toHaveProperty('transfer_code');
    expect(domain).not.toHaveProperty('id');
  });
});

describe('disputes', () => {
  const dispute = async (name: string) => {
    await registry.sql.run(sql`
      insert into disputes (name, code, starts_at, expires_at) values (${name}, 'dispute-code', '2020-01-01', '2099-01-01')`);
    return `/domains/${name}`;
  };
  const change = (registrant: string, reserved_pw?: string) => ({
    domain: { registrant: { code: registrant }, ...(reserved_pw !== undefined && { reserved_pw }) },
  });

  test('success: won by an update with the code, at once', async () => {
    const path = await dispute(await register(old, { transfer_code: 'known-to-the-loser' }));
    expect((await old.put(path, change('jaan', 'dispute-code'))).body.code).toBe(1000);
    const { domain } = (await old.get(path)).body.data;
    expect(domain).toMatchObject({ dispute: false, registrant: { code: 'ALPHA:JAAN' } });
    expect(domain.transfer_code).not.toBe('known-to-the-loser');
    const message = (await old.get('/registrar/notifications')).body.data;
    expect(message).toMatchObject({ type: 'status_cancelled' });
    // Nothing else than ever: programs of the incumbent's registrars may refuse what they do not know.
    const members = ['id', 'text', 'attached_obj_type', 'attached_obj_id', 'type', 'created_at', 'read'];
    const [listed] = (await old.get('/registrar/notifications/all_notifications')).body.data;
    const one = (await old.get(`/registrar/notifications/${message.id}`)).body.data;
    expect([message, listed, one].map(Object.keys)).toEqual([members, members, members]);
  });

  test('failure: without the code, without another registrant, and with a wrong code, which counts', async () => {
    const name = await register(old);
    const path = await dispute(name);
    expect((await old.put(path, change('jaan'))).body.code).toBe(2304);
    expect((await old.put(path, change('mari', 'dispute-code'))).body.code).toBe(2304);
    expect(
      (await old.put(path, { domain: { reserved_pw: 'dispute-code', transfer_code: 'a-new-code' } })).body
        .code,
    ).toBe(2304);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await old.put(path, change('jaan', `guess-${guess}`))).body.code).toBe(2202);
    const guessed = await old.put(path, change('jaan', 'dispute-code'));
    expect([guessed.status, guessed.body.code, guessed.headers.has('retry-after')]).toEqual([
      400,
      2502,
      true,
    ]);
    expect((await old.get(path)).body.data.domain).toMatchObject({
      dispute: true,
      registrant: { code: 'ALPHA:MARI' },
    });
  });

  test('failure: without the profile the code is an unknown field', async () => {
    const path = await dispute(await register(plain));
    expect(reasons(await plain.put(path, change('beta-jaan', 'dispute-code')))).toEqual([
      ['unknownField', 'domain.reserved_pw'],
    ]);
  });
});

describe('nameserver replacement without id', () => {
  const addition = (domains?: string[], hostname = 'ns9.example.net') => ({
    data: { type: 'nameserver', ...(domains && { domains }), attributes: { hostname } },
  });

  test('success: adds to the listed domains, and skips those that it cannot be added to', async () => {
    const nameservers_attributes = hosts('ns1.example.net', 'ns2.example.net');
    const [one, full] = [
      await register(old, { nameservers_attributes }),
      await register(old, {
        nameservers_attributes: hosts(...Array.from({ length: 11 }, (_, n) => `ns${n}.example.org`)),
      }),
    ];
    const [has, none, foreign] = [
      await register(old, {
        nameservers_attributes: [...nameservers_attributes, ...hosts('ns9.example.net')],
      }),
      await register(old),
      await register(plain, { nameservers_attributes }),
    ];
    const reply = await old.put('/registrar/nameservers', addition([one, full, has, none, foreign]));
    expect(reply.body.data).toEqual({
      type: 'nameserver',
      id: 'ns9.example.net',
      attributes: { hostname: 'ns9.example.net' },
      affected_domains: [one],
      skipped_domains: [full, has, none, foreign].toSorted(),
    });
    const { nameservers } = (await old.get(`/domains/${one}/nameservers`)).body.data;
    expect(nameservers.map(({ hostname }: { hostname: string }) => hostname)).toEqual([
      'ns1.example.net',
      'ns2.example.net',
      'ns9.example.net',
    ]);
  });

  test('success: without a list nothing happens; with an id it is replaced as before', async () => {
    const nothing = await old.put('/registrar/nameservers', addition(undefined, 'ns8.example.net'));
    expect(nothing.body.data).toMatchObject({ affected_domains: [], skipped_domains: [] });
    const nameservers_attributes = hosts('ns3.example.com', 'ns4.example.com');
    const name = await register(old, { nameservers_attributes });
    const { data } = addition([name], 'ns5.example.com');
    const replaced = await old.put('/registrar/nameservers', { data: { ...data, id: 'ns3.example.com' } });
    expect(replaced.body.data.affected_domains).toEqual([name]);
  });

  test('failure: an empty list is refused, and so is everything without the profile', async () => {
    expect((await old.put('/registrar/nameservers', addition([]))).body.code).toBe(2003);
    expect(reasons(await plain.put('/registrar/nameservers', addition(['some.ee'])))).toEqual([
      ['fieldMissing', 'data.id'],
    ]);
  });
});
