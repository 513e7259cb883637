import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { shownAddress } from '../../platform/values/ip-addresses.ts';
import type { OperatorChange } from '../operator-change.ts';
import type { DeliveryState } from './list-deliveries.ts';
import { MAX_REPLAYED, MAX_RETRY_DAYS } from './send-again.ts';
import { ENABLED_AGAIN } from './update-endpoint.ts';

/** An endpoint as operators see it: the query of its URL may be a secret of the registrar. */
export type ListedEndpoint = {
  readonly id: string;
  readonly registrar: string;
  readonly url: string;
  readonly state: 'enabled' | 'failing' | 'disabled';
  readonly waiting: number;
  readonly failed: number;
  readonly lastSuccess: Date | null;
};
export type EndpointRecord = ListedEndpoint & {
  readonly description: string;
  readonly eventTypes: string;
  readonly createdAt: Date;
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly pausedUntil: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly secrets: number;
};

const LISTED: Fragment = sql`
  e.public_id as id, r.code as registrar, e.url,
  case when e.disabled_at is not null then 'disabled' when e.failures > 0 then 'failing' else 'enabled' end as state,
  (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at is not null) as waiting,
  (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'failed') as failed, e.last_success_at as "lastSuccess"`;
const shown = <Row extends ListedEndpoint>(row: Row): Row => ({ ...row, url: shownAddress(row.url) });

export async function listAllEndpoints(db: Sql, registrar?: string): Promise<ListedEndpoint[]> {
  const rows = await db.rows(sql<ListedEndpoint>`
    select ${LISTED} from webhook_endpoints e join registrars r on r.id = e.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null} order by r.code, e.id`);
  return rows.map(shown);
}

export async function findEndpointRecord(db: Sql, id: string): Promise<EndpointRecord | undefined> {
  const row = await db.maybe(sql<EndpointRecord>`
    select ${LISTED}, e.description, coalesce(array_to_string(e.event_types, ', '), 'all') as "eventTypes", e.created_at as "createdAt",
      e.failing_since as "failingSince", e.failures, e.paused_until as "pausedUntil", e.disabled_at as "disabledAt",
      e.disabled_reason as "disabledReason", (select count(*)::int from webhook_secrets s where s.endpoint_id = e.id) as secrets
    from webhook_endpoints e join registrars r on r.id = e.registrar_id where e.public_id = ${id}`);
  return row && shown(row);
}

export type ListedDelivery = {
  readonly event: string;
  readonly type: string;
  readonly at: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next: Date | null;
  readonly status: number | null;
  readonly error: string | null;
};

/** Newest first. */
export const listDeliveriesOf = (
  db: Sql,
  id: string,
  { state, limit }: { readonly state: DeliveryState | undefined; readonly limit: number },
): Promise<ListedDelivery[]> =>
  db.rows(sql<ListedDelivery>`
    select v.event_id as event, v.type, v.at, d.state, d.attempts, d.next_attempt_at as next, d.last_status as status, d.last_error as error
    from webhook_deliveries d join webhook_events v on v.id = d.event_id
    where d.endpoint_id = (select id from webhook_endpoints where public_id = ${id})
      and (${state ?? null}::text is null or d.state = ${state ?? null})
    order by d.event_id desc limit ${limit}`);

/** False if there is no such endpoint that is disabled. */
export async function enableEndpoint(
  db: Sql,
  id: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update webhook_endpoints set ${ENABLED_AGAIN}, updated_at = ${at} where public_id = ${id} and disabled_at is not null
      returning id, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason)
    select ${at}, 'webhook', id, ${id}, 'enable', registrar_id, ${actor}, ${reason ?? null} from changed returning 1`);
  return rows.length === 1;
}

/** Has one event, or all that failed since a time, sent again under their ids; how many, or undefined if it is disabled. */
export async function replayByOperator(
  db: Sql,
  id: string,
  which: { readonly event: string } | { readonly since: Date | undefined },
  now: Date,
): Promise<number | undefined> {
  const endpoint = await db.maybe(sql<{ rowId: number }>`
    select id as "rowId" from webhook_endpoints where public_id = ${id} and disabled_at is null`);
  if (!endpoint) return undefined;
  const chosen =
    'event' in which
      ? sql`event_id = (select v.id from webhook_events v where v.event_id = ${which.event})`
      : sql`state = 'failed' and created_at >= ${which.since ?? new Date(0)}`;
  return db.run(sql`
    update webhook_deliveries set state = 'waiting', next_attempt_at = ${now}, finished_at = null,
      try_until = ${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})
    where id in (
      select id from webhook_deliveries where endpoint_id = ${endpoint.rowId} and ${chosen} order by created_at, id limit ${MAX_REPLAYED})`);
}

/** Of an endpoint that answers, nothing may wait: what does is not delivered by us. */
const IS_ENABLED = sql`e.disabled_at is null`;
export const webhookMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_webhooks_waiting',
    help: 'Events that are still to be delivered to endpoints of registrars',
    query: sql`select count(*) as value from webhook_deliveries where next_attempt_at is not null`,
  },
  {
    name: 'cadastre_webhooks_oldest_due_timestamp_seconds',
    help: 'Since when the oldest event is due for an endpoint that does not fail; none if there is none',
    query: sql`
      select extract(epoch from min(d.next_attempt_at)) as value from webhook_endpoints e cross join lateral (
        select next_attempt_at from webhook_deliveries where endpoint_id = e.id and next_attempt_at is not null order by next_attempt_at limit 1) as d
      where ${IS_ENABLED} and e.failures = 0 having count(*) > 0`,
  },
  {
    name: 'cadastre_webhook_endpoints',
    help: 'Endpoints of registrars, by their state',
    labelNames: ['state'],
    query: sql`
      select case when not (${IS_ENABLED}) then 'disabled' when e.failures > 0 then 'failing' else 'enabled' end as state, count(*) as value
      from webhook_endpoints e group by 1`,
  },
];
