import type { Attachment, Mail } from './mail.ts';

/** A mail on its way out. All of it stays the same at every attempt. */
export type OutgoingMail = Mail & {
  readonly id: number;
  readonly messageId: string;
  readonly createdAt: Date;
  readonly attachments?: readonly Attachment[];
};

/** Whoever carries mails away. It resolves once somebody else is responsible for the mail. */
export type Mailer = { send(mail: OutgoingMail): Promise<void> };

/** A mail that no further attempt can deliver: the recipient does not exist, or refuses it for good. */
export class Undeliverable extends Error {
  override name = 'Undeliverable';
}
