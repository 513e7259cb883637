import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import { type Backoff, backoffMs } from '../../platform/outbox/backoff.ts';
import { dueRows, type Queue } from '../../platform/outbox/queue.ts';
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
const LEASE_MS = 60_000;
const BATCH = 8;
const BACKOFF: Backoff = { firstMs: 2_000, maxMs: 3_600_000 };
/** The payer of an unknown payment may be waiting, and its polls have a rate limit of their own. */
const BACKOFF_OF_UNKNOWN: Backoff = { ...BACKOFF, maxMs: 60_000 };
/** How long a payer may return to the link of a failed one-off payment. */
const FAILED_FOR_DAYS = 3;

/** A callback during a lease is not lost: it sets `poll_at`, and the payment is due once the lease ends. */
export const pollQueue: Queue = {
  table: 'payments',
  key: sql`reference`,
  waits: sql`(poll_at is not null or poll_lease_until is not null) and lane is null`,
  dueAt: sql`least(poll_at, poll_lease_until)`,
  order: sql`least(poll_at, poll_lease_until), reference`,
  isFree: (now) => sql`(poll_lease_until is null or poll_lease_until <= ${now})`,
};
/** Known payments and the queue of unknown ones have an index each. */
export const unknownQueue: Queue = { ...pollQueue, waits: sql`lane is not null` };

export const pollDueTimes: readonly DueTime[] = [pollQueue, unknownQueue].flatMap(({ table, waits }) => [
  { what: 'polls of payments', table, column: 'poll_at', maxAheadMs: BACKOFF.maxMs, where: waits },
  { what: 'leases of payments', table, column: 'poll_lease_until', maxAheadMs: LEASE_MS, where: waits },
]);

/** The assignments of a lease. */
export const leased = (now: Date): Fragment => sql`
  poll_number = poll_number + 1, attempts = attempts + 1, poll_at = null, polled_at = ${now},
  poll_lease_until = ${new Date(now.getTime() + LEASE_MS)}`;
export const leaseColumns = sql`
  payments.reference, poll_number as number, attempts, invoice_number as "invoiceNumber", reported_by as "reportedBy"`;

/** Leases the given payment, due or not; undefined where another process holds the lease. */
export const claimPollLease = (db: Sql, reference: string, now: Date): Promise<PollLease | undefined> =>
  db.maybe(sql<PollLease>`
    update payments set ${leased(now)}
    where reference = ${reference} and not external and (poll_lease_until is null or poll_lease_until <= ${now})
    returning ${leaseColumns}, false as "isScheduled"`);

/** Known payments are polled as soon as they are due; see claimUnknown for the others. */
export const claimDuePollLeases = (db: Sql, now: Date): Promise<PollLease[]> =>
  db.rows(sql<PollLease>`
    update payments set ${leased(now)} where reference = any(array(${dueRows(pollQueue, now, BATCH)}))
    returning ${leaseColumns}, scheduled_poll as "isScheduled"`);

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
  const wait = backoffMs(reportedBy === null ? BACKOFF : BACKOFF_OF_UNKNOWN, attempts);
  await db.run(sql`
    update payments set poll_lease_until = null, poll_at = least(poll_at, ${new Date(now.getTime() + wait)})
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
