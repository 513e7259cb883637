import { Refused } from '../../../operations/refusal.ts';
import { acknowledgeMessages } from '../../../registry/poll/read-messages.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { dryRunContext } from '../operation-context.ts';
import { type ConsoleChange, consoleAddress } from '../page.ts';
import { readMessageId } from './message-page.ts';
import { messageParameters, readMessageQuery } from './message-query.ts';

/** More than a page of the list has. */
const MAX_MESSAGES = 100;

/** Marks the chosen messages as read, and leads back to the list they were chosen in. */
export const messageAcknowledgement: ConsoleChange = {
  ...{ path: '/messages/acknowledge', right: 'objects' },
  run: async (parts, visit, form) => {
    const texts = form.fields('message');
    const ids = texts.flatMap((text) => readMessageId(text) ?? []);
    if (ids.length < texts.length || ids.length > MAX_MESSAGES) return undefined;
    const { asked } = readMessageQuery(form.field, parts.policy);
    const to = consoleAddress('/messages', messageParameters(asked));
    if (ids.length === 0) return { to, notice: 'noMessageChosen' };
    try {
      const context = { ...dryRunContext(parts, visit), dryRun: false };
      await runRegistryOperation(parts.database, acknowledgeMessages, { ids }, context);
    } catch (error) {
      if (error instanceof Refused && error.refusals[0].kind === 'missing') return undefined;
      throw error;
    }
    return { to, notice: 'messagesRead' };
  },
};
