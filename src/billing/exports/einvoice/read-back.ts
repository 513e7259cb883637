import { type Cents, parseDecimal } from '../../../platform/values/money.ts';
import { childAt, readXml, textAt, type Xml } from '../../../platform/values/xml.ts';
import { sum } from '../../payments/decide.ts';
import type { ReadBack } from '../accounting/read-back.ts';

/** The invoice of an e-invoice, from nothing but the document. */
export async function readEInvoiceXml(text: string): Promise<ReadBack> {
  const invoice = childAt(await readXml(text), 'Invoice');
  const sums = childAt(invoice, 'InvoiceSumGroup');
  const items = childAt(invoice, 'InvoiceItem', 'InvoiceItemGroup')?.children ?? [];
  const net = sum(items.map((item) => cents(item, 'ItemSum')));
  const vat = sum(items.map((item) => cents(item, 'VAT', 'VATSum')));
  const total = cents(sums, 'TotalSum');
  const number = Number(invoice?.attributes.invoiceId);
  if (net !== cents(sums, 'InvoiceSum') || vat !== cents(sums, 'TotalVATSum') || net + vat !== total)
    throw new Error(`the items of ${number} come to another sum`);
  return { number, net, vat, total, currency: textAt(sums, 'Currency') ?? '' };
}

/** Amounts have two or four digits behind the point; the last two of four are none. */
function cents(element: Xml | undefined, ...path: readonly string[]): Cents {
  const text = textAt(element, ...path) ?? '';
  const read = parseDecimal(text.replace(/^(-?\d+\.\d\d)00$/, '$1'));
  if (read === undefined) throw new Error(`${text} is no amount`);
  return read;
}
