import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Cents, toDecimal } from '../../../platform/values/money.ts';
import { acceptForms, fieldOf } from '../../html/accept-forms.ts';
import { type Html, type HtmlValue, html, page } from '../../html/layout.ts';
import { redirectTo, sendPage, sendPageWithExternalForm } from '../../html/page-answer.ts';
import { type PageFailure, pageFailureOf, RETRY_SECONDS } from '../../pages/page-failure.ts';
import { payReference, paySigned } from './pay.ts';
import { queryOf, readSignedLink, type SignedOrder } from './payment-link.ts';
import { closedStates, findPaid, findPayment, type Payment, paidStates } from './payments.ts';
import { SIMULATOR_PATH, type Simulator } from './simulator.ts';

/** Many times the size of the one field. */
const BODY_LIMIT = 4_096;
/** Payers arrive by links of shops and portals. */
const OPTIONS = { exposeHeadRoute: true, config: { linkedFromElsewhere: true } };
/** Outcomes offered as buttons; that of a delayed bank is for scripts only. */
const buttons = ['settled', 'failed', 'abandoned'] as const;

/** Payment pages for people. Opening a page changes nothing; one of its buttons does. */
export function paymentPages(app: FastifyInstance, simulator: Simulator): void {
  acceptForms(app, BODY_LIMIT);
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const { notice, status } = pageFailureOf(error);
    if (status >= 500) simulator.report(error);
    if (status === 503) reply.header('retry-after', String(RETRY_SECONDS));
    return say(reply, notice, status);
  });
  // With no-referrer a browser would send a null Origin with our own form.
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
    // A link that was paid in another window shows so when it is opened again.
    return redirectTo(
      reply,
      typeof payment === 'string' ? request.originalUrl : `receipt/${payment.reference}`,
    );
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
    if (isClosed(payment)) return sendPage(reply, receiptPage(payment, bill, simulator, returnUrl(payment)));
    return sendPageWithExternalForm(reply, billPage(bill, simulator, payment));
  });

  app.post(path, async (request, reply) => {
    const outcome = outcomeOf(request);
    if (!outcome) return say(reply, 'notUnderstood', 400);
    const payment = await payReference(simulator, referenceOf(request), { outcome, callback: true });
    if (payment === 'unknown') return say(reply, 'unknown', 404);
    return redirectTo(reply, typeof payment === 'string' ? request.originalUrl : (returnUrl(payment) ?? '/'));
  });
}

const say = (reply: FastifyReply, notice: Notice, status: number): FastifyReply =>
  sendPage(reply.code(status), noticePage(notice));

const referenceOf = ({ params }: FastifyRequest): string => (params as { reference: string }).reference;

/** Exactly one outcome, or none: several are ambiguous. */
function outcomeOf(request: FastifyRequest): (typeof buttons)[number] | undefined {
  const outcome = fieldOf(request, 'outcome');
  return buttons.find((known) => known === outcome);
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

/** The merchant's return URL with the references of the payment. */
function returnUrl({ customerUrl, reference, orderReference }: Payment): string | undefined {
  if (customerUrl === null) return undefined;
  const url = new URL(customerUrl);
  url.searchParams.append('payment_reference', reference);
  url.searchParams.append('order_reference', orderReference);
  return url.href;
}

/** What is to be paid, by either kind of link. */
export type Bill = { readonly invoice: string; readonly amount: Cents; readonly payer?: string | undefined };
export type Notice = 'forged' | 'unknown' | PageFailure['notice'];

const NOTICES: Readonly<Record<Notice, readonly [heading: string, advice: string]>> = {
  forged: [
    'This payment link is not valid',
    'Its signature is wrong: it was changed on its way, or it was not made by the payee. Nothing was paid. Ask the payee for a new link.',
  ],
  unknown: [
    'There is nothing to pay here',
    'The link is incomplete, or the sandbox was reset since it was made.',
  ],
  notUnderstood: ['The form was not understood', 'Nothing was paid. Go back and press one of the buttons.'],
  unavailable: [
    'The payment provider is not available',
    'Its database is away. Whether it was paid is told by the link itself: open it again in a minute.',
  ],
  fault: ['Something went wrong', 'Whether it was paid is told by the link itself: open it again.'],
};

/** The amount and the payee, with a button for every outcome. */
function billPage(bill: Bill, simulator: Simulator, last?: Payment): string {
  const amount = inWords(bill.amount, simulator);
  return framed(
    `Pay ${amount}`,
    html`${last?.state === 'failed' && outcome('failed', 'The last attempt was declined.', 'Nothing was paid. You can try again.')}
${facts(bill, simulator)}
<form class="decision" method="post">
<button class="confirm" name="outcome" value="settled">Pay ${amount}</button>
<button name="outcome" value="failed">Decline</button>
<button name="outcome" value="abandoned">Abandon</button>
</form>
<p class="quiet">The payment provider of the sandbox: no money moves. “Decline” is what a bank does that refuses, “Abandon” what happens to a payment that nobody finishes.</p>`,
  );
}

/** The outcome of a payment, with a link back if there is one. */
function receiptPage(payment: Payment, bill: Bill, simulator: Simulator, back?: string): string {
  const [kind, happened, meaning] = receiptOf(payment.state);
  return framed(
    happened,
    html`${outcome(kind, `State of the payment: ${payment.state}`, meaning)}
${facts(bill, simulator, payment)}
${back !== undefined && html`<p><a href="${back}" rel="noreferrer">Back to where you came from</a></p>`}`,
  );
}

function noticePage(notice: Notice): string {
  const [heading, advice] = NOTICES[notice];
  return framed(heading, html`<p class="lead">${advice}</p>`);
}

const isClosed = ({ state }: Payment): boolean => closedStates.includes(state);

function receiptOf(state: string): readonly [kind: string, happened: string, meaning: string] {
  if (state === 'settled') return ['confirmed', 'The invoice is paid', 'Nothing more is to be done.'];
  if (paidStates.includes(state))
    return ['lapsed', 'The invoice was paid', 'The money went back since, in part or in whole.'];
  if (state === 'failed')
    return ['failed', 'The payment was declined', 'Nothing was paid. The same link can be tried again.'];
  if (closedStates.includes(state)) return ['failed', 'The payment was abandoned', 'Nothing was paid.'];
  return ['lapsed', 'The payment is under way', 'The bank has not confirmed it yet.'];
}

const inWords = (amount: Cents, { currency }: Simulator): string => `${toDecimal(amount)} ${currency}`;

function facts({ invoice, amount, payer }: Bill, simulator: Simulator, payment?: Payment): Html {
  const rows: readonly (readonly [string, HtmlValue])[] = [
    ['Payee', html`<bdi>${simulator.payee}</bdi>`],
    ['Invoice', html`<bdi>${invoice}</bdi>`],
    ['Amount', inWords(payment?.initialAmount ?? amount, simulator)],
    ['Payer', payer !== undefined && payer !== '' && html`<bdi>${payer}</bdi>`],
    ['Payment reference', payment && html`<code>${payment.reference}</code>`],
  ];
  const shown = rows.filter(([, value]) => value !== false && value !== undefined);
  return html`<dl class="asked">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

const outcome = (kind: string, happened: string, meaning: string): Html =>
  html`<div class="outcome ${kind}"><p>${happened}</p><p>${meaning}</p></div>`;

const framed = (heading: string, body: Html): string =>
  page({
    title: `${heading} · Payment provider of the sandbox`,
    lang: 'en',
    badge: 'Sandbox',
    body: html`<h1 class="names">${heading}</h1>\n${body}`,
  });
