import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import type { Purge } from '../../platform/jobs/run-purge.ts';
import { backoffMs, maxBackoffMs } from '../../platform/outbox/backoff.ts';
import type { Failure } from '../../platform/outbox/outbox.ts';
import { dueRows, hasDue, type Queue } from '../../platform/outbox/queue.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, isoTime, sql } from '../../platform/sql/statement.ts';
import { failureReason, NotTaken } from './failure-reasons.ts';
import { type AttemptEnd, insertAttempt, unlessUnkept } from './webhook-attempts.ts';
import { ENDPOINT_BACKOFF, EVENT_BACKOFF, MAX_ENDPOINT_PAUSE_MS } from './retry-schedule.ts';
import { MAX_RETRY_DAYS } from './send-again.ts';

/** A delivery that this process has claimed for one attempt, which is counted already. */
export type ClaimedDelivery = {
  readonly id: number;
  readonly attempts: number;
  readonly tryUntil: Date;
  readonly endpointId: number;
  readonly registrarId: number;
  readonly publicId: string;
  readonly url: string;
  /** Consecutive failures of the endpoint before this attempt. */
  readonly failures: number;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  /** The same in ISO 8601. */
  readonly timestamp: string;
  /** JSON text, the same at every attempt. */
  readonly data: string;
  /** Salts of the secrets in force, the newest first. */
  readonly salts: readonly string[];
};

/** How many attempts a process may begin, and how many it may have under way to one endpoint. */
export type ClaimLimits = { readonly total: number; readonly perEndpoint: number };

/** Longer than an attempt can take: an older claim was left by a process that died. */
const LEASE_MS = 60_000;

/** Of one endpoint, `room`. */
const endpointQueue: Queue = {
  table: 'webhook_deliveries',
  key: sql`id`,
  waits: sql`next_attempt_at is not null`,
  order: sql`next_attempt_at, id`,
  isNext: sql`endpoint_id = room.id`,
};

export const webhookDueTimes: readonly DueTime[] = [
  {
    what: 'events for registrars',
    table: 'webhook_deliveries',
    column: 'next_attempt_at',
    maxAheadMs: maxBackoffMs(EVENT_BACKOFF),
    where: sql`next_attempt_at is not null`,
    repair: (now) =>
      sql`next_attempt_at = ${now}, try_until = ${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})`,
  },
  {
    what: 'paused endpoints of registrars',
    table: 'webhook_endpoints',
    column: 'paused_until',
    maxAheadMs: MAX_ENDPOINT_PAUSE_MS,
    repair: (now) =>
      sql`paused_until = null, failing_since = case when failures > 0 then ${now}::timestamptz end`,
  },
];

const IS_OPEN = (now: Date): Fragment => sql`
  room.disabled_at is null and (room.paused_until is null or room.paused_until <= ${now})`;

/**
 * Claims what has been due longest, of each endpoint no more than it has room for: those that answer slowly take nothing
 * from the others. An endpoint whose last attempt failed gets one at a time.
 */
export function claimDue(
  db: Sql,
  underWay: readonly ClaimedDelivery[],
  { total, perEndpoint }: ClaimLimits,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const free = sql`greatest(0, case when room.failures > 0 then 1 else ${perEndpoint}::int end - coalesce(busy.count, 0))`;
  return db.rows(sql<ClaimedDelivery>`
    with due as (
      select picked.id from webhook_endpoints room
        left join (select endpoint_id, count(*) from unnest(${underWay.map(({ endpointId }) => endpointId)}::bigint[]) as endpoint_id group by 1) as busy
          on busy.endpoint_id = room.id
        cross join lateral (${dueRows(endpointQueue, now, free, sql`id, next_attempt_at`)}) as picked
      where ${IS_OPEN(now)}
      order by picked.next_attempt_at, picked.id limit ${total}),
    claimed as (
      update webhook_deliveries d set state = 'sending', attempts = d.attempts + 1, last_attempt_at = ${now},
        next_attempt_at = ${new Date(now.getTime() + LEASE_MS)}
      from due where d.id = due.id
      returning d.id, d.attempts, d.try_until, d.endpoint_id, d.event_id)
    select c.id, c.attempts, c.try_until as "tryUntil", e.id as "endpointId", e.registrar_id as "registrarId", e.public_id as "publicId", e.url, e.failures,
      v.event_id as "eventId", v.type, v.at, ${isoTime(sql`v.at`)} as timestamp, v.data::text as data,
      array(select encode(s.salt, 'hex') from webhook_secrets s
        where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > ${now}) order by s.generation desc) as salts
    from claimed c join webhook_endpoints e on e.id = c.endpoint_id join webhook_events v on v.id = c.event_id
    order by c.id`);
}

/** Whether anything is due, to an endpoint that is not paused. */
export const isWebhookDue = (now: Date): Fragment => sql`exists (
  select from webhook_endpoints room where ${IS_OPEN(now)} and ${hasDue(endpointQueue, now)})`;

/** The time of the next attempt; undefined if none is to be made. */
export async function nextWebhook(db: Sql): Promise<Date | undefined> {
  const row = await db.one(sql<{ at: Date | null }>`
    select min(greatest(e.paused_until, (
      select d.next_attempt_at from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at is not null
      order by d.next_attempt_at limit 1))) as at
    from webhook_endpoints e
    where e.disabled_at is null and exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at is not null)`);
  return row.at ?? undefined;
}

/** The row of an endpoint is written when that says something new: many deliveries a second share it. */
const SUCCESS_INTERVAL_SECONDS = 60;

/** Of two attempts that both succeeded the first to be recorded counts. */
export async function markDelivered(
  db: Sql,
  { id, endpointId }: ClaimedDelivery,
  end: AttemptEnd,
  now: Date,
): Promise<void> {
  await unlessUnkept((isKept) =>
    db.run(sql`
    with delivered as (
      update webhook_deliveries set state = 'delivered', next_attempt_at = null, finished_at = ${now}, last_status = ${end.status}::int, last_error = null
      where id = ${id} and state <> 'delivered')${isKept ? sql`, kept as (${insertAttempt(id, end, null, now)})` : sql``}
    update webhook_endpoints set last_success_at = ${now}, failing_since = null, failures = 0, paused_until = null
    where id = ${endpointId} and (failures > 0 or last_success_at is null
      or last_success_at < ${now}::timestamptz - make_interval(secs => ${SUCCESS_INTERVAL_SECONDS}))`),
  );
}

/**
 * A process whose claim has expired must not overwrite the state of the attempt that replaced it. Attempts that ran side
 * by side and failed count once. Returns since when the endpoint fails.
 */
export async function markFailed(
  db: Sql,
  { id, attempts, endpointId, failures }: ClaimedDelivery,
  { error, nextAttemptAt }: Failure,
  end: AttemptEnd,
  now: Date,
): Promise<Date | undefined> {
  const { retryAfterMs = 0 } = error instanceof NotTaken ? error : {};
  const pauseMs = Math.max(backoffMs(ENDPOINT_BACKOFF, failures + 1), retryAfterMs);
  const reason = failureReason(error);
  const row = await unlessUnkept((isKept) =>
    db.maybe(sql<{ since: Date | null }>`
    with failed as (
      update webhook_deliveries set last_status = ${end.status}::int, last_error = ${reason},
        state = ${nextAttemptAt ? 'waiting' : 'failed'}, next_attempt_at = ${nextAttemptAt ?? null}::timestamptz,
        finished_at = ${nextAttemptAt ? null : now}::timestamptz
      where id = ${id} and attempts = ${attempts} and state = 'sending')${isKept ? sql`, kept as (${insertAttempt(id, end, reason, now)})` : sql``}
    update webhook_endpoints set failing_since = coalesce(failing_since, ${now}),
      failures = failures + case when failures > 0 and paused_until > ${now} then 0 else 1 end,
      paused_until = greatest(paused_until, ${new Date(now.getTime() + pauseMs)})
    where id = ${endpointId}
    returning failing_since as since`),
  );
  return row?.since ?? undefined;
}

const RETENTION_DAYS = 30;
const MAX_DELETED = 1_000;

const oldEvents = (now: Date): Fragment => sql`
  select id from webhook_events where at < ${now}::timestamptz - make_interval(days => ${RETENTION_DAYS})`;

/** Old events with their deliveries. */
export const eventPurge: Purge = {
  step: 'delete webhook events',
  table: sql`webhook_events`,
  due: oldEvents,
  removeSome: (db, time) =>
    db.run(sql`delete from webhook_events where id in (${oldEvents(time)} order by at limit ${MAX_DELETED})`),
};
