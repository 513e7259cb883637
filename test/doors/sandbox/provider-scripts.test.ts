import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { prepareSimulator } from '../../../src/doors/sandbox/provider/simulator.ts';
import {
  call,
  linkOrder,
  oneoffOrder,
  providerForThisTest,
  startProvider,
  type TestProvider,
} from '../../support/provider-simulator.ts';
import { registryForThisTest } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let here: TestProvider;
beforeAll(async () => {
  here = await startProvider();
});
afterAll(() => here.stop());
beforeEach(() => {
  Object.assign(here.merchant, { callbacks: [], answers: [], silence: Promise.resolve() });
});

const UNKNOWN = '0'.repeat(64);
let number = 160_700;
const newLink = () => here.provider.link(linkOrder(++number));
const newOneoff = () => here.provider.oneoff(oneoffOrder(String(++number)));
const pay = (body: object) => call(`${here.url}/pay`, body);
const move = (reference: string | undefined, body: object) =>
  call(`${here.url}/payments/${reference}/state`, body);
const standing = async (reference: string | undefined) => {
  const { initialAmount, standingAmount, state } = (await here.provider.payment(reference ?? '')) ?? {};
  return [state, initialAmount, standingAmount];
};
const complaint = { error: expect.stringMatching(/^(Give|The|There) .*\.$/) };

describe('paying by script', () => {
  test.each([
    ['settled', 'status_updated', 2000n],
    ['failed', 'status_updated', 0n],
    ['abandoned', 'abandoned', 0n],
    ['waiting_for_sca', 'status_updated', 2000n],
  ])('success: a signed link ends as %s, and the merchant gets a callback', async (outcome, event, left) => {
    const [status, paid] = await pay({ link: newLink(), outcome });
    expect([status, paid.payment_state]).toEqual([200, outcome]);
    expect(here.merchant.callbacks).toEqual([
      { payment_reference: paid.payment_reference, order_reference: String(number), event_name: event },
    ]);
    expect(await standing(paid.payment_reference)).toEqual([outcome, 2000n, left]);
  });

  test('success: a one-off payment fails and is settled later, under one reference', async () => {
    const { reference, link } = await newOneoff();
    for (const outcome of ['failed', 'waiting_for_sca', 'failed', 'settled'])
      expect(await pay({ link, outcome })).toEqual([
        200,
        { payment_reference: reference, payment_state: outcome },
      ]);
    expect(await standing(reference)).toEqual(['settled', 2010n, 2010n]);
    expect(here.merchant.callbacks).toHaveLength(4);
  });

  test.each(['settled', 'abandoned'])(
    'failure: a one-off payment that is %s is not paid again',
    async (end) => {
      const { reference, link } = await newOneoff();
      await pay({ link, outcome: end, callback: false });
      for (const outcome of ['settled', 'failed', 'abandoned'])
        expect(await pay({ link, outcome })).toEqual([400, complaint]);
      expect((await standing(reference))[0]).toBe(end);
      expect(here.merchant.callbacks).toEqual([]);
    },
  );

  test('success: every attempt at a signed link is a payment of its own, until one is settled', async () => {
    const link = newLink();
    const references = new Set<string | undefined>();
    for (const outcome of ['failed', 'abandoned', 'waiting_for_sca', 'settled'])
      references.add((await pay({ link, outcome }))[1].payment_reference);
    expect(references.size).toBe(4);
    expect(await pay({ link, outcome: 'settled' })).toEqual([400, complaint]);
    expect(await pay({ link, outcome: 'failed' })).toEqual([400, complaint]);
  });

  test.each([
    ['1.50', 150n],
    [1.5, 150n],
    ['3', 300n],
  ])('success: over %j instead of the requested amount', async (amount, cents) => {
    const [, signed] = await pay({ link: newLink(), outcome: 'settled', amount });
    expect(await standing(signed.payment_reference)).toEqual(['settled', cents, cents]);
    const { reference, link } = await newOneoff();
    await pay({ link, outcome: 'settled', amount });
    expect(await standing(reference)).toEqual(['settled', cents, cents]);
  });

  test('success: without a callback the merchant gets none, now or later', async () => {
    await pay({ link: newLink(), outcome: 'settled', callback: false });
    await here.simulator.sendDueCallbacks(new Date(Date.now() + 86_400_000));
    expect(here.merchant.callbacks).toEqual([]);
  });

  test.each([
    ['as it is', (link: string) => link],
    ['without percent-encoding', (link: string) => decodeURIComponent(link)],
    ['with a plus for a space', (link: string) => link.replaceAll('%20', '+')],
    ['without its origin', (link: string) => link.slice(link.indexOf('/sandbox'))],
    ['with a fragment', (link: string) => `${link}#pay`],
  ])('success: a link %s', async (_how, written) => {
    const link = here.provider.link(linkOrder(++number, 'Mari  Õun (OÜ), 1+1'));
    expect((await pay({ link: written(link), outcome: 'settled' }))[0]).toBe(200);
  });

  test.each([
    ['a changed amount', (link: string) => link.replace('20.00', '02.00')],
    ['no signature', (link: string) => link.replace(/hmac=.*/, 'hmac=')],
    ['another member', (link: string) => link.replace('?', '?a=b&')],
  ])('failure: a link with %s', async (_what, forged) => {
    expect(await pay({ link: forged(newLink()), outcome: 'settled' })).toEqual([400, complaint]);
    expect(here.merchant.callbacks).toEqual([]);
  });

  test.each(['', 'x', 'https://portal.example/', `http://x/sandbox/provider/pay/${UNKNOWN}`])(
    'failure: the link %j is not found',
    async (link) => {
      expect(await pay({ link, outcome: 'settled' })).toEqual([404, complaint]);
    },
  );

  test.each([
    {},
    { link: 5, outcome: 'settled' },
    { outcome: 'settled' },
    { link: 'x' },
    { link: 'x', outcome: 'refunded' },
    { link: 'x', outcome: 'settled', amount: 0 },
    { link: 'x', outcome: 'settled', amount: '-1.00' },
    { link: 'x', outcome: 'settled', amount: '1.005' },
    { link: 'x', outcome: 'settled', amount: true },
    { link: 'x', outcome: 'settled', callback: 'no' },
  ])('failure: %j is answered with the valid values', async (body) => {
    expect(await pay(body)).toEqual([400, { error: expect.stringMatching(/^Give .*"waiting_for_sca"/) }]);
  });
});

describe('moving a payment by script', () => {
  test.each([
    ['refunded', 'refunded', 0n],
    ['partially_refunded', 'refunded', 1000n],
    ['chargebacked', 'chargebacked', 0n],
    ['charged_back', 'chargebacked', 0n],
    ['voided', 'voided', 0n],
    ['failed', 'status_updated', 0n],
    ['abandoned', 'abandoned', 0n],
    ['sent_for_processing', 'status_updated', 2000n],
    ['some_new_state', 'status_updated', 2000n],
  ])('success: %s is reported as %s, and %d cents remain', async (state, event, left) => {
    const [, { payment_reference: reference }] = await pay({
      link: newLink(),
      outcome: 'settled',
      callback: false,
    });
    expect(await move(reference, { payment_state: state })).toEqual([
      200,
      { payment_reference: reference, payment_state: state },
    ]);
    expect(here.merchant.callbacks).toMatchObject([{ payment_reference: reference, event_name: event }]);
    expect(await standing(reference)).toEqual([state, 2000n, left]);
    await move(reference, { payment_state: 'settled' });
    expect(await standing(reference)).toEqual(['settled', 2000n, 2000n]);
  });

  test('success: an event and a remaining amount given by the script', async () => {
    const { reference } = await newOneoff();
    await move(reference, {
      payment_state: 'refunded',
      event_name: 'dispute_opened',
      standing_amount: '5.00',
    });
    expect(here.merchant.callbacks).toMatchObject([{ event_name: 'dispute_opened' }]);
    expect(await standing(reference)).toEqual(['refunded', 2010n, 500n]);
    await move(reference, { payment_state: 'settled', standing_amount: 1, callback: false });
    expect(await standing(reference)).toEqual(['settled', 2010n, 100n]);
    expect(here.merchant.callbacks).toHaveLength(1);
  });

  test.each([
    {},
    { payment_state: '' },
    { payment_state: 'Settled' },
    { payment_state: 5 },
    { payment_state: 'settled', event_name: 'a b' },
    { payment_state: 'settled', event_name: 5 },
    { payment_state: 'settled', callback: 1 },
    { payment_state: 'settled', standing_amount: '20.11' },
    { payment_state: 'settled', standing_amount: -1 },
    { payment_state: 'settled', standing_amount: 'x' },
  ])('failure: %j is answered with the valid values, and changes nothing', async (body) => {
    const { reference } = await newOneoff();
    expect(await move(reference, body)).toEqual([400, { error: expect.stringMatching(/^Give /) }]);
    expect(await standing(reference)).toEqual(['initial', 2010n, 2010n]);
  });

  test('failure: an unknown payment', async () => {
    expect(await move(UNKNOWN, { payment_state: 'settled' })).toEqual([404, complaint]);
  });
});

describe('callbacks', () => {
  const HOUR = 3_600_000;
  const later = (ms: number) => here.simulator.sendDueCallbacks(new Date(Date.now() + ms));

  test('success: repeated after a second, and not after it was answered', async () => {
    here.merchant.answers = [500, 404];
    await pay({ link: newLink(), outcome: 'settled' });
    await later(500);
    expect(here.merchant.callbacks).toHaveLength(1);
    await later(1_000);
    expect(here.merchant.callbacks).toHaveLength(2);
    await later(299_000);
    expect(here.merchant.callbacks).toHaveLength(2);
    await later(300_000);
    expect(here.merchant.callbacks).toHaveLength(3);
    await later(100 * HOUR);
    expect(here.merchant.callbacks).toHaveLength(3);
    expect(new Set(here.merchant.callbacks.map(({ payment_reference }) => payment_reference)).size).toBe(1);
  });

  test('failure: given up after three days', async () => {
    here.merchant.answers = Array.from({ length: 20 }, () => 503);
    await pay({ link: newLink(), outcome: 'settled' });
    for (const [ms, times] of [
      [1_000, 2],
      [300_000, 3],
      [HOUR, 4],
      [24 * HOUR, 5],
      [48 * HOUR, 6],
      [71 * HOUR, 6],
      [72 * HOUR, 7],
      [1000 * HOUR, 7],
    ] as const) {
      await later(ms + 500);
      expect([ms, here.merchant.callbacks.length]).toEqual([ms, times]);
    }
  });

  test('success: a large jump of the clock makes every attempt until one is answered', async () => {
    here.merchant.answers = [500, 302, 500, 200];
    await pay({ link: newLink(), outcome: 'settled' });
    await later(100 * HOUR);
    expect(here.merchant.callbacks).toHaveLength(4);
  });

  test('success: a slow receiver has a timeout of two seconds, and gets no second callback', async () => {
    const { promise: silence, resolve: answer } = Promise.withResolvers<void>();
    here.merchant.silence = silence;
    const send = vi.spyOn(here.simulator.callbacks, 'send');
    onTestFinished(() => send.mockRestore());
    const paid = pay({ link: newLink(), outcome: 'settled' });
    await expect.poll(() => here.merchant.callbacks).toHaveLength(1);
    // Timers of one process fire in the order in which they are due, however late.
    const tooLong = sleep(2_100, 'waited longer');
    expect(await Promise.race([send.mock.results[0]?.value, tooLong])).toBeUndefined();
    expect((await paid)[0]).toBe(200);
    answer();
    await expect.poll(() => here.simulator.nextCallback()).toBeUndefined();
    await later(HOUR);
    expect(here.merchant.callbacks).toHaveLength(1);
  });

  test('success: a stopped provider aborts callbacks in flight', async () => {
    const own = await providerForThisTest();
    own.merchant.silence = new Promise(() => {});
    const link = own.provider.link(linkOrder(1));
    const paid = call(`${own.url}/pay`, { link, outcome: 'settled' });
    await expect.poll(() => own.merchant.callbacks).toHaveLength(1);
    await own.simulator.stop();
    await paid;
    // Not by the answer timeout, which would end it as well eventually.
    expect(await own.sql.rows(sql`select last_error from provider_simulator.callbacks`)).toEqual([
      { last_error: 'This operation was aborted' },
    ]);
  });
});

describe('in the sandbox', () => {
  test('success: payments and pending callbacks survive a restart', async () => {
    here.merchant.answers = [500];
    const [, { payment_reference: reference }] = await pay({ link: newLink(), outcome: 'settled' });
    await prepareSimulator(here.sql);
    expect((await standing(reference))[0]).toBe('settled');
    await here.simulator.sendDueCallbacks(new Date(Date.now() + 1_000));
    expect(here.merchant.callbacks).toHaveLength(2);
  });

  test('success: it is part of the sandbox, and a reset removes its payments', async () => {
    const registry = await registryForThisTest();
    const url = `${registry.url}/sandbox/provider`;
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('provider-sandbox-user:provider-sandbox-secret').toString('base64')}`,
    };
    const order = {
      api_username: 'provider-sandbox-user',
      account_name: 'EUR-sandbox',
      amount: 5,
      order_reference: '1',
      nonce: 'n',
      timestamp: new Date().toISOString(),
      customer_url: registry.url,
    };
    const body = JSON.stringify(order);
    const ordered = await fetch(`${url}/payments/oneoff`, { method: 'POST', headers, body });
    expect(ordered.status).toBe(201);
    const { payment_reference: reference, payment_link: link } = (await ordered.json()) as Record<
      string,
      string
    >;
    expect(link).toBe(`${url}/pay/${reference}`);
    expect(await call(`${url}/pay`, { link, outcome: 'settled' })).toEqual([
      200,
      { payment_reference: reference, payment_state: 'settled' },
    ]);
    expect((await call(`${registry.url}/sandbox/reset`, {}))[0]).toBe(200);
    const question = `${url}/payments/${reference}?api_username=provider-sandbox-user`;
    expect((await fetch(question, { headers })).status).toBe(404);
    expect((await fetch(`${url}/payments/oneoff`, { method: 'POST', headers, body })).status).toBe(201);
  });
});

test('success: no unexpected error was logged', () => {
  expect(here.failures).toEqual([]);
});
