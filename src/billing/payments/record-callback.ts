import type { Purge } from '../../platform/jobs/run-purge.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { queuePosition } from './unknown-payments.ts';

export type Callback = {
  readonly reference: string | undefined;
  readonly eventName: string | undefined;
  /** The address that called, an IPv6 one as its /64. */
  readonly caller: string;
};

/**
 * Records a callback and schedules a poll of the provider. Its content is not trusted: an unknown reference goes into a
 * queue. True where the payment is known.
 */
export async function recordCallback(
  db: Sql,
  { reference, eventName, caller }: Callback,
  now: Date,
): Promise<boolean> {
  const row = await db.maybe(sql<{ known: boolean }>`
    with event as (
      insert into payment_events (payment_reference, event_name, at) values (${reference ?? null}, ${eventName ?? null}, ${now}))
    insert into payments (reference, created_at, poll_at, reported_by, lane, rank)
    select ${reference ?? null}::text, ${now}, ${now}, ${caller}, ${queuePosition(reference, caller, now)} where ${reference !== undefined}
    on conflict (reference) do update set poll_at = least(payments.poll_at, excluded.poll_at), attempts = 0, scheduled_poll = false
    where not payments.external
    returning lane is null as known`);
  return row?.known ?? false;
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
