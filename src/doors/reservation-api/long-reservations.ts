import type { Static } from 'typebox';
import { readInvoice } from '../../billing/invoices/invoice-view.ts';
import { invoicePdf, printed } from '../../billing/invoices/print-invoice.ts';
import type { Parsed } from '../../operations/refusal.ts';
import { type LongInput, reserveLong } from '../../reservations/reserve-long.ts';
import { type LongStatus, longStatus } from '../../reservations/reserve-long-status.ts';
import { Document } from '../http/http-answer.ts';
import { perform } from '../http/perform.ts';
import type { Unfinished } from '../http/read-request.ts';
import {
  endpoint,
  type ReservationApi,
  type ReservationApiDependencies,
  type ReservationEndpoint,
  refusalsByField,
} from './endpoint.ts';
import { HELD_NAME, INVOICE_NUMBER, NAME, USER_UNIQUE_ID } from './examples.ts';
import { renderEntry, renderOrder } from './render-results.ts';
import { refusal, refuse } from './reservation-api-refusals.ts';
import { isUserUniqueId, parseNames } from './reservations.ts';
import {
  InvoiceQuery,
  type LongBody,
  LongStatusAnswer,
  longBody,
  Ordered,
  Pdf,
  PrintQuery,
} from './schemas.ts';

const PENDING = 'Domains are in pending status. Need to pay for domains.';
const FORM_OF_NUMBER = /^[1-9]\d{0,14}$/;

/** Texts that the portal can show unchanged. */
const statusMessages: Readonly<Record<LongStatus['status'], string>> = {
  paid: 'Domains are reserved',
  pending: 'Waiting for the payment',
  unpaid: 'The invoice was not paid by its due date',
  failed: 'The payment failed',
  error: 'The payment has to be looked at by a person',
  cancelled: 'The invoice is cancelled',
};

/** long_reserve_domains: reserves names against an invoice. */
export function longReservationEndpoints({
  reservations,
  access,
}: ReservationApiDependencies): ReservationEndpoint[] {
  const { database, policy } = reservations;
  const group = 'Paid reservations';
  const byInvoice = { invoice_number: String(INVOICE_NUMBER), user_unique_id: USER_UNIQUE_ID };

  /** The paid reservation that a query identifies by its number and its id. */
  const findOrder = (query: Static<typeof InvoiceQuery>, { caller }: ReservationApi['context']) => {
    const { invoice_number: text, user_unique_id: id } = query;
    const number = FORM_OF_NUMBER.test(text) && isUserUniqueId(id) ? Number(text) : undefined;
    const lookup = async () => {
      const status = number === undefined ? undefined : await longStatus(reservations, number, id);
      return status && number !== undefined ? { number, status } : undefined;
    };
    return access.find(caller, lookup, { otherwise: 'reservationInvoiceMissing' });
  };

  return [
    endpoint({
      group,
      id: 'orderReservation',
      method: 'POST',
      path: '/long_reserve_domains',
      summary: `An invoice for reserving names, ${yearsFromPayment(policy.reservations.paidYears)}; nothing is held until it is paid`,
      status: 201,
      body: longBody(policy),
      refusalOf: refusalsByField({ user_unique_id: 'invalidUserUniqueId' }, 'invalidDomainNames'),
      parse: parseOrder,
      data: Ordered,
      refusals: [
        'invalidDomainNames',
        'invalidUserUniqueId',
        'tooManyNames',
        'noneAvailable',
        'providerAway',
        'noInvoiceNumber',
      ],
      example: {
        body: { domain_names: [NAME] },
        data: {
          message: PENDING,
          invoice_number: INVOICE_NUMBER,
          user_unique_id: USER_UNIQUE_ID,
          available_domains: [NAME],
          linkpay_url: 'https://pay.example/lp?invoice_number=150005&hmac=b0980e0d',
        },
      },
      handle: async ({ input, context }) => {
        const { data, isReplay } = await perform(context, { render: renderOrder }, (keyed) =>
          reserveLong(reservations, input, keyed),
        );
        return { data: { message: PENDING, ...data }, isReplay };
      },
    }),

    endpoint({
      group,
      id: 'readOrder',
      method: 'GET',
      path: '/long_reserve_domains_status',
      summary: 'Whether the invoice is paid and, if so, the codes',
      query: InvoiceQuery,
      refusalOf: refusalsByField({}, 'invalidInvoiceQuery'),
      data: LongStatusAnswer,
      refusals: ['invalidInvoiceQuery', 'reservationInvoiceMissing'],
      example: {
        query: byInvoice,
        data: {
          status: 'paid',
          message: statusMessages.paid,
          reserved_domains: [{ ...HELD_NAME, status: 'reserved' }],
        },
      },
      handle: async ({ query, context }) => ({ data: toAnswer((await findOrder(query, context)).status) }),
    }),

    endpoint({
      group,
      id: 'printInvoice',
      method: 'GET',
      path: '/reserved_domains_invoice_pdf',
      summary: 'The paid invoice as a document',
      query: PrintQuery,
      refusalOf: refusalsByField({ customer_name: 'invalidCustomerName' }, 'invalidInvoiceQuery'),
      document: 'application/pdf',
      data: Pdf,
      refusals: ['invalidInvoiceQuery', 'invalidCustomerName', 'reservationInvoiceMissing', 'invoiceNotPaid'],
      example: { query: byInvoice, data: {} },
      handle: async ({ query, context }) => {
        const { number } = await findOrder(query, context);
        const invoice = await readInvoice(database.reads, number);
        if (invoice?.status !== 'paid') return refuse('invoiceNotPaid');
        const buyerName = query.customer_name?.trim() || invoice.buyerName;
        const bytes = await invoicePdf(
          printed({ ...invoice, buyerName }, null, policy),
          policy.billing.seller,
        );
        return { data: new Document('application/pdf', `invoice-${number}.pdf`, bytes) };
      },
    }),
  ];
}

const yearsFromPayment = (years: number): string =>
  years === 1 ? 'for a year from the payment' : `for ${years} years from the payment`;

/** The id of the free reservation to take over may be missing, null or empty. */
function parseOrder(body: Unfinished<Static<LongBody>>): Parsed<LongInput> {
  const names = parseNames(body);
  const id = body.user_unique_id || undefined;
  const isWrong = id !== undefined && !isUserUniqueId(id);
  return 'value' in names && !isWrong
    ? { value: { names: names.value, userUniqueId: id } }
    : {
        refusals: [
          ...('refusals' in names ? names.refusals : []),
          ...(isWrong ? [refusal('invalidUserUniqueId', { field: 'user_unique_id' })] : []),
        ],
      };
}

/** Includes the payment link as long as it can be used. */
function toAnswer(found: LongStatus): object {
  const { status } = found;
  const message = statusMessages[status];
  if (found.status === 'paid') return { status, message, reserved_domains: found.entries.map(renderEntry) };
  const { names, linkpayUrl } = found;
  return { status, message, names, ...(linkpayUrl !== null && { linkpay_url: linkpayUrl }) };
}
