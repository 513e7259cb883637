import type { DueTime } from '../../platform/jobs/due-times.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { ProviderRefused, ProviderUnavailable } from '../provider/provider.ts';
import { holdKinds } from './decide.ts';
import { claimPollLease, closePollLease, postponePoll } from './poll-leases.ts';
import { applyProviderReport, type PollDependencies, pollPayment } from './poll-provider.ts';

type Refund = {
  readonly id: number;
  readonly reference: string;
  readonly amount: string;
  readonly nonce: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
};

const LEASE_SECONDS = 60;
const RETRY_SECONDS = { first: 5, longest: 3_600 } as const;
/** A refund that the provider accepted but does not show within this time is held for an operator. */
const COMPLETION_TIMEOUT_DAYS = 3;
const DAY_MS = 86_400_000;

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

export const refundDueTime: DueTime = {
  what: 'refunds',
  table: 'refunds',
  column: 'next_attempt_at',
  maxAheadMs: RETRY_SECONDS.longest * 1000,
  where: sql`state = 'waiting'`,
};

const isDue = (now: Date): Fragment => sql`state = 'waiting' and next_attempt_at <= ${now}`;

/** Whether a refund is due. */
export const isRefundDue = (now: Date): Fragment => sql`exists (select from refunds where ${isDue(now)})`;

/** When the next refund is due; undefined when none is pending. */
export async function nextRefund(db: Sql): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date }>`
    select next_attempt_at as at from refunds where state = 'waiting' order by next_attempt_at limit 1`);
  return row?.at;
}

/** Carries out due refunds. A refund that the provider has already completed is never ordered again. */
export async function refundDue(parts: PollDependencies): Promise<void> {
  for (;;) {
    const refund = await claimDue(parts.database.writes, parts.clock.now());
    if (!refund) return;
    await refundOne(parts, refund);
  }
}

async function claimDue(db: Sql, now: Date): Promise<Refund | undefined> {
  const refund = await db.maybe(sql<Refund>`
    update refunds set attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    where id = (select id from refunds where ${isDue(now)} order by next_attempt_at, id limit 1 for update skip locked)
    returning id, payment_reference as reference, amount::text as amount, nonce, attempts, created_at as "createdAt", sent_at as "sentAt"`);
  return refund;
}

async function refundOne(parts: PollDependencies, refund: Refund): Promise<void> {
  const { database, clock } = parts;
  // An order whose answer was lost may have been completed: the poll then closes the refund.
  const outcome = await pollPayment(parts, refund.reference);
  if (!(await isWaiting(database.writes, refund))) return;
  if (outcome !== 'applied') return postpone(parts, refund, `the provider could not be asked (${outcome})`);
  if (refund.sentAt === null) return order(parts, refund);
  if (clock.now().getTime() - refund.sentAt.getTime() < COMPLETION_TIMEOUT_DAYS * DAY_MS)
    return postpone(parts, refund, 'the provider has taken the order');
  return holdRefused(parts, refund, 'the provider took the order and has not carried it out');
}

async function order(parts: PollDependencies, refund: Refund): Promise<void> {
  const { database, provider, clock } = parts;
  const { reference, amount, nonce } = refund;
  const lease = await claimPollLease(database.writes, reference, clock.now());
  if (!lease) return postpone(parts, refund, 'somebody else asks about the payment');
  try {
    const answer = await provider.refund({ reference, amount: BigInt(amount), nonce });
    await database.writes.run(sql`update refunds set sent_at = ${clock.now()} where id = ${refund.id}`);
    await applyProviderReport(parts, lease, answer, refund.id);
    if (await isWaiting(database.writes, refund))
      await postpone(parts, refund, 'the provider has taken the order');
  } catch (error) {
    await postponePoll(database.writes, lease, clock.now());
    if (error instanceof ProviderUnavailable) return postpone(parts, refund, error.message);
    if (!(error instanceof ProviderRefused)) throw error;
    // The refusal may mean that an earlier attempt, whose answer was lost, has completed it.
    await closePollLease(database.writes, lease);
    const outcome = await pollPayment(parts, reference);
    if (outcome !== 'applied') return postpone(parts, refund, error.message);
    if (await isWaiting(database.writes, refund)) await holdRefused(parts, refund, error.message);
  }
}

async function isWaiting(db: Sql, { id }: Refund): Promise<boolean> {
  const rows = await db.rows(sql`select from refunds where id = ${id} and state = 'waiting'`);
  return rows.length > 0;
}

async function postpone(
  { database, clock }: PollDependencies,
  { id, attempts }: Refund,
  reason: string,
): Promise<void> {
  const wait = Math.min(RETRY_SECONDS.first * 2 ** Math.min(attempts - 1, 20), RETRY_SECONDS.longest);
  await database.writes.run(sql`
    update refunds set next_attempt_at = ${clock.now()}::timestamptz + make_interval(secs => ${wait}), last_error = ${reason}
    where id = ${id} and state = 'waiting'`);
}

async function holdRefused(
  { database, clock, log }: PollDependencies,
  refund: Refund,
  reason: string,
): Promise<void> {
  const now = clock.now();
  await database.writes.run(sql`
    with refused as (
      update refunds set state = 'refused', closed_at = ${now}, last_error = ${reason} where id = ${refund.id} and state = 'waiting'
      returning payment_reference)
    insert into held_payments (payment_reference, invoice_number, kind, detail, at)
    select p.reference, p.invoice_number, 'refund', ${`${holdKinds.refund}: ${reason}`}, ${now}
    from refused join payments p on p.reference = refused.payment_reference
    on conflict (payment_reference, kind) where closed_at is null do update set detail = excluded.detail`);
  log.warn({ payment: refund.reference }, 'a refund was refused and is held for a person');
}
