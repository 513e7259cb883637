import type { Database } from '../../platform/database/database.ts';
import {
  type EventPosition,
  readEventPosition,
  writeEventPosition,
} from '../../registry/events/event-position.ts';
import { KEPT_DAYS } from '../../registry/events/event-marks.ts';
import { type FeedEvent, readEvents } from '../../registry/events/read-events.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import { Type } from '../http/schema-builder.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { EventType } from './event-schemas.ts';
import { refuse } from './registrar-api-refusals.ts';
import { DEFAULT_LIMIT, paging, Strict, Text } from './schemas.ts';

const MAX_POSITION_LENGTH = 100;

const Event = Type.Object(
  {
    id: Type.String({ description: 'the header webhook-id of the same event' }),
    type: EventType,
    timestamp: Type.String({ description: 'when it happened' }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'as webhooks of this type have it' }),
    position: Type.String({ description: 'given as after, the feed continues behind this event' }),
  },
  { additionalProperties: false, 'x-component': 'FeedEvent' },
);

const example = {
  events: [
    {
      id: 'msg_0b6d2c1e8a3f4f579a416f0c2f4f7a10',
      type: 'domain.registered',
      timestamp: '2026-11-15T10:00:00.000+02:00',
      data: {
        id: 3,
        by: 'registrar',
        name: 'example.ee',
        amount: '9.00',
        domain: 'example.ee',
        object: 'domain',
        sequence: 41,
        statuses: { ok: '' },
        operation: 'create',
        request_id: '0d6a9f0e-53a1-4b0e-9a57-3f4d2f0c8a11',
        expire_time: '2027-11-16T00:00:00.000+02:00',
        idempotency_key: 'order-4711',
      },
      position: '1-7741-41',
    },
  ],
  position: '1-7742-0',
  has_more: false,
};

const eventJson = ({ data, position, ...event }: FeedEvent) => ({
  ...event,
  data: JSON.parse(data) as Record<string, unknown>,
  position: writeEventPosition(position),
});

const positionIn = (text: string | undefined): EventPosition | undefined =>
  text === undefined ? undefined : (readEventPosition(text) ?? refuse('positionUnknown'));

export function eventEndpoints({ database }: { readonly database: Database }): RegistrarEndpoint[] {
  return [
    endpoint({
      id: 'readEvents',
      method: 'GET',
      path: '/events',
      group: 'Event feed',
      summary: `What happened, oldest first, for ${KEPT_DAYS} days: the events of webhooks, also without one`,
      right: 'objects',
      query: Strict({
        limit: paging.limit,
        after: Type.Optional(
          Text('a position: of an event, or where an earlier answer ended; without one all that is kept', {
            maxLength: MAX_POSITION_LENGTH,
          }),
        ),
      }),
      data: Type.Object(
        {
          events: Type.Array(Event),
          position: Type.String({ description: 'where this answer ended: the next one continues after it' }),
          has_more: Type.Boolean({
            description:
              'whether more is there already; also after an answer with fewer events than the limit',
          }),
        },
        { additionalProperties: false },
      ),
      refusals: ['positionGone', 'positionUnknown'],
      example: { query: { limit: 10 }, data: example },
      async handle({ query: { limit = DEFAULT_LIMIT, after }, context }) {
        const request = { after: positionIn(after), limit, now: context.now };
        const { events, position, hasMore } = await inListTurn(database, context.principal, (db) =>
          readEvents(db, request, context.principal),
        );
        return {
          data: { events: events.map(eventJson), position: writeEventPosition(position), has_more: hasMore },
        };
      },
    }),
  ];
}
