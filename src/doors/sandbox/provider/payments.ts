import { randomBytes } from 'node:crypto';
import type { Pool } from '../../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../../platform/sql/statement.ts';
import type { Cents } from '../../../platform/values/money.ts';

export type Payment = {
  readonly reference: string;
  readonly orderReference: string;
  readonly state: string;
  readonly initialAmount: Cents;
  readonly standingAmount: Cents;
  /** Null for a payment by a signed link. */
  readonly customerUrl: string | null;
  readonly customerIp: string | null;
  readonly email: string | null;
  readonly customerData: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly transactionTime: Date | null;
};
export type NewPayment = Omit<Payment, 'reference' | 'createdAt'>;
export type Move = {
  readonly state: string;
  readonly initialAmount: Cents;
  readonly standingAmount: Cents;
};

type Row = Omit<Payment, 'initialAmount' | 'standingAmount'> & {
  initialAmount: string;
  standingAmount: string;
};

const columns = (): Fragment => sql`
  payment_reference as reference, order_reference as "orderReference", payment_state as state,
  initial_amount::text as "initialAmount", standing_amount::text as "standingAmount", customer_url as "customerUrl",
  customer_ip as "customerIp", email, linkpay_customer_data as "customerData", created_at as "createdAt",
  transaction_time as "transactionTime"`;

const read = ([row]: readonly Row[]): Payment | undefined =>
  row && { ...row, initialAmount: BigInt(row.initialAmount), standingAmount: BigInt(row.standingAmount) };

export async function findPayment(db: Pool, reference: string): Promise<Payment | undefined> {
  return read(
    await db.rows(
      sql<Row>`select ${columns()} from provider_simulator.payments where payment_reference = ${reference}`,
    ),
  );
}

/** Undefined if the nonce was used before. */
export async function orderOneoff(
  db: Pool,
  nonce: string,
  payment: NewPayment,
  now: Date,
): Promise<Payment | undefined> {
  return insert(
    db,
    payment,
    now,
    sql`(insert into provider_simulator.nonces (nonce) values (${nonce}) on conflict do nothing returning nonce)`,
  );
}

/** A signed link creates a payment at each attempt until one succeeds; undefined after that. */
export async function payByLink(db: Pool, payment: NewPayment, now: Date): Promise<Payment | undefined> {
  return insert(
    db,
    payment,
    now,
    sql`(select 1 where not exists (
      select from provider_simulator.payments
      where order_reference = ${payment.orderReference} and customer_url is null and payment_state = any(${paidStates}::text[])))`,
  );
}

async function insert(db: Pool, payment: NewPayment, now: Date, allowed: Fragment) {
  const reference = randomBytes(32).toString('hex');
  const { orderReference, state, initialAmount, standingAmount, customerUrl, customerIp, email } = payment;
  return read(
    await db.rows(sql<Row>`
      with allowed as ${allowed}
      insert into provider_simulator.payments (payment_reference, order_reference, payment_state, initial_amount,
        standing_amount, customer_url, customer_ip, email, linkpay_customer_data, created_at, transaction_time)
      select ${reference}, ${orderReference}, ${state}, ${String(initialAmount)}::bigint, ${String(standingAmount)}::bigint,
        ${customerUrl}::text, ${customerIp}::text, ${email}::text, ${payment.customerData && JSON.stringify(payment.customerData)}::text::jsonb,
        ${now}::timestamptz, ${payment.transactionTime}::timestamptz
      from allowed returning ${columns()}`),
  );
}

/** The successful payment of a signed link. */
export async function findPaid(db: Pool, orderReference: string): Promise<Payment | undefined> {
  return read(
    await db.rows(sql<Row>`
      select ${columns()} from provider_simulator.payments
      where order_reference = ${orderReference} and customer_url is null and payment_state = any(${paidStates}::text[])
      order by created_at limit 1`),
  );
}

/** A payer's attempt at a one-off payment; undefined if it can no longer be paid. */
export async function payOneoff(
  db: Pool,
  reference: string,
  move: Move,
  now: Date,
): Promise<Payment | undefined> {
  return update(db, reference, move, now, sql`payment_state <> all(${closedStates}::text[])`);
}

/** Sets any state that a script requests: our rules must not depend on the order of a provider's states. */
export async function movePayment(
  db: Pool,
  reference: string,
  move: Move,
  now: Date,
): Promise<Payment | undefined> {
  return update(db, reference, move, now, sql`true`);
}

async function update(db: Pool, reference: string, move: Move, now: Date, allowed: Fragment) {
  const { state, initialAmount, standingAmount } = move;
  return read(
    await db.rows(sql<Row>`
      update provider_simulator.payments set payment_state = ${state}, initial_amount = ${String(initialAmount)}::bigint,
        standing_amount = ${String(standingAmount)}::bigint, transaction_time = ${now}
      where payment_reference = ${reference} and ${allowed} returning ${columns()}`),
  );
}

/** A nonce is consumed only by a refund that succeeds, so it can be repeated until then. */
export async function refundPayment(
  db: Pool,
  { reference, amount, nonce }: { reference: string; amount: Cents; nonce: string },
  now: Date,
): Promise<Payment | undefined> {
  return read(
    await db.rows(sql<Row>`
      with payment as (
        select from provider_simulator.payments
        where payment_reference = ${reference} and payment_state = any(${refundableStates}::text[])
          and standing_amount >= ${String(amount)}::bigint for update),
      fresh as (
        insert into provider_simulator.nonces (nonce) select ${nonce} from payment on conflict do nothing returning nonce)
      update provider_simulator.payments set payment_state = 'refunded', transaction_time = ${now},
        standing_amount = standing_amount - ${String(amount)}::bigint
      from fresh where payment_reference = ${reference} returning ${columns()}`),
  );
}

export async function isNonceUsed(db: Pool, nonce: string): Promise<boolean> {
  const row = await db.maybe(sql`select from provider_simulator.nonces where nonce = ${nonce}`);
  return row !== undefined;
}

/** Outcomes that a payer, or a script, can choose at the payment page. */
export const outcomes = ['settled', 'failed', 'abandoned', 'waiting_for_sca'] as const;
export type Outcome = (typeof outcomes)[number];

/** States in which money was received, whatever happened to it later. */
export const paidStates = ['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back'];
/** States in which nothing more can be paid. */
export const closedStates = [...paidStates, 'abandoned', 'voided'];
/** States that can be refunded, while a standing amount is left. */
export const refundableStates = ['settled', 'refunded', 'partially_refunded'];

const NOTHING_STANDS = new Set(['failed', 'abandoned', 'voided', 'refunded', 'chargebacked', 'charged_back']);

/** The event of a state, if it is not the general one. */
const EVENTS: Readonly<Record<string, string>> = {
  refunded: 'refunded',
  partially_refunded: 'refunded',
  chargebacked: 'chargebacked',
  charged_back: 'chargebacked',
  voided: 'voided',
  abandoned: 'abandoned',
};

export const eventOf = (state: string): string => EVENTS[state] ?? 'status_updated';

/** The default standing amount of a payment in this state. A payment that is only initiated has its whole amount. */
export function standingIn(state: string, initial: Cents): Cents {
  if (NOTHING_STANDS.has(state)) return 0n;
  return state === 'partially_refunded' ? initial / 2n : initial;
}
