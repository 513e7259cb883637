import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/logging.ts';
import { backoffMs, maxBackoffMs, nextAttempt } from '../../../src/platform/outbox/backoff.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { TargetResolver } from '../../../src/platform/webhooks/target-resolver.ts';
import { webhookSecret } from '../../../src/platform/webhooks/webhook-signature.ts';
import { messageTypes } from '../../../src/registry/poll/send-messages.ts';
import { eventPurge, nextWebhook } from '../../../src/registry/webhooks/webhook-deliveries.ts';
import { eventOfMessage, eventTypes } from '../../../src/registry/webhooks/event-types.ts';
import {
  ENDPOINT_BACKOFF,
  EVENT_BACKOFF,
  readRetryAfter,
} from '../../../src/registry/webhooks/retry-schedule.ts';
import {
  type SenderDependencies,
  type WebhookSender,
  webhookSender,
} from '../../../src/registry/webhooks/webhook-sender.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';
import { NameServer } from '../../support/name-server.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';

const SECRET = 'the secret of the registry';
const start = new Date('2027-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const DAY = 86_400;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(2);
  await db().run(sql`update registrars set email = 'alpha@registrar.example' where code = 'ALPHA'`);
});
afterAll(() => opened.close());
beforeEach(() => db().run(sql`delete from webhook_endpoints`));

const db = (node = 0): Pool => (opened.databases[node] as Database).writes;
const logged: string[] = [];
const sink = new Writable({
  write(line, _, done) {
    logged.push(String(line));
    done();
  },
});
const senderOn = (node = 0, timeoutMs = 5_000, more: Partial<SenderDependencies> = {}) =>
  webhookSender({
    sql: db(node),
    log: createLog('info', sink),
    userAgent: 'Cadastre/test',
    timeoutMs,
    settings: { rules: { allowedNetworks: [], allowsLoopback: true }, secret: SECRET },
    ...more,
  });

/** A run leaves attempts that take more than a quarter of a second to the next one: runs until none is under way. */
async function runToEnd(sender: WebhookSender, at: Date): Promise<void> {
  const underWay = sql`select from webhook_deliveries where state = 'sending' limit 1`;
  do await sender.run(at);
  while ((await db().rows(underWay)).length > 0);
}

type InsertedEndpoint = { readonly id: string; readonly rowId: number; readonly secret: string };
async function insertEndpoint(
  url: string,
  position = 1,
  types: string[] | null = null,
  registrar = 'ALPHA',
): Promise<InsertedEndpoint> {
  const id = `whe_${randomBytes(8).toString('hex')}`;
  const salt = randomBytes(32);
  const { row } = await db().one(sql<{ row: number }>`
    with endpoint as (
      insert into webhook_endpoints (public_id, registrar_id, position, url, description, event_types, created_at, updated_at)
      select ${id}, id, ${position}, ${url}, '', ${types}::text[], ${start}, ${start} from registrars where code = ${registrar} returning id),
    keyed as (insert into webhook_secrets (endpoint_id, generation, salt, created_at) select id, 1, ${salt}, ${start} from endpoint)
    select id as row from endpoint`);
  return { id, rowId: row, secret: webhookSecret(SECRET, salt) };
}

/** Changes by a registrar, as every interface records them. */
const change = (count = 1, at = start, registrar = 'ALPHA') =>
  db().run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, before, after)
    select ${at}, 'domain', n, 'd' || n || '.ee', 'update', r.id, 'user:alpha', '{"registrant": "a", "statuses": {}}', '{"registrant": "b", "statuses": {"clientHold": ""}}'
    from registrars r, generate_series(1, ${count}) n where r.code = ${registrar}`);
const deliveries = () =>
  db().rows(sql`
    select d.state, d.attempts, d.last_status as status, d.last_error as error, d.next_attempt_at as next
    from webhook_deliveries d order by d.id`);
const endpointRow = (rowId: number) =>
  db().one(sql`
    select disabled_reason as reason, failures, failing_since as since, paused_until as paused from webhook_endpoints where id = ${rowId}`);
const verify = (secret: string, { headers, body }: { headers: Record<string, string>; body: string }) =>
  new Webhook(secret).verify(body, headers);

describe('events', () => {
  test('success: every kind of poll message has the type that the schema gives it, and all types are listed', async () => {
    const rows = await db().rows(sql<{ type: string; event: string }>`
      select t.type, webhook_type_of_message(t.type, t.is_domain) as event
      from unnest(${[...messageTypes]}::text[], ${messageTypes.map((type) => eventOfMessage(type).startsWith('domain.'))}::boolean[]) as t(type, is_domain)`);
    expect(rows.map(({ event }) => event)).toEqual(messageTypes.map(eventOfMessage));
    for (const type of eventTypes.keys()) expect(type).toMatch(/^[a-z]+\.[a-z_]+$/);
  });

  test('success: one per change and subscribed endpoint, without personal data', async () => {
    const receiver = await WebhookReceiver.start();
    const [all] = [
      await insertEndpoint(receiver.url),
      await insertEndpoint(receiver.url, 2, ['domain.renewed']),
    ];
    await change(2);
    await runToEnd(senderOn(), start);
    expect(await deliveries()).toHaveLength(2);
    const [first] = receiver.received;
    expect(first?.event).toMatchObject({
      type: 'domain.updated',
      // As the REST API has times.
      timestamp: expect.stringMatching(/^2027-01-01T0[23]:00:00\.000\+0[23]:00$/),
      data: {
        object: 'domain',
        id: 1,
        name: 'd1.ee',
        operation: 'update',
        by: 'registrar',
        changed: ['registrant', 'statuses'],
        statuses: { clientHold: '', inactive: '' },
        sequence: expect.any(Number),
      },
    });
    expect(JSON.stringify(first?.event)).not.toContain('user:alpha');
    expect(verify(all.secret, first ?? expect.fail())).toEqual(first?.event);
  });

  test.each([
    ['domain', 'create', 'epp:alpha', 'domain.registered'],
    ['domain', 'renew', 'person:anna@alpha.example', 'domain.renewed'],
    ['domain', 'delete', 'user:alpha', 'domain.deleted'],
    ['domain', 'ask for deletion', 'user:alpha', 'domain.deletion_pending'],
    ['domain', 'ask for registrant change', 'epp:alpha', 'domain.update_pending'],
    ['domain', 'set clientHold', 'epp:alpha', 'domain.updated'],
    ['domain', 'transfer', 'user:alpha', undefined],
    ['domain', 'purge', 'registry', undefined],
    ['domain', 'view transfer code', 'person:anna@alpha.example', undefined],
    ['contact', 'copy', 'user:alpha', 'contact.created'],
    ['contact', 'update', 'operator:root', 'contact.updated'],
    ['contact', 'update by registrant', 'operator:root', undefined],
    ['contact', 'archive', 'registry', undefined],
    ['user', 'disable', 'operator:root', 'user.disabled'],
    ['user', 'roles epp', 'operator:root', 'user.updated'],
    ['user', 'revoke certificate', 'operator:root', 'certificate.revoked'],
    ['registrar', 'update', 'operator:root', undefined],
    ['webhook', 'create', 'user:alpha', undefined],
  ])('success: of a %s, %s by %s: %s', async (kind, operation, actor, type) => {
    await insertEndpoint('https://shop.example/');
    await db().run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
      select ${start}, ${kind}, 0, 'x', ${operation}, id, ${actor} from registrars where code = 'ALPHA'`);
    const written = await db().rows(sql<{ type: string }>`
      select v.type from webhook_deliveries d join webhook_events v on v.id = d.event_id`);
    expect(written.map((row) => row.type)).toEqual(type === undefined ? [] : [type]);
  });

  test('success: a change by the registry is the event of its poll message, and of history where there is none', async () => {
    await insertEndpoint('https://shop.example/');
    await db().run(sql`delete from webhook_events`);
    const { id, name } = await db().one(sql<{ id: number; name: string }>`
      with holder as (
        insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
        select id, 'HOOK:1', 'hook:1', 'n', 'n', 'e@example.ee', '+372.1', '1', 'org', 'EE', 'a', ${start}, ${start} from registrars where code = 'ALPHA'
        returning id, registrar_id)
      insert into domains (registrar_id, registrant_id, name, zone, expire_time, statuses, transfer_code, created_at, updated_at)
      select registrar_id, id, 'hook.ee', 'ee', ${start}, '{}', 'code-code', ${start}, ${start} from holder returning id, name`);
    const happen = (operation: string, at: Date, message?: string) =>
      db().run(sql`
        with messages as (
          insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
          select id, ${message ?? null}, 't', 'Domain', ${id}, ${at} from registrars where code = 'ALPHA' and ${message !== undefined})
        insert into history (at, object_kind, object_id, object_name, operation, actor)
        values (${at}, 'domain', ${id}, ${name}, ${operation}, 'registry')`);
    await happen('expire', start, 'expired');
    await happen('hold under force delete', after(1));
    const events = await db().rows(sql`
      select v.type, v.data ->> 'domain' as name, coalesce(h.operation, m.type) as operation
      from webhook_events v left join history h on h.id = v.sequence left join poll_messages m on m.sequence = v.sequence order by v.id`);
    expect(events).toEqual([
      { type: 'domain.expired', name, operation: 'expired' },
      { type: 'domain.updated', name, operation: 'hold under force delete' },
    ]);
  });

  test('success: none for a registrar without endpoints, or with one that is disabled', async () => {
    const { rowId } = await insertEndpoint('https://shop.example/');
    await db().run(
      sql`update webhook_endpoints set disabled_at = ${start}, disabled_reason = 'x' where id = ${rowId}`,
    );
    await change();
    expect(await deliveries()).toEqual([]);
  });

  test('failure: the schema refuses an eleventh endpoint, two current secrets and impossible states', async () => {
    const { rowId } = await insertEndpoint('https://shop.example/');
    await expect(insertEndpoint('https://shop.example/', 11)).rejects.toThrow('check constraint');
    await expect(insertEndpoint('https://shop.example/', 1)).rejects.toThrow('webhook_endpoints_position');
    const secret = sql`insert into webhook_secrets (endpoint_id, generation, salt, created_at) values (${rowId}, 2, ${randomBytes(32)}, ${start})`;
    await expect(db().run(secret)).rejects.toThrow('webhook_secrets_current');
    await change();
    for (const state of ['sending', 'delivered', 'failed', 'lost'])
      await expect(db().run(sql`update webhook_deliveries set state = ${state}`)).rejects.toThrow(
        'check constraint',
      );
  });
});

describe('delivery', () => {
  test('success: immediately, with the headers of Standard Webhooks, once for two workers', async () => {
    const receiver = await WebhookReceiver.start();
    const { secret } = await insertEndpoint(receiver.url);
    await change(40);
    await Promise.all([runToEnd(senderOn(0), start), runToEnd(senderOn(1), start)]);
    expect(receiver.received).toHaveLength(40);
    expect(new Set(receiver.ids).size).toBe(40);
    for (const one of receiver.received) verify(secret, one);
    expect(() =>
      verify(`whsec_${randomBytes(32).toString('base64')}`, receiver.received[0] ?? expect.fail()),
    ).toThrow();
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(16);
    expect(new Set((await deliveries()).map(({ state, status }) => `${state} ${status}`))).toEqual(
      new Set(['delivered 204']),
    );
  });

  test('success: while a secret is replaced both sign, afterwards the new one', async () => {
    const receiver = await WebhookReceiver.start();
    const { rowId, secret } = await insertEndpoint(receiver.url);
    const salt = randomBytes(32);
    await db().run(sql`update webhook_secrets set expires_at = ${after(DAY)} where endpoint_id = ${rowId}`);
    await db().run(
      sql`insert into webhook_secrets (endpoint_id, generation, salt, created_at) values (${rowId}, 2, ${salt}, ${start})`,
    );
    const renewed = webhookSecret(SECRET, salt);
    await change();
    await runToEnd(senderOn(), start);
    const [during] = receiver.received;
    for (const each of [secret, renewed]) verify(each, during ?? expect.fail());
    expect(during?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    await change(1, after(DAY));
    await runToEnd(senderOn(), after(DAY));
    const last = receiver.received.at(-1) ?? expect.fail();
    verify(renewed, last);
    expect(() => verify(secret, last)).toThrow();
  });

  test('failure: refusals are retried under the same id, and the endpoint is paused meanwhile', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [
      { status: 500 },
      { status: 302, headers: { location: receiver.url } },
      { status: 200 },
    ];
    const { rowId } = await insertEndpoint(receiver.url);
    await change();
    const sender = senderOn();
    await runToEnd(sender, start);
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', attempts: 1, status: 500, error: 'Answered 500' },
    ]);
    expect(await endpointRow(rowId)).toMatchObject({ failures: 1 });
    await runToEnd(sender, after(3));
    expect(receiver.received).toHaveLength(1);
    await runToEnd(sender, (await nextWebhook(db())) ?? expect.fail());
    await runToEnd(sender, after(60));
    expect(new Set(receiver.ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', attempts: 3, status: 200, error: null, next: null },
    ]);
    expect(await endpointRow(rowId)).toMatchObject({ failures: 0, since: null, paused: null });
  });

  test('failure: Retry-After pauses the whole endpoint', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status: 429, headers: { 'retry-after': '600' } }, { status: 200 }];
    await insertEndpoint(receiver.url);
    await change();
    const sender = senderOn();
    await runToEnd(sender, start);
    await change(1, after(10));
    await runToEnd(sender, after(590));
    expect(receiver.received).toHaveLength(1);
    await runToEnd(sender, after(700));
    expect(receiver.received).toHaveLength(3);
  });

  test('failure: given up after three days', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status: 503 }];
    await insertEndpoint(receiver.url);
    await change();
    const sender = senderOn();
    for (const at of [start, after(3_600), after(3 * DAY)]) await runToEnd(sender, at);
    expect(await deliveries()).toMatchObject([
      { state: 'failed', attempts: 3, error: 'Answered 503', next: null },
    ]);
    expect(await nextWebhook(db())).toBeUndefined();
  });

  test.each([
    ['410', 410, start, 'it answered 410 Gone'],
    ['failures for five days', 500, after(5 * DAY + 600), 'every attempt has failed for 5 days'],
  ])('failure: %s disable the endpoint, with poll message, mail and history', async (_, status, at, why) => {
    const receiver = await WebhookReceiver.start();
    receiver.answers = [{ status }];
    const { id, rowId } = await insertEndpoint(receiver.url);
    await change();
    await db().run(sql`delete from poll_messages`);
    await db().run(sql`delete from mails`);
    const sender = senderOn();
    await runToEnd(sender, start);
    if (at > start) {
      await change(1, at);
      await runToEnd(sender, at);
    }
    expect(await endpointRow(rowId)).toMatchObject({ reason: why });
    expect(new Set((await deliveries()).map(({ state }) => state))).toEqual(new Set(['failed']));
    expect(await db().rows(sql`select type, text from poll_messages`)).toEqual([
      { type: 'webhook_disabled', text: expect.stringContaining(`${id} was disabled: ${why}`) },
    ]);
    expect(await db().rows(sql`select text from mails`)).toEqual([{ text: expect.stringContaining(why) }]);
    expect(
      await db().rows(
        sql`select operation, actor from history where object_kind = 'webhook' and object_id = ${rowId}`,
      ),
    ).toEqual([{ operation: 'disable', actor: 'registry' }]);
  });

  test('success: endpoints that hang or refuse do not delay the others', async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => WebhookReceiver.start()));
    const [hanging, refusing, ...good] = receivers;
    if (hanging && refusing) [hanging.answers, refusing.answers] = [['hang'], [{ status: 500 }]];
    for (const [index, { url }] of receivers.entries()) await insertEndpoint(url, index + 1);
    const timeoutMs = 3_000;
    const sender = senderOn(0, timeoutMs);
    const began = performance.now();
    for (let round = 0; round < 5; round++) {
      await change(20, after(round / 10));
      await sender.run(after(round / 10));
    }
    // What took long is left to a further run.
    await expect
      .poll(async () => {
        await sender.run(after(0.5));
        return good.map(({ received }) => received.length);
      })
      .toEqual([100, 100, 100, 100]);
    const took = performance.now() - began;
    // Each of the five runs would otherwise have waited for the endpoint that hangs.
    expect(took).toBeLessThan(5 * timeoutMs);
    expect(hanging?.mostAtOnce).toBeLessThanOrEqual(8);
    // Eight at once, then one whenever its pause has ended, which takes a second at least.
    expect(refusing?.received.length).toBeLessThanOrEqual(8 + Math.ceil(took / 1_000));
    await sender.stop();
    expect(
      await db().rows(sql`
      select state, count(*)::int as count from webhook_deliveries d where endpoint_id = (select id from webhook_endpoints where url = ${hanging?.url ?? ''})
      group by 1 order by 1`),
    ).toContainEqual({ state: 'waiting', count: expect.any(Number) });
  });

  test('success: events that become due during a run are sent by it', async () => {
    const receiver = await WebhookReceiver.start();
    await insertEndpoint(receiver.url);
    // Eight at once: the ninth is claimed ten milliseconds later at the earliest.
    await change(9);
    await change(1, after(0.005));
    await runToEnd(senderOn(), start);
    expect(receiver.received).toHaveLength(10);
  });

  test('success: events claimed by a worker that died are sent by another one', async () => {
    const receiver = await WebhookReceiver.start();
    await insertEndpoint(receiver.url);
    await change(3);
    await db().run(sql`
      update webhook_deliveries set state = 'sending', attempts = 1, last_attempt_at = ${start}, next_attempt_at = ${after(60)}`);
    await senderOn().run(after(59));
    expect(receiver.received).toEqual([]);
    await runToEnd(senderOn(), after(61));
    expect(receiver.received).toHaveLength(3);
  });

  test('success: events are deleted after thirty days, with their deliveries', async () => {
    await insertEndpoint('https://shop.example/');
    await db().run(sql`delete from webhook_events`);
    await change(2);
    await change(1, after(DAY));
    expect(await eventPurge.removeSome(db(), after(30 * DAY + 60))).toBe(2);
    expect(await deliveries()).toHaveLength(1);
    expect(await eventPurge.removeSome(db(), after(30 * DAY + 60))).toBe(0);
  });

  test('success: neither URLs nor contents are logged', () => {
    expect(logged.join('')).toContain('webhook is tried again');
    expect(logged.join('')).not.toMatch(/127\.0\.0\.1|d1\.ee|whsec_/);
  });
});

describe('the schedule', () => {
  const tryUntil = after(3 * DAY);
  const waits = (attempts: number, random: number, retryAfterMs?: number) =>
    ((
      nextAttempt(EVENT_BACKOFF, { attempts, tryUntil }, start, { minMs: retryAfterMs, random }) ?? start
    ).getTime() -
      start.getTime()) /
    1000;

  test('success: from five seconds to six hours, with jitter, and never past the end', () => {
    expect([1, 2, 5, 13, 14, 100].map((attempts) => waits(attempts, 0.5))).toEqual([
      5, 10, 80, 20_480, 21_600, 21_600,
    ]);
    expect([waits(1, 0), waits(1, 1)]).toEqual([4, 6]);
    expect(waits(1, 0.5, 60_000)).toBe(60);
    expect(nextAttempt(EVENT_BACKOFF, { attempts: 20, tryUntil: after(60) }, start)).toEqual(after(60));
    expect(nextAttempt(EVENT_BACKOFF, { attempts: 20, tryUntil: start }, start)).toBeUndefined();
    expect(maxBackoffMs(EVENT_BACKOFF)).toBe(25_920_000);
    expect([1, 2, 9, 10, 1001].map((failures) => backoffMs(ENDPOINT_BACKOFF, failures) / 1000)).toEqual([
      1, 2, 256, 300, 300,
    ]);
  });

  test.each([
    ['7', 7_000],
    ['999999', 3_600_000],
    ['Fri, 01 Jan 2027 00:01:00 GMT', 60_000],
    ['Fri, 01 Jan 2037 00:01:00 GMT', 3_600_000],
    ['Thu, 31 Dec 2026 00:00:00 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('success: Retry-After %s', (header, ms) => {
    expect(readRetryAfter(header, start)).toBe(ms);
  });
});

describe('endpoints with names', () => {
  const LONG_MS = 600_000;
  const settings = { rules: { allowedNetworks: ['127.0.0.1'], allowsLoopback: false }, secret: SECRET };

  test('success: servers of a name that never answer do not delay the events of other registrars', async () => {
    const identity = await selfSigned('hooks.example');
    const receiver = await WebhookReceiver.start(identity);
    const names = await NameServer.start({
      'silent.example': { silent: ['A', 'AAAA'] },
      'hooks.example': { addresses: ['127.0.0.1'] },
    });
    for (let position = 1; position <= 5; position += 1)
      await insertEndpoint(`https://silent.example/${position}`, position);
    await insertEndpoint(receiver.url.replace('127.0.0.1', 'hooks.example'), 1, null, 'BETA');
    await change(8);
    const resolver = new TargetResolver({ servers: [names.address], timeoutMs: LONG_MS });
    const sender = senderOn(0, LONG_MS, { resolver, settings, ca: identity.cert });
    await sender.run(start);
    await expect.poll(() => names.asked).toContain('A silent.example');
    await change(3, start, 'BETA');
    await sender.run(after(1));
    await expect.poll(() => receiver.received.length).toBe(3);
    const open = await db().rows(sql`select distinct state from webhook_deliveries d
      join webhook_endpoints e on e.id = d.endpoint_id join registrars r on r.id = e.registrar_id where r.code = 'ALPHA'`);
    expect(open).toEqual([{ state: 'sending' }]);
    // Forty events of five endpoints share one resolution.
    expect(names.asked.filter((query) => query === 'A silent.example')).toHaveLength(1);
    await sender.stop();
  });

  test('failure: registrars are told one of a few reasons, operators the rest', async () => {
    const names = await NameServer.start({
      'inside.example': { addresses: ['10.0.0.5'] },
      'mixed.example': { addresses: ['8.8.8.8', 'fd00::7'] },
      'closed.example': { addresses: ['127.0.0.1'] },
    });
    const port = await freePort();
    const urls = [
      'https://inside.example/',
      'https://mixed.example/',
      'https://unknown.example/',
      `https://closed.example:${port}/`,
      'http://closed.example/',
    ];
    for (const [index, url] of urls.entries()) await insertEndpoint(url, index + 1);
    await change();
    const resolver = new TargetResolver({ servers: [names.address] });
    logged.length = 0;
    await runToEnd(senderOn(0, 20_000, { resolver, settings }), start);
    const reasons = (await deliveries()).map(({ error }) => error);
    expect(reasons).toEqual([
      'The URL, or an address of its host, is not allowed',
      'The URL, or an address of its host, is not allowed',
      'The name of the host could not be resolved',
      'No connection could be made',
      'The URL, or an address of its host, is not allowed',
    ]);
    for (const detail of ['10.0.0.5', 'fd00::7', 'ENOTFOUND', `ECONNREFUSED 127.0.0.1:${port}`])
      expect(logged.join('')).toContain(detail);
  });
});
