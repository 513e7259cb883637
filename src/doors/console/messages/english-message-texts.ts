import type { MessageType } from '../../../registry/poll/send-messages.ts';

/** Messages that the console tells in other words than their stored texts, which programs know. */
export const englishMessages: Readonly<Partial<Record<MessageType, string>>> = {
  status_set: 'The registry set a status on domain {name}: {status}',
  status_cancelled: 'The registry removed a status of domain {name}: {status}',
  force_delete_set: 'Forced deletion of domain {name} ({kind}): {reason}. {dates}',
  force_delete_started:
    'The grace period of the forced deletion of domain {name} has begun. It is deleted on {deletion}',
  force_delete_held: 'Domain {name} is on hold under its forced deletion. It is deleted on {deletion}',
  force_delete_lifted: 'The forced deletion of domain {name} is cancelled',
};
