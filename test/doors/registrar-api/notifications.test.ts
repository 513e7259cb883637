import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alpha, beta, type Client, type Reply } from '../../support/client.ts';
import { outcome } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
beforeEach(() => registry.sql.rows(sql`delete from poll_messages`));
afterAll(() => registry.stop());

/** Writes messages to ALPHA and returns their ids, oldest first. */
async function write(count: number): Promise<number[]> {
  const rows = await registry.sql.rows(sql<{ id: number }>`
    insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
    select id, 'wrong_codes', 'message ' || n, case when n % 2 = 0 then 'Domain' end, case when n % 2 = 0 then 7 end, '2026-07-01T09:00:00Z'
    from registrars, generate_series(1, ${count}) as n where code = 'ALPHA' order by n returning id`);
  return rows.map(({ id }) => id);
}

describe('poll messages', () => {
  test('success: the newest unread one, and an empty object when there is none', async () => {
    expect((await client.get('/registrar/notifications')).body.data).toEqual({});
    const [, last] = await write(2);
    expect((await client.get('/registrar/notifications')).body.data).toEqual({
      id: last,
      text: 'message 2',
      attached_obj_type: 'Domain',
      attached_obj_id: 7,
      type: 'wrong_codes',
      created_at: '2026-07-01T12:00:00.000+03:00',
      read: false,
      domain: null,
      contact: null,
      invoice_number: null,
      amount: null,
      direction: null,
      idempotency_key: null,
    });
  });

  test('success: what it is about, for programs', async () => {
    const [id = 0] = await write(1);
    await registry.sql.run(sql`
      update poll_messages set domain = 'example.ee', contact = 'mari', invoice_number = 150005, amount = 12400, direction = 'in', idempotency_key = 'order-1'
      where id = ${id}`);
    expect((await client.get(`/registrar/notifications/${id}`)).body.data).toMatchObject({
      domain: 'example.ee',
      contact: 'mari',
      invoice_number: 150005,
      amount: '124.00',
      direction: 'in',
      idempotency_key: 'order-1',
    });
  });

  test('success: oldest first, page by page', async () => {
    const ids = await write(5);
    const idsOf = (reply: Reply) => reply.body.data.map(({ id }: { id: number }) => id);
    const first = await client.get('/registrar/notifications/all_notifications?limit=2&sort=created_at');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = first.headers.get('link')?.match(/\/registrar\/[^>]+/)?.[0] ?? '';
    expect(next).toContain('sort=created_at');
    expect(idsOf(await client.get(next))).toEqual(ids.slice(2, 4));
    const descending = '/registrar/notifications/all_notifications?sort=-created_at';
    expect(idsOf(await client.get(descending))).toEqual(ids.toReversed());
  });

  test('failure: a position of another order, and an order that there is not', async () => {
    await write(3);
    const list = '/registrar/notifications/all_notifications';
    const { headers } = await client.get(`${list}?limit=1&sort=created_at`);
    const after = headers.get('link')?.match(/after=([\w-]+)/)?.[1];
    expect(outcome(await client.get(`${list}?after=${after}`))).toEqual([400, 2005]);
    expect(outcome(await client.get(`${list}?sort=text`))).toEqual([400, 2005]);
  });

  const markAll = (ids: readonly unknown[], options?: { headers: Record<string, string> }) =>
    client.put('/registrar/notifications', { notifications: { ids, read: true } }, options);

  test('success: many in one request, also those that were read; what is no message of one’s own is listed', async () => {
    const ids = await write(1_000);
    const [first = 0] = ids;
    await registry.sql.run(
      sql`update poll_messages set registrar_id = (select id from registrars where code = 'BETA') where id = ${first}`,
    );
    await client.put(`/registrar/notifications/${ids[1]}`, { notification: { read: true } });
    const sent = [...ids.slice(0, 3), 999_999, ids[2]];
    expect((await markAll(sent)).body.data).toEqual({
      notification_ids: ids.slice(1, 3),
      unknown_ids: [first, 999_999],
      read: true,
    });
    expect((await markAll(ids)).body.data.notification_ids).toHaveLength(999);
    expect((await client.get('/registrar/notifications')).body.data).toEqual({});
    expect((await beta(registry.url).get('/registrar/notifications')).body.data.id).toBe(first);
    expect((await markAll([first])).body.data.notification_ids).toEqual([]);
  });

  test('success: many in a dry run stay as they are', async () => {
    const ids = await write(2);
    const reply = await markAll(ids, { headers: { 'dry-run': 'true' } });
    expect(reply.body.data.notification_ids).toEqual(ids);
    expect((await client.get('/registrar/notifications')).body.data.id).toBe(ids[1]);
  });

  test.each([
    [{}, 2003, 'notifications'],
    [{ notifications: { ids: [1] } }, 2003, 'notifications.read'],
    [{ notifications: { ids: [1], read: false } }, 2005, 'notifications.read'],
    [{ notifications: { ids: [], read: true } }, 2003, 'notifications.ids'],
    [{ notifications: { ids: ['x'], read: true } }, 2005, 'notifications.ids.0'],
    [{ notifications: { ids: [0], read: true } }, 2004, 'notifications.ids.0'],
    [
      { notifications: { ids: Array.from({ length: 1_001 }, () => 1), read: true } },
      2004,
      'notifications.ids',
    ],
  ])('failure: many, case %#', async (body, code, field) => {
    const [id] = await write(1);
    const reply = await client.put('/registrar/notifications', body);
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, code, field]);
    expect((await client.get('/registrar/notifications')).body.data.id).toBe(id);
  });

  test('success: all unread, newest first, page by page; the message counts them', async () => {
    const ids = await write(5);
    const reply = await client.get('/registrar/notifications/all_notifications?limit=2&offset=1');
    expect(reply.body.data.map(({ id }: { id: number }) => id)).toEqual([ids[3], ids[2]]);
    expect(reply.body.message).toContain('Returning 2 out of 5');
    expect(reply.headers.get('link')).toMatch(
      /^<\/registry\/v1\/registrar\/notifications\/all_notifications\?limit=2&after=[\w-]+>; rel="next"$/,
    );
  });

  test('success: marked as read, also twice, also by a string id; then no longer listed but still readable', async () => {
    const [id] = await write(1);
    expect((await client.get(`/registrar/notifications/${id}`)).body.data.read).toBe(false);
    for (const read of [true, 'true']) {
      expect(
        (await client.put(`/registrar/notifications/${id}`, { notification: { read } })).body.data,
      ).toEqual({ notification_id: id, read: true });
    }
    expect((await client.get('/registrar/notifications')).body.data).toEqual({});
    expect((await client.get(`/registrar/notifications/${id}`)).body.data).toMatchObject({
      text: 'message 1',
      read: true,
    });
  });

  test('success: many at once, twice the same among them, each answered for its own', async () => {
    const ids = await write(20);
    const others = beta(registry.url);
    const mark = (by: Client, id: number | undefined) =>
      by.put(`/registrar/notifications/${id}`, { notification: { read: true } });
    const [own, foreign] = await Promise.all([
      Promise.all([...ids, ...ids.slice(0, 5)].map((id) => mark(client, id))),
      Promise.all(ids.slice(0, 5).map((id) => mark(others, id))),
    ]);
    expect(own.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200));
    expect(own.map(({ body }) => body.data.notification_id)).toEqual([...ids, ...ids.slice(0, 5)]);
    expect(foreign.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 404));
    expect((await client.get('/registrar/notifications')).body.data).toEqual({});
  });

  test('success: a dry run marks nothing', async () => {
    const [id] = await write(1);
    await client.put(
      `/registrar/notifications/${id}`,
      { notification: { read: true } },
      { headers: { 'dry-run': 'true' } },
    );
    expect((await client.get('/registrar/notifications')).body.data.id).toBe(id);
  });

  test('failure: unknown, another registrar’s and invalid ids get the same answer', async () => {
    const [id] = await write(1);
    const texts = new Set<string>();
    for (const reply of [
      await beta(registry.url).get(`/registrar/notifications/${id}`),
      await client.get('/registrar/notifications/999999'),
      await client.get('/registrar/notifications/abc'),
    ]) {
      expect(outcome(reply)).toEqual([404, 2303]);
      texts.add(reply.text);
    }
    expect(texts.size).toBe(1);
    expect(
      outcome(
        await beta(registry.url).put(`/registrar/notifications/${id}`, { notification: { read: true } }),
      ),
    ).toEqual([404, 2303]);
    expect((await client.get('/registrar/notifications')).body.data.id).toBe(id);
  });

  test.each([
    [{}, 2003, 'notification'],
    [{ notification: {} }, 2003, 'notification.read'],
    [{ notification: { read: false } }, 2005, 'notification.read'],
    [{ notification: { read: 'no' } }, 2005, 'notification.read'],
  ])('failure: %j', async (body, code, field) => {
    const [id] = await write(1);
    const reply = await client.put(`/registrar/notifications/${id}`, body);
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, code, field]);
  });

  test('failure: limits of pagination', async () => {
    expect((await client.get('/registrar/notifications/all_notifications?limit=1001')).body.code).toBe(2004);
  });
});
