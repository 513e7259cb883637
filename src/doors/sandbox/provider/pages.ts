import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendOn, sendPage, sendPageThatLeadsAway } from '../../pages/answer.ts';
import { type Bill, billPage, isClosed, type Notice, noticePage, receiptPage } from './page.ts';
import { payReference, paySigned } from './pay.ts';
import { queryOf, readSignedLink, type SignedOrder } from './payment-link.ts';
import { findPaid, findPayment, type Payment } from './payments.ts';
import { SIMULATOR_PATH, type Simulator } from './simulator.ts';

const FORM = 'application/x-www-form-urlencoded';
/** Room for one field, many times over. */
const BODY_LIMIT = 4_096;
/** Payers come by links of shops and portals. */
const OPTIONS = { exposeHeadRoute: true, config: { linkedFromElsewhere: true } };
/** What the buttons say; a bank that takes its time is for scripts. */
const buttons = ['settled', 'failed', 'abandoned'] as const;

/** Where people pay. Opening a page decides nothing; one of its buttons does. */
export function paymentPages(app: FastifyInstance, simulator: Simulator): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, text, parsed) =>
    parsed(null, new URLSearchParams(String(text))),
  );
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return say(reply, 'notUnderstood', error.statusCode);
    simulator.report(error);
    return say(reply, 'fault', 500);
  });
  // With no-referrer a browser would hide from us, too, that our own page sent the form: its Origin would be null.
  app.addHook('onSend', async (_request, reply) => void reply.header('referrer-policy', 'same-origin'));
  signedLinkPage(app, simulator);
  oneoffPage(app, simulator);
}

function signedLinkPage(app: FastifyInstance, simulator: Simulator): void {
  const { sql: db } = simulator;
  const path = `${SIMULATOR_PATH}/lp`;
  const orderOf = ({ originalUrl }: FastifyRequest) => readSignedLink(queryOf(originalUrl), simulator);

  app.get(path, OPTIONS, async (request, reply) => {
    const order = orderOf(request);
    if (!order) return say(reply, 'forged', 403);
    const paid = await findPaid(db, order.orderReference);
    const bill = signedBill(order);
    return sendPage(reply, paid ? receiptPage(paid, bill, simulator) : billPage(bill, simulator));
  });

  app.post(path, async (request, reply) => {
    const order = orderOf(request);
    if (!order) return say(reply, 'forged', 403);
    const outcome = outcomeOf(request);
    if (!outcome) return say(reply, 'notUnderstood', 400);
    const payment = await paySigned(simulator, order, { outcome, callback: true });
    // A link that was paid in another window tells so when it is opened again.
    return sendOn(reply, typeof payment === 'string' ? request.originalUrl : `receipt/${payment.reference}`);
  });

  app.get(`${SIMULATOR_PATH}/receipt/:reference`, OPTIONS, async (request, reply) => {
    const payment = await findPayment(db, referenceOf(request));
    if (!payment || payment.customerUrl !== null) return say(reply, 'unknown', 404);
    return sendPage(reply, receiptPage(payment, billOf(payment), simulator));
  });
}

function oneoffPage(app: FastifyInstance, simulator: Simulator): void {
  const { sql: db } = simulator;
  const path = `${SIMULATOR_PATH}/pay/:reference`;

  app.get(path, OPTIONS, async (request, reply) => {
    const payment = await findPayment(db, referenceOf(request));
    if (!payment || payment.customerUrl === null) return say(reply, 'unknown', 404);
    const bill = billOf(payment);
    if (isClosed(payment)) return sendPage(reply, receiptPage(payment, bill, simulator, wayBack(payment)));
    return sendPageThatLeadsAway(reply, billPage(bill, simulator, payment));
  });

  app.post(path, async (request, reply) => {
    const outcome = outcomeOf(request);
    if (!outcome) return say(reply, 'notUnderstood', 400);
    const payment = await payReference(simulator, referenceOf(request), { outcome, callback: true });
    if (payment === 'unknown') return say(reply, 'unknown', 404);
    return sendOn(reply, typeof payment === 'string' ? request.originalUrl : (wayBack(payment) ?? '/'));
  });
}

const say = (reply: FastifyReply, notice: Notice, status: number): FastifyReply =>
  sendPage(reply.code(status), noticePage(notice));

const referenceOf = ({ params }: FastifyRequest): string => (params as { reference: string }).reference;

/** Exactly one, or none: of two nobody knows which was meant. */
function outcomeOf({ body }: FastifyRequest): (typeof buttons)[number] | undefined {
  const [outcome, ...others] = body instanceof URLSearchParams ? body.getAll('outcome') : [];
  return others.length > 0 ? undefined : buttons.find((known) => known === outcome);
}

const signedBill = ({ invoiceNumber, amount, customerData }: SignedOrder): Bill => ({
  invoice: invoiceNumber,
  amount,
  payer: customerData.customer_name,
});
const billOf = ({ orderReference, initialAmount, customerData }: Payment): Bill => ({
  invoice: orderReference,
  amount: initialAmount,
  payer: customerData?.customer_name,
});

/** The merchant's page, which is told what this is about. */
function wayBack({ customerUrl, reference, orderReference }: Payment): string | undefined {
  if (customerUrl === null) return undefined;
  const url = new URL(customerUrl);
  url.searchParams.append('payment_reference', reference);
  url.searchParams.append('order_reference', orderReference);
  return url.href;
}
