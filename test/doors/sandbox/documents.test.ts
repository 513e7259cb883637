import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readXml } from '../../../src/platform/values/xml.ts';
import { Service } from '../../support/billing.ts';
import { DocumentReceivers } from '../../support/documents.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

const SCRIPT = '<script>alert(1)</script>';

let registry: TestRegistry;
let takers: DocumentReceivers;
let number: number;
beforeAll(async () => {
  registry = await startRegistry();
  takers = new DocumentReceivers(registry.url);
  const service = new Service(registry.url);
  number = (await service.invoice('20.00', { customer_name: SCRIPT, custom_field1: SCRIPT })).number;
  await service.post('/directo/directo', { invoice_data: [{ number }] });
  await service.post('/e_invoice/e_invoice', { invoice: { number, buyer_reg_no: '12345678' } });
  await takers.deliveries();
});
afterAll(() => registry.stop());

const at = (place: string, init: RequestInit = {}) => fetch(`${registry.url}/sandbox/${place}`, init);

describe.each(['accounting', 'einvoice'] as const)('what the %s service has', (service) => {
  test('success: a list for scripts', async () => {
    expect(await takers.taken(service)).toMatchObject([
      { number: String(number), buyer: SCRIPT, total: '20.00 EUR', times: 1 },
    ]);
    const [{ document = '' } = {}] = await takers.taken(service);
    expect(await readXml(document)).toBeDefined();
  });

  test('success: a page for a browser, everything in it escaped', async () => {
    const reply = await at(service, { headers: { accept: 'text/html,*/*;q=0.8' } });
    const page = await reply.text();
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'accept',
    ]);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain(`<h2>Invoice ${number}</h2>`);
    expect(page).not.toContain(SCRIPT);
  });
});

describe('the accounting service of the sandbox', () => {
  const send = async (form: Record<string, string>) =>
    (await at('accounting', { method: 'POST', body: new URLSearchParams(form) })).text();
  const xmldata = (attributes: string) => `<invoices><invoice ${attributes}><line/></invoice></invoices>`;

  test('success: a number is accepted once', async () => {
    const form = { put: '1', what: 'invoice', xmldata: xmldata('Number="7" CustomerCode="ERA"') };
    expect(await send(form)).toContain(
      '<Result Type="0" Desc="OK" docid="7" doctype="ARVE" submit="Invoices"/>',
    );
    expect(await send(form)).toContain('<Result Type="1" Desc="Duplicate" docid="7"');
  });

  test.each([
    ['another request', { put: '1', what: 'order', xmldata: xmldata('Number="8"') }, 'Unknown request'],
    ['no XML', { put: '1', what: 'invoice', xmldata: 'x' }, 'XML cannot be read'],
    ['no customer', { put: '1', what: 'invoice', xmldata: xmldata('Number="8"') }, 'Incomplete'],
  ])('failure: %s', async (_what, form, words) => {
    expect(await send(form)).toMatch(new RegExp(`Type="[1-9]" Desc="${words}"`));
  });
});

describe('the e-invoice operator of the sandbox', () => {
  const send = async (body: string) => {
    const reply = await at('einvoice', { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
    return [reply.status, await reply.text()] as const;
  };
  const envelope = (phrase: string, content: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><EInvoiceRequest xmlns="http://e-arvetekeskus.eu/erp" authPhrase="${phrase}">${content}</EInvoiceRequest></s:Body></s:Envelope>`;

  test.each([
    ['no envelope', 'x', 'Illegal authentication phrase'],
    ['another phrase', envelope('x', '<E_Invoice/>'), 'Illegal authentication phrase'],
    ['no invoice', envelope('einvoice-sandbox-phrase', '<E_Invoice/>'), 'Validation error'],
  ])('failure: %s', async (_what, body, words) => {
    const [status, text] = await send(body);
    expect([status, text]).toEqual([500, expect.stringContaining(`<faultstring>${words}`)]);
  });
});

describe('faults', () => {
  const set = (target: string, mode: string) =>
    at('faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target, mode, times: 1 }),
    });

  test.each(['nonsense', 'half', 'lost'])(
    'success: only services that receive documents support %s',
    async (mode) => {
      for (const target of ['accounting', 'einvoice']) expect((await set(target, mode)).status).toBe(200);
      for (const target of ['provider', 'service', 'mail'])
        expect((await set(target, mode)).status).toBe(400);
    },
  );

  test('success: a reset removes the documents', async () => {
    await takers.reset();
    expect([await takers.taken('accounting'), await takers.taken('einvoice')]).toEqual([[], []]);
  });
});
