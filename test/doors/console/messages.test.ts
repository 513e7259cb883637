import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let name: string;
beforeAll(async () => {
  registry = await startRegistry();
  console = await loggedIn(registry.url);
  name = await (await Registrant.of(alpha(registry.url))).register();
});
afterAll(() => registry.stop());

type Message = {
  readonly text: string;
  readonly type?: string;
  readonly at?: string;
  readonly registrar?: string;
  readonly details?: object;
  readonly isAttached?: boolean;
};

async function send({
  text,
  type = 'low_balance',
  at,
  registrar = 'ALPHA',
  details,
  isAttached,
}: Message): Promise<number> {
  const { id } = await registry.sql.one(sql<{ id: number }>`
    insert into poll_messages (registrar_id, type, text, created_at, details, attached_obj_type, attached_obj_id)
    select r.id, ${type}, ${text}, coalesce(${at ?? null}::timestamptz, now()), ${details ? JSON.stringify(details) : null}::jsonb,
      case when ${isAttached ?? false} then 'Domain' end, case when ${isAttached ?? false} then (select id from domains where name = ${name}) end
    from registrars r where r.code = ${registrar} returning id`);
  return id;
}
const readAt = async (id: number) =>
  (await registry.sql.one(sql<{ at: Date | null }>`select read_at as at from poll_messages where id = ${id}`))
    .at;
const list = async (query = '', client = console) => (await client.get(`/console/messages${query}`)).text;
const acknowledge = (ids: readonly (number | string)[], more: [string, string][] = []) =>
  console.post('/console/messages/acknowledge', [
    ...ids.map((id): [string, string] => ['message', String(id)]),
    ...more,
  ]);

describe('the list of messages', () => {
  test('success: unread ones, or all; by type and day; nothing of another registrar', async () => {
    const [unread, read] = [
      await send({ text: 'Older <b>unread</b>', at: '2020-05-04T22:30:00Z' }),
      await send({ text: 'It was read', type: 'expired', at: '2020-05-06T09:00:00Z' }),
    ];
    await send({ text: 'Of another registrar', registrar: 'BETA' });
    await acknowledge([read]);
    const [first, all] = [await list(), await list('?show=all')];
    expect(first).toContain('Older &lt;b&gt;unread&lt;/b&gt;');
    expect(first).toContain(`href="/console/messages/${unread}"`);
    expect([first.includes('It was read'), all.includes('It was read')]).toEqual([false, true]);
    expect(first + all).not.toContain('Of another registrar');
    for (const [query, texts] of [
      ['?show=all&type=expired', [false, true]],
      // The day of the registry's zone, which is ahead of UTC.
      ['?show=all&from=2020-05-05&to=2020-05-05', [true, false]],
      ['?show=all&to=2020-05-04', [false, false]],
      ['?from=2020-05-05&to=2020-05-06', [true, false]],
    ] as const) {
      const text = await list(query);
      expect([query, text.includes('Older'), text.includes('It was read')]).toEqual([query, ...texts]);
    }
  });

  test('failure: invalid filters', async () => {
    const { status, text } = await console.get('/console/messages?type=none&from=x&to=2020-13-01');
    expect(status).toBe(400);
    for (const field of ['type', 'from', 'to']) expect(text).toContain(`id="${field}-fault"`);
  });

  test('success: every page continues where the previous one ended', async () => {
    const ids = await registry.sql.rows(sql<{ id: number }>`
      insert into poll_messages (registrar_id, type, text, created_at)
      select r.id, 'outzoned', 'Page ' || n, timestamptz '2021-01-01' + (n / 3) * interval '1 second'
      from registrars r, generate_series(1, 120) as n where r.code = 'ALPHA' returning id`);
    const seen: string[] = [];
    let address = '/console/messages?type=outzoned';
    for (let pages = 0; address !== '' && pages < 5; pages += 1) {
      const { text } = await console.get(address);
      if (pages === 0) expect(text).toContain('120 found');
      seen.push(
        ...Array.from(
          text.matchAll(/href="\/console\/messages\/(\d+)\?type=outzoned"/g),
          ([, id = '']) => id,
        ),
      );
      address = (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(ids.map(({ id }) => String(id)).toReversed());
  });
});

describe('the inbox', () => {
  test('success: messages of one type and day are one line, with one box for all; the newest is open beside them', async () => {
    const days = [
      '2019-03-04T09:00:00Z',
      '2019-03-04T10:00:00Z',
      '2019-03-04T11:00:00Z',
      '2019-03-05T11:00:00Z',
    ];
    const ids: number[] = [];
    for (const [index, at] of days.entries())
      ids.push(await send({ text: `Domain grouped-${index}.ee has left the zone`, type: 'outzoned', at }));
    const text = await list('?from=2019-03-04&to=2019-03-05');
    const [first, second, third, alone] = ids;
    expect(text).toContain(`value="${third} ${second} ${first}"`);
    expect(text).toContain(`value="${alone}"`);
    expect(text).toContain('<span class="about">grouped-2.ee, grouped-1.ee, grouped-0.ee</span>');
    expect(text.match(/<article[\s\S]*?<\/article>/)?.[0]).toContain('Domain grouped-3.ee has left the zone');
    const { to } = await acknowledge([`${third} ${second} ${first}`]);
    expect(to).toContain('notice=messagesRead');
    expect((await Promise.all(ids.map(readAt))).map((at) => at !== null)).toEqual([true, true, true, false]);
    expect((await acknowledge([`${alone} x`])).status).toBe(404);
    await acknowledge([alone ?? '']);
  });

  test('success: beside an open message is the list that it was opened from', async () => {
    const [one, other] = [
      await send({ text: 'Domain one.ee has left the zone', type: 'outzoned', at: '2018-01-01T09:00:00Z' }),
      await send({
        text: 'Domain other.ee has expired. It leaves',
        type: 'expired',
        at: '2018-01-01T10:00:00Z',
      }),
    ];
    const { text } = await console.get(
      `/console/messages/${one}?from=2018-01-01&to=2018-01-01&type=outzoned`,
    );
    expect(text).toContain(
      `href="/console/messages/${one}?type=outzoned&amp;from=2018-01-01&amp;to=2018-01-01" aria-current="true"`,
    );
    expect(text).not.toContain(`/console/messages/${other}`);
    expect(text).toContain('data-keys="e"');
    await acknowledge([one, other]);
  });

  test('success: in Estonian where the text can be read, else as it is stored', async () => {
    const speak = (lang: string) =>
      registry.sql.run(sql`update people set language = ${lang} where email_key = 'alpha@sandbox.example'`);
    const known = [
      await send({ text: 'Domain tamm.ee has left the zone', type: 'outzoned' }),
      await send({
        text: 'Invoice 150001 over 1240.00 EUR was issued; it is due on 2030-02-03',
        type: 'invoice_issued',
      }),
    ];
    const unknown = await send({ text: 'Nothing of this form', type: 'outzoned' });
    await speak('et');
    const pages = await Promise.all([...known, unknown].map((id) => console.get(`/console/messages/${id}`)));
    const [one = '', two = '', three = ''] = pages.map(
      ({ text }) => text.match(/<article[\s\S]*?<\/article>/)?.[0],
    );
    await speak('en');
    expect(one).toContain('<p class="lead">Domeen tamm.ee on tsoonist eemaldatud</p>');
    expect(two).toContain(
      'Esitati arve 150001 summas 1\u00a0240,00\u00a0€; maksetähtaeg on 3. veebruar 2030',
    );
    expect(three).toContain('<p class="lead" lang="en">Nothing of this form</p>');
    await acknowledge([...known, unknown]);
  });
});

describe('one message', () => {
  const DETAILS = {
    transfer: {
      kind: 'transfer',
      losing: 'BETA',
      gaining: 'ALPHA',
      at: '2026-01-01T00:00:00Z',
      expireTime: '2027-03-04T22:00:00Z',
    },
    'pending action': {
      kind: 'pending action',
      succeeded: false,
      requestId: 'request-17',
      clientTransactionId: null,
      at: '2026-01-01T00:00:00Z',
    },
    change: {
      kind: 'change',
      object: 'domain',
      operation: 'update',
      at: '2026-01-01T00:00:00Z',
      who: 'operator:olev',
      reason: 'court <i>order</i>',
      requestId: null,
    },
  };
  test.each<[keyof typeof DETAILS, string[]]>([
    ['transfer', ['<dd>BETA</dd>', '<dd>ALPHA</dd>', '5 March 2027']],
    ['pending action', ['It was not carried out', 'request-17']],
    ['change', ['<dd>Registry</dd>', 'court &lt;i&gt;order']],
  ])('success: its data in words: %s', async (kind, texts) => {
    const id = await send({
      text: 'About it',
      type: 'status_set',
      details: { ...DETAILS[kind], name },
      isAttached: true,
    });
    const { status, text } = await console.get(`/console/messages/${id}`);
    expect(status).toBe(200);
    for (const each of [
      ...texts,
      'Status set by the registry',
      `href="/console/domains/${name}"`,
      'Mark as read',
    ])
      expect(text).toContain(each);
  });

  test('success: without an object, without data, for a reader', async () => {
    const deleted = await send({
      text: 'Domain x.ee has been deleted',
      type: 'deleted',
      details: { ...DETAILS.change, name: 'x.ee', who: 'registry', reason: null },
    });
    const { text } = await console.get(`/console/messages/${deleted}`);
    expect(text).toContain('<bdi>x.ee</bdi>');
    expect(text).not.toContain('href="/console/domains/x.ee"');
    const reader = await loggedIn(registry.url, 'reader');
    const shown = await reader.get(
      `/console/messages/${await send({ text: 'Nothing more', type: 'outzoned' })}`,
    );
    expect([shown.text.includes('Nothing more'), shown.text.includes('Mark as read')]).toEqual([true, false]);
    expect(await list('', reader)).not.toContain('name="message"');
  });

  test.each(['0', '1e3', '999999999999999', '9999999999999999', 'x', '%00'])(
    'failure: there is no message %s',
    async (id) => {
      expect((await console.get(`/console/messages/${id}`)).status).toBe(404);
    },
  );

  test('failure: a domain that was transferred away is not linked, and messages of others are not found', async () => {
    const other = await send({ text: 'Not yours', registrar: 'BETA' });
    expect((await console.get(`/console/messages/${other}`)).status).toBe(404);
    const beta = await loggedIn(registry.url, 'beta');
    const left = await send({
      text: 'It left',
      registrar: 'BETA',
      details: { ...DETAILS.transfer, name },
      isAttached: true,
    });
    const { text } = await beta.get(`/console/messages/${left}`);
    expect([text.includes(name), text.includes(`/console/domains/${name}`)]).toEqual([true, false]);
  });
});

describe('acknowledging', () => {
  test('success: many at once, back to the same list; again it changes nothing', async () => {
    const ids = [await send({ text: 'One' }), await send({ text: 'Two' }), await send({ text: 'Three' })];
    const chosen = ids.slice(0, 2);
    const first = await acknowledge(chosen, [
      ['type', 'low_balance'],
      ['show', 'all'],
      ['next', '//evil'],
    ]);
    expect([first.status, first.to]).toEqual([
      303,
      '/console/messages?show=all&type=low_balance&notice=messagesRead',
    ]);
    const times = await Promise.all(ids.map(readAt));
    expect(times.map((at) => at !== null)).toEqual([true, true, false]);
    expect((await acknowledge([...chosen, ...chosen])).status).toBe(303);
    expect(await Promise.all(ids.map(readAt))).toEqual(times);
    // The API sees the same.
    const unread = (await alpha(registry.url).get('/registrar/notifications/all_notifications')).text;
    expect([unread.includes('"Two"'), unread.includes('"Three"')]).toEqual([false, true]);
  });

  test('success: none chosen changes nothing', async () => {
    expect((await acknowledge([])).to).toBe('/console/messages?notice=noMessageChosen');
  });

  test('failure: one of another registrar, unknown or not a number: none is acknowledged', async () => {
    const [own, foreign] = [await send({ text: 'Own' }), await send({ text: 'Foreign', registrar: 'BETA' })];
    for (const wrong of [foreign, 999_999_999, 'x', '-1'])
      expect((await acknowledge([own, wrong])).status).toBe(404);
    expect((await acknowledge(Array.from({ length: 101 }, () => own))).status).toBe(404);
    expect(await Promise.all([own, foreign].map(readAt))).toEqual([null, null]);
  });
});
