import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** A payment that somebody is about to ask the provider about. */
export type PollLease = {
  readonly reference: string;
  readonly number: number;
  readonly attempts: number;
  readonly invoiceNumber: number | null;
  /** Nobody called: we ask because nothing was heard. */
  readonly unprompted: boolean;
  /** Whose callback was the first notice of it, until that proved right or wrong. */
  readonly reportedBy: string | null;
};

/** Longer than a question takes: until then nobody else asks, afterwards whoever asked is taken for dead. */
export const LEASE_SECONDS = 60;
const BATCH = 8;
/** An unknown payment may be one whose payer waits, and its questions have a rate of their own. */
const RETRY_SECONDS = { first: 2, longest: 3_600, longestOfUnknown: 60 } as const;
/** So long somebody may come back to the link of a one-off payment that failed. */
const FAILED_FOR_DAYS = 3;

/** Takes one payment that is due, or that one; nothing where somebody is at it already. */
export async function claimPollLease(db: Sql, reference: string, now: Date): Promise<PollLease | undefined> {
  const question = await db.maybe(sql<PollLease>`
    update payments set asked = asked + 1, attempts = attempts + 1, ask_at = null, asked_at = ${now}, asking_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    where reference = ${reference} and not elsewhere and (asking_until is null or asking_until <= ${now})
    returning reference, asked as number, attempts, invoice_number as "invoiceNumber", false as unprompted, reported_by as "reportedBy"`);
  return question;
}

/** Payments that we know are asked about as soon as they are due; see claimUnknown for the others. */
export async function claimDuePollLeases(db: Sql, now: Date): Promise<PollLease[]> {
  return db.rows(sql<PollLease>`
    with due as (
      select reference, attempts from payments
      where (ask_at is not null or asking_until is not null) and lane is null and least(ask_at, asking_until) <= ${now} and (asking_until is null or asking_until <= ${now})
      order by least(ask_at, asking_until), reference limit ${BATCH} for update skip locked)
    update payments p set asked = asked + 1, attempts = p.attempts + 1, ask_at = null, asked_at = ${now}, asking_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})
    from due where p.reference = due.reference
    returning p.reference, p.asked as number, p.attempts, p.invoice_number as "invoiceNumber", p.unprompted, p.reported_by as "reportedBy"`);
}

/** When the provider is to be asked next; undefined when nothing waits. */
export async function nextPoll(db: Sql): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date }>`
    select least(ask_at, asking_until) as at from payments where (ask_at is not null or asking_until is not null) and lane is null
    order by least(ask_at, asking_until) limit 1`);
  return row?.at;
}

/** Everything that is not final is asked about; how many that are. */
export async function pollOpenPayments(db: Sql, now: Date): Promise<number> {
  return db.run(sql`
    update payments set ask_at = ${now}, unprompted = unprompted or ask_at is null
    where open and not elsewhere and lane is null and (ask_at is null or ask_at > ${now}) and asking_until is null
      and (state is distinct from 'failed' or created_at > ${now}::timestamptz - make_interval(days => ${FAILED_FOR_DAYS}))`);
}

// Whoever was taken for dead and speaks at last must not end the question of the one that followed him: that one may
// be dead by then, and nobody would ask again.

/** The provider could not be heard: the same question later. */
export async function postponePoll(
  db: Sql,
  { reference, number, attempts, reportedBy }: PollLease,
  now: Date,
): Promise<void> {
  const longest = reportedBy === null ? RETRY_SECONDS.longest : RETRY_SECONDS.longestOfUnknown;
  const wait = Math.min(RETRY_SECONDS.first * 2 ** Math.min(attempts - 1, 20), longest);
  await db.run(sql`
    update payments set asking_until = null, ask_at = least(ask_at, ${now}::timestamptz + make_interval(secs => ${wait}))
    where reference = ${reference} and asked = ${number}`);
}

/** The answer is in. Somebody may have called meanwhile: then it is asked again at once. */
export async function closePollLease(db: Sql, { reference, number }: PollLease): Promise<void> {
  await db.run(sql`
    update payments set answered = greatest(answered, ${number}), asking_until = case when asked > ${number} then asking_until end,
      attempts = case when asked > ${number} then attempts else 0 end, unprompted = asked > ${number} and unprompted
    where reference = ${reference}`);
}

/** A reference that the provider does not know and that belongs to no invoice was somebody's invention. */
export async function forgetUnknown(db: Sql, { reference, number }: PollLease): Promise<void> {
  await db.run(sql`delete from payments where reference = ${reference} and asked = ${number} and ask_at is null and invoice_number is null and booked = 0 and not reversed
    and not exists (select from held_payments where payment_reference = ${reference})`);
}
