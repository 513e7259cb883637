import { storeAnswer } from '../../operations/stored-answers.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf } from '../history/read-history.ts';
import type { Operation, Plan } from '../operation.ts';
import { type EndpointGeneration, type EndpointSecret, newSalt } from './create-endpoint.ts';
import { loadEndpoint, requireEndpoint, type StoredEndpoint } from './webhook-endpoint.ts';
import { secretOf, type WebhookSettings } from './known-webhooks.ts';

/** How long the replaced secret signs beside the new one. */
export const OLD_SECRET_HOURS = 24;
const HOUR_MS = 3_600_000;

type RotatePlan = Plan<EndpointSecret> & {
  readonly endpoint: StoredEndpoint;
  readonly generation: number;
  readonly salt: Buffer;
};

/** Makes a new secret. One that was being replaced already is dropped: two sign at the most. */
export const rotateSecret = (
  settings: WebhookSettings,
): Operation<{ readonly id: string }, { readonly endpoint: StoredEndpoint | undefined }, RotatePlan> => ({
  load: async (db, { id }, { principal }) => ({ endpoint: await loadEndpoint(db, id, principal) }),

  decide(found) {
    const endpoint = requireEndpoint(found.endpoint);
    const [generation, salt] = [endpoint.generation + 1, newSalt()];
    const answer = { id: endpoint.id, generation, secret: secretOf(settings, salt) };
    return { answer, endpoint, generation, salt };
  },

  async persist(db, { endpoint, generation, salt }, context) {
    const { now } = context;
    const until = new Date(now.getTime() + OLD_SECRET_HOURS * HOUR_MS);
    const dropped = part(
      'dropped',
      ['stored'],
      sql`
        delete from webhook_secrets s using stored
        where s.endpoint_id = ${endpoint.rowId} and s.expires_at is not null and s.generation < ${generation - 1}`,
    );
    const retired = part(
      'retired',
      ['stored'],
      sql`
        update webhook_secrets s set expires_at = ${until} from stored
        where s.endpoint_id = ${endpoint.rowId} and s.generation = ${generation - 1} and s.expires_at is null
        returning s.endpoint_id`,
    );
    const keyed = part(
      'keyed',
      ['retired'],
      sql`
        insert into webhook_secrets (endpoint_id, generation, salt, created_at)
        select retired.endpoint_id, ${generation}, ${salt}, ${now} from retired
        returning endpoint_id`,
    );
    const changed = part(
      'changed',
      ['keyed'],
      sql`
        select e.id, e.public_id as name from keyed join webhook_endpoints e on e.id = keyed.endpoint_id`,
    );
    const stored: EndpointGeneration = { id: endpoint.id, generation };
    const statement = WithStatement.from(storeAnswer(stored, context))
      .and(dropped)
      .and(retired)
      .and(keyed)
      .and(changed)
      .and(
        recordHistory(
          { objectKind: 'webhook', operation: 'rotate secret', before: null, after: { generation } },
          authorOf(context),
        ),
      );
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
});
