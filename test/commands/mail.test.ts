import { describe, test } from 'vitest';
import { enqueueMails } from '../../src/platform/mail/enqueue-mails.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import {
  cadastre,
  type Environment,
  productionDatabase,
  startServe,
  startWork,
  startWorkProcess,
} from '../support/cadastre.ts';
import { endIdleTime } from '../support/jobs.ts';
import { samplesAt } from '../support/metrics.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';

/** Several processes start at once. */
const PROCESSES = { timeout: 60_000 };

const write = (db: Sql, ...names: string[]) =>
  enqueueMails(
    db,
    names.map((name) => ({
      to: `${name}@example.ee`,
      subject: `For ${name}`,
      text: `Words for ${name}`,
      html: `<p>Words for ${name}</p>`,
    })),
    new Date(),
  );

const sendingTo = ({ port }: SmtpServer): Environment => ({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  MAIL_FROM: 'Registry <registry@example.ee>',
});
const unsent = async (db: Sql) =>
  (await db.rows(sql<{ count: number }>`select count(*)::int as count from mails where sent_at is null`))[0]
    ?.count;

/** Resolves once a worker has run the mail job, whether any mail was due or not. */
async function nextRun(db: Sql): Promise<void> {
  const lastRun = () => db.rows(sql`select finished_at from jobs where name = 'deliver mails'`);
  const before = await lastRun();
  await endIdleTime(db);
  await expect.poll(lastRun, { timeout: 30_000 }).not.toEqual(before);
}

/** Resolves once a worker has run jobs twice, of which the mail job would be the most frequent. */
async function twoRuns(db: Sql): Promise<void> {
  const lastRun = () => db.rows(sql`select max(finished_at) as at from jobs`);
  for (const _run of [1, 2]) {
    const before = await lastRun();
    await endIdleTime(db);
    await expect.poll(lastRun, { timeout: 20_000 }).not.toEqual(before);
  }
}

describe.concurrent('cadastre work', PROCESSES, () => {
  test('success: two workers send each mail once, soon after it was written, and log no address', async () => {
    const { url, sql: db } = await productionDatabase();
    const office = await startSmtpServer();
    const workers = await Promise.all([startWork(url, sendingTo(office)), startWork(url, sendingTo(office))]);
    await write(db, 'first');
    await expect.poll(() => office.received.length, { interval: 50 }).toBe(1);
    const names = Array.from({ length: 80 }, (_, number) => `person${number}`);
    await write(db, ...names);
    await expect.poll(() => unsent(db), { timeout: 20_000 }).toBe(0);
    expect(office.received.flatMap(({ recipients }) => recipients).sort()).toEqual(
      ['first', ...names].map((name) => `${name}@example.ee`).sort(),
    );
    for (const worker of workers) expect(await worker.stop()).toBe(0);
    const logged = workers.map((worker) => worker.output()).join('');
    expect(logged.match(/"msg":"mail sent"/g)).toHaveLength(81);
    expect(logged).not.toMatch(/person\d|first@|Words|SMTP_URL/);
  });

  test('success: killed between sending and its record, the next worker sends it again under the same Message-ID', async () => {
    const { url, sql: db } = await productionDatabase();
    const office = await startSmtpServer();
    const worker = await startWorkProcess(url, sendingTo(office));
    office.beforeAnswer = () => {
      worker.child.kill('SIGKILL');
    };
    await write(db, 'mari');
    await worker.closed;
    expect(office.received).toHaveLength(1);
    office.beforeAnswer = () => {};
    expect(await db.rows(sql`select attempts, sent_at, gave_up_at from mails`)).toEqual([
      { attempts: 1, sent_at: null, gave_up_at: null },
    ]);
    await startWork(url, sendingTo(office));
    await nextRun(db);
    expect(office.received).toHaveLength(1); // the lease of the first one has not expired
    await db.run(sql`update mails set next_attempt_at = next_attempt_at - interval '5 minutes'`);
    await expect.poll(() => unsent(db)).toBe(0);
    const ids = office.received.map(({ headers }) => headers['message-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test('success: without SMTP_URL it says so, and mails wait for a worker that has it', async () => {
    const { url, sql: db } = await productionDatabase();
    await write(db, 'mari');
    const worker = await startWork(url);
    expect(worker.output()).toMatch(/"level":40.*"msg":"SMTP_URL is not set: mails wait/);
    await twoRuns(db);
    expect(await db.rows(sql`select attempts, sent_at from mails`)).toEqual([{ attempts: 0, sent_at: null }]);
    expect(await worker.stop()).toBe(0);
    const office = await startSmtpServer();
    await startWork(url, sendingTo(office));
    await expect.poll(() => office.received.length).toBe(1);
  });

  test('success: it deletes mails that were sent or given up a month ago, and no others', async () => {
    const { url, sql: db } = await productionDatabase();
    await write(db, 'sent', 'given-up', 'sent-lately', 'given-up-lately', 'waits');
    await db.run(
      sql`update mails set created_at = now() - interval '40 days', sent_at = now() - interval '32 days' where recipient = 'sent@example.ee'`,
    );
    await db.run(
      sql`update mails set gave_up_at = now() - interval '32 days' where recipient = 'given-up@example.ee'`,
    );
    await db.run(
      sql`update mails set sent_at = now() - interval '29 days' where recipient = 'sent-lately@example.ee'`,
    );
    await db.run(
      sql`update mails set gave_up_at = now() - interval '29 days' where recipient = 'given-up-lately@example.ee'`,
    );
    await db.run(
      sql`update mails set created_at = now() - interval '40 days' where recipient = 'waits@example.ee'`,
    );
    // What is deleted was over at a reading of the day before.
    await db.run(
      sql`insert into clock_readings (hour) values (date_trunc('hour', now() - interval '1 day'))`,
    );
    await startWork(url);
    await expect
      .poll(async () =>
        (await db.rows(sql`select recipient from mails order by id`)).map(({ recipient }) => recipient),
      )
      .toEqual(['sent-lately@example.ee', 'given-up-lately@example.ee', 'waits@example.ee']);
  });

  test('failure: SMTP_URL without MAIL_FROM', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', SMTP_URL: 'smtp://127.0.0.1' };
    expect(await cadastre(['work'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'MAIL_FROM must be set where SMTP_URL is.\n',
    });
  });
});

test.concurrent('success: cadastre serve says what is missing for mails', PROCESSES, async () => {
  const { url } = await productionDatabase();
  const [bare, set] = await Promise.all([
    startServe(url),
    startServe(url, {
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'a@b.ee',
      PUBLIC_URL: 'https://registry.example',
    }),
  ]);
  onTestFinished(() => Promise.all([bare.stop(), set.stop()]));
  await expect.poll(bare.output).toMatch(/"level":40.*SMTP_URL is not set: mails wait/);
  await expect.poll(bare.output).toMatch(/"level":40.*"url":"http:.*PUBLIC_URL is not set/);
  await expect.poll(set.output).toContain('"msg":"started"');
  await set.stop();
  expect(set.output()).not.toMatch(/is not set/);
});

describe.concurrent('cadastre mail', PROCESSES, () => {
  test('success: waiting and given-up mails, until they are retried', async () => {
    const { url, sql: db } = await productionDatabase();
    const office = await startSmtpServer();
    const run = (...args: string[]) => cadastre(['mail', ...args], { env: { DATABASE_URL: url } });
    expect(await run('list')).toEqual({ code: 0, stdout: '(none)\n', stderr: '' });

    office.refuse = (_command, recipient) =>
      recipient === 'nobody@example.ee' ? 550 : recipient === 'busy@example.ee' ? 450 : undefined;
    await write(db, 'mari', 'nobody', 'busy');
    const worker = await startWork(url, sendingTo(office));
    await expect
      .poll(() => db.rows(sql`select from mails where sent_at is null and last_error is null`), {
        timeout: 20_000,
      })
      .toEqual([]);
    const rows = JSON.parse((await run('list', '--json')).stdout);
    expect(rows).toMatchObject([
      {
        id: 2,
        to: 'nobody@example.ee',
        attempts: 1,
        nextAttemptAt: null,
        lastError: expect.stringMatching(/550/),
      },
      { id: 3, to: 'busy@example.ee', attempts: 1, gaveUpAt: null, lastError: expect.stringMatching(/450/) },
    ]);
    expect((await run('list')).stdout).toMatch(/^ID +TO +SUBJECT +ATTEMPTS .*\n2 +nobody@example\.ee /);
    expect((await run('list')).stdout).not.toContain('Words');

    const counts = async () => {
      const samples = await samplesAt(worker.metrics);
      return [samples.get('cadastre_mails_waiting'), samples.get('cadastre_mails_given_up')];
    };
    await expect.poll(counts, NOTICED).toEqual([1, 1]);

    office.refuse = () => undefined;
    expect(await run('retry', '2', '3')).toEqual({
      code: 0,
      stdout: 'Mail 2 is due.\nMail 3 is due.\n',
      stderr: '',
    });
    await expect.poll(() => unsent(db)).toBe(0);
    await expect.poll(counts, NOTICED).toEqual([0, 0]);
  });

  test('success: a mail that was given up long ago is retried for three days more', async () => {
    const { url, sql: db } = await productionDatabase();
    await write(db, 'mari');
    await db.run(sql`update mails set attempts = 78, created_at = now() - interval '20 days', try_until = now() - interval '17 days',
      gave_up_at = now() - interval '17 days'`);
    expect((await cadastre(['mail', 'retry', '1'], { env: { DATABASE_URL: url } })).code).toBe(0);
    expect(
      await db.rows(
        sql`select attempts, gave_up_at, try_until - next_attempt_at = interval '3 days' as "threeDays" from mails`,
      ),
    ).toEqual([{ attempts: 0, gave_up_at: null, threeDays: true }]);
  });

  test.each([
    ['7', 'There is no unsent mail with the id 7.'],
    ['x', 'x is no id of a mail.'],
    ['-- -1', '-1 is no id of a mail.'],
  ])('failure: retry %s', async (args, sentence) => {
    const { url, sql: db } = await productionDatabase();
    await write(db, 'mari');
    await db.run(sql`update mails set sent_at = created_at`);
    const env = { DATABASE_URL: url };
    expect(await cadastre(['mail', 'retry', ...args.split(' ')], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${sentence}\n`,
    });
    expect((await cadastre(['mail', 'retry', '1'], { env })).stderr).toBe(
      'There is no unsent mail with the id 1.\n',
    );
  });
});
