import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refundInvoice } from '../../../src/billing/payments/refund-invoice.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { Payer, Service } from '../../support/billing.ts';
import {
  eventually,
  invoiceIn,
  postedFor,
  postedFrom,
  reportedStatuses,
  withoutTrace,
} from '../../support/books.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/invoice_generator/bulk_payment';
const RETURN = 'https://auction.example/done';

let registry: TestRegistry;
let auction: Service;
let eeid: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const bulk = (numbers: readonly number[], transaction_amount: string, members: object = {}) =>
  auction.post(PATH, {
    custom_field2: 'auction',
    customer_url: RETURN,
    description: numbers.join(' '),
    transaction_amount,
    ...members,
  });
type Bulk = { parent: number; children: number[]; links: string[]; link: string };
/** A bulk payment of new invoices over these amounts, and what it is called. */
async function begin(...amounts: string[]): Promise<Bulk> {
  const invoices = [];
  for (const amount of amounts) invoices.push(await auction.invoice(amount));
  const total = amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(2);
  const children = invoices.map(({ number }) => number);
  const { body } = await bulk(children, total);
  const [row] = await registry.sql.rows(
    sql`select max(number)::int as number from invoices where kind = 'bulk'`,
  );
  return {
    parent: row?.number,
    children,
    link: body.oneoff_redirect_link,
    links: invoices.map(({ link }) => link),
  };
}
const statusesOf = ({ parent, children }: Bulk) =>
  Promise.all([parent, ...children].map(async (number) => (await payer.invoice(number)).status));
const setStatus = (number: number, status: string) =>
  auction.post('/invoice_generator/invoice_status', { invoice_number: number, status });
const standing = async (reference: string) => {
  const [row] = await registry.sql.rows(sql`
    select standing_amount::int as cents from provider_simulator.payments where payment_reference = ${reference}`);
  return row?.cents;
};
const settled = (check: () => Promise<void>) => eventually(payer, check);
const refund = (number: number) =>
  carryOut(registry.sql, refundInvoice, { number }, operator({ reason: { text: 'asked' } }));
async function expectRefused(error: object, request: () => ReturnType<typeof bulk>, status = 422) {
  const reply = await withoutTrace(registry, request);
  expect([reply.status, reply.body]).toEqual([status, { error }]);
}

describe('success', () => {
  test('success: one link for several invoices, under a number of the deposit range', async () => {
    const numbers = [(await auction.invoice('10.00')).number, (await auction.invoice('20.50')).number];
    const reply = await bulk(numbers, '30.50', { reference_number: '7366488', affiliation: 'x' });
    expect([reply.status, Object.keys(reply.body), reply.body.message]).toEqual([
      201,
      ['message', 'oneoff_redirect_link'],
      'Link created',
    ]);
    expect((await auction.get('/invoices/10001')).body).toMatchObject({
      kind: 'bulk',
      status: 'unpaid',
      transaction_amount: '30.50',
      description: numbers.join(' '),
      linkpay_url: null,
      payments: [{ payment_link: reply.body.oneoff_redirect_link }],
      lines: numbers.map((number) => ({ description: `Arve / Invoice ${number}` })),
    });
    const [ordered] = await registry.sql.rows(
      sql`select order_reference from provider_simulator.payments order by created_at desc limit 1`,
    );
    expect(ordered?.order_reference).toBe(`Ref:10001, ${numbers.join(', ')}`);
  });

  test('success: paying it pays each of them, and each is reported once', async () => {
    const paid = await begin('10.00', '20.50', '0.01');
    const reference = await payer.pay(paid.link);
    expect(await statusesOf(paid)).toEqual(['paid', 'paid', 'paid', 'paid']);
    expect(await Promise.all(paid.children.map((number) => postedFor(registry, number)))).toEqual([
      1000, 2050, 1,
    ]);
    expect(await postedFrom(registry, reference)).toBe(3051);
    for (const number of [paid.parent, ...paid.children])
      expect(await reportedStatuses(payer, number)).toEqual(['paid']);
    const [delivery] = (await payer.deliveries()).filter(
      ({ invoice_number }) => invoice_number === paid.parent,
    );
    expect(JSON.parse(delivery.body).invoice_number_collection).toEqual(
      paid.children.map((number) => ({ number: String(number) })),
    );
  });

  test('success: a child shows the payment of its parent', async () => {
    const paid = await begin('10.00', '20.00');
    const reference = await payer.pay(paid.link);
    expect((await payer.invoice(paid.children[1] ?? 0)).payments).toEqual([
      { payment_reference: reference, payment_state: 'settled' },
    ]);
  });

  test('success: a child that was paid meanwhile is not paid again: its share is refunded, once', async () => {
    const paid = await begin('10.00', '20.00');
    const own = await payer.pay(paid.links[0] ?? '');
    expect((await payer.invoice(paid.children[0] ?? 0)).status).toBe('paid');
    const reference = await payer.pay(paid.link);
    expect(await statusesOf(paid)).toEqual(['paid', 'paid', 'paid']);
    await settled(async () => expect(await standing(reference)).toBe(2000));
    await payer.advance('PT1H');
    expect([await standing(reference), await standing(own)]).toEqual([2000, 1000]);
    expect([await postedFrom(registry, reference), await postedFrom(registry, own)]).toEqual([2000, 1000]);
    expect(await statusesOf(paid)).toEqual(['paid', 'paid', 'paid']);
    expect((await payer.invoice(paid.parent)).held).toBe(false);
  });

  test('success: when all of them were paid meanwhile the whole amount is refunded', async () => {
    const paid = await begin('10.00', '20.00');
    for (const link of paid.links) await payer.pay(link);
    for (const number of paid.children) await payer.invoice(number);
    const reference = await payer.pay(paid.link);
    expect(await statusesOf(paid)).toEqual(['cancelled', 'paid', 'paid']);
    await settled(async () => expect(await standing(reference)).toBe(0));
    await settled(async () => expect(await postedFrom(registry, reference)).toBe(0));
  });

  test('success: two bulk payments of the same invoices pay them once', async () => {
    const one = await begin('10.00', '20.00');
    const other = (await bulk(one.children, '30.00')).body.oneoff_redirect_link;
    const references = await Promise.all([payer.pay(one.link), payer.pay(other)]);
    for (const number of one.children) expect((await payer.invoice(number)).status).toBe('paid');
    await settled(async () => {
      const left = await Promise.all(references.map(standing));
      expect(left.toSorted((a, b) => a - b)).toEqual([0, 3000]);
    });
  });

  test('success: a parent that fails leaves its children unpaid', async () => {
    const failed = await begin('10.00', '20.00');
    await payer.pay(failed.link, 'failed');
    expect(await statusesOf(failed)).toEqual(['failed', 'unpaid', 'unpaid']);
  });

  test('success: marking the parent as paid externally pays its children, once', async () => {
    const paid = await begin('10.00', '20.00');
    expect((await setStatus(paid.parent, 'paid')).status).toBe(200);
    expect(await statusesOf(paid)).toEqual(['paid', 'paid', 'paid']);
    expect(await postedFor(registry, paid.children[1] ?? 0)).toBe(2000);
    expect((await setStatus(paid.parent, 'paid')).status).toBe(422);
  });

  test('success: a payment for a parent that was paid externally is refunded, and its children stay paid', async () => {
    const paid = await begin('10.00', '20.00');
    await setStatus(paid.parent, 'paid');
    const reference = await payer.pay(paid.link);
    await settled(async () => expect(await standing(reference)).toBe(0));
    expect(await statusesOf(paid)).toEqual(['paid', 'paid', 'paid']);
  });
});

describe('refunds', () => {
  test('success: the refund of the parent reverses the whole payment', async () => {
    const paid = await begin('10.00', '10.00', '30.00');
    const reference = await payer.pay(paid.link);
    await payer.invoice(paid.parent);
    expect(await refund(paid.parent)).toBe(5000n);
    await settled(async () => {
      expect(await statusesOf(paid)).toEqual(['refunded', 'refunded', 'refunded', 'refunded']);
    });
    expect([await standing(reference), await postedFrom(registry, reference)]).toEqual([0, 0]);
    for (const number of paid.children)
      expect(await reportedStatuses(payer, number)).toEqual(['paid', 'refunded']);
  });

  test('success: the refund of one child takes its own share and no other', async () => {
    const paid = await begin('10.00', '20.00');
    const reference = await payer.pay(paid.link);
    await payer.invoice(paid.parent);
    const [first = 0, second = 0] = paid.children;
    expect(await refund(first)).toBe(1000n);
    await settled(async () => expect(await statusesOf(paid)).toEqual(['paid', 'refunded', 'paid']));
    expect([await standing(reference), await postedFrom(registry, reference)]).toEqual([2000, 2000]);
    expect([await postedFor(registry, first), await postedFor(registry, second)]).toEqual([0, 2000]);
    expect((await payer.invoice(paid.parent)).held).toBe(false);
    await refund(second);
    await settled(async () => expect(await statusesOf(paid)).toEqual(['refunded', 'refunded', 'refunded']));
  });

  test('success: a child that was refunded externally is refunded, the others stay paid', async () => {
    const paid = await begin('10.00', '20.00');
    const reference = await payer.pay(paid.link);
    await payer.invoice(paid.parent);
    expect((await setStatus(paid.children[0] ?? 0, 'refunded')).status).toBe(200);
    // The provider is polled again and still reports the whole amount.
    await payer.callback(`?payment_reference=${reference}`);
    expect(await statusesOf(paid)).toEqual(['paid', 'refunded', 'paid']);
    expect([await standing(reference), await postedFrom(registry, reference)]).toEqual([3000, 2000]);
  });

  test('success: a parent that was refunded externally is refunded with all of its children', async () => {
    const paid = await begin('10.00', '20.00');
    const reference = await payer.pay(paid.link);
    await payer.invoice(paid.parent);
    expect((await setStatus(paid.parent, 'refunded')).status).toBe(200);
    await payer.callback(`?payment_reference=${reference}`);
    expect(await statusesOf(paid)).toEqual(['refunded', 'refunded', 'refunded']);
    expect(await postedFrom(registry, reference)).toBe(0);
  });

  test('failure: the parent cannot be marked as paid externally when a child was paid on its own', async () => {
    const paid = await begin('10.00', '20.00');
    await payer.pay(paid.links[0] ?? '');
    await payer.invoice(paid.children[0] ?? 0);
    const reply = await withoutTrace(registry, () => setStatus(paid.parent, 'paid'));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { status: [`invoice ${paid.children[0]} is paid already`] } },
    ]);
  });
});

describe('failure', () => {
  test('failure: it has no document of its own by the European standard', async () => {
    const { parent } = await begin('10.00', '5.00');
    const reply = await auction.get(`/invoices/${parent}/ubl`);
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { invoice_number: ['is that of a bulk invoice, which is a way to pay others'] } },
    ]);
  });

  test('failure: the sum is not that of the invoices', async () => {
    const numbers = [(await auction.invoice('10.00')).number, (await auction.invoice('20.00')).number];
    await expectRefused({ transaction_amount: ['the invoices come to 30.00'] }, () => bulk(numbers, '29.99'));
  });

  test('failure: one of them does not exist, or is another’s: the same answer', async () => {
    const { number } = await auction.invoice('10.00');
    const { number: theirs } = await eeid.invoice('10.00');
    await expectRefused({ description: ['there is no invoice 199000'] }, () =>
      bulk([number, 199_000], '20.00'),
    );
    await expectRefused({ description: [`there is no invoice ${theirs}`] }, () =>
      bulk([number, theirs], '20.00'),
    );
  });

  test('failure: one of them is cancelled', async () => {
    const numbers = [await invoiceIn(auction, payer, 'unpaid'), await invoiceIn(auction, payer, 'cancelled')];
    await expectRefused({ description: [`invoice ${numbers[1]} is cancelled`] }, () =>
      bulk(numbers, '248.00'),
    );
  });

  test.each([
    [{ description: '150005 150005' }, { description: ['names an invoice twice'] }],
    [{ description: '150123.ee' }, { description: ['150123.ee is no invoice number'] }],
    [
      { description: Array.from({ length: 101 }, (_, index) => 160_000 + index).join(' ') },
      { description: ['names more than 100 invoices'] },
    ],
    [{ customer_url: 'https://evil.example' }, { customer_url: ['this url not supported'] }],
    [{ custom_field2: 'eeid' }, { custom_field2: ['is not the initiator of your token'] }],
  ])('failure: %j', (members, error) => expectRefused(error, () => bulk([150_005], '10.00', members)));

  test('failure: the provider is unavailable: 502, and what was issued for it is cancelled', async () => {
    const { number } = await auction.invoice('10.00');
    const reply = await payer.whileProviderFails('down', () => bulk([number], '10.00'));
    expect([reply.status, reply.body]).toEqual([502, { error: 'Payment provider unavailable' }]);
    const [row] = await registry.sql.rows(
      sql`select status, number::int as number from invoices where kind = 'bulk' order by number desc limit 1`,
    );
    expect(row?.status).toBe('cancelled');
    expect(await auction.status(number)).toBe('unpaid');
    expect((await bulk([number], '10.00')).status).toBe(201);
  });

  test('failure: no number is left', async () => {
    const { number } = await auction.invoice('10.00');
    await registry.sql.run(sql`update invoice_ranges set next_number = 14002 where name = 'deposit'`);
    const reply = await withoutTrace(registry, () => bulk([number], '10.00'));
    expect([reply.status, reply.body.error]).toEqual([501, 'out of range']);
  });
});
