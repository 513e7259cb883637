import type { Cents } from '../../platform/values/money.ts';
import type { Status } from './invoice.ts';

/** Everything of an invoice that paper shows. Days are yyyy-mm-dd in the time zone of the country. */
export type PrintedInvoice = {
  readonly number: number;
  readonly status: Status;
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
