import type { Purge } from '../../platform/jobs/run-purge.ts';
import { isDue } from '../../platform/outbox/queue.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { leaseColumns, leased, type PollLease, unknownQueue } from './poll-leases.ts';

/** The usual form of the provider's references. Anybody can imitate it, so it only affects the order. */
const USUAL_FORM = /^[0-9a-f]{64}$/;
/** Beyond this many of a caller, the newest goes first. */
const MAX_RANK = 16;
/** How long a caller whose callback led to a settled payment has priority. */
const VERIFIED_FOR_DAYS = 30;
/** How much unused rate may be caught up at once. */
const BURST_SECONDS = 1;

export const hasUsualForm = (reference: string): boolean => USUAL_FORM.test(reference);

/** The lane of a new row, for a row `asked` of callbacks. */
export const LANE = sql`
  case when not asked.usual then 2
    when exists (select from callback_callers c where c.address = asked.caller and c.verified_at > asked.at - make_interval(days => ${VERIFIED_FOR_DAYS})) then 0
    else 1 end`;

/** Its rank: how many of the caller's wait, with those before it among the new ones. */
export const RANK = sql`
  least(${MAX_RANK}, row_number() over (partition by asked.caller order by asked.position) - 1
    + (select count(*) from (select from payments where reported_by = asked.caller and lane is not null limit ${MAX_RANK}) as waiting))`;

/**
 * Leases unknown payments, as many as the shared rate of all processes allows. Lanes are served round-robin; within a
 * lane the callers with the fewest queued come first, then the newest: its payer is still waiting, and ordering by age
 * would let an old flood delay it.
 */
export async function claimUnknown(db: Sql, now: Date, perSecond: number): Promise<PollLease[]> {
  const headOf = (lane: number) => sql`
    (select reference, lane, row_number() over (order by rank, created_at desc, reference) as turn from payments
    where lane = ${lane}::smallint and ${isDue(unknownQueue, now)}
    order by rank, created_at desc, reference limit ${perSecond}::int)`;
  // Never later than now: a process whose clock was ahead must not block the others.
  const from = sql`least(${now}, greatest(p.used_until, ${now}::timestamptz - make_interval(secs => ${BURST_SECONDS})))`;
  const granted = sql`
    greatest(0, least(excluded.granted, floor(extract(epoch from ${now}::timestamptz - ${from}) * ${perSecond}::int)))::int`;
  return db.rows(sql<PollLease>`
    with heads as (${headOf(0)} union all ${headOf(1)} union all ${headOf(2)}),
    picked as (select reference, row_number() over (order by turn, lane) as position from heads),
    wanted as (select least(count(*), ${perSecond}::int)::int as count from picked),
    rate_limit as (
      insert into lookup_rate_limit as p (granted, used_until)
      select count, ${now}::timestamptz - make_interval(secs => ${BURST_SECONDS}) + make_interval(secs => count::float8 / ${perSecond}::int) from wanted where count > 0
      on conflict (only_row) do update set granted = ${granted}, used_until = ${from} + make_interval(secs => ${granted}::float8 / ${perSecond}::int)
      where ${granted} > 0 or p.used_until > ${now}
      returning granted)
    update payments set ${leased(now)}
    from picked, rate_limit where payments.reference = picked.reference and position <= granted and lane is not null and (poll_lease_until is null or poll_lease_until <= ${now})
    returning ${leaseColumns}, scheduled_poll as "isScheduled"`);
}

/** The provider knows it: from now on it is an ordinary payment. A settled one gives its reporter priority. */
export async function leaveQueue(
  db: Sql,
  { reference, reportedBy }: PollLease,
  settled: boolean,
  now: Date,
): Promise<void> {
  if (reportedBy === null) return;
  await db.run(sql`
    update payments set lane = null, reported_by = case when open and not ${settled}::boolean then reported_by end where reference = ${reference}`);
  if (settled)
    await db.run(sql`
      insert into callback_callers (address, verified_at) values (${reportedBy}, ${now})
      on conflict (address) do update set verified_at = greatest(callback_callers.verified_at, excluded.verified_at)`);
}

const oldCallers = (now: Date): Fragment => sql`
  select address from callback_callers where verified_at < ${now}::timestamptz - make_interval(days => ${VERIFIED_FOR_DAYS})`;

export const callerPurge: Purge = {
  step: 'delete callers',
  table: sql`callback_callers`,
  due: oldCallers,
  removeSome: (db, time) =>
    db.run(sql`delete from callback_callers where address = any(array(${oldCallers(time)} limit 10000))`),
};
