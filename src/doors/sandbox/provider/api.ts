import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { members } from '../body.ts';
import { ApiError, readOneoffOrder, readRefundOrder } from './orders.ts';
import { tellOf } from './pay.ts';
import { findPayment, isNonceUsed, orderOneoff, type Payment, refundPayment } from './payments.ts';
import { pageOf, SIMULATOR_PATH, type Simulator } from './simulator.ts';
import { refundableStates } from './states.ts';
import { onWire } from './wire.ts';

const SLOW_MS = 5_000;

/** The three calls of EveryPay's API that the registry uses. Only these run into faults. */
export function providerApi(app: FastifyInstance, simulator: Simulator): void {
  const { sql: db, clock, user, account, report } = simulator;
  const show = (payment: Payment) =>
    onWire(payment, { user, account, link: pageOf(simulator, payment.reference) });

  app.addHook('onRequest', (request, reply) => runIntoFault(simulator, request, reply));
  app.addHook('onRequest', async ({ headers }) => authenticate(headers.authorization, simulator));
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ApiError) return fail(reply, error);
    report(error);
    return fail(reply, new ApiError(500, 5000, 'Internal error'));
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
    // Whoever orders the refund may hold a lock until it is answered: the callback does not stand in the way.
    void tellOf(simulator, refunded, 'refunded').catch(report);
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
