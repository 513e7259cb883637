import { acknowledgeMessages } from '../../../registry/poll/read-messages.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { NOTHING_DONE } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { consoleAddress } from '../console-page.ts';
import { readMessageId } from './message-page.ts';
import { messageParameters, readMessageQuery } from './message-query.ts';
import { messagesPage } from './messages-page.ts';

/** More than a page of the list has. */
const MAX_MESSAGES = 100;

/** Marks the chosen messages as read, and leads back to the list they were chosen in. */
export const messageAcknowledgement = defineAtOnce({
  path: '/messages/acknowledge',
  right: 'objects',
  page: messagesPage,
  load: async ({ policy }, _visit, { field }) => messageParameters(readMessageQuery(field, policy).asked),
  read: ({ fields }) => {
    // A box may stand for several.
    const texts = fields('message').flatMap((text) => text.split(' '));
    const ids = texts.flatMap((text) => readMessageId(text) ?? []);
    return ids.length < texts.length || ids.length > MAX_MESSAGES
      ? { refusals: [refusal('objectMissing')] }
      : { value: { ids } };
  },
  run: async (database, input, context) =>
    input.ids.length === 0
      ? NOTHING_DONE
      : runRegistryOperation(database, acknowledgeMessages, input, context),
  to: (parameters) => consoleAddress('/messages', parameters),
  done: (_read, { ids }) => (ids.length === 0 ? 'noMessageChosen' : 'messagesRead'),
});
