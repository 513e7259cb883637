import type { Caller } from '../../billing/context.ts';
import type { ExportTarget } from '../../billing/exports/export-outcome.ts';
import { readUbl } from '../../billing/exports/ubl.ts';
import { usableLink } from '../../billing/invoices/generate.ts';
import { type InvoiceView, readInvoice } from '../../billing/invoices/invoice-view.ts';
import { invoicePdf, printed } from '../../billing/invoices/print-invoice.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { Document } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { readInvoiceNumber } from './amounts.ts';
import { refuse } from './billing-api-refusals.ts';
import { type BillingDependencies, type BillingEndpoint, endpoint } from './endpoint.ts';
import { invoiceExample } from './examples.ts';
import { Invoice } from './schemas.ts';

type Numbered = { readonly invoice_number: string };

/** Maximum length of an invalid number that is echoed in a refusal. */
const MAX_SHOWN_NUMBER = 20;

/** GET invoices/:invoice_number as JSON, as a printable document and as an e-invoice. */
export function invoiceReadingEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const { database, policy, provider } = billing;
  const find = async ({ invoice_number: text }: Numbered, { initiator }: Caller): Promise<InvoiceView> => {
    const number = readInvoiceNumber(text);
    const found = number === undefined ? undefined : await readInvoice(database.reads, number, { initiator });
    return found ?? refuse('invoiceMissing', { number: text.slice(0, MAX_SHOWN_NUMBER) });
  };
  const group = 'Invoices';
  const params = { invoice_number: '150005' };
  return [
    endpoint({
      group,
      id: 'readServiceInvoice',
      method: 'GET',
      path: '/invoices/:invoice_number',
      summary: 'One invoice, with its payments and everything that happened to it',
      data: Invoice,
      refusals: ['invoiceMissing'],
      example: { params, data: invoiceExample },
      handle: async ({ params: path, context }) => {
        const invoice = await find(path, context);
        const link = await usableLink(database.reads, provider, invoice);
        return { data: { ...invoiceMembers(invoice), linkpay_url: link } };
      },
    }),

    endpoint({
      group,
      id: 'readServiceInvoicePdf',
      method: 'GET',
      path: '/invoices/:invoice_number/pdf',
      summary: 'The invoice as a document to print',
      document: 'application/pdf',
      data: Type.String({ contentMediaType: 'application/pdf' }),
      refusals: ['invoiceMissing'],
      example: { params, data: {} },
      handle: async ({ params: path, context }) => {
        const invoice = await find(path, context);
        const link = await usableLink(database.reads, provider, invoice);
        const bytes = await invoicePdf(printed(invoice, link, policy), policy.billing.seller);
        return { data: new Document('application/pdf', `invoice-${invoice.number}.pdf`, bytes) };
      },
    }),

    endpoint({
      group,
      id: 'readServiceInvoiceUbl',
      method: 'GET',
      path: '/invoices/:invoice_number/ubl',
      summary: 'The invoice by the European standard EN 16931, in UBL 2.1',
      document: 'application/xml',
      data: Type.String(),
      refusals: ['invoiceMissing', 'bulkHasNoDocument'],
      example: { params, data: {} },
      handle: async ({ params: path, context }) => {
        const { number } = await find(path, context);
        const xml = await readUbl(database.reads, number, policy);
        return {
          data: new Document(
            'application/xml; charset=utf-8',
            `invoice-${number}.xml`,
            Buffer.from(xml ?? ''),
          ),
        };
      },
    }),
  ];
}

function invoiceMembers(invoice: InvoiceView) {
  return {
    invoice_number: invoice.number,
    initiator: invoice.initiator,
    kind: invoice.kind,
    status: invoice.status,
    held: invoice.held,
    transaction_amount: decimal(invoice.amount),
    net: decimal(invoice.net),
    vat: decimal(invoice.vat),
    vat_percent: invoice.vatPercent,
    currency: invoice.currency,
    description: invoice.description,
    custom_field1: invoice.customField,
    customer_name: invoice.buyerName,
    customer_email: invoice.buyerEmail,
    reference_number: invoice.referenceNumber,
    issued_at: invoice.issuedAt.toISOString(),
    due_date: invoice.dueDate,
    paid_at: invoice.paidAt?.toISOString() ?? null,
    lines: invoice.lines.map(({ description, quantity, net }) => ({
      description,
      quantity,
      net: decimal(net),
    })),
    payments: invoice.payments.map(({ reference, state, standing, booked, link }) => ({
      payment_reference: reference,
      payment_state: state,
      standing_amount: standing === null ? null : decimal(standing),
      booked_amount: decimal(booked),
      payment_link: invoice.held ? null : link,
    })),
    events: invoice.events.map(({ reference, name, at }) => ({
      payment_reference: reference,
      event_name: name,
      at,
    })),
    accounting: exportMembers(invoice, 'accounting'),
    e_invoice: exportMembers(invoice, 'einvoice'),
    changes: invoice.changes.map(({ id, from, to, at }) => ({ id, from, to, at })),
  };
}

/** The outcome of the export to one of the document services; null if it was never sent. */
function exportMembers({ exports }: InvoiceView, target: ExportTarget) {
  const found = exports.find((item) => item.target === target);
  if (!found) return null;
  const { state, requestedAt, answeredAt, reason } = found;
  return { state, requested_at: requestedAt, answered_at: answeredAt, reason };
}

const decimal = (cents: string): string => toDecimal(BigInt(cents));
