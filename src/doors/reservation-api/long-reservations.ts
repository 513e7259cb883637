import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invoicePdf } from '../../billing/invoices/pdf.ts';
import { printed } from '../../billing/invoices/print.ts';
import { readInvoice } from '../../billing/invoices/read.ts';
import { reserveLong } from '../../reservations/long.ts';
import { type LongStatus, longStatus } from '../../reservations/long-status.ts';
import { refuse } from '../../reservations/refusals.ts';
import { readCustomerName, readInvoiceQuery, readNames, readOwnReservation } from './fields.ts';
import type { Ground } from './route.ts';

const PENDING = 'Domains are in pending status. Need to pay for domains.';

/** What the portal can show as it is. */
export const statusMessages: Readonly<Record<LongStatus['status'], string>> = {
  paid: 'Domains are reserved',
  pending: 'Waiting for the payment',
  unpaid: 'The invoice was not paid by its due date',
  failed: 'The payment failed',
  error: 'The payment has to be looked at by a person',
  cancelled: 'The invoice is cancelled',
};

/** long_reserve_domains: names for a year, against an invoice. */
export function longReservationRoutes(app: FastifyInstance, { parts, make, find }: Ground): void {
  const { database, policy } = parts;
  app.post(
    '/long_reserve_domains',
    make(async (body, keyed) => {
      const input = { names: readNames(body, policy), userUniqueId: readOwnReservation(body) };
      const { answer, replayed } = await reserveLong(parts, input, keyed);
      return { answer: { message: PENDING, ...answer }, replayed };
    }),
  );

  const findOrder = (request: FastifyRequest) => {
    const asked = readInvoiceQuery(request.query);
    const look = async () => {
      const status = asked && (await longStatus(parts, asked.invoiceNumber, asked.userUniqueId));
      return status && { number: asked.invoiceNumber, status };
    };
    return find(request, look, { otherwise: 'reservationInvoiceMissing' });
  };

  app.get('/long_reserve_domains_status', async (request) => toAnswer((await findOrder(request)).status));

  app.get('/reserved_domains_invoice_pdf', async (request, reply) => {
    const customerName = readCustomerName(request.query);
    const { number } = await findOrder(request);
    const invoice = await readInvoice(database.reads, number);
    if (invoice?.status !== 'paid') return refuse('invoiceNotPaid');
    const onPaper = printed({ ...invoice, buyerName: customerName ?? invoice.buyerName }, null, policy);
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="invoice-${number}.pdf"`)
      .send(await invoicePdf(onPaper, policy.billing.seller));
  });
}

/** The link is told again for as long as it can be paid by. */
function toAnswer(found: LongStatus): object {
  const { status } = found;
  const message = statusMessages[status];
  if (found.status === 'paid') return { status, message, reserved_domains: found.entries };
  const { names, linkpayUrl } = found;
  return { status, message, names, ...(linkpayUrl !== null && { linkpay_url: linkpayUrl }) };
}
