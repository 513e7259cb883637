import { readUbl } from '../../billing/exports/ubl.ts';
import { usableLink } from '../../billing/invoices/generate.ts';
import { statuses } from '../../billing/invoices/invoice.ts';
import {
  type InvoiceView,
  listOfRegistrar,
  type RegistrarInvoice,
  readInvoice,
} from '../../billing/invoices/invoice-view.ts';
import { lineTexts } from '../../billing/invoices/line-texts.ts';
import { orderTopUp, parseTopUp } from '../../billing/invoices/order-top-up.ts';
import { invoicePdf, printed } from '../../billing/invoices/print-invoice.ts';
import type { PaymentProvider } from '../../billing/provider/provider.ts';
import type { Parsed } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { authorOf } from '../../registry/history/read-history.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import type { Context } from '../../registry/operation.ts';
import { runRegistryTransaction } from '../../registry/run-registry-operation.ts';
import { Document } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, perform, positionIn } from './answers.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { refuse } from './registrar-api-refusals.ts';
import { INVOICE_NAMES } from './render-refusals.ts';
import { renderTopUp } from './render-results.ts';
import { Changed, DEFAULT_LIMIT, Money, paging, Strict, Text } from './schemas.ts';

type Dependencies = {
  readonly database: Database;
  readonly policy: Policy;
  readonly provider: PaymentProvider;
};

const Issued = Type.Object(
  {
    invoice_number: Type.Optional(Type.Integer({ description: 'none in a dry run' })),
    amount: Money,
    vat: Money,
    total: Money,
    due_date: Type.String(),
    payment_link: Type.Optional(Type.String({ description: 'none in a dry run' })),
  },
  { additionalProperties: false, 'x-component': 'IssuedInvoice' },
);
const Listed = Type.Object(
  {
    invoice_number: Type.Integer(),
    status: Type.Enum([...statuses]),
    amount: Money,
    vat: Money,
    total: Money,
    due_date: Type.String(),
    created_at: Type.String(),
  },
  { 'x-component': 'InvoiceSummary' },
);
const Whole = Type.Object(
  {
    ...Listed.properties,
    currency: Type.String(),
    reference_number: Type.Union([Type.String(), Type.Null()]),
    payment_link: Type.Union([Type.String(), Type.Null()]),
    lines: Type.Array(Type.Object({ description: Type.String(), quantity: Type.Integer(), amount: Money })),
    payments: Type.Array(
      Type.Object({
        payment_reference: Type.String(),
        payment_state: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  },
  { 'x-component': 'Invoice' },
);

export function invoiceEndpoints({ database, policy, provider }: Dependencies): RegistrarEndpoint[] {
  const find = async (
    { invoice_number: text }: { readonly invoice_number: string },
    { principal }: Context,
  ): Promise<InvoiceView> => {
    const found = /^[1-9]\d{0,14}$/.test(text)
      ? await readInvoice(database.reads, Number(text), { registrarId: principal.registrarId })
      : undefined;
    return found ?? refuse('objectMissing');
  };
  const linkOf = (invoice: InvoiceView): Promise<string | null> =>
    usableLink(database.reads, provider, invoice);

  return [
    endpoint({
      id: 'addCredit',
      names: INVOICE_NAMES,
      method: 'POST',
      path: '/invoices/add_credit',
      group: 'Billing',
      summary: 'Issues an invoice by which the account is topped up; VAT is added to the amount',
      right: 'money',
      body: Strict({
        invoice: Strict({ amount: Text('what the account gains, such as 100.00') }),
      }),
      parse: (body): Parsed<Cents> => parseTopUp(body.invoice?.amount, policy),
      data: Changed({ invoice: Issued }),
      refusals: ['outOfRange', 'noInvoiceNumber', 'providerAway', 'providerMissing'],
      example: {
        body: { invoice: { amount: '100.00' } },
        data: { invoice: { invoice_number: 150005, ...EXAMPLE, payment_link: 'https://pay.example/lp?…' } },
      },
      handle: async ({ input: net, context }) => {
        const { registrarId } = context.principal;
        const { actor, idempotencyKey } = authorOf(context);
        const order = { ...context, registrarId, actor, idempotencyKey, net };
        return perform(context, renderTopUp, (keyed) =>
          runRegistryTransaction(database, keyed, (db) => orderTopUp(db, { policy, provider }, order)),
        );
      },
    }),
    endpoint({
      id: 'listInvoices',
      method: 'GET',
      path: '/invoices',
      group: 'Billing',
      summary: "The registrar's invoices, newest first",
      right: 'money',
      query: Strict({ ...paging }),
      data: Type.Object(
        { invoices: Type.Array(Listed), count: Type.Integer() },
        { additionalProperties: false },
      ),
      refusals: ['outOfRange'],
      example: { query: { limit: 10 }, data: { invoices: [LISTED], count: 1 } },
      async handle({ query, context }) {
        const { limit = DEFAULT_LIMIT, offset = 0 } = query;
        const before = positionIn(query.after, 'text')?.id;
        const { count, invoices, more } = await inListTurn(database, context.principal, (sql) =>
          listOfRegistrar(sql, context.principal.registrarId, { limit, offset, before }),
        );
        const last = more ? invoices.at(-1) : undefined;
        return {
          data: { invoices: invoices.map(listed), count },
          headers: nextPage('/invoices', { limit }, last && { key: '', id: last.number }),
        };
      },
    }),
    endpoint({
      id: 'readInvoice',
      method: 'GET',
      path: '/invoices/:invoice_number',
      group: 'Billing',
      summary: 'One invoice, with the link to pay it as long as it can be paid',
      right: 'money',
      data: Type.Object({ invoice: Whole }, { additionalProperties: false }),
      refusals: ['objectMissing'],
      example: {
        params: { invoice_number: '150005' },
        data: {
          invoice: {
            ...LISTED,
            currency: 'EUR',
            reference_number: '7734230',
            payment_link: 'https://pay.example/lp?…',
            lines: [{ description: lineTexts.prepayment('ALPHA'), quantity: 1, amount: '100.00' }],
            payments: [],
          },
        },
      },
      async handle({ params, context }) {
        const invoice = await find(params, context);
        return { data: { invoice: whole(invoice, await linkOf(invoice)) } };
      },
    }),
    endpoint({
      id: 'readInvoicePdf',
      method: 'GET',
      path: '/invoices/:invoice_number/pdf',
      group: 'Billing',
      summary: 'The invoice as a document to print',
      right: 'money',
      document: 'application/pdf',
      data: Type.String({ format: 'binary' }),
      refusals: ['objectMissing'],
      example: { params: { invoice_number: '150005' }, data: {} },
      async handle({ params, context }) {
        const invoice = await find(params, context);
        const bytes = await invoicePdf(
          printed(invoice, await linkOf(invoice), policy),
          policy.billing.seller,
        );
        return { data: new Document('application/pdf', `invoice-${invoice.number}.pdf`, bytes) };
      },
    }),
    endpoint({
      id: 'readInvoiceUbl',
      method: 'GET',
      path: '/invoices/:invoice_number/ubl',
      group: 'Billing',
      summary: 'The invoice by the European standard EN 16931, in UBL 2.1',
      right: 'money',
      document: 'application/xml',
      data: Type.String(),
      refusals: ['objectMissing'],
      example: { params: { invoice_number: '150005' }, data: {} },
      async handle({ params, context }) {
        const { number } = await find(params, context);
        const document = await readUbl(database.reads, number, policy);
        return {
          data: new Document('application/xml', `invoice-${number}.xml`, Buffer.from(document ?? '')),
        };
      },
    }),
  ];
}

const EXAMPLE = { amount: '100.00', vat: '24.00', total: '124.00', due_date: '2026-12-15' };
const LISTED = {
  invoice_number: 150005,
  status: 'unpaid',
  ...EXAMPLE,
  created_at: '2026-11-15T10:00:00.000+02:00',
};

const decimal = (cents: string): string => toDecimal(BigInt(cents));

const listed = ({ number, status, net, vat, amount, dueDate, createdAt }: RegistrarInvoice) => ({
  invoice_number: number,
  status,
  amount: decimal(net),
  vat: decimal(vat),
  total: decimal(amount),
  due_date: dueDate,
  created_at: createdAt,
});

const whole = (invoice: InvoiceView, link: string | null) => ({
  ...listed(invoice),
  currency: invoice.currency,
  reference_number: invoice.referenceNumber,
  payment_link: link,
  lines: invoice.lines.map(({ description, quantity, net }) => ({
    description,
    quantity,
    amount: decimal(net),
  })),
  payments: invoice.payments.map(({ reference, state }) => ({
    payment_reference: reference,
    payment_state: state,
  })),
});
