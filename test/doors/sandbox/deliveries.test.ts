import { SignJWT } from 'jose';
import { beforeEach, describe, test } from 'vitest';
import { type Delivery, enqueueDeliveries } from '../../../src/billing/deliveries/document-deliveries.ts';
import { freshRegistryForThisTest, registryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { message, openService, plantInvoices } from '../../support/service.ts';
import { sql } from '../../support/sql.ts';
import { expect, PerTest } from '../../support/this-test.ts';

type Shown = {
  readonly id: string;
  readonly target: string;
  readonly kind: string;
  readonly invoice_number: number | null;
  readonly body: string;
  readonly status: string;
  readonly attempts: number;
};

const own = new PerTest<TestRegistry>();
const registry = (): TestRegistry => {
  const found = own.get();
  if (!found) throw new Error('no registry was started');
  return found;
};
beforeEach(async () => {
  own.set(await registryForThisTest());
});

const control = (place: string, body?: object) =>
  body === undefined
    ? fetch(`${registry().url}/sandbox/${place}`)
    : fetch(`${registry().url}/sandbox/${place}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
const read = async <T>(place: string) => (await (await control(place)).json()) as T;
const shown = () => read<Shown[]>('deliveries');
const receivedBy = (service: string) => read<{ id: string; times: number }[]>(`services/${service}`);
const fault = (mode: string, times: number) => control('faults', { target: 'service', mode, times });
const write = async (...messages: Partial<Delivery>[]) => {
  const deliveries = messages.map(message);
  const { now } = await read<{ now: string }>('clock');
  await enqueueDeliveries(registry().sql, deliveries, new Date(now));
  return deliveries.map(({ id }) => id);
};
const stored = () =>
  registry().sql.rows(
    sql`select attempts, delivered_at is not null as delivered, last_error from deliveries order by sequence_number`,
  );

describe.concurrent('the deliveries of a sandbox', () => {
  test('success: the deliveries, the newest first, one row per message', async () => {
    expect(await shown()).toEqual([]);
    await plantInvoices(registry().sql, 150001);
    const [first] = await write({ invoiceNumber: 150001, kind: 'paid', body: '{"invoice_number": 150001}' });
    const [second, third] = await write({ target: 'service:eeid' }, { target: 'service:business_registry' });
    expect(await shown()).toEqual([
      { ...inJson(third), target: 'service:business_registry', invoice_number: null },
      { ...inJson(second), target: 'service:eeid', invoice_number: null },
      {
        ...inJson(first),
        target: 'service:auction',
        kind: 'paid',
        invoice_number: 150001,
        body: '{"invoice_number": 150001}',
      },
    ]);
    expect(Object.keys((await shown())[0] ?? {})).toEqual([
      'id',
      'target',
      'kind',
      'invoice_number',
      'body',
      'status',
      'attempts',
    ]);
    expect(await receivedBy('auction')).toEqual([{ id: first, times: 1 }]);
    expect(await receivedBy('eeid')).toEqual([{ id: second, times: 1 }]);
    expect(await receivedBy('business_registry')).toEqual([{ id: third, times: 1 }]);
  });
  const inJson = (id: string | undefined) => ({
    id,
    kind: 'invoice-paid',
    body: message().body,
    status: 'delivered',
    attempts: 1,
  });

  test('success: a message is sent without a control, and the queue is polled more than once a second', async () => {
    await write({});
    await expect.poll(stored, { interval: 50 }).toEqual([{ attempts: 1, delivered: true, last_error: null }]);
    const intervals = await registry().sql.rows(
      sql`select interval_ms < 1000 as short from jobs where name = 'deliver to service:auction'`,
    );
    expect(intervals).toEqual([{ short: true }]);
  });

  test('success: many messages about one invoice, all of them delivered', async () => {
    await plantInvoices(registry().sql, 150001);
    const ids = await write(...Array.from({ length: 30 }, () => ({ invoiceNumber: 150001 })));
    expect((await shown()).map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
    expect(await receivedBy('auction')).toEqual(ids.map((id) => ({ id, times: 1 })));
  });

  test('success: the content of a message is not in the log', async () => {
    await write({ body: '"secretive"' });
    await shown();
    expect(registry().logged()).toContain('"msg":"delivered"');
    expect(registry().logged()).not.toContain('secretive');
  });

  test('success: a setting has another address for one of the services', async () => {
    const service = await openService();
    own.set(await freshRegistryForThisTest({ auctionUrl: `${service.url}/payment_status` }));
    const [first, second] = await write({}, { target: 'service:eeid' });
    expect(await shown()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    expect(service.received).toMatchObject([{ id: first, path: '/payment_status' }]);
    expect(await receivedBy('auction')).toEqual([]);
    expect(await receivedBy('eeid')).toEqual([{ id: second, times: 1 }]);
  });

  test('success: a reset removes deliveries, and the messages that the services received', async () => {
    await write({});
    await shown();
    await fault('down', 5);
    expect((await control('reset', {})).status).toBe(200);
    expect([await shown(), await receivedBy('auction')]).toEqual([[], []]);
    await write({});
    expect(await shown()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});

describe.concurrent('faults', () => {
  test.each([
    ['down', 'No answer'],
    ['error', 'Answered 500'],
  ])(
    'success: %s makes the next messages fail, and advancing the clock triggers the next attempts',
    async (mode, reason) => {
      await fault(mode, 3);
      const [id] = await write({});
      expect(await shown()).toMatchObject([{ id, status: 'retrying', attempts: 1 }]);
      expect((await stored())[0]?.last_error).toContain(reason);
      await control('clock', { advance: 'PT6S' });
      expect(await shown()).toMatchObject([{ id, status: 'retrying', attempts: 2 }]);
      await control('clock', { advance: 'PT1H' });
      expect(await shown()).toMatchObject([{ id, status: 'delivered', attempts: 4 }]);
      expect(await receivedBy('auction')).toEqual([{ id, times: 1 }]);
    },
  );

  test('success: slow takes five seconds, and delivers once', async () => {
    await fault('slow', 1);
    const begun = performance.now();
    const [id] = await write({});
    expect(await shown()).toMatchObject([{ id, status: 'delivered', attempts: 1 }]);
    expect(performance.now() - begun).toBeGreaterThan(5_000);
    expect(await receivedBy('auction')).toEqual([{ id, times: 1 }]);
  });

  test('failure: a message that fails for three days is given up', async () => {
    await fault('down', 1_000);
    const [id] = await write({});
    expect(await shown()).toMatchObject([{ status: 'retrying', attempts: 1 }]);
    await control('clock', { advance: 'P2D' });
    expect(await shown()).toMatchObject([{ status: 'retrying' }]);
    await control('clock', { advance: 'P1DT1M' });
    const [failed] = await shown();
    expect(failed).toMatchObject({ id, status: 'failed' });
    expect(failed?.attempts).toBeGreaterThan(70);
    await control('faults', { target: 'service', mode: 'none' });
    await control('clock', { advance: 'P3D' });
    expect(await shown()).toEqual([failed]);
  });
});

describe.concurrent('the services of a sandbox', () => {
  const token = (secret: string, claims: Record<string, unknown> = { initiator: 'billing' }) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5 min')
      .sign(new TextEncoder().encode(secret));
  const put = async (service: string, headers: Record<string, string>, body = '{}') => {
    const reply = await fetch(`${registry().url}/sandbox/services/${service}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    return [reply.status, await reply.json()];
  };
  const bearer = async (secret: string, claims?: Record<string, unknown>) => ({
    authorization: `Bearer ${await token(secret, claims)}`,
    'idempotency-key': 'a',
  });

  test('success: a client with the secret of a service can send it a message, repeatedly', async () => {
    for (const times of [1, 2]) {
      expect(await put('auction', await bearer('auction-sandbox-secret'))).toEqual([200, { message: 'ok' }]);
      expect(await receivedBy('auction')).toEqual([{ id: 'a', times }]);
    }
  });

  test('failure: a client without it cannot', async () => {
    const past = { initiator: 'billing', exp: 1_600_000_000 };
    const expired = await new SignJWT(past)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('auction-sandbox-secret'));
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: 'Bearer x' },
      { authorization: `Bearer ${expired}` },
      { authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"initiator":"billing"}')}.` },
      await bearer('eeid-sandbox-secret'),
      await bearer('auction-sandbox-secret', { initiator: 'auction' }),
    ])
      expect(await put('auction', { 'idempotency-key': 'a', ...headers })).toEqual([
        401,
        { message: 'Access denied' },
      ]);
    expect(await receivedBy('auction')).toEqual([]);
  });

  test('failure: a service that does not exist, a message without an id or a body', async () => {
    const headers = await bearer('auction-sandbox-secret');
    expect(await put('registry', headers)).toEqual([404, { error: 'There is no such service.' }]);
    expect((await control('services/registry')).status).toBe(404);
    expect((await put('auction', headers, '{'))[0]).toBe(400);
    expect((await put('auction', { authorization: headers.authorization }))[0]).toBe(400);
  });

  test('failure: messages to a service with another secret are retried', async () => {
    const other = await freshRegistryForThisTest({ billingSecretAuction: ['another-secret-of-auction'] });
    own.set(await freshRegistryForThisTest({ auctionUrl: `${other.url}/sandbox/services/auction` }));
    await write({});
    expect(await shown()).toMatchObject([{ status: 'retrying', attempts: 1 }]);
    expect((await stored())[0]?.last_error).toBe('Answered 401');
    await control('clock', { advance: 'PT1M' });
    expect((await shown())[0]?.attempts).toBeGreaterThan(2);
  });

  test('success: during a secret rotation the newer secret signs', async () => {
    const other = await freshRegistryForThisTest({ billingSecretAuction: ['the-newer-secret-of-auction'] });
    own.set(
      await freshRegistryForThisTest({
        auctionUrl: `${other.url}/sandbox/services/auction`,
        billingSecretAuction: ['the-newer-secret-of-auction', 'auction-sandbox-secret'],
      }),
    );
    await write({});
    expect(await shown()).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});
