import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readOperatorAnswer } from '../../../src/billing/exports/einvoice/e-invoice-operator.ts';
import { readXml, schemaViolations, textAt, type Xml } from '../../../src/platform/values/xml.ts';
import { Service } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { DocumentReceivers } from '../../support/documents.ts';
import { startFreshRegistry, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/e_invoice/e_invoice';
const SCHEMA = new URL('../../../schemas/e-invoice-1.2.xsd', import.meta.url);
const BUYER = { buyer_name: 'Ostja & Pojad OÜ', buyer_reg_no: '12345678' };

let registry: TestRegistry;
let auction: Service;
let takers: DocumentReceivers;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  takers = new DocumentReceivers(registry.url);
});
afterAll(() => registry.stop());

const send = (number: number, invoice: object = {}, more: object = {}) =>
  auction.post(PATH, { invoice: { number, ...BUYER, ...invoice }, ...more });
const messages = async (number: number) =>
  (await takers.sentTo('einvoice')).filter(({ invoice_number }) => invoice_number === number);
const stateOf = async (number: number) => (await auction.get(`/invoices/${number}`)).body.e_invoice;
const documentOf = async (number: number): Promise<Xml | undefined> =>
  (await readXml((await messages(number))[0]?.body ?? ''))?.children[1];
const fresh = async (amount = '20.00', details: object = {}) =>
  (await auction.invoice(amount, details)).number;

describe('an e-invoice', () => {
  test('success: valid by the schema, with our own sums and the buyer as the caller sent it', async () => {
    const number = await fresh('20.00', { reference_number: '7734230', custom_field1: 'õun.ee <1>' });
    const reply = await send(
      number,
      {
        buyer_vat_no: 'EE101',
        buyer_street: 'Pikk 1',
        buyer_city: 'Tallinn',
        buyer_zip: '10123',
        total: '9999.00',
        currency: 'USD',
      },
      {
        invoice_subtotal: '1.00',
        vat_amount: '1.00',
        items: [{ description: 'nothing', price: 1 }],
        buyer_billing_email: 'arved@ostja.example',
        buyer_e_invoice_iban: 'ee48 9900 0000 0000 0001',
        buyer_country_code: 'EE',
        initiator: 'auction',
      },
    );
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: 'Invoice data received', status: 'created' },
    ]);
    const [sent] = await messages(number);
    expect(sent).toMatchObject({ kind: 'invoice', status: 'delivered', attempts: 1 });
    expect(await schemaViolations(sent?.body ?? '', SCHEMA)).toBeUndefined();
    const invoice = await documentOf(number);
    expect(invoice?.attributes).toEqual({
      invoiceId: String(number),
      serviceId: '7734230',
      regNumber: '12345678',
      sellerRegnumber: '90000000',
    });
    const at = (...path: string[]) => textAt(invoice, ...path);
    expect([
      at('InvoiceParties', 'BuyerParty', 'Name'),
      at('InvoiceParties', 'BuyerParty', 'ContactData', 'E-mailAddress'),
      at('InvoiceParties', 'BuyerParty', 'ContactData', 'LegalAddress', 'City'),
      at('InvoiceParties', 'BuyerParty', 'AccountInfo', 'AccountNumber'),
      at('InvoiceInformation', 'DocumentName'),
    ]).toEqual(['Ostja & Pojad OÜ', 'arved@ostja.example', 'Tallinn', 'EE489900000000000001', 'ARVE']);
    expect([
      at('InvoiceSumGroup', 'InvoiceSum'),
      at('InvoiceSumGroup', 'TotalVATSum'),
      at('InvoiceSumGroup', 'TotalSum'),
      at('InvoiceSumGroup', 'TotalToPay'),
      at('PaymentInfo', 'Payable'),
      at('PaymentInfo', 'PaymentTotalSum'),
      at('PaymentInfo', 'PaymentRefId'),
      at('InvoiceItem', 'InvoiceItemGroup', 'ItemEntry', 'Description'),
      at('InvoiceItem', 'InvoiceItemGroup', 'ItemEntry', 'VAT', 'VATRate'),
    ]).toEqual(['16.1300', '3.87', '20.00', '20.00', 'YES', '20.00', '7734230', 'õun.ee <1>', '24.00']);
    expect(await stateOf(number)).toMatchObject({ state: 'accepted', answered_at: expect.any(String) });
    expect(await takers.taken('einvoice')).toMatchObject([
      { number: String(number), total: '20.00 EUR', times: 1 },
    ]);
  });

  test('success: the service is notified when it was sent', async () => {
    const number = await fresh();
    await send(number);
    const [message] = await takers.sentTo('service:auction');
    const { answered_at: date } = await stateOf(number);
    expect(message).toMatchObject({
      kind: 'e_invoice_response',
      invoice_number: number,
      status: 'delivered',
    });
    expect(JSON.parse(message?.body ?? '')).toEqual({
      id: message?.id,
      kind: 'e_invoice_response',
      initiator: 'auction',
      invoice_number: number,
      date,
    });
  });

  test('success: without an e-mail address, an account, an address: unknown values have no element', async () => {
    const number = await fresh('20.00', { customer_email: 'no address' });
    await send(number, {}, { buyer_billing_email: '', buyer_e_invoice_iban: null });
    const [sent] = await messages(number);
    expect(sent?.status).toBe('delivered');
    const buyer = /<BuyerParty>[\s\S]*<\/BuyerParty>/.exec(sent?.body ?? '')?.[0];
    expect(buyer).toContain('<Name>Ostja');
    expect(buyer).not.toMatch(/E-mailAddress|ContactData|AccountInfo|VATRegNumber/);
    expect(sent?.body).not.toMatch(/Balance/);
  });

  test.each([
    ['as the caller requests', { payable: false }, false],
    ['as text', { payable: 'false' }, false],
    ['since it was paid', {}, true],
  ])('success: not payable, %s', async (_why, options, paid) => {
    const { number, link } = await auction.invoice('20.00');
    if (paid) await takers.pay(link);
    await takers.invoice(number);
    await send(number, {}, options);
    const invoice = await documentOf(number);
    expect([
      textAt(invoice, 'PaymentInfo', 'Payable'),
      textAt(invoice, 'PaymentInfo', 'PaymentTotalSum'),
      textAt(invoice, 'InvoiceSumGroup', 'TotalToPay'),
      textAt(invoice, 'InvoiceSumGroup', 'TotalSum'),
    ]).toEqual(['NO', '0.00', '0.00', '20.00']);
  });

  test('success: a monthly summary is named after its first line and shows the movements of the account', async () => {
    const number = await fresh('20.00', { custom_field1: 'Domains of October' });
    const balance = {
      balance_date: '2030-10-31',
      balance_begin: '5',
      inbound: 100.5,
      outbound: '-20.1',
      balance_end: '85.40',
    };
    await send(number, { monthly_invoice: true }, { payable: false, ...balance });
    const invoice = await documentOf(number);
    expect(textAt(invoice, 'InvoiceInformation', 'DocumentName')).toBe('Domains of October');
    const shown = invoice?.children.find(({ name }) => name === 'InvoiceSumGroup')?.children[0];
    expect(shown?.children.map(({ name, text }) => [name, text])).toEqual([
      ['BalanceDate', '2030-10-31'],
      ['BalanceBegin', '5.00'],
      ['Inbound', '100.50'],
      ['Outbound', '-20.10'],
      ['BalanceEnd', '85.40'],
    ]);
  });

  test('success: a second one is not sent, nor are seven more at once', async () => {
    const number = await fresh();
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(number)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await messages(number)).toHaveLength(1);
    const taken = (await takers.taken('einvoice')).filter((one) => one.number === String(number));
    expect(taken).toMatchObject([{ times: 1 }]);
  });

  test('success: a text of 2000 characters is truncated to the limit of the standard', async () => {
    const number = await fresh('20.00', { custom_field1: '🦀'.repeat(900) });
    await send(number, { buyer_name: 'õ'.repeat(255), monthly_invoice: true });
    expect((await messages(number))[0]?.status).toBe('delivered');
  });
});

describe('refusals', () => {
  test.each<[string, (number: number) => object, string]>([
    ['no invoice', () => ({}), 'invoice'],
    ['no registry code', (number) => ({ invoice: { number, buyer_name: 'A' } }), 'invoice.buyer_reg_no'],
    ['no name', (number) => ({ invoice: { number, buyer_reg_no: '1' } }), 'invoice.buyer_name'],
  ])('failure: %s', async (_what, bodyOf, field) => {
    const number = await fresh();
    const reply = await withoutTrace(registry, () => auction.post(PATH, bodyOf(number)));
    expect([reply.status, Object.keys(reply.body.error)[0]]).toEqual([422, field]);
  });

  test('failure: unknown, and of another service', async () => {
    const foreign = (await new Service(registry.url, 'eeid').invoice()).number;
    for (const number of [999_999, foreign]) {
      const reply = await withoutTrace(registry, () => send(number));
      expect([reply.status, reply.body]).toEqual([404, { error: `Invoice with ${number} number not found` }]);
    }
  });
});

describe('an operator that fails', () => {
  test.each([
    ['down', 'No answer'],
    ['error', 'Answered a fault: Internal error'],
    ['nonsense', 'Answered something that cannot be read'],
    ['lost', 'No answer'],
  ])('success: %s: the same file is sent again, and stored once', async (mode, reason) => {
    const number = await fresh();
    await takers.fault('einvoice', mode, 2);
    await send(number);
    const [waiting] = await messages(number);
    expect(waiting).toMatchObject({ status: 'retrying', attempts: 1 });
    const [row] = await registry.sql.rows(
      sql`select last_error from deliveries where id = ${waiting?.id ?? ''}`,
    );
    expect(row?.last_error).toContain(reason);
    expect(await stateOf(number)).toMatchObject({ state: 'waiting' });
    await takers.advance('PT1M');
    expect(await messages(number)).toEqual([{ ...waiting, status: 'delivered', attempts: 3 }]);
    const taken = (await takers.taken('einvoice')).filter((one) => one.number === String(number));
    expect(taken).toMatchObject([{ times: mode === 'lost' ? 3 : 1 }]);
    expect(await stateOf(number)).toMatchObject({ state: 'accepted' });
  });

  test('success: a slow operator is waited for', async () => {
    const number = await fresh();
    await takers.fault('einvoice', 'slow', 1);
    await send(number);
    expect(await messages(number)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  test('success: a rejected invoice keeps its reason, is not reported as sent, and is sent again on request', async () => {
    const numbers = [await fresh(), await fresh()];
    await takers.fault('einvoice', 'half', 2);
    for (const number of numbers) {
      await send(number);
      await takers.deliveries();
    }
    const states = await Promise.all(numbers.map(stateOf));
    expect(states.map(({ state }) => state).toSorted()).toEqual(['accepted', 'rejected']);
    const rejected = numbers[states.findIndex(({ state }) => state === 'rejected')] ?? 0;
    expect((await stateOf(rejected)).reason).toBe(
      'The recipient takes no e-invoices (a fault of the sandbox) (61)',
    );
    expect((await takers.sentTo('service:auction')).filter((one) => one.invoice_number === rejected)).toEqual(
      [],
    );
    await send(rejected);
    expect((await messages(rejected)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    expect(await stateOf(rejected)).toMatchObject({ state: 'accepted' });
  });

  test('failure: a pass phrase that the operator rejects is a fault, and is in no log or message', async () => {
    const other = await startFreshRegistry({
      einvoiceUrl: `${registry.url}/sandbox/einvoice`,
      einvoiceAuthPhrase: 'a-phrase-that-is-wrong',
    });
    try {
      const service = new Service(other.url);
      const { number } = await service.invoice();
      await service.post(PATH, { invoice: { number, ...BUYER } });
      await new DocumentReceivers(other.url).deliveries();
      const [row] = await other.sql.rows(
        sql`select last_error, delivered_at, body from deliveries where target = 'einvoice'`,
      );
      expect(row).toMatchObject({
        last_error: 'Answered a fault: Illegal authentication phrase.',
        delivered_at: null,
      });
      expect(`${row?.body}${other.logged()}`).not.toContain('a-phrase-that-is-wrong');
    } finally {
      await other.stop();
    }
  });
});

describe('the answer of the operator', () => {
  const envelope = (body: string) =>
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`;
  const response = (content: string) =>
    envelope(`<EInvoiceResponse xmlns="http://e-arvetekeskus.eu/erp">${content}</EInvoiceResponse>`);
  const read = (text: string, status = 200) => readOperatorAnswer(7, status, Buffer.from(text));

  test('success: accepted, and rejected', async () => {
    expect(await read(response('<ErrorCode> 0 </ErrorCode><Message>Success</Message>'))).toEqual({
      number: 7,
      accepted: true,
    });
    expect(await read(response('<ErrorCode>60</ErrorCode><Message>No recipient</Message>'))).toEqual({
      number: 7,
      accepted: false,
      reason: 'No recipient (60)',
    });
  });

  test.each([
    [
      'a fault',
      envelope('<e:Fault><faultcode>e:Server</faultcode><faultstring>Busy</faultstring></e:Fault>'),
      500,
      'Answered a fault: Busy',
    ],
    ['a fault under 200', envelope('<e:Fault/>'), 200, 'Answered a fault: '],
    ['an error without a text', '', 502, 'Answered 502'],
    ['nothing', '', 200, 'Answered something that cannot be read'],
    ['a page', '<html></html>', 200, 'Answered something that cannot be read'],
    ['no code', response('<Message>Success</Message>'), 200, 'Answered something that cannot be read'],
    [
      'a malformed code',
      response('<ErrorCode>OK</ErrorCode>'),
      200,
      'Answered something that cannot be read',
    ],
    [
      'success without an envelope',
      '<EInvoiceResponse><ErrorCode>0</ErrorCode></EInvoiceResponse>',
      200,
      'Answered something that cannot be read',
    ],
  ])('failure: %s', async (_what, text, status, complaint) => {
    await expect(read(text, status)).rejects.toThrow(complaint);
  });
});

describe('the schema', () => {
  test.each([
    ['an empty e-mail address', '<E-mailAddress>a@b.example</E-mailAddress>', '<E-mailAddress/>'],
    ['an amount without its digits', '<TotalSum>20.00</TotalSum>', '<TotalSum>20</TotalSum>'],
    ['another order', '<Date>', '<Version>1.2</Version><Date>'],
    ['another version', '<Version>1.2</Version>', '<Version>1.1</Version>'],
    ['no registry code', ' regNumber="12345678"', ''],
  ])('failure: it detects %s', async (_what, from, to) => {
    const number = await fresh();
    await send(number, {}, { buyer_billing_email: 'a@b.example' });
    const body = (await messages(number))[0]?.body ?? '';
    expect(body).toContain(from);
    expect(await schemaViolations(body.replace(from, to), SCHEMA)).toMatch(/\S/);
  });
});
