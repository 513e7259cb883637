import type { Cents } from '../../platform/money.ts';

export type InvoiceStatus = 'unpaid' | 'paid' | 'failed' | 'cancelled' | 'overdue' | 'refunded';

/** Everything of an invoice that paper shows. Days are yyyy-mm-dd in the time zone of the country. */
export type PrintedInvoice = {
  readonly number: number;
  readonly status: InvoiceStatus;
  readonly issuedOn: string;
  readonly dueDate: string;
  readonly paidOn: string | null;
  readonly buyer: { readonly name: string | null; readonly email: string | null };
  readonly referenceNumber: string | null;
  readonly currency: string;
  readonly lines: readonly PrintedLine[];
  readonly net: Cents;
  readonly vat: Cents;
  /** As the rate was on the day of issue, "24". */
  readonly vatPercent: string;
  readonly amount: Cents;
  readonly paymentLink: string | null;
};

/** The net is that of the whole line, not of one piece. */
export type PrintedLine = { readonly description: string; readonly quantity: number; readonly net: Cents };

const PAYABLE: readonly InvoiceStatus[] = ['unpaid', 'failed', 'overdue'];

/** Whether the buyer still has to pay, and so has to be told how. */
export function isPayable({ status }: PrintedInvoice): boolean {
  return PAYABLE.includes(status);
}
