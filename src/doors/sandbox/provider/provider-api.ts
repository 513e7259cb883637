import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { classifyDatabaseError } from '../../../platform/database/database-errors.ts';
import { toDecimal } from '../../../platform/values/money.ts';
import { members } from '../read-json.ts';
import { ApiError, readOneoffOrder, readRefundOrder } from './orders.ts';
import { sendCallback } from './pay.ts';
import {
  findPayment,
  isNonceUsed,
  orderOneoff,
  type Payment,
  refundableStates,
  refundPayment,
} from './payments.ts';
import { pageOf, SIMULATOR_PATH, type Simulator } from './simulator.ts';

const SLOW_MS = 5_000;

/** The three calls of EveryPay's API that the registry uses. Only these are subject to faults. */
export function providerApi(app: FastifyInstance, simulator: Simulator): void {
  const { sql: db, clock, user, account, report } = simulator;
  const show = (payment: Payment) =>
    onWire(payment, { user, account, link: pageOf(simulator, payment.reference) });

  app.addHook('onRequest', (request, reply) => runIntoFault(simulator, request, reply));
  app.addHook('onRequest', async ({ headers }) => authenticate(headers.authorization, simulator));
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ApiError) return fail(reply, error);
    report(error);
    if (classifyDatabaseError(error) === undefined)
      return fail(reply, new ApiError(500, 5000, 'Internal error'));
    return fail(reply.header('retry-after', '1'), new ApiError(503, 5003, 'Service unavailable'));
  });

  app.post(`${SIMULATOR_PATH}/payments/oneoff`, async (request, reply) => {
    const { nonce, payment } = readOneoffOrder(members(request), simulator);
    const ordered = await orderOneoff(db, nonce, payment, clock.now());
    if (!ordered) throw usedNonce();
    return reply.code(201).send(show(ordered));
  });

  app.get(`${SIMULATOR_PATH}/payments/:reference`, async (request) => {
    const { api_username: username } = request.query as { api_username?: unknown };
    if (username !== user) throw new ApiError(403, 4002, 'api_username is not the one of the credentials');
    const found = await findPayment(db, (request.params as { reference: string }).reference);
    return show(found ?? unknownPayment());
  });

  app.post(`${SIMULATOR_PATH}/payments/refund`, async (request) => {
    const order = readRefundOrder(members(request), simulator);
    const refunded = await refundPayment(db, order, clock.now());
    if (!refunded) throw await whyNotRefunded(simulator, order);
    // The client may hold a lock until the refund is answered, so the answer does not wait for the callback.
    void sendCallback(simulator, refunded, 'refunded').catch(report);
    return show(refunded);
  });
}

async function runIntoFault(
  { faults }: Simulator,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const fault = faults.next('provider');
  if (fault === 'slow') await sleep(SLOW_MS);
  if (fault === 'error') throw new ApiError(500, 5000, 'Internal error (a fault of the sandbox)');
  if (fault !== 'down') return;
  reply.hijack();
  request.raw.socket.destroy();
}

function authenticate(authorization: string | undefined, { user, secret }: Simulator): void {
  const expected = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  if (!timingSafeEqual(digest(authorization ?? ''), digest(expected)))
    throw new ApiError(401, 4001, 'Invalid credentials');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

async function whyNotRefunded(
  { sql: db }: Simulator,
  order: { reference: string; nonce: string },
): Promise<ApiError> {
  if (await isNonceUsed(db, order.nonce)) return usedNonce();
  const payment = (await findPayment(db, order.reference)) ?? unknownPayment();
  return refundableStates.includes(payment.state)
    ? new ApiError(422, 4036, 'amount is more than the standing amount')
    : new ApiError(422, 4037, `a payment in the state ${payment.state} cannot be refunded`);
}

function unknownPayment(): never {
  throw new ApiError(404, 4004, 'there is no such payment');
}
const usedNonce = () => new ApiError(422, 4998, 'nonce was used before');

const fail = (reply: FastifyReply, { status, code, message }: ApiError): FastifyReply =>
  reply.code(status).send({ error: { code, message } });

/** A payment as the API represents it. Open banking is the only method here. */
function onWire(payment: Payment, { user, account, link }: { user: string; account: string; link: string }) {
  const { reference, state } = payment;
  const begun = state !== 'initial';
  return {
    account_name: account,
    order_reference: payment.orderReference,
    email: payment.email,
    customer_ip: payment.customerIp,
    customer_url: payment.customerUrl,
    payment_created_at: payment.createdAt.toISOString(),
    initial_amount: Number(toDecimal(payment.initialAmount)),
    standing_amount: Number(toDecimal(payment.standingAmount)),
    payment_reference: reference,
    payment_link: payment.customerUrl === null ? null : link,
    payment_methods: [
      { source: METHOD, display_name: 'LHV', country_code: 'EE', payment_link: link, logo_url: null },
    ],
    api_username: user,
    warnings: {},
    processing_error: state === 'failed' ? { code: 1002, message: 'The payer or the bank declined.' } : null,
    stan: null,
    fraud_score: null,
    payment_state: state,
    payment_method: begun ? METHOD : null,
    trace_id: reference.slice(0, 32),
    ob_details: begun ? openBanking(payment) : null,
    transaction_time: payment.transactionTime?.toISOString() ?? null,
    acquiring_completed_at: null,
    sca_exemption: null,
    ...(payment.customerData && { linkpay_customer_data: payment.customerData }),
  };
}

const METHOD = 'lhv_ob_ee';
const BANK_STATES: Readonly<Record<string, string>> = {
  failed: 'RJCT',
  abandoned: 'CANC',
  voided: 'CANC',
  waiting_for_sca: 'RCVD',
  sent_for_processing: 'PDNG',
};

const openBanking = ({ reference, state }: Payment) => ({
  debtor_iban: 'EE471000001020145685',
  creditor_iban: 'EE382200221020145685',
  ob_payment_reference: reference.slice(0, 16),
  ob_payment_state: BANK_STATES[state] ?? 'ACSC',
});
