import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, poor } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import {
  balanceOf,
  firstFailure,
  freshName,
  hosts,
  KEY,
  outcome,
  Registrant,
} from '../../support/domains.ts';
import { statusesOf, takeMessages } from '../../support/life.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';

/** Known defects of other registry systems with domains and money, each shown to be absent here. */
let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const nameservers_attributes = hosts('ns1.hoster.example', 'ns2.hoster.example');
const give = (name: string, statuses: object) => setStatuses(registry.sql, name, statuses);
const erase = (name: string, verified = true) =>
  client.delete(`/domains/${name}`, { domain: { delete: { verified } } });
const bulkRenew = (...domains: string[]) =>
  client.post('/domains/renew/bulk', { domains, renew_period: '1y' });

describe('statuses', () => {
  test('taking clientHold away leaves every other status', async () => {
    const name = await mari.register({ nameservers_attributes });
    await give(name, { clientHold: '', serverHold: 'court', expired: '', serverForceDelete: '' });
    expect(outcome(await client.delete(`/domains/${name}/statuses/clientHold`))).toEqual([200, 1000]);
    expect(await statusesOf(client, name)).toEqual(['expired', 'serverForceDelete', 'serverHold']);
  });

  test('clientHold beside serverManualInzone is refused, not an internal error', async () => {
    const name = await mari.register({ nameservers_attributes });
    await give(name, { serverManualInzone: '' });
    expect(outcome(await client.put(`/domains/${name}/statuses/clientHold`))).toEqual([400, 2304]);
  });

  test('a registry lock holds for every call', async () => {
    const name = await mari.register({ nameservers_attributes });
    await give(name, {
      serverObjUpdateProhibited: '',
      serverDeleteProhibited: '',
      serverTransferProhibited: '',
    });
    const { transfer_code } = (await client.get(`/domains/${name}`)).body.data.domain;
    const replies = [
      await client.put(`/domains/${name}`, { domain: { transfer_code: 'another-code-of-mine' } }),
      await client.post(`/domains/${name}/nameservers`, { nameservers: hosts('ns3.hoster.example') }),
      await client.delete(`/domains/${name}/nameservers/ns1.hoster.example`),
      await client.post(`/domains/${name}/dnssec`, { dns_keys: [KEY] }),
      await client.post(`/domains/${name}/contacts`, { contacts: [{ code: mari.code, type: 'tech' }] }),
      await client.put(`/domains/${name}/statuses/clientHold`),
      await erase(name),
      await beta(registry.url).post(`/domains/${name}/transfer`, { transfer: { transfer_code } }),
    ];
    expect(replies.map(outcome)).toEqual(replies.map(() => [400, 2304]));
  });
});

describe('domains', () => {
  test('an unknown registrant is 2303, and the punycode of a taken name 2302; neither costs anything', async () => {
    const name = `õun-${freshName()}`;
    await mari.register({ name });
    const before = await balanceOf(client);
    expect(outcome(await mari.try({ registrant: 'NOBODY' }))).toEqual([400, 2303]);
    const punycode = new URL(`http://${name}`).hostname;
    expect(outcome(await mari.try({ name: punycode }))).toEqual([400, 2302]);
    expect(await balanceOf(client)).toBe(before);
  });

  test('refusals that have no code in other systems have one: lengths, flags, too many contacts, markup', async () => {
    const phone = `+372.${'5'.repeat(14)}`;
    const changed = await client.put(`/contacts/${mari.code}`, { contact: { phone } });
    expect(firstFailure(changed)).toEqual([400, 2005, 'contact.phone']);
    const key = { ...KEY, flags: '1' };
    expect(outcome(await mari.try({ dnskeys_attributes: [key] }))).toEqual([400, 2005]);
    const many = await Promise.all(Array.from({ length: 11 }, () => createContact(client)));
    expect(outcome(await mari.try({ tech_contacts: many }))).toEqual([400, 2004]);
    expect(outcome(await mari.try({ admin_contacts: many }))).toEqual([400, 2004]);
    const marked = { contact: { name: '<b>Mari</b>' } };
    expect(outcome(await client.put(`/contacts/${mari.code}`, marked))).toEqual([400, 2005]);
  });

  test('deleting a domain with a pending operation is refused, not silently ignored', async () => {
    for (const status of ['pendingUpdate', 'pendingDelete', 'pendingDeleteConfirmation', 'pendingTransfer']) {
      const name = await mari.register();
      await give(name, { [status]: '' });
      expect(outcome(await erase(name)), status).toEqual([400, 2304]);
    }
  });

  test('an unknown domain is 404', async () => {
    expect(outcome(await client.get(`/domains/${freshName()}`))).toEqual([404, 2303]);
  });

  test('the DS record of an algorithm with two digits includes the algorithm', async () => {
    const ed448 = `${Buffer.alloc(57, 5).toString('base64')}`;
    const name = await mari.register({ dnskeys_attributes: [{ ...KEY, alg: '16', public_key: ed448 }] });
    const [row] = await registry.sql.rows(sql`
      select k.key_tag, length(k.digest) as digits from domain_keys k join domains d on d.id = k.domain_id where d.name = ${name}`);
    const wire = Buffer.concat([Buffer.from([1, 1, 3, 16]), Buffer.alloc(57, 5)]);
    const sum = wire.reduce((total, octet, place) => total + (place % 2 === 0 ? octet << 8 : octet), 0);
    expect(row).toEqual({ key_tag: (sum + (sum >> 16)) & 0xffff, digits: 64 });
  });

  test('an expired reservation does not block a registration', async () => {
    const name = freshName();
    await registry.sql.run(sql`
      insert into reserved_names (name, code, expires_at, created_at) values (${name}, 'x', '2020-01-01', '2019-01-01')`);
    expect(outcome(await mari.try({ name }))).toEqual([200, 1000]);
  });

  test('every message about an object carries its id', async () => {
    const name = await mari.register({ nameservers_attributes });
    const { transfer_code } = (await client.get(`/domains/${name}`)).body.data.domain;
    await takeMessages(client);
    await beta(registry.url).post(`/domains/${name}/transfer`, { transfer: { transfer_code } });
    const [message] = await takeMessages(client);
    const [domain] = await registry.sql.rows(sql`select id from domains where name = ${name}`);
    expect(message).toMatchObject({ attached_obj_type: 'Domain', attached_obj_id: Number(domain?.id) });
  });

  test('lists have a limit', async () => {
    expect(outcome(await client.get('/domains?limit=1001'))).toEqual([400, 2004]);
    expect(outcome(await client.get('/contacts?limit=1001'))).toEqual([400, 2004]);
    expect(outcome(await client.get('/registrar/notifications/all_notifications?limit=1001'))).toEqual([
      400, 2004,
    ]);
  });
});

describe('money', () => {
  test("bulk renewal never touches, nor asks the balance of, another registrar's domain", async () => {
    const theirs = await (await Registrant.of(beta(registry.url))).register();
    const mine = await mari.register();
    const balances = async () => [await balanceOf(client), await balanceOf(beta(registry.url))];
    const before = await balances();
    expect(outcome(await bulkRenew(mine, theirs))).toEqual([403, 2201]);
    expect(await balances()).toEqual(before);
  });

  test('bulk renewal names the failure by its own code: unknown 2303, no funds 2104, status 2304', async () => {
    const mine = await mari.register();
    expect(outcome(await bulkRenew(mine, freshName()))).toEqual([400, 2303]);
    await give(mine, { serverRenewProhibited: '' });
    expect(outcome(await bulkRenew(mine))).toEqual([400, 2304]);
    const jaan = await Registrant.of(poor(registry.url));
    const name = await jaan.register({ period: 3, period_unit: 'm' });
    const reply = await poor(registry.url).post('/domains/renew/bulk', {
      domains: [name],
      renew_period: '10y',
    });
    expect(outcome(reply)).toEqual([400, 2104]);
  });

  test('a charge and its operation are atomic: of ten concurrent ones every cent is accounted for', async () => {
    const before = Math.round(Number(await balanceOf(client)) * 100);
    await Promise.all(Array.from({ length: 10 }, () => mari.register()));
    expect(Math.round(Number(await balanceOf(client)) * 100)).toBe(before - 10 * 900);
  });
});

describe('HTTP', () => {
  test('a client that disconnects within the body is not reported as a database error', async () => {
    const { port } = new URL(registry.url);
    const socket = connect(Number(port), '127.0.0.1');
    const credentials = Buffer.from('alpha:alpha-sandbox-password').toString('base64');
    socket.write(
      `POST /registry/v1/contacts HTTP/1.1\r\nhost: x\r\nauthorization: Basic ${credentials}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`,
    );
    // It is written when the body is read.
    expect(String((await once(socket, 'data'))[0])).toContain('100 Continue');
    socket.write('{"contact":');
    socket.resetAndDestroy();
    await expect.poll(registry.logged).toContain('"status":499');
    expect(registry.logged()).not.toContain('database error');
  });
});
