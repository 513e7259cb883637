import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answers, hangsUp, standInProvider } from '../../billing/provider/stand-in.ts';
import { Payer, Service } from '../../support/billing.ts';
import { invoiceIn, reportedStatuses, withoutTrace } from '../../support/books.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/invoice_generator/oneoff';
const RETURN = 'https://auction.example/done';

let registry: TestRegistry;
let auction: Service;
let payer: Payer;
let open: number;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  payer = new Payer(registry.url);
  open = (await auction.invoice('20.00')).number;
});
afterAll(() => registry.stop());

const oneoff = (number: unknown, customer_url: unknown = RETURN, members: object = {}) =>
  auction.post(PATH, { invoice_number: number, customer_url, ...members });
async function expectRefused(status: number, answer: unknown, body: object): Promise<void> {
  const reply = await withoutTrace(registry, () => auction.post(PATH, body));
  expect([reply.status, reply.body]).toEqual([status, answer]);
}

describe('success', () => {
  test('success: a link of its own, whose payment is stored before any callback', async () => {
    const { number } = await auction.invoice('20.50');
    const reply = await oneoff(String(number), `${RETURN}?a=1&b=2#there`, { reference_number: '7366488' });
    expect([reply.status, Object.keys(reply.body), reply.body.message]).toEqual([
      201,
      ['message', 'oneoff_redirect_link'],
      'Link created',
    ]);
    const { payments } = (await auction.get(`/invoices/${number}`)).body;
    expect(payments).toMatchObject([
      { payment_state: 'initial', payment_link: reply.body.oneoff_redirect_link },
    ]);
    const [ordered] = await registry.sql.rows(sql`
      select order_reference, initial_amount::int as amount, customer_url from provider_simulator.payments
      where payment_reference = ${payments[0].payment_reference}`);
    expect(ordered).toEqual({
      order_reference: String(number),
      amount: 2050,
      customer_url: `${RETURN}?a=1&b=2#there`,
    });
  });

  test('success: it pays the invoice, and the service is notified once', async () => {
    const { number } = await auction.invoice('20.00');
    await payer.pay(await auction.oneoff(number));
    expect((await payer.invoice(number)).status).toBe('paid');
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
  });

  test('success: a return URL of our own origin', async () => {
    expect((await oneoff(String(open), `${registry.url}/anywhere`)).status).toBe(201);
  });

  test('success: each attempt has a link of its own; the invoice is paid by one of them', async () => {
    const { number } = await auction.invoice('20.00');
    const links = [await auction.oneoff(number), await auction.oneoff(number)];
    expect(new Set(links).size).toBe(2);
    await payer.pay(links[1] ?? '');
    const { status, payments } = await payer.invoice(number);
    expect(status).toBe('paid');
    expect(payments.map((payment: { payment_state: string }) => payment.payment_state).toSorted()).toEqual([
      'initial',
      'settled',
    ]);
  });

  test.each(['failed', 'overdue'])(
    'success: a new attempt reopens an invoice that is %s, and the service is notified',
    async (status) => {
      const number = await invoiceIn(auction, payer, status);
      expect((await oneoff(String(number))).status).toBe(201);
      expect(await auction.status(number)).toBe('unpaid');
      expect(await reportedStatuses(payer, number)).toEqual([status, 'unpaid']);
    },
  );

  test('success: an amount in the request is ignored; that of the invoice counts', async () => {
    const { number } = await auction.invoice('20.00');
    await payer.pay((await oneoff(String(number), RETURN, { amount: '1.00' })).body.oneoff_redirect_link);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', amount: '20.00' });
  });

  test('success: a one-off that failed is paid by the same link', async () => {
    const { number } = await auction.invoice('20.00');
    const link = await auction.oneoff(number);
    await payer.pay(link, 'failed');
    expect((await payer.invoice(number)).status).toBe('failed');
    await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    expect(await reportedStatuses(payer, number)).toEqual(['failed', 'paid']);
  });
});

describe('failure: the invoice', () => {
  test('failure: no invoice has that number', () =>
    expectRefused(
      404,
      { error: 'Invoice with 150999 not found in internal system' },
      { invoice_number: '150999', customer_url: RETURN },
    ));

  test('failure: a number without an invoice yet', async () => {
    const number = await auction.number();
    await expectRefused(
      404,
      { error: `Invoice with ${number} not found in internal system` },
      { invoice_number: String(number), customer_url: RETURN },
    );
  });

  test('failure: an invoice of another initiator gets the same answer as a missing one', async () => {
    const { number } = await new Service(registry.url, 'eeid').invoice('20.00');
    await expectRefused(
      404,
      { error: `Invoice with ${number} not found in internal system` },
      { invoice_number: String(number), customer_url: RETURN },
    );
  });

  test('failure: it is cancelled', async () => {
    const number = await invoiceIn(auction, payer, 'cancelled');
    await expectRefused(
      422,
      { error: { invoice_number: ['the invoice is cancelled'] } },
      { invoice_number: String(number), customer_url: RETURN },
    );
  });

  test('failure: an empty body', () =>
    expectRefused(422, { error: { invoice_number: ['is missing'], customer_url: ['is missing'] } }, {}));

  test('failure: the payer would be sent to https://evilauction.example/done', () =>
    expectRefused(
      422,
      { error: { customer_url: ['this url not supported'] } },
      { invoice_number: String(open), customer_url: 'https://evilauction.example/done' },
    ));
});

describe('failure: the provider', () => {
  test.each(['down', 'error'])('failure: is %s: 502, and nothing has changed', async (mode) => {
    const number = await invoiceIn(auction, payer, 'failed');
    await payer.fault('provider', mode, 1);
    const reply = await withoutTrace(registry, () => oneoff(String(number)));
    expect([reply.status, reply.body, reply.headers.get('retry-after')]).toEqual([
      502,
      { error: 'Payment provider unavailable' },
      '1',
    ]);
    expect((await oneoff(String(number))).status).toBe(201);
  });

  test('failure: refuses: 422 with the provider’s own message, and nothing has changed', async () => {
    const provider = await standInProvider(
      answers(422, { error: { code: 4997, message: 'timestamp is invalid' } }),
    );
    const strict = await freshRegistryForThisTest({ providerUrl: provider.url });
    const service = new Service(strict.url);
    const { number } = await service.invoice('20.00');
    const order = () =>
      service.post(PATH, { invoice_number: String(number), customer_url: 'https://auction.example' });
    const refused = await withoutTrace(strict, order);
    expect([refused.status, refused.body]).toEqual([
      422,
      { error: { code: 4997, message: 'timestamp is invalid' } },
    ]);
    const sent = JSON.parse(provider.asked[0]?.body ?? '');
    expect(sent).toMatchObject({
      api_username: 'provider-sandbox-user',
      account_name: 'EUR-sandbox',
      amount: 20,
      order_reference: String(number),
      request_token: false,
      customer_url: 'https://auction.example',
      preferred_country: 'EE',
      locale: 'en',
      structured_reference: '',
      nonce: expect.stringMatching(/^\d{30}$/),
    });
    // What cannot be understood is no link either.
    for (const behaviour of [answers(200, '<html>'), answers(200, {}), answers(302, {}), hangsUp]) {
      provider.behave(behaviour);
      expect((await withoutTrace(strict, order)).status).toBe(502);
    }
  });
});
