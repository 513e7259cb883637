import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, Payer, Service, tokenOf } from '../../support/billing.ts';
import { brokenRules } from '../../support/en16931.ts';
import { readPdf } from '../../support/pdf.ts';
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

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

async function pdfOf(number: number, initiator = 'auction') {
  const reply = await fetch(`${registry.url}/api/v1/invoices/${number}/pdf`, {
    headers: { authorization: `Bearer ${await tokenOf(initiator)}` },
  });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

describe('GET invoices/:invoice_number', () => {
  test('success: every member, of an invoice that was paid and disputed', async () => {
    const { number, link } = await auction.invoice('124.00', {
      customer_name: 'Mari Õun',
      customer_email: 'mari@example.ee',
      custom_field1: 'õun.ee',
      reference_number: '7366488',
    });
    const reference = await payer.pay(link);
    await payer.callback(`?payment_reference=${reference}&event_name=dispute_opened`);
    await payer.invoice(number);
    const reply = await auction.get(`/invoices/${number}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      invoice_number: number,
      initiator: 'auction',
      kind: 'invoice',
      status: 'paid',
      held: false,
      transaction_amount: '124.00',
      net: '100.00',
      vat: '24.00',
      vat_percent: '24',
      currency: 'EUR',
      description: 'õun.ee',
      custom_field1: 'õun.ee',
      customer_name: 'Mari Õun',
      customer_email: 'mari@example.ee',
      reference_number: '7366488',
      issued_at: ISO,
      paid_at: ISO,
      due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      lines: [{ description: 'õun.ee', quantity: 1, net: '100.00' }],
      payments: [
        {
          payment_reference: reference,
          payment_state: 'settled',
          standing_amount: '124.00',
          booked_amount: '124.00',
          payment_link: null,
        },
      ],
      events: [
        { payment_reference: reference, event_name: 'status_updated', at: ISO },
        { payment_reference: reference, event_name: 'dispute_opened', at: ISO },
      ],
      accounting: null,
      e_invoice: null,
      changes: [
        { id: UUID, from: null, to: 'unpaid', at: ISO },
        { id: UUID, from: 'unpaid', to: 'paid', at: ISO },
      ],
      linkpay_url: null,
    });
  });

  test('success: every time is UTC with milliseconds, also on the full second', async () => {
    const { number, link } = await auction.invoice();
    const reference = await payer.pay(link);
    await payer.invoice(number);
    const at = '2030-01-15T10:00:00.000Z';
    await registry.sql.run(sql`update payment_events set at = ${at} where payment_reference = ${reference}`);
    await registry.sql.run(sql`update invoice_changes set at = ${at} where invoice_number = ${number}`);
    await registry.sql.run(
      sql`update invoices set issued_at = ${at}, paid_at = ${at} where number = ${number}`,
    );
    expect((await auction.get(`/invoices/${number}`)).body).toMatchObject({
      status: 'paid',
      issued_at: at,
      paid_at: at,
      events: [{ event_name: 'status_updated', at }],
      changes: [
        { to: 'unpaid', at },
        { to: 'paid', at },
      ],
    });
    expect(await payer.invoice(number)).toMatchObject({ events: [{ event_name: 'status_updated', at }] });
  });

  test('success: the link is shown as long as the invoice can be paid with it', async () => {
    const { number, link } = await auction.invoice('20.00');
    const shown = async () => (await auction.get(`/invoices/${number}`)).body.linkpay_url;
    expect(await shown()).toBe(link);
    await payer.pay(link, 'failed');
    await payer.invoice(number);
    expect(await shown()).toBe(link);
    await auction.post('/invoice_generator/invoice_status', { invoice_number: number, status: 'cancelled' });
    expect(await shown()).toBeNull();
  });

  test('success: it is due thirty days after its issue, by the calendar of the country', async () => {
    const { number } = await auction.invoice('20.00');
    const { issued_at, due_date } = (await auction.get(`/invoices/${number}`)).body;
    const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Tallinn' }).format(new Date(issued_at));
    expect(Date.parse(due_date) - Date.parse(day)).toBe(30 * 86_400_000);
  });

  test('failure: an invoice of another initiator gets the same answer as a missing one, as data and as a document', async () => {
    const { number } = await new Service(registry.url, 'eeid').invoice('20.00');
    for (const [asked, shown] of [
      [number, number],
      [199_000, 199_000],
      ['x', 'x'],
      ['0', '0'],
      ['1e5', '1e5'],
      ['9'.repeat(30), '9'.repeat(20)],
      ['%00', '\0'],
      ["1'--", "1'--"],
    ])
      for (const path of ['', '/pdf']) {
        const reply = await auction.get(`/invoices/${asked}${path}`);
        expect([reply.status, reply.body]).toEqual([
          404,
          { error: `Invoice with ${shown} number not found` },
        ]);
      }
  });

  test('failure: other paths are not found', async () => {
    for (const [method, path, status = 405] of [
      ['GET', '/invoices', 404],
      ['DELETE', '/invoices/150005'],
      ['GET', '/invoice_generator/invoice_number_generator'],
      ['PUT', '/invoice_generator/invoice_status'],
      ['POST', '/callback_handler/callback'],
    ] as const) {
      const reply = await call(`${registry.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${await tokenOf('auction')}` },
      });
      expect([reply.status, reply.body], path).toEqual([status, { error: expect.any(String) }]);
    }
  });
});

describe('GET invoices/:invoice_number/pdf', () => {
  test('success: a PDF with number, buyer, amounts and a link to pay', async () => {
    const { number, link } = await auction.invoice('124.00', { customer_name: 'Mari Õun OÜ' });
    const { reply, bytes } = await pdfOf(number);
    expect([
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('content-disposition'),
    ]).toEqual([200, 'application/pdf', `attachment; filename="invoice-${number}.pdf"`]);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const { pages, links } = await readPdf(bytes);
    for (const text of [String(number), 'Mari Õun OÜ', '100.00', '24.00', '124.00'])
      expect(pages.join()).toContain(text);
    expect(links).toContain(link);
    const { reference_number: reference } = (await auction.get(`/invoices/${number}`)).body;
    expect(pages.join()).toMatch(new RegExp(`Viitenumber / Reference number ${reference}`));
  });

  test('success: without a link once it is paid', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.pay(link);
    await payer.invoice(number);
    expect((await readPdf((await pdfOf(number)).bytes)).links).toEqual([]);
  });

  test('failure: an invoice of another initiator', async () => {
    const { number } = await auction.invoice('124.00');
    expect((await pdfOf(number, 'eeid')).reply.status).toBe(404);
  });
});

describe('GET invoices/:invoice_number/ubl', () => {
  const ublOf = async (number: number, initiator = 'auction') =>
    fetch(`${registry.url}/api/v1/invoices/${number}/ubl`, {
      headers: { authorization: `Bearer ${await tokenOf(initiator)}` },
    });

  test('success: by the European standard, with the buyer of an earlier export', async () => {
    const { number } = await auction.invoice('124.00', { customer_name: 'Mari Õun OÜ' });
    const buyer = { buyer_reg_no: '12345678', buyer_vat_no: 'LV40001', buyer_country_code: 'LV' };
    await auction.post('/e_invoice/e_invoice', { invoice: { number, ...buyer } });
    const reply = await ublOf(number);
    expect([
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('content-disposition'),
    ]).toEqual([200, 'application/xml; charset=utf-8', `attachment; filename="invoice-${number}.xml"`]);
    const text = await reply.text();
    expect(await brokenRules(text)).toEqual([]);
    for (const part of ['Mari Õun OÜ', '12345678', 'LV40001', '>LV<']) expect(text).toContain(part);
  });

  test('failure: an invoice of another initiator, and a bulk invoice', async () => {
    const { number } = await auction.invoice('124.00');
    expect((await ublOf(number, 'eeid')).status).toBe(404);
    await auction.post('/invoice_generator/bulk_payment', {
      custom_field2: 'auction',
      customer_url: 'https://auction.example/done',
      transaction_amount: '124.00',
      description: String(number),
    });
    const [bulk] = await registry.sql.rows(
      sql<{ number: number }>`select number from invoices where kind = 'bulk'`,
    );
    const reply = await ublOf(bulk?.number ?? 0);
    expect([reply.status, Object.keys(((await reply.json()) as { error: object }).error)]).toEqual([
      422,
      ['invoice_number'],
    ]);
  });
});
