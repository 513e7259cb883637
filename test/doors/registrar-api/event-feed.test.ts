import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoints, allEvents, webhookEvents } from '../../support/all-events.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { codeOf, take } from '../../support/transfers.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const read = (query = '', by = client) => by.get(`/events${query}`);

const everything = (by: Client, limit?: number) => allEvents(registry, by, limit);

describe('the feed', () => {
  test('success: the events of webhooks with their ids, types, times and data, for both sides of a transfer', async () => {
    const other = beta(registry.url);
    await addEndpoints(registry);
    const registrant = new Registrant(client, await createContact(client));
    const name = await registrant.register();
    const at = `/domains/${name}`;
    await client.post(`${at}/nameservers`, { nameservers: hosts('ns1.example.net', 'ns2.example.net') });
    await client.put(`${at}/statuses/clientHold`);
    await client.put(`/contacts/${registrant.code}`, { contact: { phone: '+372.1' } });
    await take(other, name, await codeOf(client, name));
    await other.delete(at, { domain: { delete: { verified: true } } });
    await client.post('/invoices/add_credit', { invoice: { amount: '10.00' } });
    for (const [code, by] of [
      ['ALPHA', client],
      ['BETA', other],
    ] as const) {
      const stored = await webhookEvents(registry, code);
      const feed = await everything(by);
      expect(stored.length).toBeGreaterThan(2);
      expect(feed.map(({ id, type, data }) => ({ id, type, data })).slice(-stored.length)).toEqual(stored);
    }
    const [transferred] = (await everything(other)).filter(({ type }) => type === 'domain.transferred_in');
    expect(transferred).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/),
      data: { domain: name, direction: 'in', from: 'ALPHA', to: 'BETA' },
    });
    await registry.sql.run(sql`delete from webhook_endpoints`);
  });

  test('success: page by page, and from the position of each event', async () => {
    for (let count = 0; count < 3; count++) await createContact(client);
    const all = await everything(client);
    expect(await everything(client, 1)).toEqual(all);
    const { position } = all[1] ?? expect.fail();
    expect((await read(`?limit=1&after=${position}`)).body.data).toMatchObject({
      events: [all[2]],
      has_more: true,
    });
    expect((await read(`?limit=1&after=${position}`)).headers.get('link')).toBeNull();
  });

  test('success: only a registrar’s own', async () => {
    const code = await createContact(client);
    expect(JSON.stringify(await everything(client))).toContain(code);
    expect(JSON.stringify(await everything(beta(registry.url)))).not.toContain(code);
  });

  test.each(['x', '1', '1-2', '1-2-3-4', '0-1-1', '1--1', '999999999-1-1', 'eyJhIjoxfQ'])(
    'failure: the position %j is none that a feed told',
    async (after) => {
      const reply = await read(`?after=${after}`);
      expect(reply.status).toBe(400);
      expect(reply.body.errors?.[0]?.reason).toBe('positionUnknown');
    },
  );

  test.each([0, 1_001, -1, 'all'])('failure: a limit of %s', async (limit) => {
    expect((await read(`?limit=${limit}`)).status).toBe(400);
  });

  test('failure: a position that is older than thirty days', async () => {
    const [first] = await everything(client);
    await registry.sql.run(sql`
      insert into event_marks (at, era, transaction)
      select now() - interval '31 days', coalesce((select max(era) from event_eras), 1), pg_snapshot_xmin(pg_current_snapshot())`);
    await createContact(client);
    const reply = await read(`?after=${first?.position}`);
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.reason]).toEqual([
      410,
      2303,
      'positionGone',
    ]);
    expect((await everything(client)).map(({ type }) => type)).toEqual(['contact.created']);
  });
});
