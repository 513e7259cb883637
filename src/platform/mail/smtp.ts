import { ConfigError } from '../config/config.ts';
import { isAddress, type Mailer, type OutgoingMail, parseMailbox, Undeliverable } from './enqueue-mails.ts';

export type SmtpMailer = Mailer & {
  /** Resolves once the server has accepted the login; sends no mail. */
  greet(): Promise<void>;
  close(): Promise<void>;
};

/** Together well below the time for which a claim is exclusive. */
const LIMITS = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 20_000,
  maxConnections: 5,
};

/** Sends mails through the server of SMTP_URL, from MAIL_FROM. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const sender = parseMailbox(from);
  if (!sender) throw new ConfigError('MAIL_FROM must be a mail address.');
  const connect = async () => {
    // Imported lazily: most processes send no mail.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      pool: true,
      ...server(new URL(url)),
      ...LIMITS,
      // No part of a mail may be loaded from a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let connected: ReturnType<typeof connect> | undefined;
  const transport = () => {
    connected ??= connect();
    return connected;
  };
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    async send(mail) {
      if (!isAddress(mail.to)) throw new Undeliverable('The recipient is not one mail address.');
      // A client's text: never a second address or header.
      if (mail.replyTo !== undefined && !isAddress(mail.replyTo))
        throw new Undeliverable('The address for answers is not one mail address.');
      const envelope = { from: sender.address, to: mail.to };
      const sending = (await transport()).sendMail({ ...message(mail, domain), from: sender, envelope });
      await sending.catch(rethrowClassified);
    },
    greet: async () => {
      await (await transport()).verify();
    },
    close: async () => (await connected)?.close(),
  };
}

/** STARTTLS is used if offered, and its certificate is verified; a password is never sent without it. */
function server({ protocol, hostname, port, username, password }: URL) {
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: user !== '',
    ...(user !== '' && { auth: { user, pass } }),
  };
}

function message(mail: OutgoingMail, domain: string) {
  const { to, subject, text, html, replyTo, messageId, createdAt, attachments = [] } = mail;
  return {
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    text,
    html,
    messageId: `<${messageId}@${domain}>`,
    date: createdAt,
    attachments: attachments.map(({ name, mediaType, content }) => ({
      filename: name,
      contentType: mediaType,
      content,
    })),
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/**
 * A permanent refusal of this recipient or content is final; one of our login or sender can be repaired, so it is
 * retried.
 */
function rethrowClassified(error: Error & { command?: string; permanent?: boolean }): never {
  const ofThisMail = error.command === 'RCPT TO' || error.command === 'DATA';
  throw error.permanent && ofThisMail ? new Undeliverable(error.message, { cause: error }) : error;
}
