import type { TProperties } from 'typebox';
import { initiators, statuses } from '../../billing/invoices/invoice.ts';
import { REFERENCE_NUMBER_RULE } from '../../billing/invoices/reference-numbers.ts';
import { Type } from '../http/schema-builder.ts';

export const MAX_TEXT_LENGTH = 2_000;
export const MAX_NAME_LENGTH = 255;

/** A non-empty text; surrounding space is trimmed. */
export const Text = (description: string, maxLength = MAX_TEXT_LENGTH) =>
  Type.String({ minLength: 1, maxLength, description });
/** A text that may be missing, null or empty. */
export const OptionalText = (description: string, maxLength = MAX_TEXT_LENGTH, options: object = {}) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, ...options }));
export const OptionalFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

const AMOUNT = { format: 'amount', 'x-expected': 'an amount such as 20.00' };
const NUMBER = { format: 'invoice-number', 'x-expected': 'an invoice number' };
/** A text or a number, read as a text. */
const TextOrNumber = (options: object) => Type.Unsafe<string>({ type: ['string', 'number'], ...options });

export const Amount = Type.String({ description: 'with VAT, above zero', ...AMOUNT });
export const AmountOrNumber = TextOrNumber({ description: 'with VAT, above zero', ...AMOUNT });
export const InvoiceNumber = Type.String({ description: 'number of the invoice', ...NUMBER });
export const InvoiceNumberOrNumber = TextOrNumber({ description: 'number of the invoice', ...NUMBER });
/**
 * Services use different names for the number of an invoice: `invoice_number` is required unless one of these is
 * present.
 */
export const numberedUnless = (first: string, ...others: readonly string[]) => {
  const has = (name: string) => ({ properties: { [name]: {} }, required: [name] });
  return {
    if: others.length === 0 ? has(first) : { anyOf: [first, ...others].map(has) },
    else: has('invoice_number'),
  };
};
export const OptionalSignedAmount = (description: string) =>
  Type.Optional(
    TextOrNumber({
      description,
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      format: 'signed-amount',
      'x-expected': 'an amount such as 20.00',
    }),
  );
export const OptionalCountry = OptionalText('ISO 3166-1 alpha-2', MAX_TEXT_LENGTH, {
  format: 'country',
  'x-expected': 'a country code such as EE',
});
export const ReferenceNumber = OptionalText('reference number of the payer', MAX_TEXT_LENGTH, {
  format: 'reference-number',
  'x-expected': REFERENCE_NUMBER_RULE,
});
export const OwnInitiator = 'the initiator of the token';

/** The schema of an answer; it has no other members. */
export const Answered = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object({ message: Type.String(), ...properties }, { additionalProperties: false, ...options });
export const Done = Answered({}, { 'x-component': 'Done' });
export const OneoffLink = Answered(
  { oneoff_redirect_link: Type.String({ description: 'payment page; send the payer there' }) },
  { 'x-component': 'OneoffLink' },
);

const orNull = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description });
const Money = Type.String({ pattern: '^-?\\d+\\.\\d{2}$' });
const Export = Type.Union([
  Type.Object(
    {
      state: Type.String(),
      requested_at: Type.String(),
      answered_at: orNull(),
      reason: orNull('why it was rejected'),
    },
    { additionalProperties: false, 'x-component': 'InvoiceExport' },
  ),
  Type.Null(),
]);

/** An invoice with its whole history. */
export const Invoice = Type.Object(
  {
    invoice_number: Type.Integer(),
    initiator: Type.Enum([...initiators]),
    kind: Type.Enum(['invoice', 'deposit', 'bulk', 'top-up']),
    status: Type.Enum([...statuses]),
    held: Type.Boolean({ description: 'whether a payment of it waits for a person' }),
    transaction_amount: Money,
    net: Money,
    vat: Money,
    vat_percent: Type.String(),
    currency: Type.String(),
    description: Type.String(),
    custom_field1: orNull(),
    customer_name: orNull(),
    customer_email: orNull(),
    reference_number: orNull(),
    issued_at: Type.String(),
    due_date: Type.String(),
    paid_at: orNull(),
    lines: Type.Array(
      Type.Object(
        { description: Type.String(), quantity: Type.Integer(), net: Money },
        { additionalProperties: false, 'x-component': 'InvoiceLine' },
      ),
    ),
    payments: Type.Array(
      Type.Object(
        {
          payment_reference: Type.String(),
          payment_state: orNull(),
          standing_amount: Type.Union([Money, Type.Null()]),
          booked_amount: Money,
          payment_link: orNull(),
        },
        { additionalProperties: false, 'x-component': 'Payment' },
      ),
    ),
    events: Type.Array(
      Type.Object(
        { payment_reference: Type.String(), event_name: orNull(), at: Type.String() },
        { additionalProperties: false, 'x-component': 'PaymentEvent' },
      ),
    ),
    accounting: Export,
    e_invoice: Export,
    changes: Type.Array(
      Type.Object(
        { id: Type.String(), from: orNull(), to: Type.String(), at: Type.String() },
        { additionalProperties: false, 'x-component': 'StatusChange' },
      ),
    ),
    linkpay_url: orNull('payment page, as long as the invoice can be paid by it'),
  },
  { additionalProperties: false, 'x-component': 'Invoice' },
);
