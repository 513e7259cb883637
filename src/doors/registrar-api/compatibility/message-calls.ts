import { acknowledgeMessage, readLatestMessage, readMessage } from '../../../registry/poll/read-messages.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { JsonText } from '../../http/http-answer.ts';
import { perform } from '../answers.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import {
  Acknowledgement,
  answerUnread,
  INCUMBENT_MESSAGE_JSON,
  messageIdIn,
  readAcknowledgement,
} from '../notifications.ts';
import { refuse } from '../registrar-api-refusals.ts';
import { renderAcknowledged } from '../render-results.ts';
import { Strict } from '../schemas.ts';
import type { CallDependencies } from './calls.ts';
import { listPaging } from './incumbent-list-filters.ts';

/** A message that was read is gone for the incumbent's clients. */
export function messageCalls({ database, described }: CallDependencies): RegistrarEndpoint[] {
  const path = '/registrar/notifications/:notification_id';
  return [
    endpoint({
      ...described('listNotifications'),
      path: '/registrar/notifications/all_notifications',
      query: Strict(listPaging),
      handle: ({ query, context }) => answerUnread(database, query, INCUMBENT_MESSAGE_JSON, context),
    }),

    endpoint({
      ...described('readLatestNotification'),
      path: '/registrar/notifications',
      handle: async ({ context }) => ({
        data: new JsonText(
          (await readLatestMessage(database.reads, INCUMBENT_MESSAGE_JSON, context)) ?? '{}',
        ),
      }),
    }),

    endpoint({
      ...described('readNotification'),
      path,
      async handle({ params, context }) {
        const id = messageIdIn(params);
        const { message, isRead } = await readMessage(database.reads, id, INCUMBENT_MESSAGE_JSON, context);
        return isRead ? refuse('objectMissing') : { data: new JsonText(message) };
      },
    }),

    endpoint({
      ...described('acknowledgeNotification'),
      path,
      body: Acknowledgement,
      parse: readAcknowledgement,
      handle: async ({ params, context }) =>
        perform(context, renderAcknowledged, (keyed) =>
          runRegistryOperation(
            database,
            acknowledgeMessage,
            { id: messageIdIn(params), onlyUnread: true },
            keyed,
          ),
        ),
    }),
  ];
}
