import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { shownAddress } from '../../platform/values/ip-addresses.ts';
import type { DeliveryState } from './list-deliveries.ts';

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
