import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { withCommas } from '../../platform/values/normalise-text.ts';
import { checkTargetUrl } from '../../platform/webhooks/target-address.ts';
import type { Principal } from '../../registry/actor.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import type { Context } from '../../registry/operation.ts';
import { runRegistryOperation, runRegistryTransaction } from '../../registry/run-registry-operation.ts';
import { createEndpoint, type EndpointSecret, readSecret } from '../../registry/webhooks/create-endpoint.ts';
import {
  isEndpointId,
  isEventId,
  listEndpoints,
  MAX_DESCRIPTION_LENGTH,
  MAX_ENDPOINTS,
  readEndpoint,
} from '../../registry/webhooks/webhook-endpoint.ts';
import { subscribableEvents, TEST_EVENT } from '../../registry/webhooks/event-types.ts';
import { deliveryStates, listDeliveries, readDelivery } from '../../registry/webhooks/list-deliveries.ts';
import { OLD_SECRET_HOURS, rotateSecret } from '../../registry/webhooks/rotate-secret.ts';
import {
  MAX_REPLAYED,
  replayEvent,
  replayFailed,
  sendTestEvent,
} from '../../registry/webhooks/send-again.ts';
import { deleteEndpoint, updateEndpoint } from '../../registry/webhooks/update-endpoint.ts';
import { offersWebhooks, type WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import type { Answer } from '../http/http-answer.ts';
import { emptyIs, emptyReplacesBy } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, perform, positionIn } from './answers.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { EventType } from './event-schemas.ts';
import { refusal, refuse } from './registrar-api-refusals.ts';
import {
  renderDelivery,
  renderGeneration,
  renderNothing,
  renderReplayed,
  renderSecret,
  renderWebhook,
} from './render-results.ts';
import { Changed, DEFAULT_LIMIT, paging, Strict, Text } from './schemas.ts';
import { parseTime } from './time-fields.ts';
import { deliveryJson, webhookJson } from './webhook-json.ts';

type Dependencies = { readonly database: Database; readonly webhooks: WebhookSettings };

const maybe = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  url: Text('where events are posted: https, port 443, the name of a public host'),
  description: Type.String({ maxLength: MAX_DESCRIPTION_LENGTH, description: "the registrar's own note" }),
  event_types: Type.Union(
    [
      Type.Array(Text('a type of event', { enum: [...subscribableEvents] }), {
        minItems: 1,
        maxItems: subscribableEvents.length,
      }),
      Type.Null(),
    ],
    { description: 'which events are sent; null for all, also those that are added later' },
  ),
};
const NewWebhook = Strict({
  webhook: Strict(
    {
      url: fields.url,
      description: Type.Optional(fields.description),
      event_types: Type.Optional(fields.event_types),
    },
    { 'x-component': 'NewWebhook' },
  ),
});
const WebhookChange = Strict({
  webhook: Strict(
    {
      url: Type.Optional({ ...fields.url, ...emptyIs('text refused') }),
      description: Type.Optional({ ...fields.description, ...emptyReplacesBy('') }),
      event_types: Type.Optional({ ...fields.event_types, ...emptyReplacesBy(null) }),
      enabled: Type.Optional(Type.Boolean({ description: 'false stops all deliveries' })),
    },
    { minProperties: 1, 'x-component': 'WebhookChange' },
  ),
});
const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: Type.String(),
    event_types: Type.Union([Type.Array(EventType), Type.Null()]),
    enabled: Type.Boolean(),
    disabled_at: maybe('since when nothing is sent'),
    disabled_reason: maybe('why'),
    created_at: Type.String(),
    updated_at: Type.String(),
    last_success_at: maybe('when an event was last received; exact to a minute'),
    failing_since: maybe('since when every attempt has failed'),
    old_secret_until: maybe('until when the secret that was replaced signs too'),
  },
  { additionalProperties: false, 'x-component': 'Webhook' },
);
const WebhookId = Type.Object(
  { id: Type.String() },
  { additionalProperties: false, 'x-component': 'WebhookId' },
);
const WebhookSecret = Type.Object(
  {
    id: Type.String(),
    generation: Type.Integer({ description: 'counts the secrets of the endpoint' }),
    secret: Type.String({ description: 'signs events; it is not shown again' }),
  },
  { additionalProperties: false, 'x-component': 'WebhookSecret' },
);
const delivery = {
  event_id: Type.String({ description: 'the header webhook-id' }),
  type: EventType,
  sequence: Type.Integer({ description: 'of two events about one object the younger has the higher' }),
  timestamp: Type.String(),
  state: Type.Enum([...deliveryStates]),
  attempts: Type.Integer(),
  next_attempt_at: maybe('while it is being sent: when it is taken for lost'),
  finished_at: maybe('when it was delivered or given up'),
  last_attempt_at: maybe('when it was last tried'),
  last_status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'the HTTP status that was answered',
  }),
  last_error: maybe('why the last attempt failed'),
};
const Delivery = Type.Object(delivery, { additionalProperties: false, 'x-component': 'WebhookDelivery' });
const WholeDelivery = Type.Object(
  { ...delivery, data: Type.Record(Type.String(), Type.Unknown()) },
  { additionalProperties: false, 'x-component': 'WebhookDeliveryWithData' },
);
const Sent = Type.Object({ event_id: Type.String() }, { additionalProperties: false });

const ID = 'whe_5f3a0c1e9b7d2468';
const EVENT = 'msg_0b6d2c1e8a3f4f579a416f0c2f4f7a10';
const SINCE = '2026-11-15T00:00:00Z';
const webhookExample = {
  id: ID,
  url: 'https://shop.example/cadastre',
  description: 'the shop',
  event_types: null,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  created_at: '2026-11-15T10:00:00.000+02:00',
  updated_at: '2026-11-15T10:00:00.000+02:00',
  last_success_at: null,
  failing_since: null,
  old_secret_until: null,
};
const deliveryExample = {
  event_id: EVENT,
  type: TEST_EVENT,
  sequence: 17,
  timestamp: '2026-11-15T10:00:00.000+02:00',
  state: 'waiting',
  attempts: 0,
  next_attempt_at: '2026-11-15T10:00:00.000+02:00',
  finished_at: null,
  last_attempt_at: null,
  last_status: null,
  last_error: null,
};
const secretExample = { id: ID, generation: 1, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfekGLfMeo=' };

export function webhookEndpoints({ database, webhooks }: Dependencies): RegistrarEndpoint[] {
  const group = { group: 'Webhooks', right: 'objects' } as const;
  const requireOffered = () => {
    if (!offersWebhooks(webhooks)) refuse('webhooksOff');
  };
  const checkUrl = (url: string | undefined): Refusal[] => {
    const expected = url === undefined ? undefined : checkTargetUrl(url, webhooks.rules);
    return expected === undefined ? [] : [refusal('wrongSyntax', { field: 'webhook.url', expected })];
  };
  /** On a connection of the lists, as all reads that return many rows. */
  const inTurn = <T>(principal: Principal, read: Parameters<typeof inListTurn<T>>[2]) =>
    inListTurn(database, principal, read);
  /** The stored answer has no secret: a repetition reads it again. */
  const performSecret = (
    context: Context,
    run: (context: Context) => Promise<Outcome<EndpointSecret>>,
  ): Promise<Answer> =>
    perform(context, renderSecret, run, {
      stored: renderGeneration,
      again: async ({ webhook }) => renderSecret(await readSecret(database.reads, webhooks, webhook)),
    });
  return [
    endpoint({
      ...group,
      id: 'listWebhooks',
      method: 'GET',
      path: '/webhooks',
      summary: "The registrar's webhook endpoints",
      data: Type.Object({ webhooks: Type.Array(Webhook) }, { additionalProperties: false }),
      refusals: ['webhooksOff'],
      example: { data: { webhooks: [webhookExample] } },
      async handle({ context }) {
        requireOffered();
        const endpoints = await listEndpoints(database.reads, context.principal);
        return { data: { webhooks: endpoints.map(webhookJson) } };
      },
    }),

    endpoint({
      ...group,
      id: 'createWebhook',
      method: 'POST',
      path: '/webhooks',
      summary: `Create an endpoint, one of at most ${MAX_ENDPOINTS}; only this answer and that of a rotation have the secret`,
      body: NewWebhook,
      data: Changed({ webhook: WebhookSecret }),
      // A repetition whose endpoint was deleted meanwhile has no secret to answer with.
      refusals: ['webhooksOff', 'tooManyWebhooks', 'objectMissing'],
      example: {
        body: { webhook: { url: webhookExample.url, description: 'the shop' } },
        data: { webhook: secretExample },
      },
      parse({ webhook }): Parsed<{ url: string; description: string; eventTypes: readonly string[] | null }> {
        const { url = '', description = '', event_types = null } = webhook ?? {};
        const refusals = checkUrl(url);
        return refusals.length > 0 ? { refusals } : { value: { url, description, eventTypes: event_types } };
      },
      async handle({ input, context }) {
        requireOffered();
        return performSecret(context, (keyed) =>
          runRegistryOperation(database, createEndpoint(webhooks), input, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'readWebhook',
      method: 'GET',
      path: '/webhooks/:webhook_id',
      summary: 'One endpoint',
      data: Type.Object({ webhook: Webhook }, { additionalProperties: false }),
      refusals: ['webhooksOff', 'objectMissing'],
      example: { params: { webhook_id: ID }, data: { webhook: webhookExample } },
      async handle({ params, context }) {
        requireOffered();
        const id = endpointIn(params);
        return { data: { webhook: webhookJson(await readEndpoint(database.reads, id, context.principal)) } };
      },
    }),

    endpoint({
      ...group,
      id: 'updateWebhook',
      method: 'PUT',
      path: '/webhooks/:webhook_id',
      summary:
        'Change, disable or enable an endpoint; events of the time in which it was disabled are not sent',
      body: WebhookChange,
      data: Changed({ webhook: WebhookId }),
      refusals: ['webhooksOff', 'objectMissing'],
      example: {
        params: { webhook_id: ID },
        body: { webhook: { event_types: ['domain.registered', 'domain.transferred_away'] } },
        data: { webhook: { id: ID } },
      },
      parse({ webhook }): Parsed<{
        url: string | undefined;
        description: string | undefined;
        eventTypes: readonly string[] | null | undefined;
        isEnabled: boolean | undefined;
      }> {
        const { url, description, event_types: eventTypes, enabled: isEnabled } = webhook ?? {};
        const refusals = checkUrl(url);
        return refusals.length > 0 ? { refusals } : { value: { url, description, eventTypes, isEnabled } };
      },
      async handle({ params, input, context }) {
        requireOffered();
        const id = endpointIn(params);
        return perform(context, renderWebhook, (keyed) =>
          runRegistryOperation(database, updateEndpoint, { id, ...input }, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'deleteWebhook',
      method: 'DELETE',
      path: '/webhooks/:webhook_id',
      summary: 'Delete an endpoint with all that waits for it',
      data: Changed({}),
      refusals: ['webhooksOff', 'objectMissing'],
      example: { params: { webhook_id: ID }, data: {} },
      async handle({ params, context }) {
        requireOffered();
        const id = endpointIn(params);
        return perform(context, renderNothing, (keyed) =>
          runRegistryOperation(database, deleteEndpoint, { id }, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: '/webhooks/:webhook_id/secret',
      summary: `Make a new secret; the one before it signs too for ${OLD_SECRET_HOURS} hours`,
      data: Changed({ webhook: WebhookSecret }),
      refusals: ['webhooksOff', 'objectMissing'],
      example: { params: { webhook_id: ID }, data: { webhook: { ...secretExample, generation: 2 } } },
      async handle({ params, context }) {
        requireOffered();
        const id = endpointIn(params);
        return performSecret(context, (keyed) =>
          runRegistryOperation(database, rotateSecret(webhooks), { id }, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'testWebhook',
      method: 'POST',
      path: '/webhooks/:webhook_id/test',
      summary: `Have an event ${TEST_EVENT} sent to the endpoint`,
      data: Changed({ delivery: Sent }),
      refusals: ['webhooksOff', 'objectMissing', 'webhookDisabled'],
      example: { params: { webhook_id: ID }, data: { delivery: { event_id: EVENT } } },
      async handle({ params, context }) {
        requireOffered();
        const id = endpointIn(params);
        return perform(context, renderDelivery, (keyed) =>
          runRegistryOperation(database, sendTestEvent, { id }, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: '/webhooks/:webhook_id/deliveries',
      summary: 'What was sent to an endpoint and what waits, of the last 30 days, newest first',
      query: Strict({
        limit: paging.limit,
        after: paging.after,
        state: Type.Optional(Type.Enum([...deliveryStates], { description: 'only those in this state' })),
        type: Type.Optional(Text('only events of this type', { maxLength: 100 })),
      }),
      data: Type.Object({ deliveries: Type.Array(Delivery) }, { additionalProperties: false }),
      refusals: ['webhooksOff', 'objectMissing'],
      example: { params: { webhook_id: ID }, data: { deliveries: [deliveryExample] } },
      async handle({ params, query, context }) {
        requireOffered();
        const id = endpointIn(params);
        const { limit = DEFAULT_LIMIT, state, type } = query;
        const after = positionIn(query.after, 'text');
        const { deliveries, next } = await inTurn(context.principal, (sql) =>
          listDeliveries(sql, id, { limit, state, type, after }, context.principal),
        );
        return {
          data: { deliveries: deliveries.map(deliveryJson) },
          headers: nextPage(`/webhooks/${id}/deliveries`, { limit, state, type }, next),
        };
      },
    }),

    endpoint({
      ...group,
      id: 'readWebhookDelivery',
      method: 'GET',
      path: '/webhooks/:webhook_id/deliveries/:event_id',
      summary: 'One delivery, with the content of its event',
      data: Type.Object({ delivery: WholeDelivery }, { additionalProperties: false }),
      refusals: ['webhooksOff', 'objectMissing'],
      example: {
        params: { webhook_id: ID, event_id: EVENT },
        data: { delivery: { ...deliveryExample, data: { sequence: 17, object: 'webhook', name: ID } } },
      },
      async handle({ params, context }) {
        requireOffered();
        const [id, eventId] = [endpointIn(params), eventIn(params)];
        const { data, ...shown } = await readDelivery(database.reads, { id, eventId }, context.principal);
        return { data: { delivery: { ...deliveryJson(shown), data } } };
      },
    }),

    endpoint({
      ...group,
      id: 'replayWebhookDelivery',
      method: 'POST',
      path: '/webhooks/:webhook_id/deliveries/:event_id/replay',
      summary: 'Have one event sent again, under its id; also one that was delivered',
      data: Changed({ delivery: Sent }),
      refusals: ['webhooksOff', 'objectMissing', 'webhookDisabled'],
      example: { params: { webhook_id: ID, event_id: EVENT }, data: { delivery: { event_id: EVENT } } },
      async handle({ params, context }) {
        requireOffered();
        const [id, eventId] = [endpointIn(params), eventIn(params)];
        return perform(context, renderDelivery, (keyed) =>
          runRegistryOperation(database, replayEvent, { id, eventId }, keyed),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'replayWebhook',
      method: 'POST',
      path: '/webhooks/:webhook_id/replay',
      summary: `Have all failed events since a time sent again, at most ${withCommas(MAX_REPLAYED)} per call, the oldest first`,
      isBulk: true,
      body: Strict({ replay: Strict({ since: Text('a time in ISO 8601, with its zone') }) }),
      data: Changed({ replayed: Type.Integer({ description: 'how many are sent again' }) }),
      refusals: ['webhooksOff', 'objectMissing', 'webhookDisabled'],
      example: { params: { webhook_id: ID }, body: { replay: { since: SINCE } }, data: { replayed: 0 } },
      parse: ({ replay }) => parseTime('replay.since', replay?.since),
      async handle({ params, input: since, context }) {
        requireOffered();
        const id = endpointIn(params);
        return perform(context, renderReplayed, (keyed) =>
          runRegistryTransaction(database, keyed, (db) => replayFailed(db, { id, since }, keyed)),
        );
      },
    }),
  ];
}

const endpointIn = ({ webhook_id: id }: { readonly webhook_id: string }): string =>
  isEndpointId(id) ? id : refuse('objectMissing');
const eventIn = ({ event_id: id }: { readonly event_id: string }): string =>
  isEventId(id) ? id : refuse('objectMissing');
