import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReferenceNumber } from '../../../src/billing/invoices/reference-numbers.ts';
import { Payer, Service } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/invoice_generator/invoice_generator';

let registry: TestRegistry;
let auction: Service;
let eeid: Service;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
});
afterAll(() => registry.stop());

const generate = async (members: object, service = auction) =>
  service.post(PATH, { invoice_number: await service.number(), transaction_amount: '20.00', ...members });
/** Refused for these members, and nothing is written. */
async function expectRefused(body: unknown, errors: object): Promise<void> {
  const reply = await withoutTrace(registry, () => auction.post(PATH, body));
  expect([reply.status, reply.body]).toEqual([422, { error: errors }]);
}

describe('success', () => {
  test('success: an invoice with lines, VAT, currency, buyer and due date', async () => {
    const number = await auction.number();
    const reply = await auction.post(PATH, {
      invoice_number: number,
      transaction_amount: '124.00',
      reference_number: '7366488',
      customer_name: 'Mari Õun OÜ',
      customer_email: 'mari@example.ee',
      custom_field1: 'õun.ee',
      custom_field2: 'auction',
    });
    expect([reply.status, Object.keys(reply.body), reply.body.message]).toEqual([
      201,
      ['message', 'everypay_link'],
      'Link created',
    ]);
    expect((await auction.get(`/invoices/${number}`)).body).toMatchObject({
      invoice_number: number,
      status: 'unpaid',
      transaction_amount: '124.00',
      net: '100.00',
      vat: '24.00',
      vat_percent: '24',
      currency: 'EUR',
      customer_name: 'Mari Õun OÜ',
      customer_email: 'mari@example.ee',
      reference_number: '7366488',
      description: 'õun.ee',
      kind: 'invoice',
      payments: [],
      events: [],
      lines: [{ description: 'õun.ee', quantity: 1, net: '100.00' }],
      linkpay_url: reply.body.everypay_link,
    });
  });

  test('success: the link has the nine parameters in order and the signature of the reference client', async () => {
    const number = await auction.number();
    const { body } = await auction.post(PATH, {
      invoice_number: String(number),
      transaction_amount: '20.0',
      customer_name: 'Mari Õun OÜ',
      custom_field1: '5e03f248-6',
    });
    const [address, query = ''] = body.everypay_link.split('?');
    expect(address).toBe(`${registry.url}/sandbox/provider/lp`);
    const [signed, hmac] = query.split('&hmac=');
    const { reference_number: reference } = (await auction.get(`/invoices/${number}`)).body;
    expect(isReferenceNumber(reference)).toBe(true);
    expect(signed).toBe(
      `custom_field_1=5e03f248-6&custom_field_2=auction&customer_email=&customer_name=Mari%20%C3%95un%20O%C3%9C&invoice_number=${number}` +
        `&linkpay_token=linkpay-sandbox-token&order_reference=${number}&reference_number=${reference}&transaction_amount=20.00`,
    );
    expect(hmac).toBe(createHmac('sha256', 'provider-sandbox-secret').update(signed).digest('hex'));
    const page = await fetch(body.everypay_link);
    expect([page.status, (await page.text()).includes('Pay 20.00 EUR')]).toEqual([200, true]);
  });

  test('success: the same number and amount again give the same link, also concurrently, and one invoice', async () => {
    const number = await auction.number();
    const body = { invoice_number: number, transaction_amount: '31.00', customer_name: 'Mari' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => auction.post(PATH, body)));
    const later = await auction.post(PATH, { ...body, transaction_amount: '31.0', customer_name: 'Jaan' });
    expect([...replies, later].map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 201));
    expect(new Set([...replies, later].map((reply) => reply.body.everypay_link)).size).toBe(1);
    const [row] = await registry.sql.rows(sql`
      select count(*)::int as lines, (select count(*)::int from invoice_changes where invoice_number = ${number}) as changes
      from invoice_lines where invoice_number = ${number}`);
    expect(row).toEqual({ lines: 1, changes: 1 });
  });

  test.each([
    ['20.5', '20.50'],
    ['9999999999.99', '9999999999.99'],
  ])('success: the amount %j', async (amount, shown) => {
    const { status, body } = await generate({ transaction_amount: amount });
    expect(status).toBe(201);
    expect(new URL(body.everypay_link).searchParams.get('transaction_amount')).toBe(shown);
  });

  test('success: a line for each reserved domain, in both languages, with the cents distributed', async () => {
    const invoice_number = await auction.number();
    const reserved_domain_names = ['a.ee', 'b.ee', 'c.ee'];
    await generate({ invoice_number, transaction_amount: '10.00', reserved_domain_names });
    const { lines, net } = (await auction.get(`/invoices/${invoice_number}`)).body;
    const line = (name: string, cents: string) => ({
      description: `${name}: reserveerimine / reservation`,
      quantity: 1,
      net: cents,
    });
    expect(net).toBe('8.06');
    expect(lines).toEqual([line('a.ee', '2.69'), line('b.ee', '2.69'), line('c.ee', '2.68')]);
  });

  test('success: a description where none is given, and one that names reserved domains', async () => {
    const descriptionOf = async (members: object) => {
      const invoice_number = await auction.number();
      await generate({ invoice_number, ...members });
      return (await auction.get(`/invoices/${invoice_number}`)).body.description;
    };
    expect(await descriptionOf({})).toBe('reload balance');
    expect(await descriptionOf({ custom_field1: 'u-1', reserved_domain_names: ['a.ee', 'b.ee'] })).toBe(
      'Reserved domain names: a.ee, b.ee; User unique id: u-1',
    );
  });

  test('success: unknown members are ignored, and empty ones count as absent', async () => {
    const { status } = await generate({
      order_reference: '1',
      linkpay_token: 'x',
      affiliation: 7,
      status: 'paid',
      constructor: { a: 1 },
      customer_name: '',
      customer_email: null,
      reference_number: null,
      reserved_domain_names: null,
    });
    expect(status).toBe(201);
  });

  test('success: a caller cannot mark an invoice as paid in the request', async () => {
    const invoice_number = await auction.number();
    await generate({ invoice_number, status: 'paid', transaction_amount: '0.01' });
    expect(await auction.status(invoice_number)).toBe('unpaid');
  });
});

describe('failure', () => {
  test('failure: an amount other than that of the issued invoice', async () => {
    const { number } = await auction.invoice('20.00');
    await expectRefused(
      { invoice_number: number, transaction_amount: '20.01' },
      { transaction_amount: ['the invoice was issued over 20.00'] },
    );
  });

  test('failure: a number of another initiator, allocated or used', async () => {
    const invoice_number = await eeid.number();
    const refused = { invoice_number: ['was not handed out to you'] };
    await expectRefused({ invoice_number, transaction_amount: '20.00' }, refused);
    await generate({ invoice_number }, eeid);
    await expectRefused({ invoice_number, transaction_amount: '20.00' }, refused);
    expect(await eeid.status(invoice_number)).toBe('unpaid');
  });

  test.each([
    ['that was never allocated', 199_998],
    ['outside of every range', 7],
  ])('failure: a number %s', (_what, invoice_number) =>
    expectRefused(
      { invoice_number, transaction_amount: '20.00' },
      { invoice_number: ['was not handed out to you'] },
    ),
  );

  test('failure: all errors are reported at once', () =>
    expectRefused(
      {
        transaction_amount: 'much',
        customer_name: 7,
        custom_field1: 'x'.repeat(2001),
        reserved_domain_names: ['a.ee', 5],
      },
      {
        invoice_number: ['is missing'],
        transaction_amount: ['must be an amount such as 20.00'],
        customer_name: ['must be a string'],
        custom_field1: ['must have at most 2000 characters'],
        reserved_domain_names: ['must be an array of strings'],
      },
    ));

  test('failure: a link that was changed can no longer be paid', async () => {
    const { number, link } = await auction.invoice('20.00');
    const payer = new Payer(registry.url);
    const cheaper = link.replace('transaction_amount=20.00', 'transaction_amount=0.01');
    expect(cheaper).not.toBe(link);
    expect(await payer.pay(cheaper)).toBeUndefined();
    expect((await fetch(cheaper)).status).toBe(403);
    expect((await payer.invoice(number)).payments).toEqual([]);
  });
});
