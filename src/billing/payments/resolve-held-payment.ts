import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import { canBecome } from '../invoices/invoice.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import { applyPaymentUpdate, type DecisionRule, type Effects } from './apply-payment-update.ts';
import {
  type HoldKind,
  type KnownPayment,
  type ProviderReport,
  reportStanding,
  standingOf,
  sum,
  unchanged,
} from './decide.ts';
import type { HeldPayment } from './list-held-payments.ts';
import { lockPayment } from './lock-payment.ts';

/** An operator's decision: book the standing amount, refund the excess, or leave it as booked. */
export const resolutions = ['accept', 'refund', 'dismiss'] as const;
export type Resolution = (typeof resolutions)[number];

const ALLOWED_RESOLUTIONS: Readonly<Record<HoldKind, readonly Resolution[]>> = {
  amount: ['accept', 'refund', 'dismiss'],
  account: ['dismiss'],
  invoice: ['refund', 'dismiss'],
  reduction: ['accept', 'dismiss'],
  again: ['accept', 'refund', 'dismiss'],
  twice: ['dismiss'],
  refund: ['refund', 'dismiss'],
};

type Judgement = { readonly id: number; readonly resolution: Resolution };

/** Carries out an operator's decision about a held payment, in the transaction that closes the hold. */
export const resolveHeldPayment = (effects: Effects) =>
  operatorTransaction(
    {
      name: 'resolve held payment',
      right: 'money',
      refusals: [
        'nothingHeld',
        'resolutionImpossible',
        'nothingLeftToRefund',
        'paymentForSeveral',
        'refundOfItUnderWay',
        'nothingToBook',
        'nothingToPayBack',
      ],
    },
    {
      async transact(db, { id, resolution }: Judgement, context) {
        const { actor, now, reason, policy } = context;
        const held = await db.maybe(sql<HeldPayment>`
          select h.id, h.payment_reference as reference, p.invoice_number as "invoiceNumber", h.kind, h.detail, h.at
          from held_payments h join payments p on p.reference = h.payment_reference where h.id = ${id} and h.closed_at is null`);
        if (!held) return refuse('nothingHeld', { id });
        const { reference, invoiceNumber, kind } = held;
        const possible = ALLOWED_RESOLUTIONS[kind];
        if (!possible.includes(resolution))
          refuse('resolutionImpossible', { id, possible: possible.join(' or ') });
        // The lock blocks provider updates of this payment until the decision is committed.
        if (invoiceNumber !== null) await lockBill(db, invoiceNumber);
        const order = { resolution, reason: reason?.text, actor, now, currency: policy.currency };
        if (kind === 'refund') await resolveRefusedRefund(db, held, resolution, now);
        else await resolveAmount(db, held, order, effects);
        await db.run(sql`
          update held_payments set closed_at = ${now}, closed_by = ${actor}, resolution = ${resolution}, reason = ${reason?.text ?? null} where id = ${id}`);
        const entry = {
          objectKind: 'payment',
          objectId: 0,
          objectName: reference,
          operation: 'resolve held payment',
          registrarId: null,
          after: { hold: id, kind, resolution, invoice: invoiceNumber },
        };
        await db.run(insertHistory(entry, context, sql``));
        return { id, resolution };
      },
    },
  );

type Order = {
  readonly resolution: Resolution;
  readonly reason: string | undefined;
  readonly actor: string;
  readonly now: Date;
  readonly currency: string;
};

/** Retries under a new nonce, since the provider refused the old one, or gives up. */
async function resolveRefusedRefund(
  db: Sql,
  { reference, invoiceNumber }: HeldPayment,
  resolution: Resolution,
  now: Date,
): Promise<void> {
  if (resolution !== 'refund') return;
  const payment = await lockPayment(db, reference, invoiceNumber ?? undefined);
  const refused = await db.rows(sql<{ id: number; amount: string; invoiceNumber: number | null }>`
    select id, amount::text as amount, invoice_number as "invoiceNumber" from refunds
    where payment_reference = ${reference} and state = 'refused' order by id desc`);
  const again = payment ? stillCovered(payment, refused) : [];
  if (again.length === 0) refuse('nothingLeftToRefund');
  await db.run(sql`
    update refunds r set state = 'waiting', closed_at = null, sent_at = null, attempts = 0, nonce = gen_random_uuid(), next_attempt_at = ${now}, amount = a.amount
    from unnest(${again.map(({ id }) => id)}::bigint[], ${again.map(({ amount }) => amount.toString())}::bigint[]) as a(id, amount)
    where r.id = a.id`);
}

/**
 * Part of it may have been returned otherwise meanwhile, so a retry never exceeds what is left. The last order counts
 * first.
 */
function stillCovered(
  { surplus, shares, refunds }: KnownPayment,
  refused: readonly {
    readonly id: number;
    readonly amount: string;
    readonly invoiceNumber: number | null;
  }[],
): { readonly id: number; readonly amount: Cents }[] {
  const left = new Map<number | null, Cents>([[null, surplus]]);
  for (const { invoiceNumber, booked } of shares) left.set(invoiceNumber, booked);
  const take = (of: number | null, wanted: Cents): Cents => {
    const rest = left.get(of) ?? 0n;
    const taken = rest < wanted ? rest : wanted;
    left.set(of, rest - taken);
    return taken;
  };
  for (const { invoiceNumber, amount } of refunds) take(invoiceNumber, amount);
  return refused
    .map(({ id, amount, invoiceNumber }) => ({ id, amount: take(invoiceNumber, BigInt(amount)) }))
    .filter(({ amount }) => amount > 0n);
}

async function resolveAmount(db: Sql, held: HeldPayment, order: Order, effects: Effects): Promise<void> {
  const { reference, invoiceNumber } = held;
  // What the provider reported has stored the state and the amounts together with the hold.
  const stored = await db.one(sql<{
    state: string;
    initial: string;
    standing: string;
    answer: Record<string, unknown> | null;
  }>`
    select state, initial_amount::text as initial, standing_amount::text as standing, answer from payments
    where reference = ${reference} and state is not null for update`);
  const judge: DecisionRule =
    order.resolution === 'accept'
      ? acceptStandingAmount
      : order.resolution === 'refund'
        ? refundExcess
        : leaveUnchanged;
  const report = {
    state: stored.state,
    initialAmount: BigInt(stored.initial),
    standingAmount: BigInt(stored.standing),
    toOurAccount: true,
    answer: stored.answer ?? {},
  };
  await applyPaymentUpdate(
    db,
    {
      reference,
      invoiceNumber: invoiceNumber ?? undefined,
      actor: order.actor,
      reason: order.reason,
      at: order.now,
      currency: order.currency,
      report,
    },
    effects,
    judge,
  );
  // The booked amount follows the provider again as soon as it reports a different amount.
  const judged = reportStanding(report)?.toString() ?? null;
  await db.run(sql`update payments set resolved_amount = ${judged} where reference = ${reference}`);
}

const leaveUnchanged: DecisionRule = (payment) => unchanged(payment);

const refundExcess: DecisionRule = (payment, _bill, report) => {
  const rest = excessOf(payment, report);
  return { ...unchanged(payment), surplus: payment.surplus + rest, refundSurplus: rest };
};

const acceptStandingAmount: DecisionRule = (payment, bill, report) => {
  const [leaf, ...others] = bill?.leaves ?? [];
  if (!leaf || others.length > 0) return refuse('paymentForSeveral');
  if (payment.refunds.length > 0) refuse('refundOfItUnderWay');
  const stands = standingOf(payment, report);
  if (stands <= 0n) refuse('nothingToBook');
  const surplus = surplusWithin(payment, stands);
  const booked = stands - surplus;
  const isPaid = booked > 0n && canBecome(leaf.status, 'paid');
  return {
    ...unchanged(payment),
    surplus,
    shares: [{ invoiceNumber: leaf.number, booked }],
    changes: isPaid ? [{ invoice: leaf, to: 'paid' }] : [],
  };
};

/** A reduction is taken from the surplus first; invoices keep their shares. */
function surplusWithin({ surplus, shares }: KnownPayment, stands: Cents): Cents {
  const rest = stands - sum(shares.map(({ booked }) => booked));
  if (rest <= 0n) return 0n;
  return rest < surplus ? rest : surplus;
}

function excessOf(payment: KnownPayment, report: ProviderReport): Cents {
  const rest = standingOf(payment, report) - payment.booked;
  if (rest <= 0n) refuse('nothingToPayBack');
  return rest;
}
