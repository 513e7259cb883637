import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, type Reply } from '../../support/client.ts';
import { OldClient, setProfile } from '../../support/compatibility.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { freshName, hosts, KEY, newDomain, OTHER_KEY, Registrant } from '../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A year costs 9.00. */
let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startFreshRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const domainNow = async (name: string, of = client): Promise<object> => {
  const { transfer_code: code, ...domain } = (await of.get(`/domains/${name}`)).body.data.domain;
  expect(code).toEqual(expect.any(String));
  return domain;
};
const contactNow = async (code: string): Promise<object> => {
  const { auth_info: _code, ...contact } = (await client.get(`/contacts/${code}`)).body.data.contact;
  return contact;
};
/** As text: the members are the same in the same order. */
const isShown = async ({ status, body }: Reply, charged: string, of = client) => {
  expect([status, body.data.charged]).toEqual([200, charged]);
  const { pending: _pending, type: _type, ...domain } = body.data.domain;
  expect(JSON.stringify(domain)).toBe(JSON.stringify(await domainNow(domain.name, of)));
};
const keyed = (key = freshCode()) => ({ 'idempotency-key': key });
const renewal = async (name: string, period = 1) => {
  const { expire_time: expiry } = (await client.get(`/domains/${name}`)).body.data.domain;
  return { renews: { period, period_unit: 'y', exp_date: expiry.slice(0, 10) } };
};
/** With contacts in an order of their own, nameservers with addresses and keys. */
async function everything() {
  const techs = [await createContact(client), await createContact(client)];
  const name = freshName();
  return {
    name,
    admin_contacts: [await createContact(client), mari.code],
    tech_contacts: techs.toReversed(),
    nameservers_attributes: [
      { hostname: `ns9.${name}`, ipv4: ['192.0.2.1', '192.0.2.2'], ipv6: ['2001:db8::1'] },
      ...hosts('ns1.example.net', 'ns0.example.net'),
    ],
    dnskeys_attributes: [OTHER_KEY, KEY],
  };
}

describe('a call that writes a domain', () => {
  test('success: a registration answers with what GET then shows, without the transfer code', async () => {
    await isShown(await mari.try(), '9.00');
    await isShown(await mari.try(await everything()), '9.00');
    await isShown(await mari.try({ name: 'šokolaad.ee', period: 10 }), '90.00');
    expect((await mari.try({ transfer_code: 'a-code-of-ours' })).text).not.toContain('a-code-of-ours');
  });

  test('success: simultaneous registrations each have their own ids', async () => {
    const wanted = await Promise.all(Array.from({ length: 8 }, () => everything()));
    const replies = await Promise.all(wanted.map((each) => mari.try(each)));
    for (const reply of replies) await isShown(reply, '9.00');
    for (const [index, { name }] of wanted.entries())
      expect(replies[index]?.body.data.domain.name).toBe(name);
  });

  test('success: a renewal, also of a domain that is on hold or about to be deleted', async () => {
    const name = await mari.register(await everything());
    await isShown(await client.post(`/domains/${name}/renew`, await renewal(name)), '9.00');
    await client.put(`/domains/${name}/statuses/clientHold`);
    await isShown(await client.post(`/domains/${name}/renew`, await renewal(name, 2)), '18.00');
    await registry.sql.run(sql`
      update domains set statuses = '{"serverDeleteProhibited": "", "serverHold": "", "clientHold": "ours"}', outzone_at = '2031-01-01T10:20:30.456Z',
        delete_date = '2031-02-03', hold_causes = '["expiry"]',
        force_delete = '{"kind": "soft", "reason": "x", "added": [], "taken": {}, "warned": false, "held": false}',
        force_delete_start = '2031-01-01', force_delete_date = '2031-07-01' where name = ${name}`);
    const update = { domain: { transfer_code: 'another-code-of-ours' } };
    await isShown(await client.put(`/domains/${name}`, update), '0.00');
    await registry.sql.run(
      sql`update domains set statuses = statuses || '{"pendingDelete": "", "expired": ""}' where name = ${name}`,
    );
    await isShown(await client.post(`/domains/${name}/renew`, await renewal(name)), '9.00');
  });

  test('success: an update, done at once and asked for', async () => {
    const name = await mari.register(await everything());
    const jaan = await createContact(client, { name: 'Jaan Tamm' });
    const ask = (verified: boolean, code = jaan) =>
      client.put(`/domains/${name}`, { domain: { registrant: { code, verified } } });
    await isShown(await client.put(`/domains/${name}`, { domain: { transfer_code: 'a-new-code' } }), '0.00');
    await isShown(await ask(true), '0.00');
    const firm = await createContact(client, {
      name: 'Firm',
      ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    });
    const asked = await ask(false, firm);
    expect(asked.body.data.domain.pending).toBe(true);
    await isShown(asked, '0.00');
    expect(asked.body.data.domain.registrant.code).toBe(jaan);
  });

  test('success: a transfer, with contacts that were copied and with identical ones', async () => {
    const others = beta(registry.url);
    for (const _copied of [true, false]) {
      const order = { ...(await everything()), transfer_code: 'a-code-of-ours' };
      const name = await mari.register(order);
      const moved = await others.post(`/domains/${name}/transfer`, {
        transfer: { transfer_code: 'a-code-of-ours' },
      });
      expect(moved.body.data.domain.type).toBe('domain_transfer');
      await isShown(moved, '0.00', others);
    }
  });

  test('success: a dry run shows what would be, with 0 for ids that do not exist yet', async () => {
    const dry = { 'dry-run': 'true' };
    const { domain: _, dry_run: cost, ...more } = (await mari.try({}, dry)).body.data;
    expect([cost.price, more]).toEqual(['9.00', { charged: '0.00' }]);
    const rehearsed = (await mari.try(await everything(), dry)).body.data.domain;
    expect(rehearsed.nameservers.map(({ id }: { id: number }) => id)).toEqual([0, 0, 0]);
    expect(rehearsed.dnssec_keys.map(({ id }: { id: number }) => id)).toEqual([0, 0]);
    const name = await mari.register({ ...(await everything()), transfer_code: 'a-code-of-ours' });
    const before = await domainNow(name);
    const renewed = await client.post(`/domains/${name}/renew`, await renewal(name), { headers: dry });
    const { expire_time: later, ...rest } = renewed.body.data.domain;
    expect(rest).toMatchObject({ nameservers: (before as { nameservers: object }).nameservers });
    expect(await domainNow(name)).toEqual(before);
    expect(later).toBe(
      (await client.post(`/domains/${name}/renew`, await renewal(name))).body.data.domain.expire_time,
    );
    const moved = await beta(registry.url).post(
      `/domains/${name}/transfer`,
      { transfer: { transfer_code: 'a-code-of-ours' } },
      { headers: dry },
    );
    const { contacts, registrar } = moved.body.data.domain;
    expect(registrar.name).toBe('Beta Registrar');
    expect(contacts.every(({ name: of }: { name: string }) => of !== '')).toBe(true);
  });

  test('success: a repetition has the answer of the first, and the ids', async () => {
    const order = newDomain(mari.code, await everything());
    const headers = keyed();
    const [first, again] = [
      await client.post('/domains', order, { headers }),
      await client.post('/domains', order, { headers }),
    ];
    expect(again.text).toBe(first.text);
    await isShown(again, '9.00');
    const { name } = order.domain as { name: string };
    await client.put(`/domains/${name}`, { domain: { transfer_code: 'another-code' } });
    expect((await client.post('/domains', order, { headers })).text).toBe(first.text);
    await client.delete(`/domains/${name}/nameservers`);
    const emptied = (await client.post('/domains', order, { headers })).body.data.domain;
    expect(emptied.nameservers.map(({ id }: { id: number }) => id)).toEqual([0, 0, 0]);
  });

  test('success: an answer that was stored without the object is made from the object', async () => {
    const [order, headers] = [newDomain(mari.code), keyed()];
    const first = await client.post('/domains', order, { headers });
    const forget = (answer: object) =>
      registry.sql.run(sql`
        update idempotency_keys set answer = ${JSON.stringify(answer)} where key = ${headers['idempotency-key']}`);
    const { name } = order.domain as { name: string };
    await forget({ domain: { name } });
    expect((await client.post('/domains', order, { headers })).text).toBe(first.text);
    const contact = newContact();
    const made = await client.post('/contacts', contact, { headers: keyed('contact-before') });
    await registry.sql.run(sql`
      update idempotency_keys set answer = ${JSON.stringify({ contact: { code: made.body.data.contact.code } })} where key = 'contact-before'`);
    expect((await client.post('/contacts', contact, { headers: keyed('contact-before') })).text).toBe(
      made.text,
    );
  });
});

describe('a call that writes a contact', () => {
  test('success: it answers with what GET then shows, without the auth_info', async () => {
    const is = async ({ status, body: { data } }: Reply) => {
      expect(status).toBe(200);
      const shown = await contactNow(data.contact.code);
      expect(JSON.stringify(data.contact)).toBe(JSON.stringify(shown));
    };
    await is(await client.post('/contacts', newContact()));
    await is(await client.post('/contacts', newContact({ disclosed_attributes: ['email', 'name'] })));
    const code = await createContact(client);
    await is(await client.put(`/contacts/${code}`, { contact: { phone: '+372.5' } }));
    for (let count = 0; count < 3; count++)
      await mari.register({ admin_contacts: [code], tech_contacts: [code] });
    await new Registrant(client, code).register({ tech_contacts: [code] });
    await is(await client.put(`/contacts/${code}`, { contact: { email: 'other@example.ee' } }));
    await registry.sql.run(
      sql`update contacts set statuses = '{"zz": "a note", "abc": null}' where code = ${code}`,
    );
    await is(await client.put(`/contacts/${code}`, { contact: { email: 'third@example.ee' } }));
  });

  test('success: a repetition has the answer of the first', async () => {
    const [body, options] = [newContact(), { headers: keyed() }];
    const first = await client.post('/contacts', body, options);
    expect((await client.post('/contacts', body, options)).text).toBe(first.text);
  });
});

describe('with the compatibility profile', () => {
  test('success: answers are as they were, also where the key is older than the profile', async () => {
    const others = beta(registry.url);
    const code = await createContact(others);
    const order = newDomain(code);
    const headers = keyed('before-the-profile');
    const first = await others.post('/domains', order, { headers });
    expect(first.body.data.charged).toBe('9.00');
    const contact = newContact();
    await others.post('/contacts', contact, { headers: keyed('contact-of-before') });
    await setProfile(registry, 'BETA', 'on');
    const old = new OldClient(registry.url, undefined, 'beta:beta-sandbox-password');
    const name = (order.domain as { name: string }).name;
    const isShort = { name, transfer_code: expect.any(String), id: expect.any(String) };
    expect((await old.post('/domains', order, headers)).body.data).toEqual({ domain: isShort });
    expect((await old.post('/contacts', contact, keyed('contact-of-before'))).body.data).toEqual({
      contact: { code: expect.any(String) },
    });
    const expiry = first.body.data.domain.expire_time.slice(0, 10);
    const renews = { period: 1, period_unit: 'y', exp_date: expiry };
    expect((await old.post(`/domains/${name}/renew`, { renews })).body.data).toEqual({ domain: { name } });
    const update = { domain: { transfer_code: 'a-new-code-1' } };
    expect((await old.put(`/domains/${name}`, update)).body.data).toEqual({ domain: { name } });
    expect((await old.put(`/contacts/${code}`, { contact: { phone: '+372.5' } })).body.data).toEqual({
      contact: { code },
    });
    const moved = await mari.register({ transfer_code: 'a-code-of-ours' });
    const transfer = { transfer_code: 'a-code-of-ours' };
    expect((await old.post(`/domains/${moved}/transfer`, { transfer })).body.data).toEqual({
      domain: { name: moved, type: 'domain_transfer' },
    });
  });
});
