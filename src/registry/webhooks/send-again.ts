import { storeAnswer } from '../../operations/stored-answers.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, json, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Context, Operation, Plan } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import { loadEndpoint, newEventId, requireEnabled, type StoredEndpoint } from './webhook-endpoint.ts';
import { TEST_EVENT } from './event-types.ts';

/** How long an event is tried; the trigger that writes events has the same. */
export const MAX_RETRY_DAYS = 3;

const tryUntil = (now: Date): Fragment => sql`${now}::timestamptz + make_interval(days => ${MAX_RETRY_DAYS})`;

/** An attempt under way ends by itself; the number of attempts goes on. */
const dueAgain = (now: Date): Fragment => sql`
  state = 'waiting', next_attempt_at = ${now}, finished_at = null, try_until = ${tryUntil(now)}`;

type Loaded = { readonly endpoint: StoredEndpoint | undefined };
/** The event that is sent. */
export type SentEvent = { readonly eventId: string };
type TestPlan = Plan<SentEvent> & { readonly endpoint: StoredEndpoint };

/** Has an event of no consequence sent to one endpoint, whatever types it wants. */
export const sendTestEvent: Operation<{ readonly id: string }, Loaded, TestPlan> = {
  load: async (db, { id }, { principal }) => ({ endpoint: await loadEndpoint(db, id, principal) }),

  decide(found) {
    const endpoint = requireEnabled(found.endpoint);
    return { answer: { eventId: newEventId() }, endpoint };
  },

  async persist(db, { answer, endpoint }, context) {
    const { now, principal } = context;
    const written = part(
      'written',
      ['stored'],
      sql`
        insert into webhook_events (event_id, registrar_id, type, sequence, at, data)
        select ${answer.eventId}, ${principal.registrarId}, ${TEST_EVENT}, counted.sequence, ${now},
          jsonb_build_object('sequence', counted.sequence) || ${json({ object: 'webhook', name: endpoint.id })}
        from stored, (select nextval('history_id_seq') as sequence) as counted
        returning id`,
    );
    const changed = part(
      'changed',
      ['written'],
      sql`
        insert into webhook_deliveries (endpoint_id, event_id, state, created_at, next_attempt_at, try_until)
        select ${endpoint.rowId}, written.id, 'waiting', ${now}, ${now}, ${tryUntil(now)} from written
        returning id`,
    );
    const statement = WithStatement.from(storeAnswer(answer, context)).and(written).and(changed);
    await db.run(statement.end(['changed'], sql`select require_unchanged(count(*) = 1) from changed`));
  },
};

type Delivery = { readonly id: string; readonly eventId: string };
type ReplayPlan = Plan<SentEvent> & { readonly deliveryId: number };

/** Has one event sent again, under its id; also one that was delivered. */
export const replayEvent: Operation<
  Delivery,
  Loaded & { readonly deliveryId: number | undefined },
  ReplayPlan
> = {
  async load(db, { id, eventId }, { principal }) {
    const endpoint = await loadEndpoint(db, id, principal);
    const found = await db.maybe(sql<{ id: number }>`
      select d.id from webhook_deliveries d join webhook_events v on v.id = d.event_id
      where d.endpoint_id = ${endpoint?.rowId ?? null}::bigint and v.event_id = ${eventId}`);
    return { endpoint, deliveryId: found?.id };
  },

  decide({ endpoint, deliveryId }, { eventId }) {
    requireEnabled(endpoint);
    if (deliveryId === undefined) return refuse('objectMissing');
    return { answer: { eventId }, deliveryId };
  },

  async persist(db, { answer, deliveryId }, context) {
    const changed = part(
      'changed',
      ['stored'],
      sql`
        update webhook_deliveries d set ${dueAgain(context.now)} from stored where d.id = ${deliveryId} returning d.id`,
    );
    const statement = WithStatement.from(storeAnswer(answer, context)).and(changed);
    await db.run(statement.end(['changed'], sql`select require_unchanged(count(*) = 1) from changed`));
  },
};

/** Bounds a statement; who has more calls again. */
export const MAX_REPLAYED = 10_000;

export type ReplayedEvents = { readonly replayed: number };

/** Has events sent again that failed and were written since; the oldest first. Inside one transaction. */
export async function replayFailed(
  db: Sql,
  { id, since }: { readonly id: string; readonly since: Date },
  { principal, now }: Context,
): Promise<ReplayedEvents> {
  const endpoint = requireEnabled(await loadEndpoint(db, id, principal));
  const replayed = await db.run(sql`
    update webhook_deliveries set ${dueAgain(now)} where state = 'failed' and id in (
      select d.id from webhook_deliveries d
      where d.endpoint_id = ${endpoint.rowId} and d.state = 'failed' and d.created_at >= ${since}
      order by d.created_at, d.id limit ${MAX_REPLAYED})`);
  return { replayed };
}
