import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyerFrom } from '../../../src/billing/exports/buyer.ts';
import type { InvoiceDocument } from '../../../src/billing/exports/invoice-documents.ts';
import { ublXml } from '../../../src/billing/exports/ubl.ts';
import { addVat, splitGross } from '../../../src/billing/invoices/vat.ts';
import { ee } from '../../../src/policy/ee.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { brokenRules } from '../../support/en16931.ts';

const invoice = (parts: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  number: 150_005,
  initiator: 'auction',
  kind: 'invoice',
  status: 'unpaid',
  currency: 'EUR',
  net: 1613n,
  vat: 387n,
  amount: 2000n,
  vatPercent: '24',
  issuedOn: '2030-01-15',
  dueDate: '2030-02-14',
  paidOn: null,
  referenceNumber: '7734230',
  lines: [{ description: 'õun.ee', quantity: 1, net: 1613n }],
  buyer: buyerFrom({ name: 'Mari & Ko', email: 'mari@example.ee', country: 'LV', vatNumber: 'LV40001' }),
  ...parts,
});

describe('an invoice by the European standard', () => {
  test('success: it satisfies the rules, and has this text', async () => {
    const text = await ublXml(invoice(), ee);
    expect(await brokenRules(text)).toEqual([]);
    await expect(text).toMatchFileSnapshot('ubl-invoice.xml');
  });

  test('success: an unknown buyer', async () => {
    const text = await ublXml(invoice({ buyer: buyerFrom({}), referenceNumber: null }), ee);
    expect(await brokenRules(text)).toEqual([]);
    expect(text).toContain('<cbc:RegistrationName>Eraisik / Private person</cbc:RegistrationName>');
  });

  test('success: a paid invoice has nothing payable', async () => {
    const text = await ublXml(invoice({ status: 'paid', paidOn: '2030-01-16' }), ee);
    expect(await brokenRules(text)).toEqual([]);
    expect(text).toContain('<cbc:PrepaidAmount currencyID="EUR">20.00</cbc:PrepaidAmount>');
    expect(text).toContain('<cbc:PayableAmount currencyID="EUR">0.00</cbc:PayableAmount>');
  });

  test('success: a rate of 0 % is a category of its own', async () => {
    const text = await ublXml(invoice({ vat: 0n, amount: 1613n, vatPercent: '0' }), ee);
    expect(await brokenRules(text)).toEqual([]);
    expect(text).toContain('<cbc:ID>Z</cbc:ID>');
  });

  test('success: for any amounts, lines and texts', async () => {
    const cents = fc.bigInt({ min: 1n, max: 10_000_000_00n });
    const line = fc.record({
      description: fc.string({ unit: anyCharacter, minLength: 1 }).map((text) => `x${text}`),
      quantity: fc.integer({ min: 1, max: 9 }),
      net: cents,
    });
    const lines = fc.array(line, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom('24', '22', '13.5', '9'),
        fc.boolean(),
        async (some, vatPercent, gross) => {
          const total = some.reduce((sum, { net }) => sum + net, 0n);
          // A gross amount is split the other way round; its one line takes the whole net.
          const { net, vat } = gross
            ? splitGross(total, Number(vatPercent))
            : addVat(total, Number(vatPercent));
          const own = gross ? [{ description: 'all', quantity: some[0]?.quantity ?? 1, net }] : some;
          const text = await ublXml(invoice({ lines: own, net, vat, amount: net + vat, vatPercent }), ee);
          expect(await brokenRules(text)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each([
    ['BR-02', /<cbc:ID>150005<\/cbc:ID>/, ''],
    ['BR-07', /Mari &amp; Ko/, ' '],
    ['BR-11 BR-CL-14', />LV<\/cbc:Id/, '>XX</cbc:Id'],
    ['BR-16', /<cac:InvoiceLine>[\s\S]*<\/cac:InvoiceLine>/, ''],
    ['BR-25', /<cbc:Name>õun.ee<\/cbc:Name>/, ''],
    ['BR-CO-10', /(<cbc:LineExtensionAmount currencyID="EUR">)16.13/, '$116.14'],
    ['BR-CO-14', /(<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="EUR">)3.87/, '$13.88'],
    ['BR-CO-15', /(<cbc:TaxInclusiveAmount currencyID="EUR">)20.00/, '$121.00'],
    ['BR-CO-16', /(<cbc:PayableAmount currencyID="EUR">)20.00/, '$119.00'],
    ['BR-CO-17 BR-S-09 BR-Z-09', /<cbc:Percent>24</g, '<cbc:Percent>20<'],
    ['BR-CO-25', /<cbc:DueDate>.*<\/cbc:DueDate>/, ''],
    ['BR-CO-09', /LV40001/, '40001'],
    ['BR-S-01 BR-S-02 BR-S-08', /EE100000000/, ''],
    ['BR-CL-03', /currencyID="EUR"/, 'currencyID="USD"'],
    ['UBL order', /(<cbc:IssueDate>.*<\/cbc:IssueDate>)\s*(<cbc:DueDate>.*<\/cbc:DueDate>)/, '$2$1'],
    ['UBL no empty elements', /(<cbc:ElectronicMail>)mari@example.ee/, '$1'],
  ])('failure: %s is detected when it is violated', async (rule, from, to) => {
    const text = await ublXml(invoice(), ee);
    const broken = text.replace(from, to);
    expect(broken).not.toBe(text);
    expect(await brokenRules(broken)).toContain(rule);
  });
});
