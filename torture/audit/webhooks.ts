import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { messageTypes } from '../../src/registry/poll/send-messages.ts';
import { eventOfMessage } from '../../src/registry/webhooks/event-types.ts';
import { sql } from '../../test/support/sql.ts';
import type { EventReceiver } from '../event-receiver.ts';

/** Events are deleted after thirty days. */
const KEPT_DAYS = 29;

/**
 * For registrars with an endpoint that gets everything: each change of theirs and each poll message to them is one
 * event, and each event has a cause and a delivery to every endpoint.
 */
export async function auditWebhooks(db: Sql, now: Date): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with watched as (
      select e.registrar_id, greatest(min(e.created_at), ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})) as since
      from webhook_endpoints e where e.disabled_at is null and e.event_types is null group by 1),
    changes as (
      select h.id, h.object_kind || ' ' || h.object_name || ': ' || h.operation as change, h.actor ~ '^(user|person|epp):' as is_own, h.object_kind, h.operation
      from history h join watched w on w.registrar_id = h.registrar_id where h.at > w.since)
    select 'a change is not one event' as finding, c.change as subject, '1' as expected, count(v.id)::text as found
    from changes c left join webhook_events v on v.sequence = c.id and v.message_id is null
    where webhook_type_of_change(c.object_kind, c.operation, c.is_own) is not null and (c.is_own or c.object_kind <> 'domain')
    group by c.id, c.change having count(v.id) <> 1
    union all
    select 'a poll message is not one event', m.type || ' ' || m.id, '1', count(v.id)::text
    from poll_messages m join watched w on w.registrar_id = m.registrar_id left join webhook_events v on v.message_id = m.id
    where m.created_at > w.since group by m.id, m.type having count(v.id) <> 1
    union all
    select 'an event is not of the type of its message', m.type || ' ' || m.id, t.event_type, v.type
    from poll_messages m join webhook_events v on v.message_id = m.id
    join unnest(${messageTypes}::text[], ${messageTypes.map(eventOfMessage)}::text[]) as t(type, event_type) on t.type = m.type
    where v.type <> t.event_type
    union all
    select 'an event has no cause', v.type || ' ' || v.event_id, 'a change', 'none' from webhook_events v
    where v.message_id is null and v.type <> 'webhook.test' and not exists (select from history h where h.id = v.sequence)
    union all
    select 'an event has no delivery', v.type || ' ' || v.event_id, e.public_id, 'none'
    from webhook_events v join webhook_endpoints e on e.registrar_id = v.registrar_id and e.event_types is null and e.created_at < v.at
    where v.type <> 'webhook.test' and e.disabled_at is null
      and not exists (select from webhook_deliveries d where d.event_id = v.id and d.endpoint_id = e.id)`);
}

/** Every delivered event was received. */
export async function auditReceived(db: Sql, received: ReadonlySet<string>): Promise<Finding[]> {
  const delivered = await db.rows(sql<{ id: string }>`
    select v.event_id as id from webhook_deliveries d join webhook_events v on v.id = d.event_id where d.state = 'delivered'`);
  return delivered
    .filter(({ id }) => !received.has(id))
    .map(({ id }) => ({
      finding: 'a delivered event was not received',
      subject: id,
      expected: 'received',
      found: 'not',
    }));
}

/** Faults of the sender that a misbehaving receiver detects. */
export function auditReceiver({
  followed,
  swallowed,
}: Pick<EventReceiver, 'followed' | 'swallowed'>): Finding[] {
  const counts = {
    'a redirect of a receiver was followed': followed,
    'a huge answer of a receiver was read to its end': swallowed,
  };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([finding, count]) => ({ finding, subject: 'events', expected: '0', found: String(count) }));
}
