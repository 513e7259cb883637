import type { Cents } from '../../platform/values/money.ts';

export const statuses = ['unpaid', 'paid', 'failed', 'cancelled', 'overdue', 'refunded'] as const;
export type Status = (typeof statuses)[number];
export type InvoiceKind = 'invoice' | 'deposit' | 'bulk' | 'top-up';

/** An invoice as the decision functions see it. */
export type Invoice = {
  readonly number: number;
  readonly initiator: Initiator;
  readonly kind: InvoiceKind;
  readonly status: Status;
  readonly currency: string;
  /** With VAT. */
  readonly amount: Cents;
  readonly net: Cents;
  readonly description: string;
  readonly customField: string | null;
  readonly registrarId: number | null;
  readonly depositDomain: string | null;
  readonly depositUser: string | null;
  readonly depositEmail: string | null;
  /** The payment that paid it. */
  readonly paidBy: string | null;
};

const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  unpaid: ['paid', 'failed', 'cancelled', 'overdue'],
  failed: ['unpaid', 'paid', 'cancelled'],
  overdue: ['unpaid', 'paid', 'cancelled'],
  paid: ['refunded'],
  cancelled: [],
  refunded: [],
};

export const canBecome = (from: Status, to: Status): boolean => NEXT[from].includes(to);
export const isPayable = ({ status }: { readonly status: Status }): boolean => canBecome(status, 'paid');
/** While a payment of it is held nobody is asked to pay a second time. */
export const isPayableByLink = (invoice: { readonly status: Status; readonly held: boolean }): boolean =>
  isPayable(invoice) && !invoice.held;

/** The services that issue invoices through us. */
export const initiators = ['registry', 'auction', 'eeid', 'business_registry'] as const;
export type Initiator = (typeof initiators)[number];

export const isInitiator = (text: unknown): text is Initiator => initiators.some((known) => known === text);
