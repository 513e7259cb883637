import type { Cents } from '../../../platform/values/money.ts';
import { queryOf, readSignedLink, referenceIn, type SignedOrder } from './payment-link.ts';
import {
  eventOf,
  findPayment,
  type Outcome,
  type Payment,
  payByLink,
  payOneoff,
  standingIn,
} from './payments.ts';
import type { Simulator } from './simulator.ts';

/** The parameters of a simulated payment attempt. */
export type Attempt = {
  readonly outcome: Outcome;
  /** An amount other than the requested one, to test its handling. */
  readonly amount?: Cents | undefined;
  /** Whether the merchant gets a callback. */
  readonly callback: boolean;
};
export type Unpayable = 'unknown' | 'forged' | 'closed';

/** Pays by a link of either kind. */
export async function payLink(
  simulator: Simulator,
  link: string,
  attempt: Attempt,
): Promise<Payment | Unpayable> {
  const reference = referenceIn(link);
  if (reference !== undefined) return payReference(simulator, reference, attempt);
  const query = queryOf(link);
  if (!/(^|&)hmac=/.test(query)) return 'unknown';
  const order = readSignedLink(query, simulator);
  return order ? paySigned(simulator, order, attempt) : 'forged';
}

export async function payReference(
  simulator: Simulator,
  reference: string,
  attempt: Attempt,
): Promise<Payment | Unpayable> {
  const { sql: db, clock } = simulator;
  const found = await findPayment(db, reference);
  if (!found || found.customerUrl === null) return 'unknown';
  const move = outcomeOf(attempt, found.initialAmount);
  const paid = await payOneoff(db, reference, move, clock.now());
  return paid ? notified(simulator, paid, attempt) : 'closed';
}

export async function paySigned(
  simulator: Simulator,
  order: SignedOrder,
  attempt: Attempt,
): Promise<Payment | Unpayable> {
  const now = simulator.clock.now();
  const { orderReference, email, customerData, amount } = order;
  const paid = await payByLink(
    simulator.sql,
    {
      orderReference,
      email,
      customerData,
      ...outcomeOf(attempt, amount),
      customerUrl: null,
      customerIp: null,
      transactionTime: now,
    },
    now,
  );
  return paid ? notified(simulator, paid, attempt) : 'closed';
}

function outcomeOf({ outcome, amount }: Attempt, asked: Cents) {
  const initialAmount = amount ?? asked;
  return { state: outcome, initialAmount, standingAmount: standingIn(outcome, initialAmount) };
}

async function notified(simulator: Simulator, payment: Payment, { callback }: Attempt): Promise<Payment> {
  if (callback) await sendCallback(simulator, payment, eventOf(payment.state));
  return payment;
}

export function sendCallback(
  { callbacks, clock }: Simulator,
  { reference, orderReference }: Payment,
  eventName: string,
): Promise<void> {
  return callbacks.send({ paymentReference: reference, orderReference, eventName }, clock.now());
}
