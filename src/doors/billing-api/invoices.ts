import type { Static } from 'typebox';
import { payInBulk } from '../../billing/invoices/bulk-payment.ts';
import { generateInvoice } from '../../billing/invoices/generate.ts';
import { statuses } from '../../billing/invoices/invoice.ts';
import { allocateNumber } from '../../billing/invoices/issue.ts';
import { setInvoiceStatus } from '../../billing/invoices/set-invoice-status.ts';
import { payOnce } from '../../billing/payments/payment-attempt.ts';
import { inTransaction } from '../../operations/in-transaction.ts';
import { runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { perform } from '../http/perform.ts';
import type { Unfinished } from '../http/read-request.ts';
import { Type } from '../http/schema-builder.ts';
import { positiveAmount } from './amounts.ts';
import {
  type BillingDependencies,
  type BillingEndpoint,
  checkInitiator,
  endpoint,
  parsed,
} from './endpoint.ts';
import {
  renderGenerated,
  renderInvoiceNumber,
  renderPayment,
  renderStatusUpdated,
} from './render-results.ts';
import {
  Amount,
  AmountOrNumber,
  Answered,
  Done,
  InvoiceNumber,
  InvoiceNumberOrNumber,
  MAX_NAME_LENGTH,
  OneoffLink,
  OptionalText,
  OwnInitiator,
  ReferenceNumber,
  Text,
} from './schemas.ts';

const RETURN = 'https://auction.example/done';
const LINK = 'https://pay.example/lp?invoice_number=150005&hmac=b0980e0d';

/** Fields shared by a bulk payment and a deposit. */
export const Payment = Type.Object(
  {
    custom_field2: Text(OwnInitiator),
    customer_url: Text('where the payer is sent back to, of an allowed origin'),
    description: Text('what is paid'),
    transaction_amount: Amount,
    reference_number: ReferenceNumber,
  },
  { 'x-component': 'PaymentRequest' },
);
export const paymentExample = {
  custom_field2: 'auction',
  customer_url: RETURN,
  description: '150005 150006',
  transaction_amount: '41.00',
};
export const linkExample = { message: 'Link created', oneoff_redirect_link: 'https://pay.example/p/8bd2' };

export const paymentOf = (body: Unfinished<Static<typeof Payment>>) => {
  const { amount, wrong } = positiveAmount(body.transaction_amount);
  const input = {
    customerUrl: body.customer_url ?? '',
    description: body.description ?? '',
    amount,
    referenceNumber: body.reference_number ?? null,
  };
  return { input, wrong };
};

/** invoice_generator, oneoff, bulk_payment, invoice_number_generator and invoice_status. */
export function invoiceEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const { database, policy } = billing;
  const group = 'Invoices';
  return [
    endpoint({
      group,
      id: 'generateInvoiceNumber',
      method: 'POST',
      path: '/invoice_generator/invoice_number_generator',
      summary: 'The lowest free invoice number, handed out to the caller',
      status: 201,
      data: Answered({ invoice_number: Type.Integer() }, { 'x-component': 'NewInvoiceNumber' }),
      refusals: ['noInvoiceNumber'],
      example: { data: { message: 'Number created; 150005', invoice_number: 150005 } },
      handle: async ({ context }) =>
        perform(context, { render: renderInvoiceNumber }, (keyed) => {
          const { initiator, now } = keyed;
          const transact = (db: Sql) => allocateNumber(db, 'regular', initiator, { policy, now });
          return runOperation(database, inTransaction({ transact }), keyed);
        }),
    }),

    endpoint({
      group,
      id: 'generateInvoice',
      method: 'POST',
      path: '/invoice_generator/invoice_generator',
      summary: 'Issue an invoice under a number of the caller, and a link to pay it',
      status: 201,
      body: Type.Object(
        {
          custom_field2: OptionalText(OwnInitiator),
          invoice_number: InvoiceNumberOrNumber,
          transaction_amount: AmountOrNumber,
          customer_name: OptionalText('name of the payer'),
          customer_email: OptionalText('e-mail address of the payer'),
          custom_field1: OptionalText('what the invoice is for'),
          reference_number: ReferenceNumber,
          reserved_domain_names: Type.Optional(
            Type.Array(Type.String({ maxLength: MAX_NAME_LENGTH }), {
              'x-expected': 'an array of strings',
              description: 'a line of the invoice for each',
            }),
          ),
        },
        { 'x-component': 'NewInvoice' },
      ),
      parse: (body, { caller }) => {
        const { amount, wrong } = positiveAmount(body.transaction_amount);
        return parsed(
          {
            invoiceNumber: Number(body.invoice_number),
            amount,
            customerName: body.customer_name ?? null,
            customerEmail: body.customer_email ?? null,
            customField1: body.custom_field1 ?? null,
            referenceNumber: body.reference_number ?? null,
            reservedDomainNames: body.reserved_domain_names ?? [],
          },
          checkInitiator('custom_field2', body.custom_field2, caller),
          wrong,
        );
      },
      data: Answered({ everypay_link: Type.String() }, { 'x-component': 'InvoiceLink' }),
      refusals: ['numberNotYours', 'issuedOverOther', 'invoiceHeld'],
      example: {
        body: { invoice_number: 150005, transaction_amount: '20.00', customer_name: 'Mari Maasikas' },
        data: { message: 'Link created', everypay_link: LINK },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderGenerated }, (keyed) => generateInvoice(billing, keyed, input)),
    }),

    endpoint({
      group,
      id: 'payOneoff',
      method: 'POST',
      path: '/invoice_generator/oneoff',
      summary: 'A link of its own to pay an invoice',
      status: 201,
      body: Type.Object(
        {
          custom_field2: OptionalText(OwnInitiator),
          invoice_number: InvoiceNumber,
          customer_url: Text('where the payer is sent back to, of an allowed origin'),
          reference_number: ReferenceNumber,
        },
        { 'x-component': 'OneoffRequest' },
      ),
      parse: (body, { caller }) =>
        parsed(
          {
            invoiceNumber: Number(body.invoice_number),
            customerUrl: body.customer_url ?? '',
            referenceNumber: body.reference_number ?? null,
          },
          checkInitiator('custom_field2', body.custom_field2, caller),
        ),
      data: OneoffLink,
      refusals: [
        'invoiceNotInternal',
        'invoiceNotPayable',
        'invoiceHeld',
        'returnNotAllowed',
        'paymentDeclined',
        'providerAway',
      ],
      example: { body: { invoice_number: '150005', customer_url: RETURN }, data: linkExample },
      handle: async ({ input, context }) =>
        perform(context, { render: renderPayment }, (keyed) => payOnce(billing, keyed, input)),
    }),

    endpoint({
      group,
      id: 'payInBulk',
      method: 'POST',
      path: '/invoice_generator/bulk_payment',
      summary: 'One payment for several invoices, whose numbers the description lists',
      status: 201,
      body: Payment,
      parse: (body, { caller }) => {
        const { input, wrong } = paymentOf(body);
        return parsed(input, checkInitiator('custom_field2', body.custom_field2, caller), wrong);
      },
      data: OneoffLink,
      refusals: [
        'returnNotAllowed',
        'notInvoiceNumber',
        'invoiceTwice',
        'tooManyInvoices',
        'bulkPartMissing',
        'bulkPartUnpayable',
        'sumDiffers',
        'paymentDeclined',
        'bulkPartHeld',
        'providerAway',
        'noInvoiceNumber',
      ],
      example: { body: paymentExample, data: linkExample },
      handle: async ({ input, context }) =>
        perform(context, { render: renderPayment }, (keyed) => payInBulk(billing, keyed, input)),
    }),

    endpoint({
      group,
      id: 'setInvoiceStatus',
      method: 'POST',
      path: '/invoice_generator/invoice_status',
      summary: 'Tell what became of an invoice elsewhere',
      body: Type.Object(
        { invoice_number: InvoiceNumberOrNumber, status: Type.Enum([...statuses]) },
        { 'x-component': 'InvoiceStatusChange' },
      ),
      parse: ({ invoice_number: number, status = 'unpaid' }) =>
        parsed({ invoiceNumber: Number(number), status }),
      data: Done,
      refusals: ['invoiceMissing', 'statusUnreachable', 'bulkPartSettled', 'refundUnderWay'],
      example: {
        body: { invoice_number: 150005, status: 'cancelled' },
        data: { message: 'Status updated' },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderStatusUpdated }, (keyed) => setInvoiceStatus(billing, keyed, input)),
    }),
  ];
}
