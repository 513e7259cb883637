import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPayer, insertTopUp } from '../../../src/billing/invoices/issue-top-up.ts';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { ee } from '../../../src/policy/ee.ts';
import { Payer } from '../../support/billing.ts';
import { alpha, alphaBilling, beta, type Client } from '../../support/client.ts';
import { balanceOf, firstFailure } from '../../support/domains.ts';
import { brokenRules } from '../../support/en16931.ts';
import { readPdf } from '../../support/pdf.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { startServer } from '../../support/secure-server.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const addCredit = (amount: unknown, from = client, headers: Record<string, string> = {}) =>
  from.post('/invoices/add_credit', { invoice: { amount } }, { headers });
const countOf = async (from = client): Promise<number> => (await from.get('/invoices')).body.data.count;

describe('POST /invoices/add_credit', () => {
  test('success: an invoice over the amount with VAT, due in thirty days, with a link to pay it', async () => {
    const { invoice } = (await addCredit('100.00')).body.data;
    expect(invoice).toEqual({
      invoice_number: expect.any(Number),
      amount: '100.00',
      vat: '24.00',
      total: '124.00',
      due_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      payment_link: expect.stringContaining(`invoice_number=`),
    });
  });

  test.each([
    ['0.01', '0.00', '0.01'],
    ['0.02', '0.00', '0.02'],
    ['0.03', '0.01', '0.04'],
    ['33.33', '8.00', '41.33'],
  ])('success: half a cent of VAT is rounded up: %s and %s', async (amount, vat, total) => {
    expect((await addCredit(amount)).body.data.invoice).toMatchObject({ amount, vat, total });
  });

  test('success: a user with the role billing may do it too', async () => {
    expect((await addCredit('10.00', alphaBilling(registry.url))).status).toBe(200);
  });

  test.each([['100'], ['100.0'], [' 100.00 ']])('success: %j is 100.00', async (text) => {
    expect((await addCredit(text)).body.data.invoice).toMatchObject({ amount: '100.00', total: '124.00' });
  });

  test('success: a dry run returns the amounts, allocates no number and issues nothing', async () => {
    const before = await countOf();
    const { data } = (await addCredit('100.00', client, { 'dry-run': 'true' })).body;
    expect(data.invoice).toEqual({
      amount: '100.00',
      vat: '24.00',
      total: '124.00',
      due_date: expect.any(String),
    });
    expect(data.dry_run).toEqual({ price: '0.00', balance_after: await balanceOf(client) });
    expect(await countOf()).toBe(before);
  });

  test('success: repeated under its key it is the same invoice', async () => {
    const key = { 'idempotency-key': 'top-up-1' };
    const [first, second] = [await addCredit('10.00', client, key), await addCredit('10.00', client, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('success: concurrent invoices have numbers of their own', async () => {
    const replies = await Promise.all(Array.from({ length: 16 }, () => addCredit('1.00')));
    const numbers = replies.map(({ body }) => body.data.invoice.invoice_number);
    expect(new Set(numbers).size).toBe(16);
    expect(Math.max(...numbers) - Math.min(...numbers)).toBe(15);
  });

  test.each([
    ['0.00', [400, 2004, 'invoice.amount']],
    ['-1.00', [400, 2005, 'invoice.amount']],
    ['100000000.01', [400, 2004, 'invoice.amount']],
    ['100.', [400, 2005, 'invoice.amount']],
    ['1,000.00', [400, 2005, 'invoice.amount']],
    ['1.001', [400, 2005, 'invoice.amount']],
    [100, [400, 2005, 'invoice.amount']],
    ['', [400, 2003, 'invoice.amount']],
    [null, [400, 2003, 'invoice.amount']],
  ])('failure: %j is not an amount, and nothing is issued', async (amount, refused) => {
    const before = await countOf();
    expect(firstFailure(await addCredit(amount))).toEqual(refused);
    expect(await countOf()).toBe(before);
  });

  test('failure: when the range of numbers is exhausted', async () => {
    await registry.sql.run(sql`update invoice_ranges set next_number = 200000 where name = 'regular'`);
    const reply = await addCredit('10.00');
    expect([reply.status, reply.body.code]).toEqual([400, 2306]);
    await registry.sql.run(sql`update invoice_ranges set next_number = 160000 where name = 'regular'`);
  });
});

describe('GET /invoices', () => {
  test('success: the own ones, newest first, in pages', async () => {
    const other = beta(registry.url);
    for (const amount of ['1.00', '2.00', '3.00']) await addCredit(amount, other);
    const { data } = (await other.get('/invoices')).body;
    expect(data.count).toBe(3);
    expect(data.invoices.map(({ amount }: { amount: string }) => amount)).toEqual(['3.00', '2.00', '1.00']);
    expect(data.invoices[0]).toMatchObject({ status: 'unpaid', total: '3.72' });
    const page = await other.get('/invoices?limit=2');
    expect(page.body.data.invoices).toHaveLength(2);
    expect(page.headers.get('link')).toMatch(
      /^<\/registry\/v1\/invoices\?limit=2&after=[\w-]+>; rel="next"$/,
    );
  });

  test('failure: a limit beyond a thousand', async () => {
    expect(firstFailure(await client.get('/invoices?limit=1001'))).toEqual([400, 2004, 'limit']);
  });
});

describe('GET /invoices/:invoice_number', () => {
  test('success: with its line, its reference number and its link; paid, with its payment and no link', async () => {
    const { invoice_number: number, payment_link: link } = (await addCredit('100.00')).body.data.invoice;
    const read = async () => (await client.get(`/invoices/${number}`)).body.data.invoice;
    expect(await read()).toMatchObject({
      invoice_number: number,
      status: 'unpaid',
      total: '124.00',
      currency: 'EUR',
      payment_link: link,
      payments: [],
      reference_number: expect.stringMatching(/^\d{7}$/),
      lines: [
        {
          description: 'Registripidaja ALPHA ettemaks / Prepayment of registrar ALPHA',
          quantity: 1,
          amount: '100.00',
        },
      ],
    });
    const payer = new Payer(registry.url);
    const reference = await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    expect(await read()).toMatchObject({
      status: 'paid',
      payment_link: null,
      payments: [{ payment_reference: reference, payment_state: 'settled' }],
    });
  });

  test.each(['', '/pdf', '/ubl'])(
    'failure: unknown, another registrar’s and invalid numbers are the same 404%s',
    async (more) => {
      const { invoice_number: foreign } = (await addCredit('10.00', beta(registry.url))).body.data.invoice;
      const texts = [];
      for (const number of [foreign, 999_999, 0, 'abc', '1'.repeat(30)]) {
        const reply = await client.get(`/invoices/${number}${more}`);
        expect([reply.status, reply.body.code]).toEqual([404, 2303]);
        texts.push(reply.text);
      }
      expect(new Set(texts).size).toBe(1);
    },
  );
});

describe('GET /invoices/:invoice_number/pdf', () => {
  test('success: a document with the number and the amounts, also where PDF alone is asked for', async () => {
    const { invoice_number: number } = (await addCredit('100.00')).body.data.invoice;
    const { authorization } = {
      authorization: `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`,
    };
    const reply = await fetch(`${registry.url}/registry/v1/invoices/${number}/pdf`, {
      headers: { authorization, accept: 'application/pdf' },
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${number}.pdf"`);
    const { pieces } = await readPdf(Buffer.from(await reply.arrayBuffer()));
    const text = pieces.map((piece) => piece.text).join(' ');
    expect(text).toContain(String(number));
    expect(text).toContain('124.00');
    expect(text).toContain('Alpha Registrar');
  });
});

describe('GET /invoices/:invoice_number/ubl', () => {
  test('success: by the European standard, also where XML alone is asked for', async () => {
    const { invoice_number: number } = (await addCredit('100.00')).body.data.invoice;
    const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
    const at = (accept: string) =>
      fetch(`${registry.url}/registry/v1/invoices/${number}/ubl`, { headers: { authorization, accept } });
    const reply = await at('application/xml');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${number}.xml"`);
    const text = await reply.text();
    expect(text).toContain(`<cbc:ID>${number}</cbc:ID>`);
    expect(await brokenRules(text)).toEqual([]);
    expect((await at('application/pdf')).status).toBe(406);
  });
});

test('failure: without a payment provider no invoice is issued, also at once, and those that there are can be read', async () => {
  const server = await startServer({}, wallClock);
  onTestFinished(() => server.stop());
  const payer = alpha(server.url);
  const count = await countOf(payer);
  const refused = await Promise.all(Array.from({ length: 40 }, () => addCredit('100.00', payer)));
  for (const { status, headers, body } of refused)
    expect([status, headers.get('retry-after'), body]).toEqual([
      400,
      null,
      {
        code: 2101,
        message: 'The registry has no payment provider',
        data: {},
        errors: [
          {
            code: 2101,
            reason: 'providerMissing',
            message: 'The registry has no payment provider',
            field: null,
          },
        ],
      },
    ]);
  expect(await countOf(payer)).toBe(count);
  const { id } = await server.sql.one(sql<{ id: number }>`select id from registrars where code = 'ALPHA'`);
  const topUp = { registrar: await findPayer(server.sql, id), net: 100n, vat: 24n, automatic: false };
  const number = await insertTopUp(server.sql, ee, { ...topUp, actor: 'test', now: wallClock.now() });
  expect((await payer.get(`/invoices/${number}`)).body.data.invoice).toMatchObject({
    status: 'unpaid',
    payment_link: null,
  });
  expect((await payer.get(`/invoices/${number}/pdf`)).status).toBe(200);
});
