import { randomBytes } from 'node:crypto';
import { storeAnswer } from '../../operations/stored-answers.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf } from '../history/read-history.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import { MAX_ENDPOINTS, newEndpointId, shownInHistory } from './webhook-endpoint.ts';
import { secretOf, type WebhookSettings } from './known-webhooks.ts';

export type NewEndpoint = {
  readonly url: string;
  readonly description: string;
  /** Null for all. */
  readonly eventTypes: readonly string[] | null;
};
type CreatePlan = Plan<EndpointSecret> & {
  readonly id: string;
  readonly salt: Buffer;
  readonly endpoint: NewEndpoint;
};

const SALT_BYTES = 32;
export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

export const createEndpoint = (
  settings: WebhookSettings,
): Operation<NewEndpoint, { readonly count: number }, CreatePlan> => ({
  load: (db, _, { principal }) =>
    db.one(sql<{ count: number }>`
      select count(*)::int as count from webhook_endpoints where registrar_id = ${principal.registrarId}`),

  decide({ count }, endpoint) {
    if (count >= MAX_ENDPOINTS) refuse('tooManyWebhooks', { most: MAX_ENDPOINTS });
    const [id, salt] = [newEndpointId(), newSalt()];
    return { answer: { id, generation: 1, secret: secretOf(settings, salt) }, id, salt, endpoint };
  },

  // Of two that take the last place at once, one fails at the unique position and is refused by its next attempt.
  async persist(db, { id, salt, endpoint }, context) {
    const { principal, now } = context;
    const { url, description, eventTypes } = endpoint;
    const changed = part(
      'changed',
      ['stored'],
      sql`
        insert into webhook_endpoints (public_id, registrar_id, position, url, description, event_types, created_at, updated_at)
        select ${id}, ${principal.registrarId}, coalesce((
            select min(p) from generate_series(1, ${MAX_ENDPOINTS}) as p
            where not exists (select from webhook_endpoints where registrar_id = ${principal.registrarId} and position = p)), 1),
          ${url}, ${description}, ${eventTypes}::text[], ${now}, ${now}
        from stored
        returning id, public_id as name`,
    );
    const keyed = part(
      'keyed',
      ['changed'],
      sql`
        insert into webhook_secrets (endpoint_id, generation, salt, created_at)
        select changed.id, 1, ${salt}, ${now} from changed`,
    );
    const statement = WithStatement.from(
      storeAnswer({ id, generation: 1 } satisfies EndpointGeneration, context),
    )
      .and(changed)
      .and(keyed)
      .and(
        recordHistory(
          { objectKind: 'webhook', operation: 'create', after: shownInHistory(endpoint) },
          authorOf(context),
        ),
      );
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
});

/** What of the answer is stored for a key: the secret is derived again. */
export type EndpointGeneration = { readonly id: string; readonly generation: number };
/** The one answer, to a creation or a rotation, that has the secret. */
export type EndpointSecret = EndpointGeneration & { readonly secret: string };

/** The answer to a repetition. */
export async function readSecret(
  db: Sql,
  settings: WebhookSettings,
  { id, generation }: EndpointGeneration,
): Promise<EndpointSecret> {
  const found = await db.maybe(sql<{ salt: Buffer }>`
    select s.salt from webhook_secrets s join webhook_endpoints e on e.id = s.endpoint_id
    where e.public_id = ${id} and s.generation = ${generation}`);
  return found ? { id, generation, secret: secretOf(settings, found.salt) } : refuse('objectMissing');
}
