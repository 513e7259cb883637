import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { parseMessage } from '../../../src/registry/lookup/message-fields.ts';
import {
  decideForwarding,
  decideSubmission,
  findMessage,
  forwardMessage,
  type LoadedMessage,
  type NewMessage,
  stateOf,
  submitMessage,
} from '../../../src/registry/lookup/registrant-messages.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();
const HOUR_MS = 3_600_000;
const PUBLIC_URL = 'https://registry.example';
let senders = 0;

const fieldsOf = (changes: object = {}) => {
  const text = {
    senderName: 'Jaan Jõgi',
    senderEmail: `jaan${++senders}@example.ee`,
    message: 'Is the domain for sale?\nSee http://evil.example/',
    ...changes,
  };
  const { value } = parseMessage(text, ee);
  if (!value) throw new Error('a message that cannot be sent');
  return value;
};
const messageTo = (domain: string, changes: object = {}): NewMessage => ({
  domain,
  language: 'en',
  fields: fieldsOf(changes),
});
const submit = (message: NewMessage, now = new Date()) =>
  submitMessage({ database: core.database, policy: ee }, message, {
    now,
    publicUrl: PUBLIC_URL,
    ofNetwork: 1,
  });
const forward = (token: string, now = new Date()) =>
  forwardMessage({ database: core.database, policy: ee }, token, now);
const find = (token: string, now = new Date()) =>
  findMessage(core.database.reads, token, { now, policy: ee });

type MailRow = { to: string; replyTo: string | null; subject: string; text: string; html: string };
const mailsTo = (address: string) =>
  core.database.reads.rows(sql<MailRow>`
    select recipient as "to", reply_to as "replyTo", subject, text, html from mails where recipient = ${address} order by id`);
/** A domain whose registrant has a separate mailbox, so that its mails can be counted. */
async function newDomain(): Promise<{ domain: string; email: string }> {
  const context = await core.context('alpha');
  const email = `mari${++senders}@example.ee`;
  const domain = await core.domain(context, { registrant: await core.contact(context, { email }) });
  return { domain, email };
}
async function tokenFor(email: string): Promise<string> {
  const mail = (await mailsTo(email)).at(-1);
  return /\/lookup\/message\/([\w-]+)\?lang=/.exec(mail?.text ?? '')?.[1] ?? '';
}
async function submitted(domain: string, now = new Date()): Promise<string> {
  const message = messageTo(domain);
  expect(await submit(message, now)).toBe('mailed');
  return tokenFor(message.fields.senderEmail);
}

describe('submitting a message', () => {
  test('success: the sender gets a link and no text of the form; the registrant gets nothing yet', async () => {
    const { domain, email } = await newDomain();
    const message = messageTo(domain);
    const now = new Date();
    expect(await submit(message, now)).toBe('mailed');
    const [mail] = await mailsTo(message.fields.senderEmail);
    expect(mail?.subject).toBe(`Please confirm your message to the registrant of ${domain}`);
    expect(mail?.replyTo).toBeNull();
    expect(mail?.text).not.toMatch(/Jaan|sale|evil/);
    expect(await mailsTo(email)).toEqual([]);
    const token = await tokenFor(message.fields.senderEmail);
    expect(await find(token)).toEqual({
      domain,
      senderName: 'Jaan Jõgi',
      senderEmail: message.fields.senderEmail,
      state: 'open',
      message: message.fields.message,
      createdAt: now,
      forwardedAt: null,
      expiresAt: new Date(now.getTime() + 24 * HOUR_MS),
    });
    const stored = await core.database.reads.rows(
      sql`select from registrant_messages m where m::text like ${`%${token}%`}`,
    );
    expect(stored).toEqual([]);
  });

  test('failure: each of the limits', () => {
    const message = messageTo('a.ee');
    const context = { now: new Date(), policy: ee, publicUrl: PUBLIC_URL, token: 'token' };
    const decide = (counts: object) =>
      decideSubmission(
        { forwarded: 0, unconfirmed: 0, ofSender: 0, ofNetwork: 1, ...counts },
        message,
        context,
      );
    expect(decide({ forwarded: 4, unconfirmed: 199, ofSender: 4, ofNetwork: 50 })).toMatchObject({
      token: 'token',
    });
    for (const counts of [{ forwarded: 5 }, { ofSender: 5 }]) expect(decide(counts)).toBe('limited');
    expect(decide({ forwarded: 5, unconfirmed: 200, ofNetwork: 4 })).toBe('overloaded');
    expect(decide({ unconfirmed: 1_999, ofNetwork: 3 })).toMatchObject({ token: 'token' });
    expect(decide({ forwarded: 5, unconfirmed: 2_000 })).toBe('overloaded');
  });

  test('failure: of many concurrent ones in one name only five are mailed within a day', async () => {
    const domains = await Promise.all(Array.from({ length: 3 }, () => newDomain()));
    const fields = fieldsOf();
    const now = new Date();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        submit({ domain: domains[index % 3]?.domain ?? '', language: 'et', fields }, now),
      ),
    );
    expect(answers.filter((answer) => answer === 'mailed')).toHaveLength(5);
    expect(await mailsTo(fields.senderEmail)).toHaveLength(5);
    const again = { domain: domains[0]?.domain ?? '', language: 'et', fields } as const;
    expect(await submit(again, new Date(now.getTime() + 24 * HOUR_MS - 1))).toBe('limited');
    expect(await submit(again, new Date(now.getTime() + 24 * HOUR_MS))).toBe('mailed');
  });

  test('failure: unconfirmed messages of others do not exhaust the limit of a registrant; five forwarded ones do', async () => {
    const { domain, email } = await newDomain();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => submitted(domain)));
    const states = await Promise.all(tokens.map(async (token) => (await forward(token))?.state));
    expect(states.filter((state) => state === 'forwarded')).toHaveLength(5);
    expect(states.filter((state) => state === 'later')).toHaveLength(3);
    expect(await mailsTo(email)).toHaveLength(5);
    expect(await submit(messageTo(domain))).toBe('limited');
  });

  test('failure: mails to unverified addresses do not exceed the hourly limit of the installation', async () => {
    const now = new Date(Date.now() + 30 * 24 * HOUR_MS);
    const policy = { ...ee, lookup: { ...ee.lookup, unconfirmedMessagesPerHour: 3 } };
    const send = async (at = now) =>
      submitMessage({ database: core.database, policy }, messageTo((await newDomain()).domain), {
        now: at,
        publicUrl: PUBLIC_URL,
        ofNetwork: 1,
      });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send()));
    expect(answers.filter((answer) => answer === 'mailed')).toHaveLength(3);
    expect(answers.filter((answer) => answer === 'overloaded')).toHaveLength(3);
    expect(await send(new Date(now.getTime() + HOUR_MS))).toBe('mailed');
  });

  test('success: many unconfirmed messages about a domain do not count against the limit of confirmed ones', async () => {
    const { domain, email } = await newDomain();
    await core.database.writes.run(sql`
      insert into registrant_messages (domain_name, sender_name, sender_email, language, message, token_hash, created_at, expires_at)
      select ${domain}, 'x', 'x@example.ee', 'en', 'x', sha256((${domain} || n)::bytea), now() - interval '2 hours', now() + interval '1 day'
      from generate_series(1, 100) as n`);
    expect((await forward(await submitted(domain)))?.state).toBe('forwarded');
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

describe('forwarding a message', () => {
  test('success: to the current registrant, with Reply-To the sender, and nothing in it is a link or markup', async () => {
    const { domain, email } = await newDomain();
    const message = messageTo(domain, { message: '<b>Hello</b> http://evil.example/\nsecond line' });
    await submit(message);
    const { senderEmail } = message.fields;
    const forwarded = await forward(await tokenFor(senderEmail));
    expect(forwarded).toMatchObject({ state: 'forwarded', domain });
    expect(JSON.stringify(forwarded)).not.toContain(email);
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, replyTo: senderEmail });
    expect(mail?.text).toContain(
      '\n> Jaan Jõgi:\n>\n> <b>Hello</b> http[://]evil[.]example/\n> second line\n',
    );
    expect(mail?.text.indexOf('Jaan')).toBe(mail?.text.lastIndexOf('Jaan'));
    expect(mail?.html).toContain(
      '<blockquote>Jaan Jõgi:<br><br>&lt;b&gt;Hello&lt;/b&gt; http[://]evil[.]example/<br>second line</blockquote>',
    );
    expect(mail?.text).toContain(senderEmail);
  });

  test('success: twelve confirmations at once forward one mail', async () => {
    const { domain, email } = await newDomain();
    const token = await submitted(domain);
    const answers = await Promise.all(Array.from({ length: 12 }, () => forward(token)));
    expect(answers.map((answer) => answer?.state)).toEqual(answers.map(() => 'forwarded'));
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('success: a connection killed between the change and the mail leaves neither; the next attempt has both', async () => {
    const { domain, email } = await newDomain();
    const token = await submitted(domain);
    const owner = await connectAsOwner(inject('server'));
    onTestFinished(() => owner.close());
    const { writes } = core.database;
    await writes.begin(async (db) => {
      await db.run(sql`lock table mails in share mode`);
      const killed = forward(token).catch((error: Error) => error);
      const victim = async () =>
        db.maybe(sql<{ pid: number }>`
          select pid from pg_locks where relation = 'mails'::regclass and not granted limit 1`);
      await expect.poll(victim).toBeDefined();
      await owner.run(sql`select pg_terminate_backend(${(await victim())?.pid ?? 0})`);
      expect(await killed).toBeInstanceOf(Error);
      expect(
        await db.maybe(sql`select forwarded_at as at from registrant_messages where domain_name = ${domain}`),
      ).toEqual({ at: null });
    });
    expect(await mailsTo(email)).toEqual([]);
    expect((await forward(token))?.state).toBe('forwarded');
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('failure: an unknown token, an expired one, and a name that was registered again', async () => {
    expect(await forward('unknown')).toBeUndefined();
    const { domain, email } = await newDomain();
    const now = new Date();
    const token = await submitted(domain, now);
    expect((await forward(token, new Date(now.getTime() + 24 * HOUR_MS)))?.state).toBe('expired');
    await core.database.writes.run(
      sql`update domains set created_at = ${new Date(now.getTime() + 1)} where name = ${domain}`,
    );
    expect((await forward(token))?.state).toBe('unregistered');
    expect(await mailsTo(email)).toEqual([]);
  });

  test('failure: each of the states', () => {
    const now = new Date();
    const loaded: LoadedMessage = {
      id: 1,
      domain: 'a.ee',
      senderName: 'Jaan',
      senderEmail: 'jaan@example.ee',
      message: 'Tere tere tere',
      createdAt: now,
      expiresAt: new Date(now.getTime() + 1),
      forwardedAt: null,
      registrantEmail: 'mari@example.ee',
      forwardedToDomain: 0,
    };
    const moment = { now, policy: ee };
    expect(stateOf(loaded, moment)).toBe('open');
    expect(decideForwarding(loaded, moment)).toMatchObject({
      to: 'mari@example.ee',
      replyTo: 'jaan@example.ee',
    });
    const others = [
      [{ forwardedAt: now, expiresAt: now }, 'forwarded'],
      [{ expiresAt: now }, 'expired'],
      [{ registrantEmail: null }, 'unregistered'],
      [{ forwardedToDomain: 5 }, 'later'],
    ] as const;
    for (const [changes, state] of others) {
      expect(stateOf({ ...loaded, ...changes }, moment)).toBe(state);
      expect(decideForwarding({ ...loaded, ...changes }, moment)).toBeUndefined();
    }
  });
});
