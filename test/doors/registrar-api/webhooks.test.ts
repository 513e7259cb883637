import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/registry/webhooks/event-types.ts';
import { readPage } from '../../docs/markdown.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { ApiDocument } from '../../support/document.ts';
import { outcome, Registrant } from '../../support/domains.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { codeOf, take } from '../../support/transfers.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
beforeEach(() => registry.sql.run(sql`delete from webhook_endpoints`));
afterAll(() => registry.stop());

type Created = { readonly id: string; readonly secret: string };
const create = async (url: string, more: object = {}, by = client): Promise<Created> => {
  const reply = await by.post('/webhooks', { webhook: { url, ...more } });
  expect(outcome(reply)).toEqual([200, 1000]);
  return reply.body.data.webhook;
};
const NOWHERE = 'http://127.0.0.1:1/';
const change = (id: string, webhook: object) => client.put(`/webhooks/${id}`, { webhook });
const deliveriesOf = async (id: string, query = '') =>
  (await client.get(`/webhooks/${id}/deliveries${query}`)).body.data.deliveries;

describe('endpoints', () => {
  test('success: null and an empty text empty what can be empty, and leave the address and the switch', async () => {
    const shown = async (id: string) => (await client.get(`/webhooks/${id}`)).body.data.webhook;
    const given = { description: 'shop', event_types: ['domain.renewed'] };
    for (const empty of [null, '']) {
      const { id } = await create(NOWHERE, given);
      await change(id, { description: empty, event_types: empty, enabled: null });
      expect(await shown(id)).toMatchObject({ description: '', event_types: null, enabled: true });
      await change(id, { ...given, url: null });
      expect(await shown(id)).toMatchObject({ ...given, url: NOWHERE });
      await client.delete(`/webhooks/${id}`);
    }
    const { id } = await create(NOWHERE, { description: null, event_types: '' });
    expect(await shown(id)).toMatchObject({ description: '', event_types: null });
    expect(outcome(await change(id, { url: '' }))).toEqual([400, 2003]);
    await client.delete(`/webhooks/${id}`);
  });

  test('success: created, listed, read, changed, deleted; each step is in history, without address and secret', async () => {
    const { id, secret } = await create(`${NOWHERE}?token=xyz`, { description: 'shop' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [listed] = (await client.get('/webhooks')).body.data.webhooks;
    expect(listed).toMatchObject({
      id,
      description: 'shop',
      event_types: null,
      enabled: true,
      disabled_reason: null,
    });
    expect(outcome(await change(id, { event_types: ['domain.renewed'], enabled: false }))).toEqual([
      200, 1000,
    ]);
    expect((await client.get(`/webhooks/${id}`)).body.data.webhook).toMatchObject({
      event_types: ['domain.renewed'],
      enabled: false,
      disabled_reason: 'by the registrar',
    });
    await change(id, { enabled: true, event_types: null });
    expect((await client.get(`/webhooks/${id}`)).body.data.webhook).toMatchObject({
      enabled: true,
      event_types: null,
    });
    expect((await client.delete(`/webhooks/${id}`)).status).toBe(200);
    expect((await client.get('/webhooks')).body.data.webhooks).toEqual([]);
    const history = await registry.sql.rows(sql`
      select operation, before::text || after::text as content from history where object_kind = 'webhook' and object_name = ${id} order by id`);
    expect(history.map(({ operation }) => operation)).toEqual(['create', 'disable', 'enable', 'delete']);
    expect(JSON.stringify(history)).not.toMatch(/xyz|whsec_/);
  });

  test('success: a replay with the key has the same secret, which no table has', async () => {
    const key = { headers: { 'idempotency-key': 'webhook-key-1' } };
    const make = () => client.post('/webhooks', { webhook: { url: NOWHERE } }, key);
    const [first, second] = [await make(), await make()];
    expect(second.body.data).toEqual(first.body.data);
    const { id, secret } = first.body.data.webhook;
    const rotate = () =>
      client.post(`/webhooks/${id}/secret`, undefined, { headers: { 'idempotency-key': 'webhook-key-2' } });
    const [rotated, again] = [await rotate(), await rotate()];
    expect(again.body.data).toEqual(rotated.body.data);
    expect(rotated.body.data.webhook).toMatchObject({ id, generation: 2 });
    const [{ answers }] = (await registry.sql.rows(sql`
      select string_agg(answer::text, '') as answers from idempotency_keys where key like 'webhook-key-%'`)) as [
      { answers: string },
    ];
    for (const known of [secret, rotated.body.data.webhook.secret]) expect(answers).not.toContain(known);
    await client.delete(`/webhooks/${id}`);
    expect(outcome(await make())).toEqual([404, 2303]);
  });

  test('success: a dry run creates nothing', async () => {
    const reply = await client.post(
      '/webhooks',
      { webhook: { url: NOWHERE } },
      { headers: { 'dry-run': 'true' } },
    );
    expect(reply.status).toBe(200);
    expect((await client.get('/webhooks')).body.data.webhooks).toEqual([]);
  });

  test('failure: an eleventh, also under concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => client.post('/webhooks', { webhook: { url: NOWHERE } })),
    );
    expect(replies.map((reply) => outcome(reply).join()).toSorted()).toEqual([
      ...Array(10).fill('200,1000'),
      '400,2308',
      '400,2308',
    ]);
  });

  test.each([
    [{ url: 'http://shop.example/' }, 2005],
    [{ url: 'https://169.254.169.254/latest/meta-data/' }, 2005],
    [{ url: 'https://10.0.0.1/' }, 2005],
    [{ url: 'https://user:word@shop.example/' }, 2005],
    [{ url: NOWHERE, event_types: [] }, 2005],
    [{ url: NOWHERE, event_types: ['domain.eaten'] }, 2005],
    [{ url: NOWHERE, event_types: ['webhook.test'] }, 2005],
    [{ url: NOWHERE, description: 'x'.repeat(201) }, 2005],
    [{ url: NOWHERE, color: 'red' }, 2005],
    [{}, 2003],
  ])('failure: %j', async (webhook, code) => {
    expect(outcome(await client.post('/webhooks', { webhook }))).toEqual([400, code]);
  });

  test('failure: an unknown endpoint or another registrar’s is not found, and a disabled one gets nothing', async () => {
    const { id } = await create(NOWHERE, {}, beta(registry.url));
    for (const each of [id, 'whe_0000000000000000', 'x', '%00'])
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { webhook: { enabled: false } }],
        ['DELETE', '', undefined],
        ['POST', '/secret', undefined],
        ['POST', '/test', undefined],
        ['GET', '/deliveries', undefined],
        ['GET', '/deliveries/msg_1', undefined],
        ['GET', '/deliveries/%00', undefined],
        ['POST', '/deliveries/msg_1/replay', undefined],
        ['POST', '/replay', { replay: { since: '2026-01-01T00:00:00Z' } }],
      ] as const)
        expect([
          method,
          path,
          ...outcome(await client.call(method, `/webhooks/${each}${path}`, { body })),
        ]).toEqual([method, path, 404, 2303]);
    const own = await create(NOWHERE);
    const event = (await client.post(`/webhooks/${own.id}/test`)).body.data.delivery.event_id;
    await change(own.id, { enabled: false });
    expect(outcome(await client.post(`/webhooks/${own.id}/test`))).toEqual([400, 2304]);
    expect(outcome(await client.post(`/webhooks/${own.id}/deliveries/${event}/replay`))).toEqual([400, 2304]);
    const replay = (since: string) => client.post(`/webhooks/${own.id}/replay`, { replay: { since } });
    expect(outcome(await replay('2026-01-01T00:00:00Z'))).toEqual([400, 2304]);
    expect(outcome(await replay('yesterday'))).toEqual([400, 2005]);
    expect(outcome(await client.get(`/webhooks/${own.id}/deliveries?state=lost`))).toEqual([400, 2005]);
    expect(outcome(await change(own.id, { url: 'ftp://shop.example/' }))).toEqual([400, 2005]);
  });

  test('failure: a registry without a webhook secret offers no endpoints', async () => {
    const { url } = await freshRegistryForThisTest({ webhookSecret: undefined });
    expect(outcome(await alpha(url).get('/webhooks'))).toEqual([400, 2101]);
  });
});

describe('events', () => {
  test('success: of all operations of a registrar, and of poll messages, sent by the worker of a running registry', async () => {
    const receiver = await WebhookReceiver.start();
    const { secret } = await create(receiver.url);
    const registrant = await Registrant.of(client);
    const name = await registrant.register();
    await client.put(`/domains/${name}/statuses/clientHold`);
    await client.delete(`/domains/${name}/statuses/clientHold`);
    await client.post('/domains/renew/bulk', { domains: [name], renew_period: '1y' });
    expect((await take(beta(registry.url), name, await codeOf(client, name))).status).toBe(200);
    await client.delete(`/contacts/${await createContact(client)}`);
    const away = await receiver.event('domain.transferred_away');
    await receiver.event('contact.deleted');
    expect(receiver.types.toSorted()).toEqual(
      [
        'contact.created',
        'contact.created',
        'contact.deleted',
        'domain.registered',
        'domain.renewed',
        'domain.transferred_away',
        'domain.updated',
        'domain.updated',
      ].toSorted(),
    );
    const document = await ApiDocument.of(registry.url);
    for (const { body, headers, event } of receiver.received) {
      new Webhook(secret).verify(body, headers);
      expect(document.complaintsAboutEvent(event)).toEqual([]);
    }
    expect(away.event.data).toMatchObject({
      object: 'domain',
      name,
      from: 'ALPHA',
      to: 'BETA',
      direction: 'out',
      message_id: expect.any(Number),
    });
    const ofDomain = receiver.received.map(({ event }) => event).filter(({ data }) => data.name === name);
    const inOrder = ofDomain.toSorted(
      (one, other) => Number(one.data.sequence) - Number(other.data.sequence),
    );
    expect(inOrder.map(({ type }) => type)).toEqual([
      'domain.registered',
      'domain.updated',
      'domain.updated',
      'domain.renewed',
      'domain.transferred_away',
    ]);
    const causes = await registry.sql.rows(sql<{ id: number }>`
      select id from history where object_kind = 'domain' and object_name = ${name} and operation not in ('view transfer code', 'transfer')
      union all select sequence from poll_messages where domain = ${name} and type = 'transferred_away' order by id`);
    expect(inOrder.map(({ data }) => data.sequence)).toEqual(causes.map(({ id }) => id));
    const { expire_time, statuses } = (await beta(registry.url).get(`/domains/${name}`)).body.data.domain;
    expect(inOrder[3]?.data).toMatchObject({
      domain: name,
      amount: expect.stringMatching(/^\d+\.00$/),
      expire_time,
    });
    expect(inOrder[2]?.data.statuses).toEqual(statuses);
    const payloads = JSON.stringify(receiver.received.map(({ event }) => event));
    expect(payloads).not.toMatch(/@|Maasikas|60001019906|user:|\+372|transfer_code/);
  });

  test('success: a test event, its delivery, one more of the same id; a failed one is sent again', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status: 204 }];
    const { id } = await create(receiver.url, { event_types: ['balance.debt'] });
    const { event_id: event } = (await client.post(`/webhooks/${id}/test`)).body.data.delivery;
    await expect
      .poll(async () => (await deliveriesOf(id))[0])
      .toMatchObject({
        event_id: event,
        type: 'webhook.test',
        state: 'delivered',
        attempts: 1,
        last_status: 204,
      });
    expect((await client.get(`/webhooks/${id}/deliveries/${event}`)).body.data.delivery.data).toMatchObject({
      object: 'webhook',
      name: id,
    });
    await client.post(`/webhooks/${id}/deliveries/${event}/replay`);
    await expect.poll(() => receiver.ids).toEqual([event, event]);
    const since = { replay: { since: '2026-01-01T00:00:00+02:00' } };
    expect((await client.post(`/webhooks/${id}/replay`, since)).body.data).toEqual({ replayed: 0 });
    await change(id, { enabled: false });
    await registry.sql.run(
      sql`update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now()`,
    );
    await change(id, { enabled: true });
    const dry = await client.post(`/webhooks/${id}/replay`, since, { headers: { 'dry-run': 'true' } });
    expect(dry.body.data).toMatchObject({ replayed: 1 });
    expect((await client.post(`/webhooks/${id}/replay`, since)).body.data).toEqual({ replayed: 1 });
    await expect.poll(() => receiver.ids).toEqual([event, event, event]);
  });

  test('success: deliveries are listed page by page, and by state and type', async () => {
    const { id } = await create(NOWHERE, { event_types: ['balance.debt'] });
    const events: string[] = [];
    for (let count = 0; count < 3; count++)
      events.unshift((await client.post(`/webhooks/${id}/test`)).body.data.delivery.event_id);
    const first = await client.get(`/webhooks/${id}/deliveries?limit=2`);
    const next =
      /<\/registry\/v1(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? expect.fail('no link');
    const second = await client.get(next);
    expect(second.headers.get('link')).toBeNull();
    const ids = [...first.body.data.deliveries, ...second.body.data.deliveries].map(
      ({ event_id }) => event_id,
    );
    expect(ids).toEqual(events);
    expect(await deliveriesOf(id, '?state=delivered')).toEqual([]);
    expect(await deliveriesOf(id, '?type=webhook.test')).toHaveLength(3);
    expect(await deliveriesOf(id, '?type=domain.renewed')).toEqual([]);
  });

  test('success: docs/integrate/event-types.md has every type', () => {
    const page = readPage('docs/integrate/event-types.md');
    // An event that is both a change and a poll message is in both tables.
    const listed = new Set(Array.from(page.matchAll(/`([a-z]+\.[a-z_]+)`/g), ([, type]) => type));
    expect([...listed].sort()).toEqual([...eventTypes.keys()].sort());
  });
});
