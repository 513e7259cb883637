import type { MessageScope } from '../../../registry/poll/find-messages.ts';
import { MONEY_MESSAGES } from '../../../registry/poll/send-messages.ts';
import type { Visit } from '../console-page.ts';

/** The messages that a person may see. */
export const messageScope = ({ principal, may }: Visit): MessageScope => ({
  registrarId: principal.registrarId,
  hidden: may('money') ? [] : MONEY_MESSAGES,
});
