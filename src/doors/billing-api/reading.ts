import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Billing } from '../../billing/context.ts';
import type { ExportTarget } from '../../billing/exports/target.ts';
import { readUbl } from '../../billing/exports/ubl/read.ts';
import type { Initiator } from '../../billing/initiators.ts';
import { isPayable } from '../../billing/invoices/invoice.ts';
import { paymentLink } from '../../billing/invoices/link.ts';
import { invoicePdf } from '../../billing/invoices/pdf.ts';
import { printed } from '../../billing/invoices/print.ts';
import { type InvoiceView, readInvoice } from '../../billing/invoices/read.ts';
import { refuse } from '../../billing/refusals.ts';
import { toDecimal } from '../../platform/money.ts';
import { readInvoiceNumber } from './fields.ts';

type Parts = { readonly billing: Billing; readonly initiatorOf: (request: FastifyRequest) => Initiator };

/** GET invoices/:invoice_number, as data, as a document to print, and as one that programs read. */
export function readingRoutes(app: FastifyInstance, { billing, initiatorOf }: Parts): void {
  const find = async (request: FastifyRequest): Promise<InvoiceView> => {
    const { invoice_number: text } = request.params as { invoice_number: string };
    const number = readInvoiceNumber(text);
    const found =
      number === undefined
        ? undefined
        : await readInvoice(billing.database.reads, number, { initiator: initiatorOf(request) });
    return found ?? refuse('invoiceMissing', { number: text.slice(0, 20) });
  };

  app.get('/invoices/:invoice_number', async (request) => {
    const invoice = await find(request);
    return { ...invoiceMembers(invoice), ...(await linkOf(invoice, billing)) };
  });

  app.get('/invoices/:invoice_number/pdf', async (request, reply) => {
    const invoice = await find(request);
    const { linkpay_url: link } = await linkOf(invoice, billing);
    const bytes = await invoicePdf(printed(invoice, link, billing.policy), billing.policy.billing.seller);
    return attached(reply, 'application/pdf', `invoice-${invoice.number}.pdf`).send(bytes);
  });

  app.get('/invoices/:invoice_number/ubl', async (request, reply) => {
    const { number } = await find(request);
    const document = await readUbl(billing.database.reads, number, billing.policy);
    return attached(reply, 'application/xml; charset=utf-8', `invoice-${number}.xml`).send(document);
  });
}

/** A document of its own media type. */
const attached = (reply: FastifyReply, type: string, name: string): FastifyReply =>
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`);

/** The link as long as it can be paid by it. */
async function linkOf(
  invoice: InvoiceView,
  { database, provider }: Billing,
): Promise<{ linkpay_url: string | null }> {
  const payable = isPayable(invoice) && invoice.kind !== 'bulk';
  return { linkpay_url: payable ? await paymentLink(database.reads, provider, invoice.number) : null };
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
      payment_link: link,
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

/** What became of it at one of the services that get invoices as documents; null where it was never sent. */
function exportMembers({ exports }: InvoiceView, target: ExportTarget) {
  const found = exports.find((item) => item.target === target);
  if (!found) return null;
  const { state, requestedAt, answeredAt, reason } = found;
  return { state, requested_at: requestedAt, answered_at: answeredAt, reason };
}

const decimal = (cents: string): string => toDecimal(BigInt(cents));
