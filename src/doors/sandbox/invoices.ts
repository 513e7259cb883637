import type { FastifyInstance } from 'fastify';
import type { InvoiceView } from '../../billing/invoices/invoice-view.ts';
import { toDecimal } from '../../platform/values/money.ts';

export type InvoicePowers = {
  /** Waits a moment for what the provider is being asked, then reads. */
  readonly invoice: (number: number) => Promise<InvoiceView | undefined>;
};

/** What became of an invoice, whoever issued it. */
export function invoiceRoutes(app: FastifyInstance, { invoice: find }: InvoicePowers): void {
  app.get('/sandbox/invoices/:invoice_number', async (request, reply) => {
    const { invoice_number: text } = request.params as { invoice_number: string };
    const invoice = /^[1-9]\d{0,14}$/.test(text) ? await find(Number(text)) : undefined;
    if (!invoice) return reply.code(404).send({ error: 'There is no such invoice.' });
    const { number, initiator, status, amount, held, payments, events } = invoice;
    return {
      invoice_number: number,
      ...{ initiator, status, amount: toDecimal(BigInt(amount)), held },
      payments: payments.map(({ reference, state }) => ({
        payment_reference: reference,
        payment_state: state,
      })),
      events: events.map(({ name, at }) => ({ event_name: name, at })),
    };
  });
}
