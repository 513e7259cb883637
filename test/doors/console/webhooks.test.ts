import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventText } from '../../../src/doors/console/webhooks/event-texts.ts';
import { webhookFields } from '../../../src/doors/console/webhooks/webhook-form.ts';
import { eventTypes, subscribableEvents } from '../../../src/registry/webhooks/event-types.ts';
import { alpha } from '../../support/client.ts';
import { type ConsoleAnswer, type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { carryOut, confirmation, preview } from '../../support/console-forms.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  client = await loggedIn(registry.url);
});
beforeEach(() => registry.sql.run(sql`delete from webhook_endpoints`));
afterAll(() => registry.stop());

const URL_OF_TESTS = 'http://127.0.0.1:1/hook?token=xyz';
const NEW = '/console/webhooks/new';
const secretIn = ({ text }: ConsoleAnswer) => /class="secret">(whsec_[^<]+)</.exec(text)?.[1];
const idIn = ({ text }: ConsoleAnswer) => /\/console\/webhooks\/(whe_\w+)"/.exec(text)?.[1] ?? '';
const create = async (filled: Record<string, string> = {}) =>
  idIn(await carryOut(client, NEW, { url: URL_OF_TESTS, ...filled }));
const post = (id: string, change: string, fields: Record<string, string> = {}) =>
  client.post(`/console/webhooks/${id}/${change}`, fields);
const stored = (id: string) =>
  registry.sql.one(sql<{ url: string; description: string; types: string[] | null; isEnabled: boolean }>`
    select url, description, event_types as types, disabled_at is null as "isEnabled" from webhook_endpoints where public_id = ${id}`);
const count = () => registry.sql.one(sql<{ n: number }>`select count(*)::int as n from webhook_endpoints`);

describe('an endpoint', () => {
  const shown = async (id: string) => (await client.get(`/console/webhooks/${id}`)).text;
  /** The callout, which stands before all facts. */
  const cause = (text: string) =>
    text
      .slice(text.indexOf('<main'), text.indexOf('<dl class="asked">'))
      .match(/<div class="outcome failed">.*?<\/div>/s)?.[0]
      .replaceAll(/<[^>]*>/g, '');
  const fail = (id: string, error: string, status: number | null) =>
    registry.sql.script(`begin; set local session_replication_role = replica;
      insert into webhook_events (event_id, sequence, registrar_id, type, at, data)
      select 'msg_' || md5('${error}'), nextval('history_id_seq'), registrar_id, 'domain.renewed', now(), '{}' from webhook_endpoints where public_id = '${id}';
      insert into webhook_deliveries (endpoint_id, event_id, state, attempts, created_at, next_attempt_at, try_until, last_attempt_at, last_status, last_error)
      select e.id, v.id, 'waiting', 1, now(), '2126-11-20T10:00Z', '2126-12-20', now(), ${status ?? 'null'}, '${error}'
      from webhook_endpoints e, webhook_events v where e.public_id = '${id}' and v.event_id = 'msg_' || md5('${error}');
      update webhook_endpoints set failing_since = '2026-11-19T10:00Z', failures = 3, paused_until = '2126-11-20T11:00Z' where public_id = '${id}';
      commit`);

  test('success: one that fails says why above its facts, since when, and how it goes on', async () => {
    const id = await create();
    expect(cause(await shown(id))).toBeUndefined();
    await fail(id, 'The name of the host could not be resolved', null);
    const text = cause(await shown(id));
    for (const part of [
      'The name of the host could not be resolved',
      'Failing since 19 Nov 2026, 12:00.',
      'One event waits. The next attempt is at 20 Nov 2126, 13:00.',
      'After 5 days',
    ])
      expect(text).toContain(part);
    await fail(id, 'Answered 502', 502);
    expect(cause(await shown(id))).toContain('502');
    expect(cause(await shown(id))).toContain('2 events wait.');
  });

  test('success: one whose last attempts are not known any more fails all the same', async () => {
    const id = await create();
    await registry.sql.run(
      sql`update webhook_endpoints set failing_since = '2026-11-19T10:00Z', failures = 1 where public_id = ${id}`,
    );
    expect(cause(await shown(id))).toMatch(/^The last attempts have failed/);
  });

  test.each([
    ['it answered 410 Gone', 'Disabled: it answered 410 Gone', 'Välja lülitatud: vastus oli 410 Gone'],
    [
      'by the registry, <b>a test',
      'Disabled: by the registry, &lt;b&gt;a test',
      'Välja lülitatud: selle tegi register, &lt;b&gt;a test',
    ],
    ['no <b>known reason', 'Disabled: no &lt;b&gt;known reason', 'Välja lülitatud: no &lt;b&gt;known reason'],
  ])('success: one that was disabled says why: %s', async (reason, english, estonian) => {
    const id = await create();
    await registry.sql.run(sql`
      update webhook_endpoints set disabled_at = '2026-11-19T10:00Z', disabled_reason = ${reason} where public_id = ${id}`);
    const speak = (lang: string) =>
      registry.sql.run(sql`update people set language = ${lang} where email_key = ${PEOPLE.alpha[0]}`);
    expect(cause(await shown(id))).toContain(`${english}\nSince 19 Nov 2026, 12:00.`);
    await speak('et');
    expect(cause(await shown(id))).toContain(estonian);
    await speak('en');
  });

  test('success: created once, changed, disabled, enabled, its secret replaced, deleted; the person is the actor', async () => {
    const { shown, fields } = await preview(client, NEW, { url: URL_OF_TESTS, description: 'the <b>shop' });
    expect([shown.text.includes('whsec_'), await count()]).toEqual([false, { n: 0 }]);
    const [created, repeated] = [await client.post(NEW, fields), await client.post(NEW, fields)];
    const [id, secret] = [idIn(created), secretIn(created)];
    expect([created.status, secretIn(repeated), await count()]).toEqual([200, secret, { n: 1 }]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await stored(id)).toEqual({
      url: URL_OF_TESTS,
      description: 'the <b>shop',
      types: null,
      isEnabled: true,
    });

    const chosen = { events: 'chosen', 'event-domain.renewed': 'yes', 'event-invoice.paid': 'yes' };
    const changed = await carryOut(client, `/console/webhooks/${id}/change`, {
      ...chosen,
      description: 'shop',
    });
    expect(changed.to).toBe(`/console/webhooks/${id}?notice=webhookChanged`);
    expect(await stored(id)).toMatchObject({
      description: 'shop',
      types: ['domain.renewed', 'invoice.paid'],
    });

    expect((await post(id, 'disable')).to).toContain('notice=webhookDisabled');
    expect(await stored(id)).toMatchObject({ isEnabled: false });
    expect((await post(id, 'enable')).to).toContain('notice=webhookEnabled');
    expect(await stored(id)).toMatchObject({ isEnabled: true });

    const rotated = secretIn(await carryOut(client, `/console/webhooks/${id}/secret`));
    expect([rotated?.slice(0, 6), rotated === secret]).toEqual(['whsec_', false]);
    const pages = [await client.get('/console/webhooks'), await client.get(`/console/webhooks/${id}`)];
    expect(pages.map(({ text }) => [text.includes('shop'), text.includes('whsec_')])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(pages[1]?.text).toContain('The old secret signs until');

    const { fields: deletion } = await confirmation(client, `/console/webhooks/${id}/delete`);
    for (const _ of [1, 2])
      expect((await post(id, 'delete', deletion)).to).toBe('/console/webhooks?notice=webhookDeleted');
    expect((await post(id, 'delete', { ...deletion, key: randomUUID() })).status).toBe(404);
    expect((await client.get(`/console/webhooks/${id}`)).status).toBe(404);
    const history = await registry.sql.rows(sql<{ operation: string; actor: string }>`
      select operation, actor from history where object_kind = 'webhook' and object_name = ${id} order by id`);
    expect(history).toEqual(
      ['create', 'update', 'disable', 'enable', 'rotate secret', 'delete'].map((operation) => ({
        operation,
        actor: `person:${PEOPLE.alpha[0]}`,
      })),
    );
  });

  test.each<[what: string, filled: Record<string, string>, field: string, text: string]>([
    ['no address', { url: '' }, 'url', 'This is required.'],
    ['an address of an inner network', { url: 'https://10.0.0.1/' }, 'url', 'with the name of a host'],
    ['http', { url: 'http://shop.example/' }, 'url', 'an https:// URL'],
    ['too long a note', { description: 'a'.repeat(201) }, 'description', 'at most 200 characters'],
    ['no event', { events: 'chosen' }, 'events', 'Choose at least one event'],
  ])('failure: %s', async (_what, filled, field, text) => {
    const { status, text: page } = await carryOut(client, NEW, { url: URL_OF_TESTS, ...filled });
    const fault = new RegExp(`id="${field}-fault">([^<]*)<`).exec(page)?.[1];
    expect([status, fault, await count()]).toEqual([400, expect.stringContaining(text), { n: 0 }]);
  });

  test('failure: more than ten, a form without changes, and a stale one', async () => {
    const api = alpha(registry.url);
    for (let made = 0; made < 10; made += 1) await api.post('/webhooks', { webhook: { url: URL_OF_TESTS } });
    const eleventh = await carryOut(client, NEW, { url: URL_OF_TESTS });
    expect([eleventh.status, /at most 10 webhooks/.test(eleventh.text)]).toEqual([400, true]);
    const id = idIn(await client.get('/console/webhooks'));
    const path = `/console/webhooks/${id}/change`;
    expect((await carryOut(client, path)).text).toContain('It already has these values.');
    const { fields } = await preview(client, path, { description: 'mine' });
    await api.put(`/webhooks/${id}`, { webhook: { description: 'theirs' } });
    const late = await client.post(path, fields);
    expect([late.status, late.text.includes('value="theirs"')]).toEqual([400, true]);
    expect(await stored(id)).toMatchObject({ description: 'theirs' });
  });

  test('failure: sensitive operations require a recent login, a test event does not', async () => {
    const id = await create();
    await registry.sql.run(
      sql`update person_sessions set authenticated_at = authenticated_at - interval '6 minutes'`,
    );
    const answers = new Map<string, string | undefined>();
    for (const change of ['change', 'secret', 'delete', 'disable', 'enable', 'test'])
      answers.set(change, (await post(id, change)).to?.split('?')[0]);
    await registry.sql.run(
      sql`update person_sessions set authenticated_at = authenticated_at + interval '6 minutes'`,
    );
    const login = ['change', 'secret', 'delete', 'disable', 'enable'].map((change) => [
      change,
      '/console/login',
    ]);
    expect([...answers]).toEqual([...login, ['test', `/console/webhooks/${id}`]]);
  });
});

describe('deliveries', () => {
  const eventsIn = ({ text }: ConsoleAnswer) => [...new Set(text.match(/msg_[0-9a-f]{32}/g))];
  /** Deliveries that were given up, of events with consecutive ids. */
  const fail = (id: string, deliveries: number, first = 1) =>
    registry.sql.run(sql`
      with written as (
        insert into webhook_events (event_id, registrar_id, type, sequence, at, data)
        select 'msg_' || lpad(to_hex(n), 32, '0'), e.registrar_id, 'domain.renewed', n, now(), '{}'
        from webhook_endpoints e, generate_series(${first}::int, ${first}::int + ${deliveries}::int - 1) as n where e.public_id = ${id} returning id)
      insert into webhook_deliveries (endpoint_id, event_id, state, created_at, finished_at, try_until, attempts, last_status, last_error)
      select e.id, written.id, 'failed', now() - interval '1 hour', now(), now(), 3, 500, 'HTTP status <500>'
      from webhook_endpoints e, written where e.public_id = ${id}`);
  /** How many were sent again: the sender may have tried them meanwhile. */
  const sentAgain = async (id: string) => {
    const rows = await registry.sql.rows(sql<{ n: number }>`
      select 1 as n from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where e.public_id = ${id} and (d.state <> 'failed' or d.attempts > 3)`);
    return rows.length;
  };

  test('success: paged by position, filtered by state, one or all failed sent again', async () => {
    const id = await create();
    await fail(id, 51);
    const path = `/console/webhooks/${id}`;
    const first = await client.get(`${path}?state=failed`);
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? [];
    const second = await client.get(next.replaceAll('&amp;', '&'));
    expect([eventsIn(first).length, eventsIn(second).length]).toEqual([50, 1]);
    expect(new Set([...eventsIn(first), ...eventsIn(second)]).size).toBe(51);
    expect(first.text).toContain('HTTP status &lt;500&gt;');
    expect(eventsIn(await client.get(`${path}?state=delivered`))).toEqual([]);
    expect((await client.get(`${path}?state=none`)).status).toBe(400);

    const [event = ''] = eventsIn(second);
    expect((await post(id, `deliveries/${event}/replay`)).to).toContain('notice=deliveryReplayed');
    expect(await sentAgain(id)).toBe(1);
    for (const since of ['', 'yesterday']) {
      const { status, text } = await post(id, 'replay', { since });
      expect([status, text.includes('id="since-fault"')]).toEqual([400, true]);
    }
    const later = await post(id, 'replay', { since: '9000-01-01' });
    expect([later.to?.split('?')[1], await sentAgain(id)]).toEqual(['notice=noDeliveryFailed', 1]);
    expect((await post(id, 'replay', { since: '2020-01-01' })).to).toContain('notice=deliveriesReplayed');
    expect(await sentAgain(id)).toBe(51);
  });

  test('success: one delivery with its state and content, sent again from its page', async () => {
    const [id, other] = [await create(), await create()];
    await fail(id, 1, 1_000);
    const [event = ''] = eventsIn(await client.get(`/console/webhooks/${id}`));
    await registry.sql.run(
      sql`update webhook_events set data = '{"name": "<b>.ee"}' where event_id = ${event}`,
    );
    const path = `/console/webhooks/${id}/deliveries/${event}`;
    const { status, text } = await client.get(path);
    expect(status).toBe(200);
    for (const shown of [event, 'failed', 'HTTP status &lt;500&gt;', 'domain.renewed', '&lt;b&gt;.ee'])
      expect(text).toContain(shown);
    expect(text).toContain(`action="${path}/replay"`);
    // In UTC, as it is posted; the registrar API answers with an offset.
    expect(text).toMatch(/timestamp[^\n]*\d{2}:\d{2}\.\d{3}\+0[23]:00/);
    expect((await client.get(`/console/webhooks/${other}/deliveries/${event}`)).status).toBe(404);
    expect((await client.get(`/console/webhooks/${id}/deliveries/none`)).status).toBe(404);
    await post(id, 'disable');
    expect((await client.get(path)).text).not.toContain('/replay"');
  });

  test('success: every attempt with its time, result, seconds and answer, as text', async () => {
    const [refusing, taking, absent] = [
      await create({ url: `${registry.url}/sandbox/webhooks/refuse` }),
      await create({ url: `${registry.url}/sandbox/webhooks/catch` }),
      await create(),
    ];
    const pageOf = async (id: string) => {
      const [event = ''] = eventsIn(await client.get(`/console/webhooks/${id}`));
      return (await client.get(`/console/webhooks/${id}/deliveries/${event}`)).text;
    };
    for (const id of [refusing, taking, absent]) await post(id, 'test');
    await expect
      .poll(async () => {
        await fetch(`${registry.url}/sandbox/webhooks`);
        const { rows } = await registry.sql.one(
          sql<{ rows: number }>`select count(distinct delivery_id)::int as rows from webhook_attempts`,
        );
        return rows;
      })
      .toBe(3);
    const refused = await pageOf(refusing);
    for (const words of [
      'Refused, answered with 502',
      '&lt;h1&gt;502 Bad Gateway&lt;/h1&gt;',
      'Show the answer',
    ])
      expect(refused).toContain(words);
    expect(refused).toMatch(/data-label="Seconds" class="number"><div>\d+\.\d\d</);
    expect(refused).toMatch(
      /data-label="Time"><div><time datetime="[^"]+" title="[^"]+">[^<]*\d\d:\d\d:\d\d</,
    );
    expect(await pageOf(taking)).toContain('Taken, answered with 204');
    expect(await pageOf(taking)).toContain('<span class="quiet">empty</span>');
    const unanswered = await pageOf(absent);
    expect(unanswered).toContain('No connection could be made');
    expect(unanswered).not.toContain('Show the answer');
  });

  test('failure: nothing is sent to a disabled endpoint, nor an event that it never had', async () => {
    const id = await create();
    const unknown = `deliveries/msg_${'0'.repeat(32)}/replay`;
    expect((await post(id, unknown)).status).toBe(404);
    await post(id, 'disable');
    for (const [change, fields] of [['test'], [unknown], ['replay', { since: '2020-01-01' }]] as const) {
      const { status, text } = await post(id, change, fields);
      expect([change, status, text.includes('The webhook is disabled. Enable it first.')]).toEqual([
        change,
        409,
        true,
      ]);
    }
  });
});

test('success: every event has texts in both languages, and a checkbox', () => {
  for (const lang of ['en', 'et'] as const) {
    expect([...eventTypes.keys()].filter((type) => eventText(lang, type) === type)).toEqual([]);
    const groups = webhookFields((_, initial = '') => initial, lang);
    const boxes = groups.flatMap((item) => ('legend' in item ? item.fields : [])).map(({ name }) => name);
    expect(boxes.toSorted()).toEqual(subscribableEvents.map((type) => `event-${type}`).toSorted());
  }
});

test('failure: without webhooks the page says so, and nothing can be created', async () => {
  const { url } = await freshRegistryForThisTest({ webhookSecret: undefined });
  const visitor = await loggedIn(url);
  const { status, text } = await visitor.get('/console/webhooks');
  expect([status, text.includes('does not send webhooks'), text.includes('/webhooks/new')]).toEqual([
    200,
    true,
    false,
  ]);
  const refused = await carryOut(visitor, NEW, { url: URL_OF_TESTS });
  expect([refused.status, refused.text.includes('does not send webhooks')]).toEqual([400, true]);
});
