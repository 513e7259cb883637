import type { Config } from '../platform/config/config.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { smtpMailer } from '../platform/mail/smtp.ts';

/** Whoever takes our mails, closed with the rest; undefined where none is set. */
export function openMailer({ smtpUrl, mailFrom }: Config, running: AsyncDisposableStack): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const mailer = smtpMailer(smtpUrl, mailFrom);
  running.defer(() => mailer.close());
  return mailer;
}
