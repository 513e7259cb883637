import { storeAnswer } from '../../operations/stored-answers.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { type Part, part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf } from '../history/read-history.ts';
import type { Operation, Plan } from '../operation.ts';
import {
  BY_REGISTRAR,
  loadEndpoint,
  requireEndpoint,
  type StoredEndpoint,
  shownInHistory,
} from './webhook-endpoint.ts';

export type EndpointChange = {
  readonly id: string;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly isEnabled?: boolean | undefined;
};
export type EndpointResult = { readonly id: string };
type Loaded = { readonly endpoint: StoredEndpoint | undefined };
type UpdatePlan = Plan<EndpointResult> & { readonly before: StoredEndpoint; readonly after: StoredEndpoint };

export const ENABLED_AGAIN: Fragment = sql`
  disabled_at = null, disabled_reason = null, failing_since = null, failures = 0, paused_until = null`;

export const updateEndpoint: Operation<EndpointChange, Loaded, UpdatePlan> = {
  load: async (db, { id }, { principal }) => ({ endpoint: await loadEndpoint(db, id, principal) }),

  decide({ endpoint }, { id, ...change }) {
    const before = requireEndpoint(endpoint);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return { answer: { id }, before, after: { ...before, ...given } };
  },

  async persist(db, { answer, before, after }, context) {
    const { now } = context;
    // At another address, or when it is enabled, it begins without its failures.
    const isFresh = after.isEnabled && (!before.isEnabled || after.url !== before.url);
    const state = isFresh
      ? sql`, ${ENABLED_AGAIN}`
      : before.isEnabled && !after.isEnabled
        ? sql`, disabled_at = ${now}, disabled_reason = ${BY_REGISTRAR}`
        : sql``;
    const changed = part(
      'changed',
      ['stored'],
      sql`
        update webhook_endpoints e set url = ${after.url}, description = ${after.description}, event_types = ${after.eventTypes}::text[],
          updated_at = ${now} ${state}
        from stored where e.id = ${before.rowId} and e.updated_at = ${before.updatedAt}
        returning e.id, e.public_id as name`,
    );
    const operation =
      before.isEnabled === after.isEnabled ? 'update' : after.isEnabled ? 'enable' : 'disable';
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(after.isEnabled ? undefined : endDeliveries(now))
      .and(
        recordHistory(
          { objectKind: 'webhook', operation, before: shownInHistory(before), after: shownInHistory(after) },
          authorOf(context),
        ),
      );
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};

/** Nothing waits for an endpoint that is disabled; all of it can be sent again when it is enabled. */
export const endDeliveries = (now: Date): Part<'ended', 'changed'> =>
  part(
    'ended',
    ['changed'],
    sql`
      update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = ${now}, last_error = 'The endpoint was disabled'
      from changed where d.endpoint_id = changed.id and d.next_attempt_at is not null`,
  );

type DeletePlan = Plan<EndpointResult> & { readonly endpoint: StoredEndpoint };

/** With its secrets and deliveries. */
export const deleteEndpoint: Operation<{ readonly id: string }, Loaded, DeletePlan> = {
  load: async (db, { id }, { principal }) => ({ endpoint: await loadEndpoint(db, id, principal) }),

  decide: ({ endpoint }, { id }) => ({ answer: { id }, endpoint: requireEndpoint(endpoint) }),

  async persist(db, { answer, endpoint }, context) {
    const changed = part(
      'changed',
      ['stored'],
      sql`
        delete from webhook_endpoints e using stored where e.id = ${endpoint.rowId} returning e.id, e.public_id as name`,
    );
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(
        recordHistory(
          { objectKind: 'webhook', operation: 'delete', before: shownInHistory(endpoint) },
          authorOf(context),
        ),
      );
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};
