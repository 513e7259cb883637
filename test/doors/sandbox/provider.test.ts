import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '../../../src/billing/provider/provider.ts';
import {
  call,
  keys,
  linkOrder,
  oneoffOrder,
  startProvider,
  type TestProvider,
} from '../../support/provider-simulator.ts';

let here: TestProvider;
let slow: TestProvider;
/** Started before all others, since it only waits. */
let slowAnswer: Promise<{ status: number; ms: number }>;
beforeAll(async () => {
  [here, slow] = await Promise.all([startProvider(), startProvider()]);
  slow.faults.set('provider', 'slow', 1);
  const begun = performance.now();
  slowAnswer = question(slow).then(({ status }) => ({ status, ms: performance.now() - begun }));
  slowAnswer.catch(() => {}); // reported by the test that awaits it
});
afterAll(() => Promise.all([here.stop(), slow.stop()]));
beforeEach(() => here.faults.clear());

const question = ({ url } = here) => fetch(`${url}/payments/x`, { headers: { authorization: 'x' } });
const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
const ask = async (
  method: string,
  path: string,
  body?: unknown,
  authorization = basic(keys.user, keys.secret),
) => {
  const reply = await fetch(here.url + path, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};
let count = 0;
const oneoff = (changes: object = {}) => ({
  api_username: keys.user,
  account_name: keys.account,
  amount: 20.1,
  order_reference: '160523',
  request_token: false,
  nonce: `nonce-${++count}`,
  timestamp: new Date().toISOString(),
  customer_url: 'http://127.0.0.1:3000/back',
  ...changes,
});
const refund = (reference: string, changes: object = {}) => ({
  api_username: keys.user,
  amount: '20.10',
  payment_reference: reference,
  nonce: `nonce-${++count}`,
  timestamp: new Date().toISOString(),
  ...changes,
});
const refusal = (code: number) => ({ error: { code, message: expect.stringMatching(/./) } });
const paid = async (order = `order-${++count}`) => {
  const { reference, link } = await here.provider.oneoff(oneoffOrder(order));
  await call(`${here.url}/pay`, { link, outcome: 'settled', callback: false });
  return reference;
};

describe('the API of the provider', () => {
  test('success: a one-off payment, ordered and queried', async () => {
    const ordered = await ask('POST', '/payments/oneoff', oneoff({ email: 'mari@example.ee' }));
    const reference = ordered.body.payment_reference;
    expect(ordered.status).toBe(201);
    expect(reference).toMatch(/^[0-9a-f]{64}$/);
    expect(ordered.body).toEqual({
      account_name: keys.account,
      order_reference: '160523',
      email: 'mari@example.ee',
      customer_ip: null,
      customer_url: 'http://127.0.0.1:3000/back',
      payment_created_at: expect.stringMatching(/Z$/),
      initial_amount: 20.1,
      standing_amount: 20.1,
      payment_reference: reference,
      payment_link: `${here.url}/pay/${reference}`,
      payment_methods: [expect.objectContaining({ source: 'lhv_ob_ee' })],
      api_username: keys.user,
      warnings: {},
      processing_error: null,
      stan: null,
      fraud_score: null,
      payment_state: 'initial',
      payment_method: null,
      trace_id: expect.any(String),
      ob_details: null,
      transaction_time: null,
      acquiring_completed_at: null,
      sca_exemption: null,
    });
    expect(await ask('GET', `/payments/${reference}?api_username=${keys.user}`)).toEqual({
      status: 200,
      body: ordered.body,
    });
  });

  test('success: the client of the registry reads it', async () => {
    const { reference, state } = await here.provider.oneoff(oneoffOrder('Ref:150001, 150002, 150003'));
    expect(state).toBe('initial');
    expect(await here.provider.payment(reference)).toMatchObject({
      orderReference: 'Ref:150001, 150002, 150003',
      initialAmount: 2010n,
      standingAmount: 2010n,
      accountName: keys.account,
    });
    expect(await here.provider.payment('0'.repeat(64))).toBeUndefined();
  });

  test('success: bank details once it was paid', async () => {
    const { answer } = (await here.provider.payment(await paid())) ?? {};
    expect(answer).toMatchObject({
      payment_state: 'settled',
      payment_method: 'lhv_ob_ee',
      ob_details: { creditor_iban: expect.stringMatching(/^EE/), ob_payment_state: 'ACSC' },
      transaction_time: expect.any(String),
    });
  });

  test.each([
    ['a request without credentials', ''],
    ['a wrong secret', basic(keys.user, 'x')],
    ['a wrong user', basic('x', keys.secret)],
    ['a token', `Bearer ${keys.secret}`],
  ])('failure: %s is unauthorised', async (_who, authorization) => {
    for (const [method, path] of [
      ['POST', '/payments/oneoff'],
      ['POST', '/payments/refund'],
      ['GET', `/payments/x?api_username=${keys.user}`],
    ] as const)
      expect(await ask(method, path, method === 'POST' ? {} : undefined, authorization)).toEqual({
        status: 401,
        body: refusal(4001),
      });
  });

  test.each([
    [4002, 403, { api_username: 'x' }],
    [4003, 422, { account_name: 'x' }],
    [4005, 422, { amount: 0 }],
    [4005, 422, { amount: -1 }],
    [4005, 422, { amount: 1.005 }],
    [4005, 422, { amount: undefined }],
    [4007, 422, { order_reference: '' }],
    [4007, 422, { order_reference: 'a_b' }],
    [4007, 422, { order_reference: 'a'.repeat(256) }],
    [4006, 422, { customer_url: undefined }],
    [4006, 422, { customer_url: 'javascript:alert(1)' }],
    [4007, 422, { nonce: undefined }],
    [4997, 422, { timestamp: new Date(Date.now() - 301_000).toISOString() }],
    [4997, 422, { timestamp: new Date(Date.now() + 330_000).toISOString() }],
    [4997, 422, { timestamp: 'now' }],
    [4997, 422, { timestamp: undefined }],
  ])('failure: %d for an order with status %d: %j', async (code, status, changes) => {
    expect(await ask('POST', '/payments/oneoff', oneoff(changes))).toEqual({ status, body: refusal(code) });
  });

  test.each(['{', '[]', 'null', ''])('failure: the body %j', async (body) => {
    expect((await ask('POST', '/payments/oneoff', body)).status).toBe(403);
  });

  test('success: the five minutes are by the wall clock, not the clock of the sandbox', async () => {
    here.clock.moveTo(new Date(Date.now() + 86_400_000));
    expect((await ask('POST', '/payments/oneoff', oneoff())).status).toBe(201);
    here.clock.reset();
  });

  test('failure: a nonce is valid for one order', async () => {
    const order = oneoff();
    expect((await ask('POST', '/payments/oneoff', order)).status).toBe(201);
    expect(await ask('POST', '/payments/oneoff', order)).toEqual({ status: 422, body: refusal(4998) });
  });

  test('failure: an unknown payment, and another user’s name', async () => {
    expect(await ask('GET', `/payments/x?api_username=${keys.user}`)).toEqual({
      status: 404,
      body: refusal(4004),
    });
    expect((await ask('GET', '/payments/x?api_username=x')).status).toBe(403);
    expect((await ask('GET', '/payments/x')).status).toBe(403);
  });
});

describe('a refund', () => {
  test('success: in two parts, with a callback for each', async () => {
    const reference = await paid();
    const before = here.merchant.callbacks.length;
    const nonce = () => `refund-${++count}`;
    expect(await here.provider.refund({ reference, amount: 1000n, nonce: nonce() })).toMatchObject({
      state: 'refunded',
      initialAmount: 2010n,
      standingAmount: 1010n,
    });
    expect(await here.provider.refund({ reference, amount: 1010n, nonce: nonce() })).toMatchObject({
      state: 'refunded',
      standingAmount: 0n,
    });
    await expect.poll(() => here.merchant.callbacks.length).toBe(before + 2);
    expect(here.merchant.callbacks.at(-1)).toMatchObject({
      payment_reference: reference,
      event_name: 'refunded',
    });
  });

  test('failure: above the remaining amount; a smaller order then succeeds', async () => {
    const reference = await paid();
    const order = refund(reference, { amount: 20.11 });
    expect(await ask('POST', '/payments/refund', order)).toEqual({ status: 422, body: refusal(4036) });
    expect((await ask('POST', '/payments/refund', { ...order, amount: 20.1 })).body).toMatchObject({
      payment_state: 'refunded',
      standing_amount: 0,
    });
  });

  test('failure: repeated with its nonce it is refused, and nothing is refunded twice', async () => {
    const reference = await paid();
    const order = { reference, amount: 500n, nonce: `same-${++count}` };
    await here.provider.refund(order);
    await expect(here.provider.refund(order)).rejects.toThrow(
      new ProviderRefused(4998, 'nonce was used before'),
    );
    expect((await here.provider.payment(reference))?.standingAmount).toBe(1510n);
  });

  test('success: ten concurrent ones of which the amount covers four', async () => {
    const reference = await paid();
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        here.provider.refund({ reference, amount: 500n, nonce: `many-${++count}-${index}` }),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect((await here.provider.payment(reference))?.standingAmount).toBe(10n);
  });

  test('failure: of an unpaid payment, of an unknown one, of zero', async () => {
    const { reference } = await here.provider.oneoff(oneoffOrder('unpaid'));
    expect(await ask('POST', '/payments/refund', refund(reference))).toEqual({
      status: 422,
      body: refusal(4037),
    });
    expect((await ask('POST', '/payments/refund', refund('x'))).status).toBe(404);
    expect((await ask('POST', '/payments/refund', refund(reference, { amount: 0 }))).status).toBe(422);
    expect((await ask('POST', '/payments/refund', refund(reference, { timestamp: 'x' }))).body).toEqual(
      refusal(4997),
    );
  });
});

describe('faults of the provider', () => {
  test('failure: down closes the connection', async () => {
    here.faults.set('provider', 'down', 2);
    await expect(question()).rejects.toThrow();
    await expect(here.provider.oneoff(oneoffOrder('down'))).rejects.toThrow(ProviderUnavailable);
    expect((await question()).status).toBe(401);
  });

  test('failure: error answers 500', async () => {
    here.faults.set('provider', 'error', 1);
    const reply = await question();
    expect([reply.status, await reply.json()]).toEqual([500, refusal(5000)]);
    expect((await question()).status).toBe(401);
  });

  test('success: the registry retries two of them', async () => {
    const reference = await paid();
    here.faults.set('provider', 'down', 2);
    expect((await here.provider.payment(reference))?.state).toBe('settled');
  });

  test('success: script calls and the payment page have no faults, and do not consume them', async () => {
    const { link } = await here.provider.oneoff(oneoffOrder('page'));
    here.faults.set('provider', 'down', 1);
    const [status] = await call(`${here.url}/pay`, { link, outcome: 'failed', callback: false });
    expect(status).toBe(200);
    await expect(question()).rejects.toThrow();
  });
});

test('success: slow takes five seconds', async () => {
  const { status, ms } = await slowAnswer;
  expect(status).toBe(401);
  expect(ms).toBeGreaterThan(4_900);
});

test('success: a payment by a signed link returns the payer data of the link', async () => {
  const link = here.provider.link(linkOrder(160600));
  const [, paid] = await call(`${here.url}/pay`, { link, outcome: 'settled', callback: false });
  const { payment_reference: reference } = paid;
  expect((await here.provider.payment(reference ?? ''))?.answer).toMatchObject({
    customer_url: null,
    payment_link: null,
    email: 'mari@example.ee',
    order_reference: '160600',
    linkpay_customer_data: {
      customer_name: 'Mari Õun OÜ',
      custom_field_1: '5e03f248-6',
      custom_field_2: 'business_registry',
    },
  });
});

test('success: no unexpected error was logged', () => {
  expect(here.failures).toEqual([]);
});
