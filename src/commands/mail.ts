import type { Command } from 'commander';
import { listUnsent } from '../platform/mail/mail-view.ts';
import { retryMails } from '../registry/mails/retry-mails.ts';
import { outboxCommand } from './outbox-command.ts';

export const mailCommand = (): Command =>
  outboxCommand({
    name: 'mail',
    description: 'mails that were not sent',
    noun: 'mail',
    unsentNoun: 'unsent mail',
    idForm: /^\d{1,15}$/,
    exampleIds: '17 18',
    list: listUnsent,
    retry: retryMails,
  });
