import type { Sql } from '../../platform/database/database.ts';
import type { Cents } from '../../platform/money.ts';
import { canBecome } from '../invoices/invoice.ts';
import { applyTold, type Effects, type Judge } from './apply.ts';
import { type Decision, type HoldKind, type KnownPayment, standingOf, type Told } from './decide.ts';

export type HeldPayment = {
  readonly id: number;
  readonly reference: string;
  readonly invoiceNumber: number | null;
  readonly kind: HoldKind;
  readonly detail: string;
  readonly at: Date;
};

/** How a person decides: book it as it stands, pay back what is too much, or leave it as it is booked. */
export const resolutions = ['accept', 'refund', 'dismiss'] as const;
export type Resolution = (typeof resolutions)[number];

const POSSIBLE: Readonly<Record<HoldKind, readonly Resolution[]>> = {
  amount: ['accept', 'refund', 'dismiss'],
  account: ['dismiss'],
  invoice: ['refund', 'dismiss'],
  reduction: ['accept', 'dismiss'],
  again: ['accept', 'refund', 'dismiss'],
  twice: ['dismiss'],
  refund: ['refund', 'dismiss'],
};

export function listHeld(sql: Sql): Promise<HeldPayment[]> {
  return sql<HeldPayment[]>`
    select id, payment_reference as reference, invoice_number as "invoiceNumber", kind, detail, at from held_payments
    where closed_at is null order by id`;
}

/** What cannot be done, in one sentence. */
export class NotResolvable extends Error {
  override name = 'NotResolvable';
}

type Order = {
  readonly id: number;
  readonly resolution: Resolution;
  readonly reason: string;
  readonly actor: string;
  readonly now: Date;
  readonly currency: string;
};

/** Carries out what a person decided about a held payment, in one transaction with its closing. */
export async function resolveHeld(sql: Sql, order: Order, effects: Effects): Promise<void> {
  const { id, resolution, reason, actor, now } = order;
  const [held] = await sql<HeldPayment[]>`
    select id, payment_reference as reference, invoice_number as "invoiceNumber", kind, detail, at
    from held_payments where id = ${id} and closed_at is null`;
  if (!held) throw new NotResolvable(`Nothing is held under ${id}.`);
  const possible = POSSIBLE[held.kind];
  if (!possible.includes(resolution))
    throw new NotResolvable(`What is held under ${id} can only be resolved by ${possible.join(' or ')}.`);
  if (held.kind === 'refund') await judgeRefusedRefund(sql, held, resolution, now);
  else await judgeAmount(sql, held, order, effects);
  await sql`
    update held_payments set closed_at = ${now}, closed_by = ${actor}, resolution = ${resolution}, reason = ${reason} where id = ${id}`;
}

/** Again, under a new nonce, since the provider has said no to the old one; or never. */
async function judgeRefusedRefund(
  sql: Sql,
  { reference }: HeldPayment,
  resolution: Resolution,
  now: Date,
): Promise<void> {
  if (resolution === 'refund')
    await sql`
      update refunds set state = 'waiting', closed_at = null, sent_at = null, attempts = 0, nonce = gen_random_uuid(), next_attempt_at = ${now}
      where payment_reference = ${reference} and state = 'refused'`;
}

async function judgeAmount(sql: Sql, held: HeldPayment, order: Order, effects: Effects): Promise<void> {
  const { reference, invoiceNumber } = held;
  const [stored] = await sql<
    { state: string; initial: string; standing: string; answer: Record<string, unknown> | null }[]
  >`
    select state, initial_amount::text as initial, standing_amount::text as standing, answer from payments where reference = ${reference}`;
  if (!stored) throw new NotResolvable(`There is no payment ${reference}.`);
  const judge: Judge =
    order.resolution === 'accept'
      ? acceptAsItStands
      : order.resolution === 'refund'
        ? payBackTheRest
        : leaveAsItIs;
  await applyTold(
    sql,
    {
      ...{
        reference,
        invoiceNumber: invoiceNumber ?? undefined,
        actor: order.actor,
        reason: order.reason,
        at: order.now,
      },
      currency: order.currency,
      told: {
        ...{
          state: stored.state,
          initialAmount: BigInt(stored.initial),
          standingAmount: BigInt(stored.standing),
        },
        ...{ toOurAccount: true, answer: stored.answer ?? {} },
      },
    },
    effects,
    judge,
  );
  // What was booked follows the provider again as soon as he tells something else.
  await sql`update payments set judged_amount = standing_amount where reference = ${reference}`;
}

const unchanged = ({ surplus, shares }: KnownPayment): Decision => ({
  ...{ surplus, shares, changes: [], refundSurplus: 0n, doneRefunds: [], hold: undefined },
});

const leaveAsItIs: Judge = (payment) => unchanged(payment);

const payBackTheRest: Judge = (payment, _bill, told) => {
  const rest = risen(payment, told);
  return { ...unchanged(payment), surplus: payment.surplus + rest, refundSurplus: rest };
};

const acceptAsItStands: Judge = (payment, bill, told) => {
  const [leaf, ...others] = bill?.leaves ?? [];
  if (!leaf || others.length > 0)
    throw new NotResolvable('It is a payment for several invoices: nobody can tell whose part it is.');
  const shares = [{ invoiceNumber: leaf.number, booked: standingOf(payment, told) - payment.surplus }];
  const changes = canBecome(leaf.status, 'paid') ? [{ invoice: leaf, to: 'paid' as const }] : [];
  return { ...unchanged(payment), shares, changes };
};

function risen(payment: KnownPayment, told: Told): Cents {
  const rest = standingOf(payment, told) - payment.booked;
  if (rest <= 0n) throw new NotResolvable('Nothing stands at the provider that could be paid back.');
  return rest;
}
