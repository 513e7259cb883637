import { sendDue } from '../../platform/outbox/outbox.ts';
import {
  type Claimed,
  dueTimeOf,
  type RetriedQueue,
  retriedRows,
} from '../../platform/outbox/outbox-table.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { ProviderRefused, ProviderUnavailable } from '../provider/provider.ts';
import { holdKinds } from './decide.ts';
import { claimPollLease, closePollLease, postponePoll } from './poll-leases.ts';
import { applyProviderReport, type PollDependencies, pollPayment } from './poll-provider.ts';

type Refund = Claimed & {
  readonly key: number;
  readonly reference: string;
  readonly amount: string;
  readonly nonce: string;
  readonly sentAt: Date | null;
};

export const refundQueue: RetriedQueue<Refund> = {
  table: 'refunds',
  key: sql`id`,
  waits: sql`state = 'waiting'`,
  order: sql`next_attempt_at, id`,
  columns: sql`payment_reference as reference, amount::text as amount, nonce, sent_at as "sentAt"`,
  batch: 1,
  leaseMs: 60_000,
  backoff: { firstMs: 5_000, maxMs: 3_600_000 },
};

export const refundDueTime = dueTimeOf('refunds', refundQueue);

/** A refund that the provider accepted but does not show within this time is held for an operator. */
const COMPLETION_TIMEOUT_DAYS = 3;
const DAY_MS = 86_400_000;

/** Why a refund has not taken place yet. One that is refused is not tried again. */
class NotRefunded extends Error {
  readonly isRefused: boolean;
  constructor(reason: string, { isRefused = false } = {}) {
    super(reason);
    this.isRefused = isRefused;
  }
}

export type NewRefund = {
  readonly reference: string;
  readonly invoiceNumber: number | null;
  readonly amount: Cents;
  readonly reason: string;
  readonly actor: string;
};

/** Called in the transaction that decides on it; a worker carries it out. */
export async function orderRefunds(db: Sql, refunds: readonly NewRefund[], now: Date): Promise<void> {
  await db.run(sql`
    insert into refunds (payment_reference, invoice_number, amount, reason, actor, created_at, next_attempt_at)
    select r.reference, r.invoice_number, r.amount, r.reason, r.actor, ${now}, ${now}
    from unnest(${refunds.map(({ reference }) => reference)}::text[], ${refunds.map(({ invoiceNumber }) => invoiceNumber)}::bigint[],
      ${refunds.map(({ amount }) => amount.toString())}::bigint[], ${refunds.map(({ reason }) => reason)}::text[], ${refunds.map(({ actor }) => actor)}::text[])
      as r(reference, invoice_number, amount, reason, actor)`);
}

/** Carries out due refunds. A refund that the provider has already completed is never ordered again. */
export async function refundDue(parts: PollDependencies): Promise<void> {
  const { database, clock, log } = parts;
  const rows = retriedRows(database.writes, refundQueue);
  await sendDue(
    {
      ...rows,
      send: (refund) => carryOut(parts, refund),
      nextAttempt(refund, error, now) {
        if (!(error instanceof NotRefunded)) throw error;
        return error.isRefused ? undefined : rows.nextAttempt(refund, error, now);
      },
      // Applying the report of the provider has closed it.
      markSent: async () => {},
      markFailed: (refund, now, failure) =>
        failure.nextAttemptAt
          ? rows.markFailed(refund, now, failure)
          : holdRefused(database.writes, refund, failure.reason, now),
      report({ reference }, outcome) {
        if (outcome === 'given up')
          log.warn({ payment: reference }, 'a refund was refused and is held for a person');
      },
    },
    () => clock.now(),
  );
}

async function carryOut(parts: PollDependencies, refund: Refund): Promise<void> {
  const { database, clock } = parts;
  // An order whose answer was lost may have been completed: the poll then closes the refund.
  const outcome = await pollPayment(parts, refund.reference);
  if (!(await isWaiting(database.writes, refund))) return;
  if (outcome !== 'applied') throw new NotRefunded(`the provider could not be asked (${outcome})`);
  if (refund.sentAt === null) return order(parts, refund);
  if (clock.now().getTime() - refund.sentAt.getTime() < COMPLETION_TIMEOUT_DAYS * DAY_MS)
    throw new NotRefunded('the provider has taken the order');
  throw new NotRefunded('the provider took the order and has not carried it out', { isRefused: true });
}

async function order(parts: PollDependencies, refund: Refund): Promise<void> {
  const { database, provider, clock } = parts;
  const { key, reference, amount, nonce } = refund;
  const lease = await claimPollLease(database.writes, reference, clock.now());
  if (!lease) throw new NotRefunded('somebody else asks about the payment');
  try {
    const answer = await provider.refund({ reference, amount: BigInt(amount), nonce });
    await database.writes.run(sql`update refunds set sent_at = ${clock.now()} where id = ${key}`);
    await applyProviderReport(parts, lease, answer, key);
  } catch (error) {
    await postponePoll(database.writes, lease, clock.now());
    if (error instanceof ProviderUnavailable) throw new NotRefunded(error.message);
    if (!(error instanceof ProviderRefused)) throw error;
    // The refusal may mean that an earlier attempt, whose answer was lost, has completed it.
    await closePollLease(database.writes, lease);
    const outcome = await pollPayment(parts, reference);
    if (await isWaiting(database.writes, refund))
      throw new NotRefunded(error.message, { isRefused: outcome === 'applied' });
    return;
  }
  if (await isWaiting(database.writes, refund)) throw new NotRefunded('the provider has taken the order');
}

async function isWaiting(db: Sql, { key }: Refund): Promise<boolean> {
  const rows = await db.rows(sql`select from refunds where id = ${key} and state = 'waiting'`);
  return rows.length > 0;
}

async function holdRefused(db: Sql, { key }: Refund, reason: string, now: Date): Promise<void> {
  await db.run(sql`
    with refused as (
      update refunds set state = 'refused', closed_at = ${now}, last_error = ${reason} where id = ${key} and state = 'waiting'
      returning payment_reference)
    insert into held_payments (payment_reference, invoice_number, kind, detail, at)
    select p.reference, p.invoice_number, 'refund', ${`${holdKinds.refund}: ${reason}`}, ${now}
    from refused join payments p on p.reference = refused.payment_reference
    on conflict (payment_reference, kind) where closed_at is null do update set detail = excluded.detail`);
}
