import type { Purge } from '../../platform/jobs/run-purge.ts';
import { batchedBy } from '../../platform/concurrency/micro-batcher.ts';
import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { hasUsualForm, LANE, RANK } from './unknown-payments.ts';

export type Callback = {
  readonly reference: string | undefined;
  readonly eventName: string | undefined;
  /** The address that called, an IPv6 one as its /64. */
  readonly caller: string;
};

type Received = Callback & { readonly at: Date };
type Recorded = { readonly position: number; readonly isKnown: boolean };

const MAX_BATCH = 64;

/**
 * Records a callback and schedules a poll of the provider. Its content is not trusted: an unknown reference goes into a
 * queue. True where the payment is known. Simultaneous callbacks share a statement; one of a payment that somebody has
 * locked waits in a statement of its own.
 */
export async function recordCallback(db: Sql, callback: Callback, now: Date): Promise<boolean> {
  const received = { ...callback, at: now };
  let isKnown = await recordTogether(db, received);
  while (isKnown === undefined) [isKnown] = await record(db, [received], sql`for update`);
  return isKnown;
}

const recordTogether = batchedBy(
  (db: Sql, batch: readonly Received[]) => record(db, batch, sql`for update skip locked`),
  MAX_BATCH,
);

/** For each whether its payment is known; undefined, and not recorded, where another transaction has the payment. */
async function record(
  db: Sql,
  batch: readonly Received[],
  locking: Fragment,
): Promise<(boolean | undefined)[]> {
  const references = batch.map(({ reference }) => reference ?? null);
  const usual = batch.map(({ reference }) => reference !== undefined && hasUsualForm(reference));
  const recorded = await db.rows(sql<Recorded>`
    with asked as materialized (
      select * from unnest(${references}::text[], ${batch.map(({ eventName }) => eventName ?? null)}::text[],
        ${batch.map(({ caller }) => caller)}::text[], ${batch.map(({ at }) => at)}::timestamptz[], ${usual}::boolean[])
        with ordinality as asked(reference, event_name, caller, at, usual, position)),
    there as materialized (
      select p.reference, p.external from payments p where p.reference in (select reference from asked) ${locking}),
    scheduled as (
      update payments p set poll_at = least(p.poll_at, first.at), attempts = 0, scheduled_poll = false
      from (select reference, min(at) as at from asked group by reference) as first
      where p.reference = first.reference and p.reference in (select reference from there where not external)
      returning p.reference, p.lane is null as known),
    unknown as (
      select distinct on (reference) * from asked
      where reference is not null and not ${existsByKey(sql`select true from payments p where p.reference = asked.reference`)}
      order by reference, position),
    queued as (
      insert into payments (reference, created_at, poll_at, reported_by, lane, rank)
      select reference, at, at, caller, ${LANE}, ${RANK} from unknown as asked
      on conflict (reference) do nothing
      returning reference),
    recorded as materialized (
      select asked.*, coalesce(scheduled.known, false) as known from asked left join scheduled using (reference)
      where asked.reference is null or asked.reference in (select reference from there union all select reference from queued)),
    event as (
      insert into payment_events (payment_reference, event_name, at) select reference, event_name, at from recorded)
    select position::int as position, known as "isKnown" from recorded`);
  const answers = new Map(recorded.map(({ position, isKnown }) => [position, isKnown]));
  return batch.map((_, index) => answers.get(index + 1));
}

const RETENTION_DAYS = 30;

const strayEvents = (now: Date): Fragment => sql`
  select id from payment_events e where at < ${now}::timestamptz - make_interval(days => ${RETENTION_DAYS})
    and not exists (select from payments p where p.reference = e.payment_reference)`;

/** Old events about unknown payments: anybody can send them. */
export const strayEventPurge: Purge = {
  step: 'delete events of payments',
  table: sql`payment_events`,
  due: strayEvents,
  removeSome: (db, time) =>
    db.run(sql`delete from payment_events where id = any(array(${strayEvents(time)} limit 10000))`),
};
