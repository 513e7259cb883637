import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type OutgoingMail, Undeliverable } from '../../../src/platform/mail/enqueue-mails.ts';
import { smtpMailer } from '../../../src/platform/mail/smtp.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';

const FROM = 'Registry of Õ <registry@example.ee>';
const certificate = await selfSigned('localhost');
const authorities = tls.getCACertificates('default');
beforeAll(() => tls.setDefaultCACertificates([...authorities, certificate.cert]));
afterAll(() => tls.setDefaultCACertificates(authorities));

const mail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: 1,
  messageId: '0b9b4f63-6c1c-4a53-9d3e-6c7c0f6c0001',
  createdAt: new Date('2027-01-01T10:00:00Z'),
  to: 'mari@example.ee',
  subject: 'Kinnitage omaniku vahetus: õunaaed.ee',
  text: 'Tere!\n.\nhttps://registry.example/confirm/abc',
  html: '<p>Tere! <a href="https://registry.example/confirm/abc">Kinnita</a></p>',
  ...changes,
});

function mailerTo(port: number, { scheme = 'smtp', login = '', from = FROM } = {}) {
  const mailer = smtpMailer(`${scheme}://${login}localhost:${port}`, from);
  onTestFinished(() => mailer.close());
  return mailer;
}
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => undefined,
    (error: Error & { code?: string; responseCode?: number }) => error,
  );

describe('messages', () => {
  test('success: Reply-To is that of the mail', async () => {
    const office = await startSmtpServer();
    await mailerTo(office.port).send(mail({ replyTo: 'jaan@example.ee' }));
    expect(office.received[0]?.headers['reply-to']).toEqual(['jaan@example.ee']);
    expect(office.received[0]?.headers.from?.[0]).toContain('<registry@example.ee>');
  });

  test.each([
    'jaan@example.ee\r\nBcc: mari@example.ee',
    'a@example.ee, b@example.ee',
    'Jaan <jaan@example.ee>',
    '',
  ])('failure: %j is no Reply-To', async (replyTo) => {
    const office = await startSmtpServer();
    expect(await failureOf(mailerTo(office.port).send(mail({ replyTo })))).toBeInstanceOf(Undeliverable);
    expect(office.received).toEqual([]);
  });

  test('success: both forms of the text, the sender, the recipient, and a Message-ID that stays', async () => {
    const office = await startSmtpServer();
    const mailer = mailerTo(office.port);
    await mailer.send(mail());
    await mailer.send(mail());
    expect(office.received).toHaveLength(2);
    for (const { recipients, sender, headers, raw } of office.received) {
      expect([sender, recipients]).toEqual(['registry@example.ee', ['mari@example.ee']]);
      expect(headers).toMatchObject({
        to: ['mari@example.ee'],
        from: [expect.stringMatching(/^=\?UTF-8\?.+\?= <registry@example\.ee>$/)],
        subject: [expect.stringMatching(/^=\?UTF-8\?/)],
        'message-id': ['<0b9b4f63-6c1c-4a53-9d3e-6c7c0f6c0001@example.ee>'],
        'auto-submitted': ['auto-generated'],
        date: ['Fri, 01 Jan 2027 10:00:00 +0000'],
        'content-type': [expect.stringMatching(/^multipart\/alternative;/)],
      });
      expect(raw).toContain('https://registry.example/confirm/abc');
      expect(raw).toContain('<p>Tere! <a href=');
    }
  });

  test('success: attachments, byte by byte, under their names', async () => {
    const office = await startSmtpServer();
    const content = Buffer.from([0, 255, 13, 10, 46, 13, 10, 128]);
    const attachments = [{ name: 'ALPHA-2030-01.pdf', mediaType: 'application/pdf', content }];
    await mailerTo(office.port).send(mail({ attachments }));
    const [received] = office.received;
    expect(received?.headers['content-type']).toEqual([expect.stringMatching(/^multipart\/mixed;/)]);
    expect(received?.raw).toMatch(/Content-Type: application\/pdf; name=ALPHA-2030-01\.pdf/);
    expect(received?.raw).toContain(content.toString('base64'));
  });

  test('success: recipients whose domain is written with letters beyond ASCII', async () => {
    const office = await startSmtpServer();
    await mailerTo(office.port).send(mail({ to: 'mari@õunaaed.ee' }));
    expect(office.received).toMatchObject([{ headers: { to: ['mari@xn--unaaed-oxa.ee'] } }]);
  });

  test.each([
    'Hello\r\nBcc: eve@example.ee',
    'Hello\nBcc: eve@example.ee\n\nbody',
    'Hello\rBcc: eve@example.ee',
    'Hello\u0000\u2028\u0085Bcc: eve@example.ee',
    `Õ${'ä'.repeat(300)}\r\nBcc: eve@example.ee`,
  ])('failure: the subject %j adds no header and no recipient', async (subject) => {
    const office = await startSmtpServer();
    await mailerTo(office.port).send(mail({ subject }));
    const [received] = office.received;
    expect(received?.recipients).toEqual(['mari@example.ee']);
    expect(received?.headers).not.toHaveProperty('bcc');
    expect(received?.headers.subject).toHaveLength(1);
  });

  test.each([
    'mari@example.ee, eve@example.ee',
    'mari@example.ee\r\nRCPT TO:<eve@example.ee>',
    'Eve <eve@example.ee>',
    'mari@example.ee>\r\nDATA',
    '',
  ])('failure: the recipient %j is not one address, and nothing is sent', async (to) => {
    const office = await startSmtpServer();
    expect(await failureOf(mailerTo(office.port).send(mail({ to })))).toBeInstanceOf(Undeliverable);
    expect(office.received).toEqual([]);
  });

  test('failure: neither a file nor an address is fetched into a mail', async () => {
    const office = await startSmtpServer();
    const text = { path: '/etc/hostname' } as unknown as string;
    expect(await failureOf(mailerTo(office.port).send(mail({ text })))).toBeInstanceOf(Error);
    expect(office.received).toEqual([]);
  });
});

describe('encryption', () => {
  const { key, cert } = certificate;

  test('success: STARTTLS where it is offered, without a setting', async () => {
    const office = await startSmtpServer({ key, cert });
    await mailerTo(office.port).send(mail());
    expect(office.received).toMatchObject([{ encrypted: true, user: undefined }]);
  });

  test('success: smtps, and a login whose password has any characters', async () => {
    const passwords: unknown[] = [];
    const office = await startSmtpServer({
      key,
      cert,
      secure: true,
      onAuth: ({ username, password }, _session, done) => {
        passwords.push(password);
        done(null, { user: username ?? '' });
      },
    });
    const login = `mailer%40example:${encodeURIComponent('p@ss:/?#õ')}@`;
    await mailerTo(office.port, { scheme: 'smtps', login }).send(mail());
    expect(office.received).toMatchObject([{ encrypted: true, user: 'mailer@example' }]);
    expect(passwords).toEqual(['p@ss:/?#õ']);
  });

  test('failure: an untrusted certificate, by STARTTLS and smtps', async () => {
    const other = await selfSigned('localhost');
    for (const [scheme, secure] of [
      ['smtp', false],
      ['smtps', true],
    ] as const) {
      const office = await startSmtpServer({ key: other.key, cert: other.cert, secure });
      const failure = await failureOf(mailerTo(office.port, { scheme }).send(mail()));
      expect(failure).not.toBeInstanceOf(Undeliverable);
      expect(failure?.message).toMatch(/self-signed certificate/);
      expect(office.received).toEqual([]);
    }
  });

  test('failure: a password is not sent where STARTTLS is missing', async () => {
    const logins: unknown[] = [];
    const office = await startSmtpServer({
      allowInsecureAuth: true,
      onAuth: (login, _session, done) => {
        logins.push(login);
        done(null, { user: 'mailer' });
      },
    });
    const failure = await failureOf(mailerTo(office.port, { login: 'mailer:right@' }).send(mail()));
    expect(failure).toMatchObject({ code: expect.stringMatching(/^E(TLS|CONNECTION)$/) });
    expect([logins, office.received]).toEqual([[], []]);
  });
});

describe('refusals', () => {
  test.each([
    ['RCPT TO', 550, true],
    ['RCPT TO', 553, true],
    ['RCPT TO', 450, false],
    ['RCPT TO', 421, false],
    ['DATA', 554, true],
    ['DATA', 451, false],
    ['MAIL FROM', 550, false],
    ['MAIL FROM', 451, false],
  ] as const)('failure: %s answered with %d is permanent: %s', async (command, code, forGood) => {
    const office = await startSmtpServer();
    office.refuse = (asked) => (asked === command ? code : undefined);
    const failure = await failureOf(mailerTo(office.port).send(mail()));
    expect(failure).toBeInstanceOf(Error);
    expect(failure instanceof Undeliverable).toBe(forGood);
    expect(failure?.message).toContain(`${code} refused with ${code}`);
    expect(office.received).toEqual([]);
  });

  test('failure: a wrong login is no permanent failure: the operator can repair it', async () => {
    const office = await startSmtpServer(certificate);
    const failure = await failureOf(mailerTo(office.port, { login: 'mailer:wrong@' }).send(mail()));
    expect(failure).not.toBeInstanceOf(Undeliverable);
    expect(failure).toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(failure?.message).not.toContain('wrong');
  });

  test('failure: connection refused, and later accepted', async () => {
    const office = await startSmtpServer({}, await freePort());
    const mailer = mailerTo(office.port);
    await mailer.send(mail());
    await office.close();
    const failure = await failureOf(mailer.send(mail()));
    expect(failure).toMatchObject({ code: 'ESOCKET' });
    expect(failure).not.toBeInstanceOf(Undeliverable);
    const again = await startSmtpServer({}, office.port);
    await mailer.send(mail());
    expect(again.received).toHaveLength(1);
  });

  test('failure: the connection is lost in the middle of the mail', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 hello\r\n');
      socket.on('data', (chunk) =>
        String(chunk).startsWith('DATA') ? socket.destroy() : socket.write('250 fine\r\n'),
      );
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const failure = await failureOf(mailerTo((server.address() as AddressInfo).port).send(mail()));
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(Undeliverable);
  });
});
