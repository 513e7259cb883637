import type { Parsed } from '../../operations/refusal.ts';
import { withDescending } from '../../platform/paging/order.ts';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Database } from '../../platform/database/database.ts';
import { compactObject, constant, type Fragment, isoTime } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import type { Context } from '../../registry/operation.ts';
import { message, messageTypes } from '../../registry/poll/send-messages.ts';
import {
  acknowledgeListed,
  acknowledgeMessage,
  listUnreadMessages,
  MESSAGE,
  readLatestMessage,
  readMessage,
} from '../../registry/poll/read-messages.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { type Answer, JsonText } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, perform, positionIn } from './answers.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { SUCCESS_TEXT } from './envelope.ts';
import { refusal } from './registrar-api-refusals.ts';
import { renderAcknowledged, renderListedAcknowledged } from './render-results.ts';
import { Changed, DEFAULT_LIMIT, Money, orNull, paging, Strict } from './schemas.ts';
import { namesOf } from './sorts.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const Message = Type.Object(
  {
    id: Type.Integer(),
    text: Type.String(),
    attached_obj_type: Type.Union([Type.Enum(['Domain', 'Contact']), Type.Null()]),
    attached_obj_id: Type.Union([Type.Integer(), Type.Null()]),
    type: Type.Enum([...messageTypes]),
    created_at: Type.String(),
    read: Type.Boolean({ description: 'whether it was marked as read; in lists always false' }),
    domain: orNull(Type.String(), 'name of the domain that it is about, also after that is gone'),
    contact: orNull(Type.String(), 'code of the contact that it is about'),
    invoice_number: orNull(Type.Integer(), 'of the invoice that it is about'),
    amount: orNull(Money, 'of the invoice, or what was credited, taken or repaid'),
    direction: orNull(Type.Enum(['in', 'out']), 'of a transfer: to you, or away from you'),
    idempotency_key: orNull(Type.String(), 'of your request that caused it'),
  },
  { additionalProperties: false, 'x-component': 'Notification' },
);
const INCUMBENTS = {
  id: MESSAGE.id,
  text: MESSAGE.text,
  attached_obj_type: MESSAGE.attachedType,
  attached_obj_id: MESSAGE.attachedId,
  type: MESSAGE.type,
  created_at: isoTime(MESSAGE.createdAt),
  read: MESSAGE.isRead,
};
/** What the incumbent's clients know of a message. */
export const INCUMBENT_MESSAGE_JSON = constant(compactObject(namedColumns(INCUMBENTS)));
/** The above, written by PostgreSQL. */
export const MESSAGE_JSON = constant(
  compactObject(
    namedColumns({
      ...INCUMBENTS,
      domain: MESSAGE.domain,
      contact: MESSAGE.contact,
      invoice_number: MESSAGE.invoiceNumber,
      amount: MESSAGE.amount,
      direction: MESSAGE.direction,
      idempotency_key: MESSAGE.idempotencyKey,
    }),
  ),
);
const Nothing = Type.Object({}, { additionalProperties: false });
const example = {
  id: 17,
  text: message('wrong_codes', { registrarId: 1, id: 1, name: 'example.ee', count: '10' }).text,
  attached_obj_type: 'Domain',
  attached_obj_id: 3,
  type: 'wrong_codes',
  created_at: '2026-11-15T10:00:00.000+02:00',
  read: false,
  domain: 'example.ee',
  contact: null,
  invoice_number: null,
  amount: null,
  direction: null,
  idempotency_key: null,
};

/** The message id in a path; an invalid one is treated as unknown. */
export const messageIdIn = ({
  notification_id: text,
}: {
  readonly notification_id: string;
}): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

type MessagePage = {
  readonly limit?: number;
  readonly offset?: number;
  readonly after?: string;
  readonly sort?: keyof typeof SORTS;
};
const SORTS = withDescending({ created_at: 'createdAt' });

export async function answerUnread(
  database: Database,
  { limit = DEFAULT_LIMIT, offset = 0, after: position, ...query }: MessagePage,
  message: Fragment,
  context: Context,
): Promise<Answer> {
  const sort = query.sort === 'created_at' ? query.sort : undefined;
  const after = positionIn(position, 'time', sort);
  const page = { limit, offset, after, sort: SORTS[sort ?? '-created_at'] };
  const { messages, returned, total, next } = await inListTurn(database, context.principal, (sql) =>
    listUnreadMessages(sql, page, message, context),
  );
  return {
    data: new JsonText(messages),
    message: `${SUCCESS_TEXT}. Returning ${returned} out of ${total}`,
    headers:
      limit === 0
        ? {}
        : nextPage('/registrar/notifications/all_notifications', { limit, ...(sort && { sort }) }, next),
  };
}

export const Acknowledgement = Strict({
  notification: Strict({ read: Type.Boolean({ description: 'true marks it as read; false is refused' }) }),
});

export const readAcknowledgement = ({
  notification,
}: {
  readonly notification?: { readonly read?: boolean };
}): Parsed<boolean> =>
  notification?.read === true ? { value: true } : { refusals: [notUnread('notification.read')] };

const notUnread = (field: string) =>
  refusal('wrongSyntax', { field, expected: 'true: a message cannot be made unread' });

/** As many as a list shows. */
const MAX_ACKNOWLEDGED = 1_000;

export function notificationEndpoints({ database }: Pick<Dependencies, 'database'>): RegistrarEndpoint[] {
  const group = { group: 'Poll messages', right: 'objects' } as const;
  return [
    endpoint({
      ...group,
      id: 'listNotifications',
      method: 'GET',
      path: '/registrar/notifications/all_notifications',
      summary: 'All unread messages, newest first unless sorted otherwise',
      query: Strict({
        ...paging,
        sort: Type.Optional(
          Type.Enum(namesOf(SORTS), { default: '-created_at', description: 'created_at: oldest first' }),
        ),
      }),
      data: Type.Array(Message),
      refusals: [],
      example: { query: { limit: 10 }, data: [example] },
      handle: ({ query, context }) => answerUnread(database, query, MESSAGE_JSON, context),
    }),

    endpoint({
      ...group,
      id: 'readLatestNotification',
      method: 'GET',
      path: '/registrar/notifications',
      summary: 'The newest unread message; an empty object when there is none',
      data: Type.Union([Message, Nothing]),
      refusals: [],
      example: { data: example },
      handle: async ({ context }) => ({
        data: new JsonText((await readLatestMessage(database.reads, MESSAGE_JSON, context)) ?? '{}'),
      }),
    }),

    endpoint({
      ...group,
      id: 'readNotification',
      method: 'GET',
      path: '/registrar/notifications/:notification_id',
      summary: 'One message, read or not',
      data: Message,
      refusals: ['objectMissing'],
      example: { params: { notification_id: '17' }, data: example },
      async handle({ params, context }) {
        const { message: text } = await readMessage(
          database.reads,
          messageIdIn(params),
          MESSAGE_JSON,
          context,
        );
        return { data: new JsonText(text) };
      },
    }),

    endpoint({
      ...group,
      id: 'acknowledgeNotification',
      method: 'PUT',
      path: '/registrar/notifications/:notification_id',
      summary: 'Mark a message as read',
      body: Acknowledgement,
      data: Changed({ notification_id: Type.Integer(), read: Type.Boolean() }),
      refusals: ['objectMissing'],
      example: {
        params: { notification_id: '17' },
        body: { notification: { read: true } },
        data: { notification_id: 17, read: true },
      },
      parse: readAcknowledgement,
      handle: async ({ params, context }) =>
        perform(context, renderAcknowledged, (keyed) =>
          runRegistryOperation(database, acknowledgeMessage, { id: messageIdIn(params) }, keyed),
        ),
    }),

    endpoint({
      ...group,
      id: 'acknowledgeNotifications',
      method: 'PUT',
      path: '/registrar/notifications',
      summary: 'Mark many messages as read',
      isBulk: true,
      body: Strict({
        notifications: Strict({
          ids: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
            minItems: 1,
            maxItems: MAX_ACKNOWLEDGED,
            description: 'ids of messages',
          }),
          read: Type.Boolean({ description: 'true marks them as read; false is refused' }),
        }),
      }),
      data: Changed({
        notification_ids: Type.Array(Type.Integer(), { description: 'those that are read now' }),
        unknown_ids: Type.Array(Type.Integer(), { description: 'those that are no messages of yours' }),
        read: Type.Boolean(),
      }),
      refusals: [],
      example: {
        body: { notifications: { ids: [17, 18], read: true } },
        data: { notification_ids: [17], unknown_ids: [18], read: true },
      },
      parse: ({ notifications: { ids = [], read } = {} }): Parsed<readonly number[]> =>
        read === true ? { value: ids } : { refusals: [notUnread('notifications.read')] },
      handle: async ({ input: ids, context }) =>
        perform(context, renderListedAcknowledged, (keyed) =>
          runRegistryOperation(database, acknowledgeListed, { ids }, keyed),
        ),
    }),
  ];
}
