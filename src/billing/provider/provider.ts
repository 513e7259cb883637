import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { Cents } from '../../platform/values/money.ts';
import { refusal } from '../billing-refusals.ts';

/** A payment as reported by the provider. */
export type ProviderPayment = {
  readonly reference: string;
  /** Our order reference: the invoice number, or `Ref:<number>, …` of a bulk invoice. */
  readonly orderReference: string;
  /** The provider's own state name; it may be one that we do not know. */
  readonly state: string;
  readonly initialAmount: Cents;
  /** The amount not refunded. */
  readonly standingAmount: Cents;
  readonly accountName: string;
  /** The complete answer as received. */
  readonly answer: Readonly<Record<string, unknown>>;
};

export type OneoffOrder = {
  readonly amount: Cents;
  readonly orderReference: string;
  readonly customerUrl: string;
  readonly referenceNumber: string | null;
};
export type Oneoff = { readonly reference: string; readonly link: string; readonly state: string };

export type RefundOrder = {
  readonly reference: string;
  readonly amount: Cents;
  /** The same at every attempt. */
  readonly nonce: string;
};

/** The content of a signed payment link. */
export type LinkOrder = {
  readonly invoiceNumber: number;
  readonly amount: Cents;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly customField1: string | null;
  readonly customField2: string | null;
  readonly referenceNumber: string | null;
};

/** The payment provider. Every call but `link` uses the network. */
export type PaymentProvider = {
  /** The account that payments must be made to; it has one currency. */
  readonly accountName: string;
  /** Undefined where the provider does not know the reference. */
  payment(reference: string): Promise<ProviderPayment | undefined>;
  oneoff(order: OneoffOrder): Promise<Oneoff>;
  refund(order: RefundOrder): Promise<ProviderPayment>;
  link(order: LinkOrder): string;
};

/** No answer or an unreadable one: the request may be retried later. */
export class ProviderUnavailable extends Refused {
  override name = 'ProviderUnavailable';
  constructor(message: string, reason: Refusal = refusal('providerAway')) {
    super(reason);
    this.message = message;
  }
}

/** The provider understood the request and refused it. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly code: number | string;
  constructor(code: number | string, message: string) {
    super(message);
    this.code = code;
  }
}
