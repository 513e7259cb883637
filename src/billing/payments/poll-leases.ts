import type { DueTime } from '../../platform/jobs/due-times.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** The exclusive right to poll the provider about one payment. */
export type PollLease = {
  readonly reference: string;
  readonly number: number;
  readonly attempts: number;
  readonly invoiceNumber: number | null;
  /** Polled without a callback. */
  readonly isScheduled: boolean;
  /** The caller whose callback first named it, until that proved right or wrong. */
  readonly reportedBy: string | null;
};

/** Longer than a poll takes: an expired lease was left by a crashed process and may be taken over. */
export const LEASE_SECONDS = 60;
const BATCH = 8;
/** The payer of an unknown payment may be waiting, and its polls have a rate limit of their own. */
const RETRY_SECONDS = { first: 2, longest: 3_600, longestOfUnknown: 60 } as const;
/** How long a payer may return to the link of a failed one-off payment. */
const FAILED_FOR_DAYS = 3;

/** Known payments and the queue of unknown ones have an index each. */
export const pollDueTimes: readonly DueTime[] = [
  sql`(poll_at is not null or poll_lease_until is not null) and lane is null`,
  sql`lane is not null`,
].flatMap((where) => [
  {
    what: 'polls of payments',
    table: 'payments',
    column: 'poll_at',
    maxAheadMs: RETRY_SECONDS.longest * 1000,
    where,
  },
  {
    what: 'leases of payments',
    table: 'payments',
    column: 'poll_lease_until',
    maxAheadMs: LEASE_SECONDS * 1000,
    where,
  },
]);

/** Leases the given payment, due or not; undefined where another process holds the lease. */
export async function claimPollLease(db: Sql, reference: string, now: Date): Promise<PollLease | undefined> {
  const lease = await db.maybe(sql<PollLease>`
    update payments set poll_number = poll_number + 1, attempts = attempts + 1, poll_at = null, polled_at = ${now}, poll_lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    where reference = ${reference} and not external and (poll_lease_until is null or poll_lease_until <= ${now})
    returning reference, poll_number as number, attempts, invoice_number as "invoiceNumber", false as "isScheduled", reported_by as "reportedBy"`);
  return lease;
}

/** Known payments are polled as soon as they are due; see claimUnknown for the others. */
export async function claimDuePollLeases(db: Sql, now: Date): Promise<PollLease[]> {
  return db.rows(sql<PollLease>`
    with due as (
      select reference, attempts from payments
      where ${isDue(now)}
      order by least(poll_at, poll_lease_until), reference limit ${BATCH} for update skip locked)
    update payments p set poll_number = poll_number + 1, attempts = p.attempts + 1, poll_at = null, polled_at = ${now}, poll_lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    from due where p.reference = due.reference
    returning p.reference, p.poll_number as number, p.attempts, p.invoice_number as "invoiceNumber", p.scheduled_poll as "isScheduled", p.reported_by as "reportedBy"`);
}

const isDue = (now: Date): Fragment => sql`
  (poll_at is not null or poll_lease_until is not null) and lane is null and least(poll_at, poll_lease_until) <= ${now}
  and (poll_lease_until is null or poll_lease_until <= ${now})`;

/** Whether a poll is due. */
export const isPollDue = (now: Date): Fragment => sql`exists (select from payments where ${isDue(now)})`;

/** When the next poll is due; undefined when none is. */
export async function nextPoll(db: Sql): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date }>`
    select least(poll_at, poll_lease_until) as at from payments where (poll_at is not null or poll_lease_until is not null) and lane is null
    order by least(poll_at, poll_lease_until) limit 1`);
  return row?.at;
}

/** Makes every payment that is not final due; returns their number. */
export async function pollOpenPayments(db: Sql, now: Date): Promise<number> {
  return db.run(sql`
    update payments set poll_at = ${now}, scheduled_poll = scheduled_poll or poll_at is null
    where open and not external and lane is null and (poll_at is null or poll_at > ${now}) and poll_lease_until is null
      and (state is distinct from 'failed' or created_at > ${now}::timestamptz - make_interval(days => ${FAILED_FOR_DAYS}))`);
}

// A holder whose lease expired must not close its successor's lease: if the successor has crashed as well, the payment
// would never be polled again.

/** The provider was unavailable: retries later. */
export async function postponePoll(
  db: Sql,
  { reference, number, attempts, reportedBy }: PollLease,
  now: Date,
): Promise<void> {
  const longest = reportedBy === null ? RETRY_SECONDS.longest : RETRY_SECONDS.longestOfUnknown;
  const wait = Math.min(RETRY_SECONDS.first * 2 ** Math.min(attempts - 1, 20), longest);
  await db.run(sql`
    update payments set poll_lease_until = null, poll_at = least(poll_at, ${now}::timestamptz + make_interval(secs => ${wait}))
    where reference = ${reference} and poll_number = ${number}`);
}

/** Marks the poll as answered. A callback that arrived meanwhile makes the payment due at once. */
export async function closePollLease(db: Sql, { reference, number }: PollLease): Promise<void> {
  await db.run(sql`
    update payments set answered_poll_number = greatest(answered_poll_number, ${number}), poll_lease_until = case when poll_number > ${number} then poll_lease_until end,
      attempts = case when poll_number > ${number} then attempts else 0 end, scheduled_poll = poll_number > ${number} and scheduled_poll
    where reference = ${reference}`);
}

/** A reference that the provider does not know and that has no invoice was made up by its caller. */
export async function deleteUnknown(db: Sql, { reference, number }: PollLease): Promise<void> {
  await db.run(sql`delete from payments where reference = ${reference} and poll_number = ${number} and poll_at is null and invoice_number is null and booked = 0 and not reversed
    and not exists (select from held_payments where payment_reference = ${reference})`);
}
