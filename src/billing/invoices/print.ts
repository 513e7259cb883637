import { textOfDay } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PrintedInvoice } from './printed.ts';
import type { InvoiceView } from './read.ts';

/** An invoice as paper shows it. */
export function printed(
  invoice: InvoiceView,
  paymentLink: string | null,
  { timeZone }: Policy,
): PrintedInvoice {
  const { number, status, dueDate, referenceNumber, currency, vatPercent } = invoice;
  return {
    ...{ number, status, dueDate, referenceNumber, currency, vatPercent, paymentLink },
    issuedOn: textOfDay(timeZone, invoice.issuedAt),
    paidOn: invoice.paidAt && textOfDay(timeZone, invoice.paidAt),
    buyer: { name: invoice.buyerName, email: invoice.buyerEmail },
    lines: invoice.lines.map((line) => ({ ...line, net: BigInt(line.net) })),
    net: BigInt(invoice.net),
    vat: BigInt(invoice.vat),
    amount: BigInt(invoice.amount),
  };
}
