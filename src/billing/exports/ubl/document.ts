import { toDecimal } from '../../../platform/values/money.ts';
import { writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { InvoiceDocument } from '../documents.ts';
import { type PricedLine, pricedLines } from '../lines.ts';
import { cbc, customerParty, supplierParty } from './parties.ts';

const SPACE = 'urn:oasis:names:specification:ubl:schema:xsd';
const NAMESPACES = {
  xmlns: `${SPACE}:Invoice-2`,
  'xmlns:cac': `${SPACE}:CommonAggregateComponents-2`,
  'xmlns:cbc': `${SPACE}:CommonBasicComponents-2`,
};
const CUSTOMIZATION = 'urn:cen.eu:en16931:2017';
/** A commercial invoice; a credit transfer; one of something. */
const [INVOICE, CREDIT_TRANSFER, PIECE] = ['380', '30', 'C62'];

/** An invoice by the European standard: EN 16931 in UBL 2.1. */
export function ublXml(invoice: InvoiceDocument, { billing, country }: Policy): Promise<string> {
  const { seller, unnamedBuyer } = billing;
  return writeXml(
    xml('Invoice', NAMESPACES, [
      cbc('CustomizationID', CUSTOMIZATION),
      cbc('ID', String(invoice.number)),
      cbc('IssueDate', invoice.issuedOn),
      cbc('DueDate', invoice.dueDate),
      cbc('InvoiceTypeCode', INVOICE),
      cbc('DocumentCurrencyCode', invoice.currency),
      supplierParty(seller),
      customerParty(invoice.buyer, { unnamed: unnamedBuyer, country }),
      xml('cac:PaymentMeans', {}, [
        cbc('PaymentMeansCode', CREDIT_TRANSFER),
        cbc('PaymentID', invoice.referenceNumber ?? String(invoice.number)),
        xml('cac:PayeeFinancialAccount', {}, [
          cbc('ID', seller.bankAccounts[0]?.iban ?? null),
          cbc('Name', seller.name),
        ]),
      ]),
      taxTotal(invoice),
      monetaryTotal(invoice),
      ...pricedLines(invoice).map((line, index) => invoiceLine(line, index + 1, invoice)),
    ]),
  );
}

function taxTotal(invoice: InvoiceDocument): Xml {
  return xml('cac:TaxTotal', {}, [
    amount('TaxAmount', invoice.vat, invoice),
    xml('cac:TaxSubtotal', {}, [
      amount('TaxableAmount', invoice.net, invoice),
      amount('TaxAmount', invoice.vat, invoice),
      taxCategory('cac:TaxCategory', invoice),
    ]),
  ]);
}

function monetaryTotal(invoice: InvoiceDocument): Xml {
  const prepaid = invoice.status === 'paid' ? invoice.amount : 0n;
  return xml('cac:LegalMonetaryTotal', {}, [
    amount('LineExtensionAmount', invoice.net, invoice),
    amount('TaxExclusiveAmount', invoice.net, invoice),
    amount('TaxInclusiveAmount', invoice.amount, invoice),
    prepaid > 0n ? amount('PrepaidAmount', prepaid, invoice) : undefined,
    amount('PayableAmount', invoice.amount - prepaid, invoice),
  ]);
}

function invoiceLine(
  { description, quantity, price, net }: PricedLine,
  place: number,
  invoice: InvoiceDocument,
): Xml {
  return xml('cac:InvoiceLine', {}, [
    cbc('ID', String(place)),
    xml('cbc:InvoicedQuantity', { unitCode: PIECE }, String(quantity)),
    amount('LineExtensionAmount', net, invoice),
    xml('cac:Item', {}, [cbc('Name', description), taxCategory('cac:ClassifiedTaxCategory', invoice)]),
    xml('cac:Price', {}, [amount('PriceAmount', price, invoice)]),
  ]);
}

/** The standard rate, or a rate of nothing. */
const taxCategory = (name: string, { vatPercent }: InvoiceDocument): Xml =>
  xml(name, {}, [
    cbc('ID', Number(vatPercent) > 0 ? 'S' : 'Z'),
    cbc('Percent', vatPercent),
    xml('cac:TaxScheme', {}, [cbc('ID', 'VAT')]),
  ]);

const amount = (name: string, cents: bigint, { currency }: InvoiceDocument): Xml =>
  xml(`cbc:${name}`, { currencyID: currency }, toDecimal(cents));
