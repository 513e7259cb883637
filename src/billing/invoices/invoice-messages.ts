import { parseAmount, toDecimal } from '../../platform/values/money.ts';
import type { Delivery } from '../deliveries/document-deliveries.ts';
import type { Invoice, Status } from './invoice.ts';

export type InvoiceChange = {
  readonly id: string;
  readonly invoice: Invoice;
  readonly to: Status;
  readonly at: Date;
  readonly payment?:
    | {
        readonly reference: string;
        readonly state: string;
        /** The provider's answer; some fields are passed on. */
        readonly answer: Readonly<Record<string, unknown>>;
      }
    | undefined;
};

/** Fields of the provider's answer that services receive: nothing about cards. */
const FORWARDED_FIELDS = [
  'account_name',
  'order_reference',
  'payment_created_at',
  'initial_amount',
  'standing_amount',
  'payment_method',
  'transaction_time',
] as const;
const AMOUNTS: ReadonlySet<string> = new Set(['initial_amount', 'standing_amount']);

/** The provider sends amounts as numbers; here, as everywhere, money is text. */
function forwarded(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const textOf = (value: unknown) => {
    const cents = parseAmount(String(value ?? ''));
    return cents === undefined ? null : toDecimal(cents);
  };
  return Object.fromEntries(
    FORWARDED_FIELDS.map((name) => [name, AMOUNTS.has(name) ? textOf(answer[name]) : (answer[name] ?? null)]),
  );
}

/** The message to the service that issued an invoice. The registry runs in this process and gets none. */
export function invoiceMessages({ id, invoice, to, at, payment }: InvoiceChange): Delivery[] {
  if (invoice.initiator === 'registry') return [];
  const { number, initiator, status, amount, currency, description, customField } = invoice;
  const body = {
    id,
    invoice_number: number,
    initiator,
    status: to,
    previous_status: status,
    changed_at: at.toISOString(),
    transaction_amount: toDecimal(amount),
    currency,
    description: invoice.depositDomain === null ? description : 'deposit',
    custom_field1: customField,
    payment_reference: payment?.reference ?? null,
    payment_state: payment?.state ?? null,
    ...(payment && forwarded(payment.answer)),
    ...(invoice.kind === 'bulk' && {
      invoice_number_collection: description.split(' ').map((item) => ({ number: item })),
    }),
    ...(invoice.depositDomain !== null && {
      domain_name: invoice.depositDomain,
      user_uuid: invoice.depositUser,
      user_email: invoice.depositEmail,
      affiliation: 1,
    }),
  };
  return [
    {
      id,
      target: `service:${initiator}`,
      kind: invoice.kind === 'deposit' ? 'deposit' : 'invoice',
      invoiceNumber: number,
      body: JSON.stringify(body),
    },
  ];
}
