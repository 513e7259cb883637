import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from './this-test.ts';

/** A mail as it came over the wire. */
export type ReceivedMail = {
  readonly recipients: readonly string[];
  readonly sender: string;
  /** Headers unfolded, by lower-case name; of a header that stands twice both lines. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly raw: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
};

export type SmtpServer = {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** SMTP commands refused by code: `RCPT TO`, `MAIL FROM` or `DATA`, and a recipient where it matters. */
  refuse: (command: 'MAIL FROM' | 'RCPT TO' | 'DATA', recipient: string) => number | undefined;
  /** Called with each mail before its answer is sent. */
  beforeAnswer: (mail: ReceivedMail) => Promise<void> | void;
  close(): Promise<void>;
};

/** A real SMTP server on a free port of loopback, ended with the test. Without a certificate it offers no STARTTLS. */
export async function startSmtpServer(options: SMTPServerOptions = {}, port = 0): Promise<SmtpServer> {
  const answer = (code: number | undefined) =>
    code === undefined ? null : Object.assign(new Error(`refused with ${code}`), { responseCode: code });
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 50,
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'right'
        ? done(null, { user: username ?? '' })
        : done(Object.assign(new Error('no such login'), { responseCode: 535 })),
    onMailFrom: ({ address }, _session, done) => done(answer(office.refuse('MAIL FROM', address))),
    onRcptTo: ({ address }, _session, done) => done(answer(office.refuse('RCPT TO', address))),
    async onData(stream, { envelope, secure, user }, done) {
      const chunks = await stream.toArray().catch(() => undefined);
      if (!chunks) return; // the client left in the middle
      const raw = Buffer.concat(chunks).toString('utf8');
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const mail = {
        recipients,
        sender: envelope.mailFrom ? envelope.mailFrom.address : '',
        headers: headersOf(raw),
        raw,
        encrypted: secure,
        user: typeof user === 'string' ? user : undefined,
      };
      const refusal = answer(office.refuse('DATA', recipients[0] ?? ''));
      if (!refusal) office.received.push(mail);
      await office.beforeAnswer(mail);
      done(refusal);
    },
    ...options,
  });
  server.on('error', () => {}); // a client that leaves in the middle is what some tests are about
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  let closed: Promise<void> | undefined;
  const office: SmtpServer = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    refuse: () => undefined,
    beforeAnswer: () => {},
    close() {
      closed ??= new Promise((resolve) => server.close(() => resolve()));
      return closed;
    },
  };
  onTestFinished(() => office.close());
  return office;
}

function headersOf(raw: string): Record<string, string[]> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const found: Record<string, string[]> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    found[name.toLowerCase()] = [...(found[name.toLowerCase()] ?? []), value];
  }
  return found;
}
