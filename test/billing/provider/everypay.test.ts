import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { everyPay } from '../../../src/billing/provider/everypay.ts';
import { verifiedLink } from '../../../src/billing/provider/payment-links.ts';
import { ProviderRefused, ProviderUnavailable } from '../../../src/billing/provider/provider.ts';
import { holdTimeouts } from '../../support/held-timeouts.ts';
import {
  answers,
  type Behaviour,
  breaksOff,
  hangsUp,
  keepsSilent,
  neverEnds,
  standInProvider,
} from './stand-in.ts';

const REFERENCE = 'a'.repeat(64);
const SECRET = 'a-secret-of-ours';
const RETRY_POLICY = {
  readTimeoutMs: 10_000,
  writeTimeoutMs: 10_000,
  readRetries: 2,
  retryDelayMs: 1,
  failureThreshold: 100,
  resetTimeoutMs: 5_000,
};
const reported = {
  payment_reference: REFERENCE,
  order_reference: '160523',
  payment_state: 'settled',
  initial_amount: 20.5,
  standing_amount: 20.5,
  account_name: 'EUR-sandbox',
  ob_details: { creditor_iban: 'EE00' },
};
const orderOf = (amount: bigint) => ({
  amount,
  orderReference: '160523',
  customerUrl: 'https://portal.example/back',
  referenceNumber: null,
});
const refundOf = (amount: bigint) => ({ reference: REFERENCE, amount, nonce: '7'.repeat(30) });

/** Lets the timeout of a request to a provider that never completes its answer pass once the request was sent. */
const ENDLESS: readonly Behaviour[] = [keepsSilent, breaksOff, neverEnds];
async function endTimeFor(behaviour: Behaviour, asked: readonly unknown[], times: number): Promise<void> {
  if (!ENDLESS.includes(behaviour)) return;
  const timeouts = holdTimeouts();
  for (let count = 1; count <= times; count += 1) {
    await expect.poll(() => asked.length, { interval: 10 }).toBe(count);
    timeouts.expire();
  }
}

async function meet(behaviours: readonly Behaviour[], policy: Partial<typeof RETRY_POLICY> = {}) {
  const standIn = await standInProvider(...behaviours);
  const provider = everyPay(
    {
      url: () => `${standIn.url}/api/v4`,
      linkUrl: `${standIn.url}/lp`,
      user: 'us',
      secret: SECRET,
      account: 'EUR-sandbox',
      linkToken: 'token',
    },
    { ...RETRY_POLICY, ...policy },
  );
  return { ...standIn, provider };
}

describe('polling a payment', () => {
  test('success: its report, with the amounts in cents', async () => {
    const { provider, asked } = await meet([answers(200, reported)]);
    expect(await provider.payment(REFERENCE)).toEqual({
      reference: REFERENCE,
      orderReference: '160523',
      state: 'settled',
      initialAmount: 2050n,
      standingAmount: 2050n,
      accountName: 'EUR-sandbox',
      answer: reported,
    });
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: `/api/v4/payments/${REFERENCE}?api_username=us`,
        headers: { authorization: `Basic ${Buffer.from(`us:${SECRET}`).toString('base64')}` },
      },
    ]);
  });

  test.each([
    ['20', 2000n],
    ['20.0', 2000n],
    ['0.29', 29n],
    ['1.1', 110n],
    ['"20.50"', 2050n],
    ['9999999999.99', 999999999999n],
    ['0', 0n],
  ])('success: the amount %s', async (text, cents) => {
    const body = JSON.stringify(reported).replace('"standing_amount":20.5', `"standing_amount":${text}`);
    const { provider } = await meet([answers(200, body)]);
    expect((await provider.payment(REFERENCE))?.standingAmount).toBe(cents);
  });

  test.each(['20.505', '-1', '1e21', '0.1e-2', 'null', 'true', '"x"', '[]', '99999999999.99'])(
    'failure: %s is no amount',
    async (text) => {
      const body = JSON.stringify(reported).replace('"standing_amount":20.5', `"standing_amount":${text}`);
      const { provider } = await meet([answers(200, body)]);
      await expect(provider.payment(REFERENCE)).rejects.toThrow(ProviderUnavailable);
    },
  );

  test.each([answers(404, { error: { code: 4004, message: 'unknown' } }), answers(404, 'Not found')])(
    'success: nothing where there is no such payment',
    async (behaviour) => {
      const { provider, asked } = await meet([behaviour]);
      expect(await provider.payment(REFERENCE)).toBeUndefined();
      expect(asked).toHaveLength(1);
    },
  );

  test('success: a reference of any characters stays one part of the path', async () => {
    const { provider, asked } = await meet([answers(404, {})]);
    await provider.payment('../a?b#c');
    expect(asked[0]?.url).toBe('/api/v4/payments/..%2Fa%3Fb%23c?api_username=us');
  });

  test('success: two failures are retried', async () => {
    const { provider, asked } = await meet([hangsUp, answers(503, {}), answers(200, reported)]);
    expect((await provider.payment(REFERENCE))?.state).toBe('settled');
    expect(asked).toHaveLength(3);
  });

  test.each([
    ['a connection that breaks', hangsUp],
    ['silence', keepsSilent],
    ['an answer that breaks off', breaksOff],
    ['an answer without an end', neverEnds],
    ['500', answers(500, { error: { code: 1, message: 'x' } })],
    ['503', answers(503, 'down')],
    ['429', answers(429, { error: { code: 1, message: 'x' } })],
    ['a redirect', answers(302, '', { location: 'http://127.0.0.1:1/' })],
    ['no JSON', answers(200, '<html>')],
    ['a list', answers(200, [reported])],
    ['nothing', answers(200, '')],
    ['403 without a reason', answers(403, '<html>')],
    ['another payment', answers(200, { ...reported, payment_reference: 'b' })],
    ['no state', answers(200, { ...reported, payment_state: undefined })],
    ['an empty state', answers(200, { ...reported, payment_state: '' })],
    ['no order', answers(200, { ...reported, order_reference: null })],
    ['no account', answers(200, { ...reported, account_name: 5 })],
    ['no amount', answers(200, { ...reported, initial_amount: undefined })],
  ])('failure: %s, three times', async (_what, behaviour) => {
    const { provider, asked, url } = await meet([behaviour]);
    const over = endTimeFor(behaviour, asked, 3);
    const error = await provider.payment(REFERENCE).catch((caught: unknown) => caught);
    await over;
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(asked).toHaveLength(3);
    const { message, stack, cause } = error as Error;
    expect([message, stack, String(cause)].join()).not.toMatch(
      new RegExp([SECRET, Buffer.from(`us:${SECRET}`).toString('base64'), url].join('|')),
    );
  });

  test('failure: connection refused', async () => {
    const { provider } = await meet([]);
    const nobody = everyPay(
      { url: 'http://127.0.0.1:1', linkUrl: '', user: 'us', secret: SECRET, account: 'x', linkToken: 'x' },
      RETRY_POLICY,
    );
    await expect(nobody.payment(REFERENCE)).rejects.toThrow(ProviderUnavailable);
    expect(provider.accountName).toBe('EUR-sandbox');
  });

  test('failure: a refusal is final, and not retried', async () => {
    const { provider, asked } = await meet([answers(401, { error: { code: 4001, message: 'who are you' } })]);
    await expect(provider.payment(REFERENCE)).rejects.toThrow(new ProviderRefused(4001, 'who are you'));
    expect(asked).toHaveLength(1);
  });
});

describe('a one-off payment', () => {
  const made = {
    payment_reference: REFERENCE,
    payment_link: 'https://provider.example/x',
    payment_state: 'initial',
  };

  test('success: the order as the provider wants it', async () => {
    const { provider, asked } = await meet([answers(201, made)]);
    expect(await provider.oneoff(orderOf(2010n))).toEqual({
      reference: REFERENCE,
      link: 'https://provider.example/x',
      state: 'initial',
    });
    const { url, method, headers, body } = asked[0] ?? {};
    expect([method, url, headers?.['content-type']]).toEqual([
      'POST',
      '/api/v4/payments/oneoff',
      'application/json',
    ]);
    expect(body).toMatch(/^\{"amount":20\.10,/);
    const members = JSON.parse(body ?? '');
    expect(members).toEqual({
      amount: 20.1,
      api_username: 'us',
      account_name: 'EUR-sandbox',
      order_reference: '160523',
      request_token: false,
      nonce: expect.stringMatching(/^\d{30}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      customer_url: 'https://portal.example/back',
      preferred_country: 'EE',
      locale: 'en',
      structured_reference: '',
    });
    expect(Math.abs(Date.parse(members.timestamp) - Date.now())).toBeLessThan(5_000);
  });

  test('success: an amount beyond exact floating-point numbers is written digit by digit', async () => {
    const { provider, asked } = await meet([answers(201, made)]);
    await provider.oneoff({ ...orderOf(900719925474099301n), referenceNumber: '1232' });
    expect(asked[0]?.body).toContain('{"amount":9007199254740993.01,');
    expect(asked[0]?.body).toContain('"structured_reference":"1232"');
  });

  test.each([
    ['a connection that breaks', hangsUp],
    ['silence', keepsSilent],
    ['500', answers(500, {})],
    ['no JSON', answers(201, 'yes')],
    ['404', answers(404, 'nothing')],
    ['no link', answers(201, { ...made, payment_link: undefined })],
    ['a malformed link', answers(201, { ...made, payment_link: 'later' })],
    ['no reference', answers(201, { ...made, payment_reference: '' })],
  ])('failure: %s, and it is not ordered twice', async (_what, behaviour) => {
    const { provider, asked } = await meet([behaviour]);
    const over = endTimeFor(behaviour, asked, 1);
    await expect(provider.oneoff(orderOf(100n))).rejects.toThrow(ProviderUnavailable);
    await over;
    expect(asked).toHaveLength(1);
  });

  test.each([200, 400, 404, 422])('failure: refused with status %d', async (status) => {
    const { provider } = await meet([answers(status, { error: { code: 4024, message: 'no' } })]);
    await expect(provider.oneoff(orderOf(100n))).rejects.toThrow(new ProviderRefused(4024, 'no'));
  });
});

describe('a refund', () => {
  const left = { ...reported, payment_state: 'refunded', standing_amount: 0 };

  test('success: ordered with the nonce of the caller', async () => {
    const { provider, asked } = await meet([answers(200, left)]);
    expect(await provider.refund(refundOf(2050n))).toMatchObject({ state: 'refunded', standingAmount: 0n });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      amount: 20.5,
      api_username: 'us',
      payment_reference: REFERENCE,
      nonce: '7'.repeat(30),
      timestamp: expect.any(String),
    });
  });

  test('success: an incomplete answer is followed by a poll', async () => {
    const { provider, asked } = await meet([
      answers(200, { payment_reference: REFERENCE }),
      answers(200, left),
    ]);
    expect(await provider.refund(refundOf(2050n))).toMatchObject({ standingAmount: 0n });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('failure: no answer, and it is not ordered twice', async () => {
    const { provider, asked } = await meet([hangsUp]);
    await expect(provider.refund(refundOf(1n))).rejects.toThrow(ProviderUnavailable);
    expect(asked).toHaveLength(1);
  });

  test('failure: refused', async () => {
    const { provider } = await meet([answers(422, { error: { code: 4037, message: 'not this one' } })]);
    await expect(provider.refund(refundOf(1n))).rejects.toThrow(new ProviderRefused(4037, 'not this one'));
  });
});

describe('a provider that does not answer', () => {
  const broken = { readRetries: 0, failureThreshold: 3 };
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => vi.useRealTimers());

  test('failure: is not called for a while, whatever the request', async () => {
    const { provider, asked } = await meet([hangsUp], broken);
    for (let call = 0; call < 6; call += 1)
      await expect(provider.payment(REFERENCE)).rejects.toThrow(ProviderUnavailable);
    await expect(provider.oneoff(orderOf(1n))).rejects.toThrow(ProviderUnavailable);
    await expect(provider.refund(refundOf(1n))).rejects.toThrow(ProviderUnavailable);
    expect(asked).toHaveLength(3);
  });

  test('success: is called again afterwards, first by one request, then by all', async () => {
    const { provider, asked, behave } = await meet([hangsUp], broken);
    for (let call = 0; call < 3; call += 1) await provider.payment(REFERENCE).catch(() => {});
    behave(answers(200, reported));
    vi.setSystemTime(Date.now() + RETRY_POLICY.resetTimeoutMs + 1);
    const found = await Promise.all([1, 2, 3].map(() => provider.payment(REFERENCE)));
    expect(found.map((payment) => payment?.state)).toEqual(['settled', 'settled', 'settled']);
    expect(asked).toHaveLength(6);
  });

  test('failure: one more failure then opens the breaker again', async () => {
    const { provider, asked } = await meet([hangsUp], broken);
    for (let call = 0; call < 3; call += 1) await provider.payment(REFERENCE).catch(() => {});
    vi.setSystemTime(Date.now() + RETRY_POLICY.resetTimeoutMs + 1);
    for (let call = 0; call < 3; call += 1) await provider.payment(REFERENCE).catch(() => {});
    expect(asked).toHaveLength(4);
  });

  test('success: refusals and unknown payments are answers', async () => {
    const { provider, asked } = await meet([answers(404, {})], broken);
    for (let call = 0; call < 5; call += 1) await provider.payment(REFERENCE);
    expect(asked).toHaveLength(5);
    const refusing = await meet(
      [hangsUp, hangsUp, answers(422, { error: { code: 1, message: 'no' } }), hangsUp],
      broken,
    );
    for (let call = 0; call < 5; call += 1)
      await expect(refusing.provider.payment(REFERENCE)).rejects.toThrow();
    expect(refusing.asked).toHaveLength(5);
  });
});

test('success: the link of an order is signed with our secret', async () => {
  const { provider, url } = await meet([]);
  const link = provider.link({
    invoiceNumber: 160523,
    amount: 2000n,
    customerName: null,
    customerEmail: null,
    customField1: null,
    customField2: null,
    referenceNumber: null,
  });
  expect(link.startsWith(`${url}/lp?custom_field_1=&`)).toBe(true);
  expect(verifiedLink(link.slice(link.indexOf('?') + 1), SECRET)?.get('linkpay_token')).toBe('token');
});
