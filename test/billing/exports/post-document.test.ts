import { describe, expect, test } from 'vitest';
import { accountingSender } from '../../../src/billing/exports/accounting/directo.ts';
import { eInvoiceSender } from '../../../src/billing/exports/einvoice/e-invoice-operator.ts';
import { holdTimeouts } from '../../support/held-timeouts.ts';
import { message, openService, type ReceivedMessage } from '../../support/service.ts';

const PHRASE = 'a-phrase-of-ours';
const SETTINGS = { url: 'EINVOICE_URL', authPhrase: 'EINVOICE_AUTH_PHRASE' };
const INVOICES = '<invoices><invoice Number="150005"><line/></invoice></invoices>';
const E_INVOICE = '<E_Invoice><Invoice invoiceId="150005"><Name>Õun &amp; Co</Name></Invoice></E_Invoice>';
const NOTHING: ReceivedMessage = { id: '', method: '', path: '', headers: {}, body: '' };
const attempt = (body: string) => ({ ...message({ body }), attempts: 1 });

const TIMEOUT_MS = 20_000;

const senders = (url: string | undefined, timeoutMs = TIMEOUT_MS) => ({
  accounting: () =>
    accountingSender({ url: () => url, setting: 'ACCOUNTING_URL', timeoutMs })(attempt(INVOICES)),
  einvoice: () =>
    eInvoiceSender({ url: () => url, authPhrase: PHRASE, settings: SETTINGS, timeoutMs })(attempt(E_INVOICE)),
});

describe('requests on the wire', () => {
  test('success: a form to the accounting service', async () => {
    const service = await openService();
    await senders(`${service.url}/xmlcore.asp?key=1`)
      .accounting()
      .catch(() => {});
    const [{ method, path, headers, body } = NOTHING] = service.received;
    expect([method, path, headers['content-type']]).toEqual([
      'POST',
      '/xmlcore.asp?key=1',
      'application/x-www-form-urlencoded',
    ]);
    expect([...new URLSearchParams(body)]).toEqual([
      ['put', '1'],
      ['what', 'invoice'],
      ['xmldata', INVOICES],
    ]);
  });

  test('success: SOAP to the operator', async () => {
    const service = await openService();
    await senders(service.url)
      .einvoice()
      .catch(() => {});
    const [{ headers, body } = NOTHING] = service.received;
    expect([headers['content-type'], headers.soapaction]).toEqual(['text/xml; charset=utf-8', '""']);
    expect(body.replace(/>\s+</g, '><').trim()).toBe(
      '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:erp="http://e-arvetekeskus.eu/erp">' +
        `<soap:Body><erp:EInvoiceRequest authPhrase="${PHRASE}"><E_Invoice><Invoice invoiceId="150005"><Name>Õun &amp; Co</Name></Invoice></E_Invoice></erp:EInvoiceRequest></soap:Body></soap:Envelope>`,
    );
  });
});

describe.each(['accounting', 'einvoice'] as const)('%s', (target) => {
  test.each([
    ['never answers', 'silence', 'No answer (time is up)'],
    ['closes the connection', 'cut', /^No answer \(/],
    ['redirects', 302, 'Answered 302'],
    ['refuses', 403, 'Answered 403'],
    ['answers malformed XML', 200, 'Answered something that cannot be read'],
  ] as const)('failure: %s', async (_who, answer, complaint) => {
    const service = await openService();
    service.answer = () => answer;
    const timeouts = holdTimeouts();
    const failure = expect(senders(service.url)[target]()).rejects.toThrow(complaint);
    await expect.poll(() => service.received).toHaveLength(1);
    if (answer === 'silence') timeouts.expire();
    await failure;
    expect(service.received).toHaveLength(1);
    expect(timeouts.limits).toContain(TIMEOUT_MS);
  });

  test('failure: connection refused, and no address', async () => {
    const service = await openService();
    await service.close();
    await expect(senders(service.url)[target]()).rejects.toThrow('No answer (ECONNREFUSED)');
    await expect(senders(undefined)[target]()).rejects.toThrow(
      target === 'accounting' ? 'ACCOUNTING_URL is not set' : 'EINVOICE_URL is not set',
    );
  });
});
