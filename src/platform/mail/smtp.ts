import { createTransport } from 'nodemailer';
import { ConfigError } from '../config/config.ts';
import { isAddress, type Mailer, type OutgoingMail, parseMailbox, Undeliverable } from './mail.ts';
export type SmtpMailer = Mailer & {
  /** Resolves once the server has let us in; no mail is sent. */
  greet(): Promise<void>;
  close(): void;
};

/** Together well below the time for which an attempt is ours alone. */
const LIMITS = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 20_000,
  maxConnections: 5,
};

/** Hands mails to the server of SMTP_URL, in the name of MAIL_FROM. */
export function smtpMailer(url: string, from: string): SmtpMailer {
  const sender = parseMailbox(from);
  if (!sender) throw new ConfigError('MAIL_FROM must be a mail address.');
  const transport = createTransport({
    pool: true,
    ...server(new URL(url)),
    ...LIMITS,
    // A mail is made of what it is given; no part of it may be fetched from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    async send(mail) {
      if (!isAddress(mail.to)) throw new Undeliverable('The recipient is not one mail address.');
      await transport
        .sendMail({ ...message(mail, domain), from: sender, envelope: { from: sender.address, to: mail.to } })
        .catch(sayIfForGood);
    },
    greet: async () => {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

/** STARTTLS is used wherever it is offered, and its certificate is verified; a password goes nowhere without it. */
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
  const { to, subject, text, html, messageId, createdAt, attachments = [] } = mail;
  return {
    to: { name: '', address: to },
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
    // Asks machines on the other side not to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** A refusal of this recipient or this text stands; one of our login or sender is ours to repair, and is tried again. */
function sayIfForGood(error: Error & { command?: string; permanent?: boolean }): never {
  const ofThisMail = error.command === 'RCPT TO' || error.command === 'DATA';
  throw error.permanent && ofThisMail ? new Undeliverable(error.message, { cause: error }) : error;
}
