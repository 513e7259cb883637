import type { FastifyInstance, FastifyReply } from 'fastify';
import { readAmount } from '../../../billing/provider/everypay.ts';
import { members, sendBadRequest } from '../read-json.ts';
import { payLink, sendCallback, type Unpayable } from './pay.ts';
import { eventOf, findPayment, movePayment, outcomes, type Payment, standingIn } from './payments.ts';
import { SIMULATOR_PATH, type Simulator } from './simulator.ts';

const PAY =
  `Give {"link": a linkpay_url or a payment_link, "outcome": ${outcomes.map((outcome) => `"${outcome}"`).join(' or ')}, ` +
  '"amount": optional, another amount above zero such as "20.00", "callback": true or false, true unless given}.';
const MOVE =
  'Give {"payment_state": a state such as "settled", "event_name": optional, "callback": true or false, true unless given, ' +
  '"standing_amount": optional, from 0 to the amount of the payment}.';
const UNPAYABLE: Readonly<Record<Unpayable, readonly [status: number, sentence: string]>> = {
  unknown: [404, 'The link leads to no payment of this provider.'],
  forged: [400, 'The signature of the link is wrong.'],
  closed: [400, 'The link is paid or abandoned; nothing more can be paid with it.'],
};
/** Any word: providers may add states and events. */
const WORD = /^[a-z0-9_]{1,64}$/;

/** Script calls that replace a payer at the payment page, and later changes of a payment. */
export function scriptCalls(app: FastifyInstance, simulator: Simulator): void {
  app.post(`${SIMULATOR_PATH}/pay`, async (request, reply) => {
    const { link, outcome: requested, amount: given, callback = true } = members(request);
    const outcome = outcomes.find((known) => known === requested);
    const amount = isMissing(given) ? undefined : (readAmount(given) ?? 0n);
    if (typeof link !== 'string' || !outcome || amount === 0n || typeof callback !== 'boolean')
      return sendBadRequest(reply, PAY);
    const paid = await payLink(simulator, link, { outcome, amount, callback });
    if (typeof paid === 'string') return unpayable(reply, paid);
    return brief(paid);
  });

  app.post(`${SIMULATOR_PATH}/payments/:reference/state`, async (request, reply) => {
    const {
      payment_state: state,
      event_name: event,
      callback = true,
      standing_amount: left,
    } = members(request);
    const { sql: db, clock } = simulator;
    const found = await findPayment(db, (request.params as { reference: string }).reference);
    if (!found) return reply.code(404).send({ error: 'There is no such payment.' });
    const { reference, initialAmount } = found;
    if (!isWord(state) || !(isMissing(event) || isWord(event)) || typeof callback !== 'boolean')
      return sendBadRequest(reply, MOVE);
    const standingAmount = isMissing(left) ? standingIn(state, initialAmount) : readAmount(left);
    if (standingAmount === undefined || standingAmount > initialAmount) return sendBadRequest(reply, MOVE);
    const moved = await movePayment(db, reference, { state, initialAmount, standingAmount }, clock.now());
    if (moved && callback) await sendCallback(simulator, moved, isMissing(event) ? eventOf(state) : event);
    return brief(moved ?? found);
  });
}

const brief = ({ reference, state }: Payment) => ({ payment_reference: reference, payment_state: state });
const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null;
const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

function unpayable(reply: FastifyReply, reason: Unpayable): FastifyReply {
  const [status, error] = UNPAYABLE[reason];
  return reply.code(status).send({ error });
}
