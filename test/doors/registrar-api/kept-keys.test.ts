import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, type Reply } from '../../support/client.ts';
import { OldClient, setProfile } from '../../support/compatibility.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { balanceOf, firstFailure, freshName, newDomain, Registrant } from '../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startFreshRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const keyed = (key = freshCode()) => ({ headers: { 'idempotency-key': key } });
const keyOf = ({ headers }: ReturnType<typeof keyed>) => headers['idempotency-key'];
const advance = async (duration: string) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ advance: duration });
  expect((await fetch(`${registry.url}/sandbox/clock`, { method: 'POST', headers, body })).status).toBe(200);
};
const isReplay = ({ status, headers }: Reply) => [status, headers.get('idempotency-replayed')];
const stored = (key: string) =>
  registry.sql.one(sql<{ answers: number; kept: number }>`
    select (select count(*)::int from idempotency_keys where key = ${key}) as answers,
      (select count(*)::int from kept_keys where key = ${key}) as kept`);
const shown = async (name: string) => {
  const { transfer_code: _code, ...domain } = (await client.get(`/domains/${name}`)).body.data.domain;
  return domain;
};

describe('the key of a creation, a month later', () => {
  test('success: the same order is a repetition, with the object as it is by then', async () => {
    const [order, contact] = [newDomain(mari.code), newContact()];
    const [ofDomain, ofContact] = [keyed(), keyed()];
    const name = (order.domain as { name: string }).name;
    const first = await client.post('/domains', order, ofDomain);
    const made = await client.post('/contacts', contact, ofContact);
    const renews = { period: 1, period_unit: 'y', exp_date: first.body.data.domain.expire_time.slice(0, 10) };
    expect((await client.post(`/domains/${name}/renew`, { renews })).status).toBe(200);
    const { code } = made.body.data.contact;
    await client.put(`/contacts/${code}`, { contact: { phone: '+372.7' } });
    await advance('P31D');
    for (const key of [ofDomain, ofContact])
      expect(await stored(keyOf(key))).toEqual({ answers: 0, kept: 1 });
    const money = await balanceOf(client);

    const late = await Promise.all(Array.from({ length: 5 }, () => client.post('/domains', order, ofDomain)));
    for (const reply of late) {
      expect(isReplay(reply)).toEqual([200, 'true']);
      expect(reply.body.data).toEqual({ domain: await shown(name), charged: '9.00' });
    }
    expect(late[0]?.body.data.domain.expire_time).not.toBe(first.body.data.domain.expire_time);
    const again = await client.post('/contacts', contact, ofContact);
    expect(isReplay(again)).toEqual([200, 'true']);
    expect(again.body.data.contact).toMatchObject({ code, phone: '+372.7' });
    expect(again.text).not.toContain('auth_info');
    expect(await balanceOf(client)).toBe(money);
    expect(await stored(keyOf(ofDomain))).toEqual({ answers: 0, kept: 1 });
  });

  test('failure: another order with the same key, of any kind', async () => {
    const key = keyed();
    await client.post('/domains', newDomain(mari.code), key);
    await advance('P2D');
    for (const reply of [
      await client.post('/domains', newDomain(mari.code), key),
      await client.post('/contacts', newContact(), key),
    ])
      expect(firstFailure(reply)).toEqual([400, 2005, 'Idempotency-Key']);
  });

  test('success: a key of another call is forgotten as before, and another registrar has its own', async () => {
    const [name, key] = [await mari.register(), keyed()];
    await client.put(`/domains/${name}`, { domain: { transfer_code: 'a-code-of-ours' } }, key);
    const contact = newContact();
    const ofContact = keyed();
    await client.post('/contacts', contact, ofContact);
    await advance('P3D');
    expect(await stored(keyOf(key))).toEqual({ answers: 0, kept: 0 });
    expect(isReplay(await beta(registry.url).post('/contacts', newContact(), ofContact))).toEqual([
      200,
      null,
    ]);
  });

  test('success: deletion ends it, at once and within the first day', async () => {
    const [early, late] = [keyed(), keyed()];
    const [first, second] = [newContact({ id: freshCode() }), newContact({ id: freshCode() })];
    await client.post('/contacts', first, early);
    await client.post('/contacts', second, late);
    await client.delete(`/contacts/${first.contact.id}`);
    expect(isReplay(await client.post('/contacts', first, early))).toEqual([200, 'true']);
    await advance('P2D');
    expect(await stored(keyOf(early))).toEqual({ answers: 0, kept: 0 });
    expect(await stored(keyOf(late))).toEqual({ answers: 0, kept: 1 });
    await client.delete(`/contacts/${second.contact.id}`);
    expect(await stored(keyOf(late))).toEqual({ answers: 0, kept: 0 });
    expect(isReplay(await client.post('/contacts', second, late))).toEqual([200, null]);
  });

  test('success: a transfer ends it, also where the domain comes back', async () => {
    const other = beta(registry.url);
    const move = async (to: Client, name: string, code: string) =>
      expect((await to.post(`/domains/${name}/transfer`, { transfer: { transfer_code: code } })).status).toBe(
        200,
      );
    const [early, late] = [keyed(), keyed()];
    const orders = [early, late].map((key) => ({
      key,
      order: newDomain(mari.code, { transfer_code: 'a-code-of-ours' }),
    }));
    const names = orders.map(({ order }) => (order.domain as { name: string }).name);
    for (const { order, key } of orders) expect((await client.post('/domains', order, key)).status).toBe(200);
    const [first = '', second = ''] = names;
    await move(other, first, 'a-code-of-ours');
    const { transfer_code: back } = (await other.get(`/domains/${first}`)).body.data.domain;
    await move(client, first, back);
    await advance('P2D');
    expect([await stored(keyOf(early)), await stored(keyOf(late))]).toEqual([
      { answers: 0, kept: 0 },
      { answers: 0, kept: 1 },
    ]);
    await move(other, second, 'a-code-of-ours');
    expect(await stored(keyOf(late))).toEqual({ answers: 0, kept: 0 });
    const [, again] = orders;
    expect(firstFailure(await client.post('/domains', again?.order, late))).toEqual([
      400,
      2302,
      'domain.name',
    ]);
  });

  test('success: repetitions beside the job that stores answers no longer', async () => {
    const order = newDomain(mari.code);
    const key = keyed();
    await client.post('/domains', order, key);
    await registry.sql.run(
      sql`update idempotency_keys set created_at = created_at - interval '1 day 1 minute' where key = ${keyOf(key)}`,
    );
    await registry.sql.run(sql`
      update domains set created_at = created_at - interval '1 day 1 minute' where name = ${(order.domain as { name: string }).name}`);
    const [, ...replies] = await Promise.all([
      advance('PT2H'),
      ...Array.from({ length: 20 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 10));
        return client.post('/domains', order, key);
      }),
    ]);
    for (const reply of replies) expect(isReplay(reply as Reply)).toEqual([200, 'true']);
    expect(await stored(keyOf(key))).toEqual({ answers: 0, kept: 1 });
  });

  test('failure: a key is of one object', async () => {
    const insert = registry.sql.run(sql`
      insert into kept_keys (scope, key, fingerprint, object_kind, object_name, created_at) values ('a', 'b', '\\x00', 'domain', 'c', now())`);
    await expect(insert).rejects.toThrow('kept_keys_check');
  });
});

describe('a name that is taken', () => {
  test('failure: it says whether the name is your own, in a dry run too', async () => {
    const name = await mari.register();
    const others = await Registrant.of(beta(registry.url));
    for (const headers of [{}, { 'dry-run': 'true' }]) {
      expect((await mari.try({ name }, headers)).body).toMatchObject({
        code: 2302,
        message: 'Domain name already exists',
        errors: [{ code: 2302, field: 'domain.name', reason: 'nameYours' }],
      });
      expect((await others.try({ name }, headers)).body).toMatchObject({
        code: 2302,
        message: 'Domain name already exists',
        errors: [{ code: 2302, field: 'domain.name', reason: 'nameTaken' }],
      });
    }
  });

  test('success: under the compatibility profile nothing is different, and keys end', async () => {
    const code = await createContact(beta(registry.url));
    await setProfile(registry, 'BETA', 'on');
    const old = new OldClient(registry.url, undefined, 'beta:beta-sandbox-password');
    const contact = (await old.get('/contacts')).body.data.contacts[0] ?? code;
    const order = { domain: { name: freshName(), registrant: contact, period: 1, period_unit: 'y' } };
    const { headers } = keyed();
    expect((await old.post('/domains', order, headers)).status).toBe(200);
    await advance('P3D');
    const late = await old.post('/domains', order, headers);
    expect([late.status, late.body.errors]).toEqual([
      400,
      [{ code: 2302, message: 'Domain name already exists', field: 'domain.name', reason: 'nameTaken' }],
    ]);
  });
});
