import { Refused } from '../../operations/refusal.ts';
import type { Cents } from '../../platform/values/money.ts';
import { refusal } from '../refusals.ts';

/** What the provider tells of a payment. */
export type ProviderPayment = {
  readonly reference: string;
  /** What we called it: the number of the invoice, or `Ref:<number>, …` of a bulk invoice. */
  readonly orderReference: string;
  /** One of the provider's own names; there may be more of them than we know. */
  readonly state: string;
  readonly initialAmount: Cents;
  /** What of it has not been paid back. */
  readonly standingAmount: Cents;
  readonly accountName: string;
  /** Everything that was told, as it came. */
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

/** What a signed payment link carries. */
export type LinkOrder = {
  readonly invoiceNumber: number;
  readonly amount: Cents;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly customField1: string | null;
  readonly customField2: string | null;
  readonly referenceNumber: string | null;
};

/** Whoever takes the customers' money. Every call but `link` asks over the network. */
export type PaymentProvider = {
  /** The account that payments must have come to; it has one currency. */
  readonly accountName: string;
  /** Undefined where he does not know the reference. */
  payment(reference: string): Promise<ProviderPayment | undefined>;
  oneoff(order: OneoffOrder): Promise<Oneoff>;
  refund(order: RefundOrder): Promise<ProviderPayment>;
  link(order: LinkOrder): string;
};

/** No answer, or none that can be read: the same may be asked again later. */
export class ProviderUnavailable extends Refused {
  override name = 'ProviderUnavailable';
  constructor(message: string) {
    super(refusal('providerAway'));
    this.message = message;
  }
}

/** The provider has understood and does not do it. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly code: number | string;
  constructor(code: number | string, message: string) {
    super(message);
    this.code = code;
  }
}
