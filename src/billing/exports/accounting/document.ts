import { toDecimal } from '../../../platform/values/money.ts';
import { writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { InvoiceDocument } from '../documents.ts';
import { type PricedLine, pricedLines } from '../lines.ts';
import { vatCodeOf } from './vat-code.ts';

/** The invoices as the accounting service takes them: Directo's XML, sums and lines from our own books. */
export function accountingXml(invoices: readonly InvoiceDocument[], policy: Policy): Promise<string> {
  return writeXml(
    xml(
      'invoices',
      {},
      invoices.map((invoice) => invoiceOf(invoice, policy)),
    ),
  );
}

function invoiceOf(invoice: InvoiceDocument, policy: Policy): Xml {
  const { accounting } = policy.billing;
  const { buyer } = invoice;
  const country = buyer.country ?? policy.country;
  const attributes = {
    Number: String(invoice.number),
    InvoiceDate: invoice.issuedOn,
    PaymentTerm: accounting.paymentTerm,
    CustomerCode: buyer.customerCode ?? accounting.privateCustomer,
    CustomerName: buyer.name,
    Destination: country,
    VATregNo: buyer.vatNumber,
    Currency: invoice.currency,
    SalesAgent: accounting.salesAgent,
    TotalVAT: toDecimal(invoice.vat),
    TotalWoVAT: toDecimal(invoice.net),
    TransactionDate: invoice.paidOn,
  };
  return xml(
    'invoice',
    // The one attribute that may be empty: that is the seller's own language.
    { ...filled(attributes), Language: country === policy.country ? '' : 'ENG' },
    pricedLines(invoice).map((line, index) => lineOf(line, index + 1, invoice, policy)),
  );
}

function lineOf(line: PricedLine, place: number, { initiator, buyer }: InvoiceDocument, policy: Policy): Xml {
  const attributes = {
    RN: String(place),
    RR: String(place),
    ProductID: policy.billing.accounting.products[initiator],
    Quantity: String(line.quantity),
    ProductName: line.description,
    UnitPriceWoVAT: toDecimal(line.price),
    VATCode: vatCodeOf(buyer, policy),
  };
  return xml('line', filled(attributes));
}

const filled = (attributes: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, value || undefined]));
