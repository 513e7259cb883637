import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { createContact, freshCode, newContact } from '../../support/contacts.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const historyRows = async (code: string): Promise<number> => {
  const [row] = await registry.sql.rows(
    sql<{ count: number }>`select count(*) as count from history where object_name = ${code}`,
  );
  return row?.count ?? -1;
};

describe('Idempotency-Key', () => {
  test('success: a repeated creation repeats the answer, not the effect', async () => {
    const key = freshCode();
    const [first, second] = [
      await client.post('/contacts', newContact(), keyed(key)),
      await client.post('/contacts', newContact(), keyed(key)),
    ];
    expect(second.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await historyRows(first.body.data.contact.code)).toBe(1);
  });

  test('success: a repeated deletion gets the answer of the first, not 410', async () => {
    const code = await createContact(client);
    const key = freshCode();
    await client.delete(`/contacts/${code}`, undefined, keyed(key));
    const again = await client.delete(`/contacts/${code}`, undefined, keyed(key));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect((await client.delete(`/contacts/${code}`)).status).toBe(410);
  });

  test('success: a refusal is not stored; the key can be used again', async () => {
    const code = await createContact(client);
    const key = freshCode();
    expect((await client.post('/contacts', newContact({ id: code }), keyed(key))).body.code).toBe(2302);
    await client.delete(`/contacts/${code}`);
    expect((await client.post('/contacts', newContact({ id: code }), keyed(key))).status).toBe(200);
  });

  test('success: keys of two registrars are independent', async () => {
    const key = freshCode();
    await client.post('/contacts', newContact(), keyed(key));
    const other = await beta(registry.url).post('/contacts', newContact(), keyed(key));
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('success: the body may have other white space', async () => {
    const key = freshCode();
    const body = newContact();
    await client.post('/contacts', body, keyed(key));
    const again = await client.call('POST', '/contacts', {
      raw: JSON.stringify(body, null, 4),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test.each([
    ['another body', 'POST', '/contacts', newContact({ name: 'Other Name' })],
    ['another method', 'PUT', '/contacts/mari', { contact: { phone: '+372.1' } }],
    ['another path', 'PUT', '/contacts/jaan', { contact: { phone: '+372.1' } }],
  ])('failure: the same key with %s', async (_what, method, target, body) => {
    const key = freshCode();
    await client.post('/contacts', newContact(), keyed(key));
    const reply = await client.call(method, target, { body, ...keyed(key) });
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([
      400,
      2005,
      'Idempotency-Key',
    ]);
  });

  test.each([[''], ['x'.repeat(256)]])('failure: a key of invalid length: "%s"', async (key) => {
    const reply = await client.post('/contacts', newContact(), keyed(key));
    expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([
      400,
      2005,
      'Idempotency-Key',
    ]);
  });

  test('success: a key of 255 characters; a key on a read is ignored', async () => {
    expect((await client.post('/contacts', newContact(), keyed('k'.repeat(255)))).status).toBe(200);
    expect((await client.get('/contacts', keyed('x'.repeat(300)))).status).toBe(200);
  });

  test('success: the stored row holds no secret', async () => {
    const key = freshCode();
    const { data } = (await client.post('/contacts', newContact(), keyed(key))).body;
    const [row] = await registry.sql.rows(
      sql<{ answer: object }>`select answer from idempotency_keys where key = ${key}`,
    );
    expect(row?.answer).toEqual(data);
  });

  test('success: keys are stored for a day at least and deleted after two', async () => {
    const key = freshCode();
    await client.post('/contacts', newContact(), keyed(key));
    const advance = (duration: string) =>
      fetch(`${registry.url}/sandbox/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance: duration }),
      });
    await advance('PT25H');
    expect(
      (await client.post('/contacts', newContact(), keyed(key))).headers.get('idempotency-replayed'),
    ).toBe('true');
    await advance('PT24H');
    expect(
      (await client.post('/contacts', newContact(), keyed(key))).headers.get('idempotency-replayed'),
    ).toBeNull();
  });
});

describe('Dry-Run', () => {
  const dry = { headers: { 'dry-run': 'true' } };

  test('success: returns the price and changes nothing', async () => {
    const code = freshCode();
    const reply = await client.post('/contacts', newContact({ id: code }), dry);
    expect(reply.body.data).toMatchObject({
      contact: { code },
      dry_run: { price: '0.00', balance_after: '100000.00' },
    });
    expect((await client.get(`/contacts/${code}`)).status).toBe(404);
    expect(await historyRows(code)).toBe(0);
  });

  test('success: update and delete change nothing either', async () => {
    const code = await createContact(client);
    expect(
      (await client.put(`/contacts/${code}`, { contact: { phone: '+372.9' } }, dry)).body.data.dry_run.price,
    ).toBe('0.00');
    expect((await client.delete(`/contacts/${code}`, undefined, dry)).body.data.dry_run.price).toBe('0.00');
    expect((await client.get(`/contacts/${code}`)).body.data.contact.phone).toBe('+372.5551234');
  });

  test('success: does not use a key up, and does not replay one', async () => {
    const headers = { 'dry-run': 'true', 'idempotency-key': freshCode() };
    await client.post('/contacts', newContact(), { headers });
    const real = await client.post('/contacts', newContact(), {
      headers: { ...headers, 'dry-run': 'false' },
    });
    expect([real.status, real.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const dryAgain = await client.post('/contacts', newContact(), { headers });
    expect([dryAgain.status, dryAgain.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('failure: runs every check', async () => {
    const code = await createContact(client);
    expect((await client.post('/contacts', newContact({ id: code }), dry)).body.code).toBe(2302);
  });

  test.each([['yes'], ['1'], ['TRUE'], ['']])(
    'failure: "%s" is refused, and nothing is created',
    async (value) => {
      const code = freshCode();
      const reply = await client.post('/contacts', newContact({ id: code }), {
        headers: { 'dry-run': value },
      });
      expect([reply.status, reply.body.code, reply.body.errors?.[0]?.field]).toEqual([400, 2005, 'Dry-Run']);
      expect(await historyRows(code)).toBe(0);
    },
  );
});

describe('X-Request-Id', () => {
  test('success: a valid one is used in the answer, the log and history', async () => {
    const code = freshCode();
    const id = `client-${code}`;
    const reply = await client.post('/contacts', newContact({ id: code }), {
      headers: { 'x-request-id': id },
    });
    expect(reply.headers.get('x-request-id')).toBe(id);
    const [row] = await registry.sql.rows(
      sql<{ requestId: string }>`select request_id as "requestId" from history where object_name = ${code}`,
    );
    expect(row?.requestId).toBe(id);
    await expect.poll(() => registry.logged()).toContain(`"reqId":"${id}"`);
  });

  test.each([['has space'], ['x'.repeat(129)], ['"quoted"']])(
    'failure: an invalid one is replaced: %s',
    async (id) => {
      const reply = await client.get('/contacts', { headers: { 'x-request-id': id } });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
