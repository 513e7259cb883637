import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { deliverMails, mailOutbox } from '../../../src/platform/mail/deliver-mails.ts';
import {
  enqueueMails,
  type Mailer,
  type OutgoingMail,
  Undeliverable,
} from '../../../src/platform/mail/enqueue-mails.ts';
import { smtpMailer } from '../../../src/platform/mail/smtp.ts';
import { nextAttempt } from '../../../src/platform/outbox/backoff.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { freePort } from '../../support/free-port.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts';
import { sql } from '../../support/sql.ts';

const MINUTE_MS = 60_000;
const start = new Date('2027-01-01T00:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * MINUTE_MS);
const lines: string[] = [];
const log = createLog(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(2);
});
afterAll(() => opened.close());
beforeEach(async () => {
  lines.length = 0;
  await db().run(sql`delete from mails`);
});

const db = (node = 0): Sql => (opened.databases[node] as Database).writes;
const mailTo = (name: string) => ({
  to: `${name}@example.ee`,
  subject: `Subject for ${name}`,
  text: `Words for ${name}`,
  html: `<p>Words for ${name}</p>`,
});
const enqueue = (...names: string[]) => enqueueMails(db(), names.map(mailTo), start);
const run = (mailer: Mailer, now: Date, node = 0) => deliverMails({ sql: db(node), mailer, log }, now);
const row = async () => {
  const [found] = await db().rows(sql`
    select attempts, next_attempt_at as next, sent_at as sent, gave_up_at as "gaveUp", last_error as error from mails`);
  return found;
};
const broken = (error: Error): Mailer => ({ send: () => Promise.reject(error) });
const recordingMailer = (sent: OutgoingMail[]): Mailer => ({ send: async (mail) => void sent.push(mail) });

function smtpTo({ port }: SmtpServer): Mailer {
  const mailer = smtpMailer(`smtp://localhost:${port}`, 'registry@example.ee');
  onTestFinished(() => mailer.close());
  return mailer;
}

describe('what is due is sent', () => {
  test('success: everything due is sent once and recorded', async () => {
    const names = Array.from({ length: 35 }, (_, number) => `person${number}`);
    await enqueue(...names);
    const sent: OutgoingMail[] = [];
    await run(recordingMailer(sent), start);
    await run(recordingMailer(sent), after(10_000));
    expect(sent.map(({ to }) => to).sort()).toEqual(names.map((name) => mailTo(name).to).sort());
    expect(
      await db().rows(sql`select distinct attempts, sent_at, gave_up_at, last_error from mails`),
    ).toEqual([{ attempts: 1, sent_at: start, gave_up_at: null, last_error: null }]);
  });

  test('success: not before its time', async () => {
    await enqueue('mari');
    const sent: OutgoingMail[] = [];
    await run(recordingMailer(sent), after(-1));
    expect(sent).toEqual([]);
  });

  test('success: two nodes share the work, and no mail is sent twice', async () => {
    const names = Array.from({ length: 60 }, (_, number) => `person${number}`);
    await enqueue(...names);
    const office = await startSmtpServer();
    office.beforeAnswer = () => sleep(2);
    const mailers = [smtpTo(office), smtpTo(office)];
    await Promise.all([0, 1, 0, 1].map((node) => run(mailers[node] as Mailer, start, node)));
    expect(office.received.flatMap(({ recipients }) => recipients).sort()).toEqual(
      names.map((name) => mailTo(name).to).sort(),
    );
  });

  test('success: neither addresses nor texts are logged, whatever happens', async () => {
    await enqueue('mari', 'juhan');
    const mailer: Mailer = {
      send: async ({ to, text }) => {
        if (to.startsWith('mari')) throw new Error(`550 <${to}> is unknown here: ${text}`);
      },
    };
    await run(mailer, start);
    expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual(['mail is tried again', 'mail sent']);
    expect(lines.join('')).not.toMatch(/mari|juhan|example\.ee|Words|Subject/);
  });
});

describe('retries', () => {
  test('success: after a minute, then with exponential backoff up to an hour', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 20, 70].map((attempts) => {
      const next = nextAttempt(mailOutbox.backoff, { attempts, tryUntil: after(10_000) }, start);
      return next && (next.getTime() - start.getTime()) / MINUTE_MS;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  test('success: by the clock, until the server answers again', async () => {
    await enqueue('mari');
    const office = await startSmtpServer();
    office.refuse = () => 450;
    const mailer = smtpTo(office);
    for (const [minute, next] of [
      [0, 1],
      [1, 3],
      [3, 7],
    ] as const) {
      await run(mailer, after(minute - 0.01));
      await run(mailer, after(minute));
      expect(await row()).toMatchObject({ next: after(next), sent: null, gaveUp: null });
    }
    expect(await row()).toMatchObject({ attempts: 3, error: expect.stringMatching(/450/) });
    office.refuse = () => undefined;
    await run(mailer, after(7));
    expect(await row()).toMatchObject({ attempts: 4, sent: after(7), error: null });
    expect(office.received).toHaveLength(1);
  });

  test('success: connection refused at first', async () => {
    await enqueue('mari');
    const office = await startSmtpServer({}, await freePort());
    await office.close();
    await run(smtpTo(office), start);
    expect(await row()).toMatchObject({
      attempts: 1,
      next: after(1),
      error: expect.stringMatching(/REFUSED/),
    });
    const opened = await startSmtpServer({}, office.port);
    await run(smtpTo(opened), after(1));
    expect(opened.received).toHaveLength(1);
  });

  test('failure: given up after three days, with a last attempt at the end', async () => {
    await enqueue('mari');
    const sending = broken(new Error('not now'));
    const attempts: Date[] = [];
    for (let next = start; (await row())?.gaveUp === null; next = (await row())?.next) {
      attempts.push(next);
      await run(sending, next);
    }
    expect(attempts.at(-1)).toEqual(after(3 * 24 * 60));
    expect(attempts).toHaveLength(78);
    expect(await row()).toMatchObject({ gaveUp: after(3 * 24 * 60), error: 'not now', sent: null });
    const sent: OutgoingMail[] = [];
    await run(recordingMailer(sent), after(1_000_000));
    expect(sent).toEqual([]);
  });

  test('failure: a permanently refused recipient is given up immediately, the others are sent', async () => {
    await enqueue('mari', 'nobody', 'juhan');
    const office = await startSmtpServer();
    office.refuse = (_command, recipient) => (recipient === 'nobody@example.ee' ? 550 : undefined);
    await run(smtpTo(office), start);
    const rows = await db().rows(sql`
      select recipient, sent_at is not null as sent, gave_up_at is not null as "gaveUp" from mails order by id`);
    expect(rows).toEqual([
      { recipient: 'mari@example.ee', sent: true, gaveUp: false },
      { recipient: 'nobody@example.ee', sent: false, gaveUp: true },
      { recipient: 'juhan@example.ee', sent: true, gaveUp: false },
    ]);
  });

  test('failure: the answer of the server is stored, truncated', async () => {
    await enqueue('mari');
    await run(broken(new Undeliverable('x'.repeat(100_000))), start);
    expect((await row())?.error).toHaveLength(500);
  });
});

describe('a worker that dies', () => {
  /** The mail is sent, and the process dies before it records that: as after kill -9. */
  const dying = (mailer: Mailer): Promise<never> =>
    new Promise((_, reject) => {
      const died: Mailer = {
        send: (mail) =>
          mailer.send(mail).then(() => {
            reject(new Error('killed'));
            return new Promise<void>(() => {});
          }),
      };
      run(died, start).catch(reject);
    });

  test('success: between sending and its record: sent again later, under the same Message-ID', async () => {
    await enqueue('mari');
    const office = await startSmtpServer();
    const mailer = smtpTo(office);
    await expect(dying(mailer)).rejects.toThrow('killed');
    expect(office.received).toHaveLength(1);
    await run(mailer, after(1), 1);
    expect(office.received).toHaveLength(1); // its lease has not expired
    await run(mailer, after(5), 1);
    const ids = office.received.map(({ headers }) => headers['message-id']?.[0]);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@example\.ee>$/);
    expect(await row()).toMatchObject({ attempts: 2, sent: after(5) });
  });

  test('failure: the database is unavailable when the mail was sent: the run fails, the mail is not lost', async () => {
    await enqueue('mari');
    const cut = openDatabase(
      { ...inject('server'), database: await databaseName() },
      readConfig('sandbox', {}),
      'Europe/Tallinn',
    );
    const sent: OutgoingMail[] = [];
    const mailer: Mailer = {
      send: async (mail) => {
        sent.push(mail);
        await cut.close();
      },
    };
    await expect(deliverMails({ sql: cut.writes, mailer, log }, start)).rejects.toThrow();
    expect(await row()).toMatchObject({ attempts: 1, sent: null, next: after(5) });
    await run(recordingMailer(sent), after(5));
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    expect(sent).toHaveLength(2);
  });
});

async function databaseName(): Promise<string> {
  const [found] = await db().rows(sql<{ name: string }>`select current_database() as name`);
  return found?.name ?? '';
}
