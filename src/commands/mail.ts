import type { Command } from 'commander';
import { listUnsent, retryMail } from '../platform/mail/mail-view.ts';
import { outboxCommand } from './outbox.ts';

export const mailCommand = (): Command =>
  outboxCommand({
    name: 'mail',
    description: 'mails that were not sent',
    noun: 'mail',
    unsentNoun: 'unsent mail',
    idForm: /^\d{1,15}$/,
    exampleIds: '17 18',
    list: listUnsent,
    retry: (db, id, now) => retryMail(db, Number(id), now),
  });
