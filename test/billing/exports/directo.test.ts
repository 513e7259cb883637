import { describe, expect, test } from 'vitest';
import { accountingXml } from '../../../src/billing/exports/accounting/directo.ts';
import { checkVatCode } from '../../../src/billing/exports/accounting/vat-codes.ts';
import { type Buyer, buyerFrom } from '../../../src/billing/exports/buyer.ts';
import type { InvoiceDocument } from '../../../src/billing/exports/invoice-documents.ts';
import { requireExportable } from '../../../src/billing/exports/request-exports.ts';
import type { Initiator, Invoice } from '../../../src/billing/invoices/invoice.ts';
import { textOf } from '../../../src/operations/refusal.ts';
import { readXml } from '../../../src/platform/values/xml.ts';
import { ee } from '../../../src/policy/ee.ts';
import { refusalsOf } from '../../support/decisions.ts';
import { invoiceOf } from '../../support/invoices.ts';

describe('a customer in accounting', () => {
  const document = (buyer: Partial<Buyer>): InvoiceDocument => ({
    number: 150_005,
    initiator: 'auction',
    kind: 'invoice',
    status: 'unpaid',
    currency: 'EUR',
    net: 10_000n,
    vat: 2400n,
    amount: 12_400n,
    vatPercent: '24',
    issuedOn: '2030-01-15',
    dueDate: '2030-02-14',
    paidOn: null,
    referenceNumber: null,
    lines: [{ description: 'õun.ee', quantity: 1, net: 10_000n }],
    buyer: buyerFrom(buyer),
  });
  const written = async (buyer: Partial<Buyer>) =>
    (await readXml(await accountingXml([document(buyer)], ee)))?.children[0];

  test.each([
    ['home', {}, '54', ''],
    ['home, named', { country: 'EE', vatNumber: 'EE101' }, '54', ''],
    ['other countries: that of the VAT on the invoice', { country: 'LV' }, '54', 'ENG'],
  ])('success: the VAT code: %s', async (_where, buyer, code, language) => {
    const invoice = await written(buyer);
    expect([invoice?.children[0]?.attributes.VATCode, invoice?.attributes.Language]).toEqual([
      code,
      language,
    ]);
  });

  test.each([
    ['the union with a VAT number', { country: 'LV', vatNumber: 'LV1' }, '4'],
    ['the union without one', { country: 'LV' }, '21'],
    ['another of the union', { country: 'SK' }, '46'],
    ['elsewhere', { country: 'US', vatNumber: '1' }, '6'],
  ])('failure: another VAT rate is required: %s', (_where, buyer, code) => {
    const refusals = checkVatCode(document(buyer), ee);
    expect(refusals.map((refusal) => [refusal.name, refusal.at, textOf(refusal)])).toEqual([
      [
        'otherVatDemanded',
        ['invoices'],
        `invoice 150005 bears 24 % VAT of EE; its buyer demands the VAT code ${code}`,
      ],
    ]);
  });

  test.each([{}, { country: 'EE' }, { country: 'EE', vatNumber: 'EE101' }])(
    'success: no other VAT rate is required: %j',
    (buyer) => {
      expect(checkVatCode(document(buyer), ee)).toEqual([]);
    },
  );

  test('success: one without a code is a private person', async () => {
    expect((await written({}))?.attributes.CustomerCode).toBe('ERA');
    expect((await written({ customerCode: 'M17' }))?.attributes.CustomerCode).toBe('M17');
  });
});

describe('what can be exported', () => {
  const refused = (found: readonly Invoice[], initiator: Initiator | undefined) =>
    refusalsOf(() =>
      requireExportable(found, {
        items: [1, 2].map((number) => ({ number, details: {} })),
        initiator,
        at: ['invoices'] as const,
      }),
    );
  const [one, two] = [invoiceOf({ number: 1 }), invoiceOf({ number: 2 })];

  test.each([
    ['both', [one, two], []],
    [
      'paid or refunded',
      [
        { ...one, status: 'paid' },
        { ...two, status: 'refunded' },
      ],
      [],
    ],
    ['one that is not there', [one], [['invoiceMissing', null]]],
    ['one of another service', [one, { ...two, initiator: 'eeid' }], [['invoiceMissing', null]]],
    ['a bulk invoice', [one, { ...two, kind: 'bulk' }], [['bulkInvoiceNamed', 'invoices']]],
    ['a cancelled one', [{ ...one, status: 'cancelled' }, two], [['invoiceCancelled', 'invoices']]],
  ] as [string, Invoice[], [string, string | null][]][])('success: %s', (_what, found, expected) => {
    expect(refused(found, 'auction')).toEqual(expected);
  });

  test('success: an operator may export those of every service', () => {
    const theirs = { ...two, initiator: 'eeid' } as const;
    expect(refused([one, theirs], undefined)).toEqual([]);
  });
});
