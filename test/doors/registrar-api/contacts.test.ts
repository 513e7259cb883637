import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { json } from '../../../src/platform/sql/statement.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { firstFailure, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

/** Makes a domain that uses a contact as registrant and as tech contact. */
async function linkToDomain(code: string, name: string): Promise<void> {
  await new Registrant(client, code).register({ name, tech_contacts: [code] });
  await registry.sql.run(sql`update domains set expire_time = '2027-07-01T21:00:00Z' where name = ${name}`);
}

describe('POST /contacts', () => {
  test('success: creates a contact under its custom code, stored as given', async () => {
    const code = `Mari.${freshCode()}:X_1`;
    const reply = await client.post('/contacts', newContact({ id: code }));
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      code: 1000,
      message: 'Command completed successfully',
      data: { contact: { code } },
    });
  });

  test('success: generates <REGISTRAR>:<8 hex> without a code', async () => {
    const reply = await client.post('/contacts', newContact());
    expect(reply.body.data.contact.code).toMatch(/^ALPHA:[0-9a-f]{8}$/);
  });

  test('failure: an address or an auth_info is unknown here; a change keeps the stored address', async () => {
    const address = { city: 'Tallinn', country_code: 'EE' };
    for (const [name, value] of Object.entries({ address, addr: address, authInfo: 'x', auth_info: 'x' }))
      for (const reply of [
        await client.post('/contacts', newContact({ [name]: value })),
        await client.put('/contacts/mari', { contact: { [name]: value } }),
      ])
        expect(firstFailure(reply)).toEqual([400, 2005, `contact.${name}`]);
    const code = await createContact(client);
    const setCity = sql`update contacts set city = 'Tallinn', country_code = 'EE' where code = ${code}`;
    await registry.sql.run(setCity);
    await client.put(`/contacts/${code}`, { contact: { phone: '+372.1' } });
    const stored = await registry.sql.rows(sql`select phone, city from contacts where code = ${code}`);
    expect(stored).toEqual([{ phone: '+372.1', city: 'Tallinn' }]);
  });

  test('success: disclosed attributes are stored in one order, kept, replaced and removed', async () => {
    const disclosed_attributes = ['phone', 'email', 'phone'];
    const code = await createContact(client, { disclosed_attributes });
    const disclosed = async () =>
      (await client.get(`/contacts/${code}`)).body.data.contact.disclosed_attributes;
    expect(await disclosed()).toEqual(['email', 'phone']);
    await client.put(`/contacts/${code}`, { contact: { phone: '+372.1' } });
    expect(await disclosed()).toEqual(['email', 'phone']);
    await client.put(`/contacts/${code}`, { contact: { disclosed_attributes: ['address', 'name'] } });
    expect(await disclosed()).toEqual(['name', 'address']);
    expect((await client.put(`/contacts/${code}`, { contact: { disclosed_attributes: [] } })).status).toBe(
      200,
    );
    expect(await disclosed()).toEqual([]);
    const history = await registry.sql.rows(sql`
      select after -> 'disclosed_attributes' as shown from history where object_name = ${code} order by id`);
    expect(history.map(({ shown }) => shown)).toEqual([
      ['email', 'phone'],
      ['email', 'phone'],
      ['name', 'address'],
      null,
    ]);
  });

  test.each([
    ['an unknown one', ['email', 'ident'], 'contact.disclosed_attributes.1'],
    ['not a list', 'email', 'contact.disclosed_attributes'],
    ['not a string', [null], 'contact.disclosed_attributes.0'],
  ])('failure: disclosed attributes with %s', async (_what, disclosed_attributes, field) => {
    const code = await createContact(client);
    for (const reply of [
      await client.post('/contacts', newContact({ disclosed_attributes })),
      await client.put(`/contacts/${code}`, { contact: { disclosed_attributes } }),
    ])
      expect(firstFailure(reply)).toEqual([400, 2005, field]);
  });

  test('success: trims every text but a code, also in a query', async () => {
    const code = await createContact(client, { phone: ' +372.5550001\n' });
    expect((await client.get(`/contacts/${code}`)).body.data.contact.phone).toBe('+372.5550001');
    expect((await client.get(`/contacts?limit=%201&q=%20${code}%20`)).body.data.contacts).toEqual([code]);
    expect(firstFailure(await client.post('/contacts', newContact({ id: ` ${freshCode()} ` })))).toEqual([
      400,
      2005,
      'contact.id',
    ]);
    const blank = await client.post('/contacts', newContact({ phone: ' \t' }));
    expect(firstFailure(blank)).toEqual([400, 2003, 'contact.phone']);
  });

  test('success: trims name and e-mail and accepts a country code in any case', async () => {
    const code = await createContact(client, {
      name: '  Õie Ülle-Mai O’Ža  ',
      email: ' oie@näide.ee ',
      ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'ee' },
    });
    const { contact } = (await client.get(`/contacts/${code}`)).body.data;
    expect(contact).toMatchObject({
      name: 'Õie Ülle-Mai O’Ža',
      email: 'oie@näide.ee',
      ident: { code: '12345678', type: 'org', country_code: 'EE' },
    });
  });

  test('failure: a code that exists, in any case, at any registrar', async () => {
    const code = await createContact(client, { id: `Case-${freshCode()}` });
    for (const [who, id] of [
      [client, code],
      [client, code.toUpperCase()],
      [beta(registry.url), code.toLowerCase()],
    ] as const) {
      const reply = await who.post('/contacts', newContact({ id }));
      expect([reply.status, reply.body.code]).toEqual([400, 2302]);
      expect(reply.body.errors).toEqual([
        { code: 2302, message: reply.body.message, field: 'contact.id', reason: 'contactCodeTaken' },
      ]);
    }
  });

  test('failure: every failure at once, in the order of the document', async () => {
    const reply = await client.post('/contacts', {
      contact: {
        surplus: 1,
        phone: '12',
        ident: { ident_type: 'alien', ident: '5' },
        email: 'nobody',
        id: 'no spaces',
      },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.errors?.map(({ code, field }) => [code, field])).toEqual([
      [2005, 'contact.id'],
      [2003, 'contact.name'],
      [2005, 'contact.email'],
      [2005, 'contact.phone'],
      [2005, 'contact.ident.ident_type'],
      [2003, 'contact.ident.ident_country_code'],
      [2005, 'contact.surplus'],
    ]);
  });

  const REFUSED: readonly [string, Record<string, unknown>, number, string][] = [
    ['a name with markup', { name: '<b>Mari</b>' }, 2005, 'contact.name'],
    ['an empty name', { name: '' }, 2003, 'contact.name'],
    ['a name of spaces', { name: '   ' }, 2003, 'contact.name'],
    ['a name that is null', { name: null }, 2003, 'contact.name'],
    ['a name that is a number', { name: 5 }, 2005, 'contact.name'],
    ['a lone surrogate in a name', { name: 'Mari \ud83d' }, 2005, 'contact.name'],
    ['an e-mail without a domain', { email: 'mari@' }, 2005, 'contact.email'],
    ['a phone without a dot', { phone: '+3725551234' }, 2005, 'contact.phone'],
    ['a code of 101 characters', { id: 'x'.repeat(101) }, 2005, 'contact.id'],
    ['no identification', { ident: undefined }, 2003, 'contact.ident'],
    ['an identification that is a text', { ident: '60001019906' }, 2005, 'contact.ident'],
    [
      'a personal code with a wrong check digit',
      { ident: { ident: '60001019907', ident_type: 'priv', ident_country_code: 'EE' } },
      2005,
      'contact.ident.ident',
    ],
    [
      'an unknown country',
      { ident: { ident: 'x', ident_type: 'priv', ident_country_code: 'XX' } },
      2005,
      'contact.ident.ident_country_code',
    ],
    ['a member that the document does not know', { addr: { city: 'Tallinn' } }, 2005, 'contact.addr'],
  ];
  test.each(REFUSED)('failure: %s', async (_what, changes, code, field) => {
    const [{ before } = { before: -1 }] = await registry.sql.rows(
      sql<{ before: number }>`select count(*) as before from contacts`,
    );
    const reply = await client.post('/contacts', newContact(changes));
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, code, field]);
    expect(reply.body.errors).toHaveLength(1);
    const [{ after } = { after: -2 }] = await registry.sql.rows(
      sql<{ after: number }>`select count(*) as after from contacts`,
    );
    expect(after).toBe(before);
  });
});

describe('GET /contacts/:contact_id', () => {
  test('success: shows the whole object to its registrar, found in any case', async () => {
    const code = await createContact(client, { id: `Show-${freshCode()}` });
    const { contact } = (await client.get(`/contacts/${code.toUpperCase()}`)).body.data;
    expect(contact).toEqual({
      code,
      name: 'Mari Maasikas',
      ident: { code: '60001019906', type: 'priv', country_code: 'EE' },
      email: 'mari@example.ee',
      phone: '+372.5551234',
      auth_info: expect.stringMatching(/^[0-9a-f]{22}$/),
      statuses: { ok: null },
      disclosed_attributes: [],
      reference: null,
      registrar: { name: 'Alpha Registrar', website: 'https://alpha.example' },
      domains: [],
      domains_count: 0,
    });
  });

  test('success: names its domains with roles and expiry in the zone of the registry', async () => {
    const code = await createContact(client);
    const name = `${freshCode()}.ee`;
    await linkToDomain(code, name);
    const { contact } = (await client.get(`/contacts/${code}`)).body.data;
    expect(contact).toMatchObject({
      statuses: { ok: null, linked: null },
      domains: [
        { name, roles: ['Registrant', 'TechDomainContact'], expire_time: '2027-07-02T00:00:00.000+03:00' },
      ],
      domains_count: 1,
    });
  });

  test('success: simple=true is code and name', async () => {
    const code = await createContact(client);
    const reply = await client.get(`/contacts/${code}?simple=true`);
    expect(reply.body.data).toEqual({ contact: { code, name: 'Mari Maasikas' } });
  });

  test('failure: an unknown contact and another registrar’s are the same bytes', async () => {
    const foreign = await createContact(beta(registry.url));
    const [unknown, other] = await Promise.all([
      client.get('/contacts/nobody'),
      client.get(`/contacts/${foreign}`),
    ]);
    expect([unknown.status, unknown.body.code]).toEqual([404, 2303]);
    expect([other.status, other.text]).toEqual([404, unknown.text]);
  });

  test.each([['x'.repeat(255)], ['%00'], ['a%20b'], ['%F0%9F%A6%8A'], ["'; drop table contacts; --"]])(
    'failure: no contact has the code %s',
    async (code) => {
      const reply = await client.get(`/contacts/${code.startsWith('%') ? code : encodeURI(code)}`);
      expect([reply.status, reply.body.code]).toEqual([404, 2303]);
    },
  );

  test('failure: an unknown query parameter', async () => {
    const reply = await client.get(`/contacts/${await createContact(client)}?simple=maybe&extra=1`);
    expect(reply.body.errors?.map(({ code, field }) => [code, field])).toEqual([
      [2005, 'simple'],
      [2005, 'extra'],
    ]);
  });
});

test.each([[null], [''], ['\u200b']])(
  'success: the code %j is not given, and one is generated',
  async (id) => {
    const reply = await client.post('/contacts', newContact({ id, disclosed_attributes: null }));
    expect(reply.body.data.contact.code).toMatch(/^ALPHA:[0-9a-f]{8}$/);
  },
);

describe('PUT /contacts/:contact_id', () => {
  test('success: changes what is given and leaves the rest', async () => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { email: 'new@example.ee' } });
    expect(reply.body.data).toMatchObject({ contact: { code } });
    const { contact } = (await client.get(`/contacts/${code}`)).body.data;
    expect(contact).toMatchObject({ email: 'new@example.ee', name: 'Mari Maasikas', phone: '+372.5551234' });
  });

  test.each([[null], [''], ['\u200b']])('success: %j as identification is not given', async (ident) => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { ident, phone: '+372.5550000' } });
    expect([reply.status, reply.body.code]).toEqual([200, 1000]);
  });

  test('success: what a contact cannot be without stays with null; what is disclosed is emptied', async () => {
    const code = await createContact(client, { disclosed_attributes: ['email'] });
    const contact = { name: null, email: null, phone: '+372.5550000', disclosed_attributes: null };
    expect((await client.put(`/contacts/${code}`, { contact })).status).toBe(200);
    expect((await client.get(`/contacts/${code}`)).body.data.contact).toMatchObject({
      name: 'Mari Maasikas',
      email: 'mari@example.ee',
      phone: '+372.5550000',
      disclosed_attributes: [],
    });
  });

  test.each(['name', 'email', 'phone'])('failure: an empty %s in a change', async (field) => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { [field]: '' } });
    expect(reply.body.errors?.map((one) => [one.code, one.field])).toEqual([[2003, `contact.${field}`]]);
  });

  test('failure: a change of nothing but what is not given', async () => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { name: null, ident: null } });
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, 2003, 'contact']);
  });

  test('success: the stored identification may be repeated', async () => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, newContact({ name: 'Mari Mustikas' }));
    expect(reply.status).toBe(200);
  });

  test.each([
    { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    { ident: '12345678' },
    { ident_type: 'org' },
    { ident: '60001019906', ident_type: 'passport', ident_country_code: 'EE' },
    { ident: '60001019907', ident_type: 'priv', ident_country_code: 'EE' },
    { ident: '60001019906', ident_type: 'priv', ident_country_code: 'XX' },
  ])('failure: another identification, complete or not, valid or not: %j', async (ident) => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { ident } });
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([
      400,
      2308,
      'contact.ident',
    ]);
  });

  test('failure: a person’s new name with a symbol', async () => {
    const code = await createContact(client);
    const reply = await client.put(`/contacts/${code}`, { contact: { name: 'Mari & Co' } });
    expect([reply.status, reply.body.code]).toEqual([400, 2005]);
  });

  test.each([['clientUpdateProhibited']])('failure: the status %s', async (status) => {
    const code = await createContact(client);
    await registry.sql.run(
      sql`update contacts set statuses = ${json({ [status]: 'by the registry' })} where code_key = ${code}`,
    );
    const reply = await client.put(`/contacts/${code}`, { contact: { phone: '+372.1' } });
    expect([reply.status, reply.body.code]).toEqual([400, 2304]);
    expect((await client.get(`/contacts/${code}`)).body.data.contact.statuses).toEqual({
      [status]: 'by the registry',
    });
  });

  test.each([[undefined], [{}], [{ contact: {} }], [{ contact: null }]])(
    'failure: nothing to change in %j',
    async (body) => {
      const reply = await client.put(`/contacts/${await createContact(client)}`, body);
      expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, 2003, 'contact']);
    },
  );

  test('failure: another registrar’s contact', async () => {
    const foreign = await createContact(beta(registry.url));
    const reply = await client.put(`/contacts/${foreign}`, { contact: { phone: '+372.1' } });
    expect([reply.status, reply.body.code]).toEqual([404, 2303]);
  });

  test('failure: syntax is checked before the object', async () => {
    const reply = await client.put('/contacts/nobody', { contact: { phone: 'x' } });
    expect([reply.status, reply.body.code]).toEqual([400, 2005]);
  });

  test('failure: a new code', async () => {
    const reply = await client.put(`/contacts/${await createContact(client)}`, { contact: { id: 'other' } });
    expect([reply.body.code, reply.body.errors?.[0]?.field]).toEqual([2005, 'contact.id']);
  });
});

describe('DELETE /contacts/:contact_id', () => {
  test('success: 410 for its registrar and 404 for others', async () => {
    const code = await createContact(client);
    expect((await client.delete(`/contacts/${code}`)).body.data).toEqual({});
    for (const reply of [
      await client.get(`/contacts/${code}`),
      await client.delete(`/contacts/${code}`),
      await client.put(`/contacts/${code}`, { contact: { phone: '+372.1' } }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([410, 2303]);
    }
    expect((await beta(registry.url).get(`/contacts/${code}`)).status).toBe(404);
  });

  test('success: messages about it lose their reference, messages about others keep theirs', async () => {
    const [code, other] = [await createContact(client), await createContact(client)];
    await registry.sql.run(sql`
      insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
      select registrar_id, 'contact_updated', code, 'Contact', id, now() from contacts where code in (${code}, ${other})`);
    await client.delete(`/contacts/${code}`);
    const { data } = (await client.get('/registrar/notifications/all_notifications')).body;
    const attachedOf = (wanted: string) => {
      const found = data.find(({ text }: { text: string }) => text === wanted);
      return [found.attached_obj_type, found.attached_obj_id];
    };
    expect(attachedOf(code)).toEqual([null, null]);
    expect(attachedOf(other)).toEqual(['Contact', expect.any(Number)]);
  });

  test('success: the code is free again', async () => {
    const code = await createContact(client);
    await client.delete(`/contacts/${code}`);
    await createContact(client, { id: code });
    expect((await client.get(`/contacts/${code}`)).status).toBe(200);
    await client.delete(`/contacts/${code}`);
    expect((await client.get(`/contacts/${code}`)).status).toBe(410);
  });

  test('failure: domains use it', async () => {
    const code = await createContact(client);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((first) => `${first}-${freshCode()}.ee`);
    for (const name of names) await linkToDomain(code, name);
    const reply = await client.delete(`/contacts/${code}`);
    expect([reply.status, reply.body.code]).toEqual([400, 2305]);
    expect(reply.body.message).toContain(`used by ${names.slice(0, 5).join(', ')} and 2 more domains`);
    expect((await client.get(`/contacts/${code}`)).status).toBe(200);
  });

  test.each([['clientDeleteProhibited']])('failure: the status %s', async (status) => {
    const code = await createContact(client);
    await registry.sql.run(
      sql`update contacts set statuses = ${json({ [status]: null })} where code_key = ${code}`,
    );
    const reply = await client.delete(`/contacts/${code}`);
    expect([reply.status, reply.body.code]).toEqual([400, 2304]);
  });

  test('failure: unknown, or another registrar’s', async () => {
    const foreign = await createContact(beta(registry.url));
    const replies = [await client.delete('/contacts/nobody'), await client.delete(`/contacts/${foreign}`)];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 2303],
      [404, 2303],
    ]);
  });

  test('failure: a body with members', async () => {
    const reply = await client.delete(`/contacts/${await createContact(client)}`, { contact: 1 });
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, 2005, 'contact']);
  });
});

describe('GET /contacts/check/:contact_id', () => {
  test('success: says whether the code is available', async () => {
    const code = await createContact(client, { id: `Check-${freshCode()}` });
    const available = async (text: string) => (await client.get(`/contacts/check/${text}`)).body.data.contact;
    expect(await available(code)).toEqual({ code, available: false });
    expect(await available(code.toUpperCase())).toEqual({ code: code.toUpperCase(), available: false });
    expect(await available(freshCode())).toMatchObject({ available: true });
    expect(await available('no%20spaces')).toEqual({ code: 'no spaces', available: false });
  });

  test('success: an empty code is 404', async () => {
    expect((await client.get('/contacts/check/')).status).toBe(404);
  });
});
