import type { Static } from 'typebox';
import { exportToAccounting } from '../../billing/exports/accounting/export-to-accounting.ts';
import { exportAsEInvoice } from '../../billing/exports/einvoice/export-as-e-invoice.ts';
import type { ExportItem } from '../../billing/exports/request-exports.ts';
import type { Initiator } from '../../billing/invoices/invoice.ts';
import { perform } from '../http/perform.ts';
import type { Unfinished } from '../http/read-request.ts';
import { Type } from '../http/schema-builder.ts';
import { EInvoice, parseEInvoice } from './e-invoice.ts';
import {
  type BillingDependencies,
  type BillingEndpoint,
  checkInitiator,
  endpoint,
  parsed,
} from './endpoint.ts';
import { renderAccountingExport, renderEInvoice } from './render-results.ts';
import {
  Answered,
  InvoiceNumberOrNumber,
  MAX_NAME_LENGTH,
  numberedUnless,
  OptionalCountry,
  OptionalFlag,
  OptionalText,
  OwnInitiator,
} from './schemas.ts';

const MAX_INVOICES = 1_000;

const invoice = {
  number: Type.Optional(InvoiceNumberOrNumber),
  invoice_number: Type.Optional(InvoiceNumberOrNumber),
  customer: Type.Optional(
    Type.Object(
      {
        code: OptionalText('code of the customer in accounting', 32),
        name: OptionalText('name of the customer', MAX_NAME_LENGTH),
        destination: OptionalCountry,
        vat_reg_no: OptionalText('VAT number', 15),
      },
      { 'x-component': 'AccountingCustomer' },
    ),
  ),
};
const AccountingInvoice = Type.Object(
  {
    summary: Type.Optional(
      Type.Object(invoice, {
        ...numberedUnless('number'),
        description: 'around the invoice of a monthly summary',
      }),
    ),
    ...invoice,
  },
  { ...numberedUnless('number', 'summary'), 'x-component': 'AccountingInvoice' },
);
const Directo = Type.Object(
  {
    initiator: OptionalText(OwnInitiator),
    invoice_data: Type.Array(AccountingInvoice, { minItems: 1, maxItems: MAX_INVOICES }),
    dry: OptionalFlag('true answers with the document and sends nothing'),
  },
  { 'x-component': 'AccountingExport' },
);

/** Exports invoices as documents. Sums and lines come from our records; only the buyer is taken from the caller. */
export function exportEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const group = 'Documents for others';
  return [
    endpoint({
      group,
      id: 'exportToAccounting',
      method: 'POST',
      path: '/directo/directo',
      summary: 'Send invoices to the accounting service',
      status: 201,
      body: Directo,
      parse: parseDirecto,
      data: Answered({ xml: Type.Optional(Type.String({ description: 'only in a dry run' })) }),
      refusals: ['invoiceMissing', 'bulkInvoiceNamed', 'invoiceCancelled', 'otherVatDemanded'],
      example: {
        body: { invoice_data: [{ number: 150005, customer: { code: 'C1', destination: 'EE' } }] },
        data: { message: 'Invoice data received' },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderAccountingExport }, (keyed) =>
          exportToAccounting(billing, keyed, input),
        ),
    }),

    endpoint({
      group,
      id: 'exportAsEInvoice',
      method: 'POST',
      path: '/e_invoice/e_invoice',
      summary: 'Send an invoice to the operator of e-invoices',
      body: EInvoice,
      parse: parseEInvoice,
      data: Answered({ status: Type.Literal('created') }),
      refusals: [
        'invoiceMissing',
        'bulkInvoiceNamed',
        'invoiceCancelled',
        'buyerNumberMissing',
        'buyerNameMissing',
        'unfitForEInvoice',
      ],
      example: {
        body: { invoice: { number: 150005, buyer_name: 'Õnn OÜ', buyer_reg_no: '12345678' } },
        data: { message: 'Invoice data received', status: 'created' },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderEInvoice }, (keyed) => exportAsEInvoice(billing, keyed, input)),
    }),
  ];
}

function parseDirecto(body: Unfinished<Static<typeof Directo>>, { caller }: { readonly caller: Initiator }) {
  return parsed(
    { items: withoutDuplicates((body.invoice_data ?? []).map(readExportItem)), dry: body.dry ?? false },
    checkInitiator('initiator', body.initiator, caller),
  );
}

/** The sender of the monthly summary nests the entry in another object. */
function readExportItem(entry: Static<typeof AccountingInvoice>): ExportItem {
  const { number, invoice_number, customer } = entry.summary ?? entry;
  const buyer = {
    customerCode: customer?.code ?? null,
    name: customer?.name ?? null,
    country: customer?.destination?.toUpperCase() ?? null,
    vatNumber: customer?.vat_reg_no ?? null,
  };
  return { number: Number(number ?? invoice_number), details: { buyer } };
}

/** Removes duplicates, so that an invoice is exported once. */
const withoutDuplicates = (items: readonly ExportItem[]): ExportItem[] => [
  ...new Map(items.map((item) => [item.number, item])).values(),
];
