import { textOfDay } from '../../platform/values/dates.ts';
import type { Policy, Seller } from '../../policy/policy.ts';
import { drawInTurn } from '../draw-in-turn.ts';
import type { PrintedInvoice } from './draw-invoice.ts';
import type { InvoiceView } from './invoice-view.ts';

/** The data of an invoice that the PDF shows. */
export function printed(
  invoice: InvoiceView,
  paymentLink: string | null,
  { timeZone }: Policy,
): PrintedInvoice {
  const { number, status, dueDate, referenceNumber, currency, vatPercent } = invoice;
  return {
    number,
    status,
    dueDate,
    referenceNumber,
    currency,
    vatPercent,
    paymentLink,
    issuedOn: textOfDay(timeZone, invoice.issuedAt),
    paidOn: invoice.paidAt && textOfDay(timeZone, invoice.paidAt),
    buyer: { name: invoice.buyerName, email: invoice.buyerEmail },
    lines: invoice.lines.map((line) => ({ ...line, net: BigInt(line.net) })),
    net: BigInt(invoice.net),
    vat: BigInt(invoice.vat),
    amount: BigInt(invoice.amount),
  };
}

/** The invoice on A4. The same invoice always gives the same bytes. */
export async function invoicePdf(invoice: PrintedInvoice, seller: Seller): Promise<Buffer> {
  // Imported lazily: pdfkit and its fonts would slow down the start of every command that prints nothing.
  const { drawInvoice } = await import('./draw-invoice.ts');
  return drawInTurn(invoice.buyer.name ?? '', () => drawInvoice(invoice, seller));
}
