import { describe, expect, test } from 'vitest';
import { parseEInvoice } from '../../../src/doors/billing-api/e-invoice.ts';
import { taken } from '../../support/decisions.ts';
import { READABLE, readForService } from '../../support/reading.ts';

/** The input of the calls that order documents. */
const fieldOf = (id: string, body: unknown): unknown => {
  const read = readForService(id, body);
  return read === READABLE ? READABLE : [read.status, Object.keys((read.body as { error: object }).error)[0]];
};

describe('directo', () => {
  const NUMBER = 150_005;

  test.each<[string, object]>([
    ['a number', { invoice_data: [{ number: NUMBER }] }],
    ['the other name of it', { invoice_data: [{ invoice_number: String(NUMBER) }] }],
    ['a monthly summary', { invoice_data: [{ summary: { invoice_number: NUMBER } }], dry: 'true' }],
    ['a thousand', { invoice_data: Array(1000).fill({ number: NUMBER }), dry: false }],
    ['a customer', { invoice_data: [{ number: NUMBER, customer: { code: 'M17', destination: 'ee' } }] }],
  ])('success: %s', (_what, body) => {
    expect(fieldOf('exportToAccounting', body)).toBe(READABLE);
  });

  test.each<[string, object, string]>([
    ['no invoices', {}, 'invoice_data'],
    ['no list', { invoice_data: [] }, 'invoice_data'],
    ['not an array', { invoice_data: { number: NUMBER } }, 'invoice_data'],
    ['too many', { invoice_data: Array(1001).fill({ number: NUMBER }) }, 'invoice_data'],
    ['an entry that is not an object', { invoice_data: [NUMBER] }, 'invoice_data[0]'],
    ['a null entry', { invoice_data: [null] }, 'invoice_data[0]'],
    ['no number', { invoice_data: [{}] }, 'invoice_data[0].invoice_number'],
    ['a wrong number', { invoice_data: [{ number: '1e3' }] }, 'invoice_data[0].number'],
    [
      'an invalid customer',
      { invoice_data: [{ number: NUMBER, customer: 'M17' }] },
      'invoice_data[0].customer',
    ],
    [
      'an invalid country',
      { invoice_data: [{ number: NUMBER, customer: { destination: 'Estonia' } }] },
      'invoice_data[0].customer.destination',
    ],
    ['another initiator', { initiator: 'eeid', invoice_data: [{ number: NUMBER }] }, 'initiator'],
    ['dry that is not a boolean', { dry: 'perhaps', invoice_data: [{ number: NUMBER }] }, 'dry'],
  ])('failure: %s', (_what, body, field) => {
    expect(fieldOf('exportToAccounting', body)).toEqual([422, field]);
  });
});

describe('e_invoice', () => {
  const invoice = { number: 150_005, buyer_name: 'Ostja & Pojad OÜ', buyer_reg_no: '12345678' };

  test.each<[string, object]>([
    ['the least', { invoice }],
    ['empty members count as absent', { invoice, buyer_billing_email: '', buyer_e_invoice_iban: null }],
    ['an IBAN with spaces', { invoice, buyer_e_invoice_iban: 'ee48 9900 0000 0000 0001' }],
    ['flags as text', { invoice, payable: 'false' }],
    ['a timestamp as a day', { invoice, balance_date: '2030-01-31T10:00:00' }],
  ])('success: %s', (_what, body) => {
    expect(fieldOf('exportAsEInvoice', body)).toBe(READABLE);
  });

  test.each<[string, object, string]>([
    ['no invoice', {}, 'invoice'],
    ['an invalid invoice', { invoice: 7 }, 'invoice'],
    ['no number', { invoice: { ...invoice, number: undefined } }, 'invoice.invoice_number'],
    ['a long code', { invoice: { ...invoice, buyer_reg_no: '1'.repeat(16) } }, 'invoice.buyer_reg_no'],
    ['no e-mail address', { invoice, buyer_billing_email: 'x' }, 'buyer_billing_email'],
    ['no IBAN', { invoice, buyer_e_invoice_iban: '123' }, 'buyer_e_invoice_iban'],
    ['no country', { invoice, buyer_country_code: 'XX' }, 'buyer_country_code'],
    [
      'no country inside the invoice',
      { invoice: { ...invoice, buyer_country_code: 'XX' } },
      'invoice.buyer_country_code',
    ],
    ['no day', { invoice, balance_date: '2030-02-30' }, 'balance_date'],
    ['no amount', { invoice, balance_end: '1,5' }, 'balance_end'],
    ['payable that is not a boolean', { invoice, payable: 2 }, 'payable'],
    ['another initiator', { invoice, initiator: 'eeid' }, 'initiator'],
  ])('failure: %s', (_what, body, field) => {
    expect(fieldOf('exportAsEInvoice', body)).toEqual([422, field]);
  });

  test('success: the country beside the invoice takes precedence over the one inside it', () => {
    const countryOf = (outside: string | undefined, inside: string) =>
      taken(
        parseEInvoice(
          {
            invoice: { number: '1', buyer_country_code: inside },
            ...(outside && { buyer_country_code: outside }),
          },
          { caller: 'auction' },
        ),
      ).details.buyer?.country;
    expect([countryOf('lv', 'EE'), countryOf(undefined, 'fi'), countryOf('lv', 'XX')]).toEqual([
      'LV',
      'FI',
      'LV',
    ]);
  });
});
