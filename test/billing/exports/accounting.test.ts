import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readXml } from '../../../src/platform/values/xml.ts';
import { Service } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { DocumentReceivers } from '../../support/documents.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/directo/directo';
const RECEIVED = { message: 'Invoice data received' };

let registry: TestRegistry;
let auction: Service;
let takers: DocumentReceivers;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  takers = new DocumentReceivers(registry.url);
});
afterAll(() => registry.stop());

const paidInvoice = async (amount = '20.00', details: object = {}) => {
  const { number, link } = await auction.invoice(amount, details);
  await takers.pay(link);
  await takers.invoice(number);
  return number;
};
const invoices = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await auction.invoice('12.40')).number)).then(
    (numbers) => numbers.toSorted(),
  );
const send = (...numbers: number[]) =>
  auction.post(PATH, { invoice_data: numbers.map((number) => ({ number })) });
const messages = async (number: number) =>
  (await takers.sentTo('accounting')).filter(({ body }) => body.includes(`Number="${number}"`));
const stateOf = async (number: number) => (await auction.get(`/invoices/${number}`)).body.accounting;
const timesOf = async (number: number) =>
  (await takers.taken('accounting')).find((document) => document.number === String(number))?.times;

describe('an export', () => {
  test.each([true, false])('failure: its buyer demands another VAT (dry: %s)', async (dry) => {
    const number = await paidInvoice();
    const customer = { destination: 'FI', vat_reg_no: 'FI101' };
    const reply = await withoutTrace(registry, () =>
      auction.post(PATH, { dry, invoice_data: [{ number, customer }] }),
    );
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        error: {
          invoice_data: [`invoice ${number} bears 24 % VAT of EE; its buyer demands the VAT code 4`],
        },
      },
    ]);
  });

  test('success: our own lines and sums, the buyer as the caller sent it', async () => {
    const number = await paidInvoice('20.00', {
      custom_field1: 'õ <b> & "q" 🦀',
      customer_name: 'Mari & Ko',
    });
    const { status, body } = await auction.post(PATH, {
      initiator: 'auction',
      invoice_data: [
        {
          number,
          issue_date: '1999-01-01',
          currency: 'USD',
          total: '9999.99',
          customer: { code: 'M17', destination: 'EE', vat_reg_no: 'EE101' },
          invoice_lines: [{ product_id: 'X', description: 'nothing', quantity: 7, price: '1.00' }],
        },
      ],
    });
    expect([status, body]).toEqual([201, RECEIVED]);
    const [sent] = await messages(number);
    expect(sent).toMatchObject({
      kind: 'invoices',
      invoice_number: number,
      status: 'delivered',
      attempts: 1,
    });
    const [invoice] = (await readXml(sent?.body ?? ''))?.children ?? [];
    const { InvoiceDate, TransactionDate, ...attributes } = invoice?.attributes ?? {};
    expect([InvoiceDate, TransactionDate]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ]);
    expect(attributes).toEqual({
      Number: String(number),
      PaymentTerm: 'R',
      CustomerCode: 'M17',
      CustomerName: 'Mari & Ko',
      Destination: 'EE',
      VATregNo: 'EE101',
      Language: '',
      Currency: 'EUR',
      SalesAgent: 'REGISTER',
      TotalVAT: '3.87',
      TotalWoVAT: '16.13',
    });
    expect(invoice?.children.map((line) => line.attributes)).toEqual([
      {
        RN: '1',
        RR: '1',
        ProductID: 'OKSJON',
        Quantity: '1',
        ProductName: 'õ <b> & "q" 🦀',
        UnitPriceWoVAT: '16.13',
        VATCode: '54',
      },
    ]);
    expect(await stateOf(number)).toMatchObject({ state: 'accepted', reason: null });
  });

  test('success: the service gets the answer, raw and interpreted', async () => {
    const [number = 0] = await invoices(1);
    await send(number);
    const [message] = await takers.sentTo('service:auction');
    expect(message).toMatchObject({ kind: 'directo_response', invoice_number: number, status: 'delivered' });
    const body = JSON.parse(message?.body ?? '');
    expect(body).toMatchObject({
      id: message?.id,
      kind: 'directo_response',
      initiator: 'auction',
      results: [{ invoice_number: number, exported: true, reason: null }],
      xml_data: (await messages(number))[0]?.body,
    });
    expect(body.response).toContain(`<Result Type="0" Desc="OK" docid="${number}"`);
  });

  test('success: a dry run shows the document, sends nothing and marks nothing, and a real export may follow', async () => {
    const [number = 0] = await invoices(1);
    const body = { invoice_data: [{ number }] };
    const shown = await withoutTrace(registry, () => auction.post(PATH, { ...body, dry: true }));
    expect([shown.status, shown.body.message]).toEqual([201, RECEIVED.message]);
    expect([await messages(number), await stateOf(number)]).toEqual([[], null]);
    await auction.post(PATH, body);
    expect((await messages(number))[0]?.body).toBe(shown.body.xml);
  });

  test('success: several in one message, each once however often it is named', async () => {
    const [one = 0, two = 0] = await invoices(2);
    await send(one, two, one);
    const [sent, ...others] = await messages(one);
    expect([sent?.invoice_number, others]).toEqual([null, []]);
    expect((await readXml(sent?.body ?? ''))?.children.map(({ attributes }) => attributes.Number)).toEqual([
      String(one),
      String(two),
    ]);
    expect([await timesOf(one), await timesOf(two)]).toEqual([1, 1]);
  });

  test('success: a second export is not sent, nor are seven more at once', async () => {
    const [number = 0, other = 0] = await invoices(2);
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(number)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    await send(number, other);
    expect([(await messages(number)).length, (await messages(other)).length]).toEqual([1, 1]);
    expect(await timesOf(number)).toBe(1);
  });

  test('success: an invoice exported by an older system is not exported again', async () => {
    const entry = { transaction_amount: '10.00', status: 'paid' };
    await auction.post('/import_data/invoice_data', [
      { ...entry, invoice_number: 90_001, in_directo: true, e_invoice_sent_at: '2025-03-01T10:00:00Z' },
      { ...entry, invoice_number: 90_002, in_directo: false },
    ]);
    await send(90_001, 90_002);
    expect([(await messages(90_001)).length, (await messages(90_002)).length]).toEqual([0, 1]);
    expect(await stateOf(90_001)).toMatchObject({ state: 'accepted', reason: 'imported' });
    expect((await auction.get('/invoices/90001')).body.e_invoice).toMatchObject({
      answered_at: '2025-03-01T10:00:00.000Z',
    });
  });
});

describe('refusals', () => {
  test('failure: unknown and foreign numbers are named, and nothing is sent', async () => {
    const [own = 0] = await invoices(1);
    const foreign = (await new Service(registry.url, 'eeid').invoice()).number;
    const reply = await withoutTrace(registry, () => send(own, foreign, 999_999));
    expect([reply.status, reply.body]).toEqual([
      404,
      { error: `Invoice with ${foreign}, 999999 number not found` },
    ]);
    const shown = await auction.post(PATH, { dry: true, invoice_data: [{ number: foreign }] });
    expect(shown.status).toBe(404);
  });

  test('failure: a cancelled invoice', async () => {
    const [number = 0] = await invoices(1);
    await auction.post('/invoice_generator/invoice_status', { invoice_number: number, status: 'cancelled' });
    const reply = await withoutTrace(registry, () => send(number));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { invoice_data: [`invoice ${number} is cancelled`] } },
    ]);
  });

  test('failure: a bulk invoice, whose parts are documents of their own', async () => {
    const [number = 0] = await invoices(1);
    await auction.post('/invoice_generator/bulk_payment', {
      custom_field2: 'auction',
      customer_url: 'https://auction.example/done',
      transaction_amount: '12.40',
      description: String(number),
    });
    const [bulk] = await registry.sql.rows(
      sql<{ number: number }>`select number from invoices where kind = 'bulk'`,
    );
    const reply = await withoutTrace(registry, () => send(bulk?.number ?? 0));
    expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['invoice_data']]);
  });

  test('failure: no invoices', async () => {
    const reply = await withoutTrace(registry, () => auction.post(PATH, {}));
    expect([reply.status, reply.body]).toEqual([422, { error: { invoice_data: ['is missing'] } }]);
  });
});

describe('a service that fails', () => {
  test.each([
    ['down', 'No answer'],
    ['error', 'Answered 500'],
    ['nonsense', 'Answered something that cannot be read'],
    ['lost', 'No answer'],
  ])('success: %s: retried under the same id, stored once', async (mode, reason) => {
    const [number = 0] = await invoices(1);
    await takers.fault('accounting', mode, 2);
    await send(number);
    const [waiting] = await messages(number);
    expect(waiting).toMatchObject({ status: 'retrying', attempts: 1 });
    const [row] = await registry.sql.rows(
      sql`select last_error from deliveries where id = ${waiting?.id ?? ''}`,
    );
    expect(row?.last_error).toContain(reason);
    expect(await stateOf(number)).toMatchObject({ state: 'waiting', answered_at: null });
    await takers.advance('PT1M');
    expect(await messages(number)).toEqual([{ ...waiting, status: 'delivered', attempts: 3 }]);
    expect(await stateOf(number)).toMatchObject({ state: 'accepted' });
    expect((await takers.taken('accounting')).filter((one) => one.number === String(number))).toHaveLength(1);
  });

  test('success: half of a batch: accepted invoices are marked, the rest keep their reason and alone are sent again', async () => {
    const numbers = await invoices(5);
    await takers.fault('accounting', 'half', 1);
    await send(...numbers);
    await takers.deliveries();
    const states = await Promise.all(numbers.map(stateOf));
    const REASON = 'Unknown customer (a fault of the sandbox) (2)';
    expect(states.map(({ state, reason }) => [state, reason])).toEqual([
      ['accepted', null],
      ['rejected', REASON],
      ['accepted', null],
      ['rejected', REASON],
      ['accepted', null],
    ]);
    const [message] = await takers.sentTo('service:auction');
    expect(
      JSON.parse(message?.body ?? '').results.map(({ exported }: { exported: boolean }) => exported),
    ).toEqual([true, false, true, false, true]);
    await send(...numbers);
    const [again] = await takers.sentTo('accounting');
    expect((await readXml(again?.body ?? ''))?.children.map(({ attributes }) => attributes.Number)).toEqual([
      String(numbers[1]),
      String(numbers[3]),
    ]);
    for (const number of numbers) {
      expect(await stateOf(number)).toMatchObject({ state: 'accepted' });
      expect(await timesOf(number)).toBe(1);
    }
  });

  test('failure: an export given up after three days is retried on request, under its id', async () => {
    const [number = 0] = await invoices(1);
    await takers.fault('accounting', 'down', 1_000);
    await send(number);
    await takers.advance('P3DT1H');
    const [failed] = await messages(number);
    expect(failed).toMatchObject({ status: 'failed' });
    await takers.fault('accounting', 'none');
    await send(number);
    expect(await messages(number)).toEqual([
      { ...failed, status: 'delivered', attempts: (failed?.attempts ?? 0) + 1 },
    ]);
  });
});

describe('exports of the registry itself', () => {
  test("success: a registrar's top-up is exported on the evening of the day on which it was paid", async () => {
    const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
    const reply = await fetch(`${registry.url}/registry/v1/invoices/add_credit`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ invoice: { amount: '100.00' } }),
    });
    const { data } = (await reply.json()) as {
      data: { invoice: { invoice_number: number; payment_link: string } };
    };
    const { invoice_number: number, payment_link: link } = data.invoice;
    await takers.advance('P2D');
    expect(await messages(number)).toEqual([]);
    await takers.pay(link);
    await takers.invoice(number);
    await takers.advance('P1D');
    const [sent] = await messages(number);
    expect(sent).toMatchObject({ status: 'delivered', attempts: 1 });
    const [row] = await registry.sql.rows(sql`
      select to_char(created_at at time zone 'Europe/Tallinn', 'HH24:MI') as time, actor from invoice_exports e join deliveries d on d.id = e.delivery_id
      where e.invoice_number = ${number}`);
    expect(row).toEqual({ time: '19:00', actor: 'registry' });
    const [invoice] = (await readXml(sent?.body ?? ''))?.children ?? [];
    expect(invoice?.attributes).toMatchObject({
      CustomerCode: 'ALPHA',
      TotalWoVAT: '100.00',
      TotalVAT: '24.00',
    });
    expect(invoice?.children[0]?.attributes.ProductID).toBe('ETTEM06');
    await takers.advance('P3D');
    expect(await messages(number)).toHaveLength(1);
  });

  test('failure: a top-up whose registrar demands another VAT is rejected, and the others go on', async () => {
    const topUp = async (client: Client) => {
      const { data } = (await client.post('/invoices/add_credit', { invoice: { amount: '10.00' } })).body;
      await takers.pay(data.invoice.payment_link);
      await takers.invoice(data.invoice.invoice_number);
      return data.invoice.invoice_number as number;
    };
    await registry.sql.run(sql`
      insert into registrar_invoice_details (registrar_id, country, vat_number) select id, 'LV', 'LV40001' from registrars where code = 'BETA'`);
    const [foreign, own] = [await topUp(beta(registry.url)), await topUp(alpha(registry.url))];
    await takers.advance('P1D');
    const exports = await registry.sql.rows(sql`
      select invoice_number::int as number, state, reason from invoice_exports where invoice_number in (${foreign}, ${own}) order by 1`);
    expect(exports).toEqual([
      {
        number: foreign,
        state: 'rejected',
        reason: `invoice ${foreign} bears 24 % VAT of EE; its buyer demands the VAT code 4`,
      },
      { number: own, state: 'accepted', reason: null },
    ]);
  });
});
