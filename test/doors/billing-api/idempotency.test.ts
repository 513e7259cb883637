import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDigit } from '../../../src/billing/invoices/reference-numbers.ts';
import { Payer, Service } from '../../support/billing.ts';
import { booksOf, invoiceIn, withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let auction: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const RETURN = 'https://auction.example/done';
const GENERATOR = '/invoice_generator';
const keyed = (key: string) => ({ 'idempotency-key': key });
let imported = 100_000;

/** Every call that writes, with a body that it takes, made for each test. */
const calls: Readonly<Record<string, () => Promise<object | undefined>>> = {
  [`${GENERATOR}/invoice_number_generator`]: async () => ({}),
  [`${GENERATOR}/reference_number_generator`]: async () => ({}),
  [`${GENERATOR}/invoice_generator`]: async () => ({
    invoice_number: await auction.number(),
    transaction_amount: '10.00',
  }),
  [`${GENERATOR}/oneoff`]: async () => ({
    invoice_number: String((await auction.invoice('10.00')).number),
    customer_url: RETURN,
  }),
  [`${GENERATOR}/bulk_payment`]: async () => ({
    custom_field2: 'auction',
    customer_url: RETURN,
    transaction_amount: '10.00',
    description: String((await auction.invoice('10.00')).number),
  }),
  [`${GENERATOR}/deposit_prepayment`]: async () => ({
    custom_field2: 'auction',
    customer_url: RETURN,
    transaction_amount: '10.00',
    description: `auction_deposit ${randomUUID()}.ee, user_uuid u-1`,
  }),
  [`${GENERATOR}/deposit_status`]: async () => {
    const domain = `${randomUUID()}.ee`;
    await auction.post(`${GENERATOR}/deposit_prepayment`, {
      custom_field2: 'auction',
      customer_url: RETURN,
      transaction_amount: '10.00',
      description: `auction_deposit ${domain}, user_uuid u-1`,
    });
    return { domain_name: domain, user_uuid: 'u-1', status: 'paid' };
  },
  [`${GENERATOR}/invoice_status`]: async () => ({
    invoice_number: await invoiceIn(auction, payer, 'unpaid'),
    status: 'paid',
  }),
  '/import_data/invoice_data': async () => [
    { invoice_number: ++imported, transaction_amount: '10.00', status: 'paid' },
  ],
  '/import_data/reference_data': async () => {
    const base = String(++imported);
    return [{ reference_number: `${base}${checkDigit(base)}` }];
  },
  '/directo/directo': async () => ({ invoice_data: [{ number: (await auction.invoice('10.00')).number }] }),
  '/e_invoice/e_invoice': async () => ({
    invoice: {
      number: (await auction.invoice('10.00')).number,
      buyer_name: 'Ostja',
      buyer_reg_no: '12345678',
    },
  }),
};

describe.each(Object.entries(calls))('POST %s', (path, bodyOf) => {
  test('success: repeats the answer, not the effect', async () => {
    const [body, key] = [await bodyOf(), randomUUID()];
    const first = await auction.post(path, body, keyed(key));
    const again = await withoutTrace(registry, () => auction.post(path, body, keyed(key)));
    expect([again.status, JSON.stringify(again.body)]).toEqual([first.status, JSON.stringify(first.body)]);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('success: of eight concurrent requests one takes effect', async () => {
    const [body, key] = [await bodyOf(), randomUUID()];
    const replies = await Promise.all(Array.from({ length: 8 }, () => auction.post(path, body, keyed(key))));
    expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body]))).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null).length).toBe(1);
  });

  test('failure: the same key with another body', async () => {
    const [body, key] = [await bodyOf(), randomUUID()];
    await auction.post(path, body, keyed(key));
    const other = Array.isArray(body) ? [...body, 1] : { ...body, more: 1 };
    const reply = await withoutTrace(registry, () => auction.post(path, other, keyed(key)));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { 'Idempotency-Key': ['was used for another request'] } },
    ]);
  });
});

describe('keys', () => {
  const NUMBER = `${GENERATOR}/invoice_number_generator`;

  test('success: eight concurrent requests take one number', async () => {
    const rows = async () => (await booksOf(registry)).invoice_numbers?.length ?? 0;
    const before = await rows();
    await Promise.all(Array.from({ length: 8 }, () => auction.post(NUMBER, {}, keyed('one-number'))));
    expect(await rows()).toBe(before + 1);
  });

  test('success: eight concurrent requests order one payment from the provider', async () => {
    const { number } = await auction.invoice('10.00');
    const body = { invoice_number: String(number), customer_url: RETURN };
    await Promise.all(
      Array.from({ length: 8 }, () => auction.post(`${GENERATOR}/oneoff`, body, keyed('one-off'))),
    );
    const [row] = await registry.sql.rows(sql`
      select count(*)::int as count from provider_simulator.payments where order_reference = ${String(number)}`);
    expect(row?.count).toBe(1);
  });

  test('success: a refusal is not stored; the key can be used again', async () => {
    const { number } = await auction.invoice('10.00');
    const body = { invoice_number: String(number), customer_url: RETURN };
    const refused = await payer.whileProviderFails('down', () =>
      auction.post(`${GENERATOR}/oneoff`, body, keyed('again')),
    );
    expect(refused.status).toBe(502);
    const reply = await auction.post(`${GENERATOR}/oneoff`, body, keyed('again'));
    expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('success: keys of two initiators, and of a registrar, are independent', async () => {
    const first = await auction.post(NUMBER, {}, keyed('shared'));
    const other = await new Service(registry.url, 'eeid').post(NUMBER, {}, keyed('shared'));
    expect(other.body.invoice_number).not.toBe(first.body.invoice_number);
  });

  test('failure: the same key for another call', async () => {
    await auction.post(NUMBER, {}, keyed('one-call'));
    const reply = await auction.post(`${GENERATOR}/reference_number_generator`, {}, keyed('one-call'));
    expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['Idempotency-Key']]);
  });

  test.each([[''], ['x'.repeat(256)]])('failure: a key of invalid length: "%s"', async (key) => {
    const reply = await withoutTrace(registry, () => auction.post(NUMBER, {}, keyed(key)));
    expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['Idempotency-Key']]);
  });
});
