import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { enqueueMails } from '../../../src/platform/mail/enqueue-mails.ts';
import { registryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect, PerTest } from '../../support/this-test.ts';

type Shown = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly sent_at: string;
  readonly links: readonly string[];
};

/** For tests that neither reset it nor move its clock: those have one of their own, and run at the same time. */
let shared: TestRegistry;
const own = new PerTest<TestRegistry>();
const registry = (): TestRegistry => own.get() ?? shared;
const openOwn = async () => own.set(await registryForThisTest());
beforeAll(async () => {
  shared = await startRegistry();
});
afterAll(() => shared.stop());
const forgetMails = async () => {
  await control('faults', { target: 'mail', mode: 'none' });
  await shared.sql.run(sql`delete from mails`);
};

const control = (place: string, body?: object) =>
  body === undefined
    ? fetch(`${registry().url}/sandbox/${place}`)
    : fetch(`${registry().url}/sandbox/${place}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
const answer = async (reply: Promise<Response>) => {
  const { status } = await reply;
  return [status, await (await reply).json()];
};
const clock = async () => new Date(((await (await control('clock')).json()) as { now: string }).now);
const shown = async () => (await (await control('mail')).json()) as Shown[];
const write = async (...names: string[]) =>
  enqueueMails(
    registry().sql,
    names.map((name) => ({
      to: `${name}@example.ee`,
      subject: `For ${name}`,
      text: `Confirm (https://registry.example/confirm/${name}?a=1&b=2). Or see https://registry.example/help.`,
      html: `<p>Hello ${name}</p>`,
    })),
    await clock(),
  );
const attempts = () =>
  registry().sql.rows(sql`select attempts, sent_at is not null as sent, last_error from mails order by id`);

describe('the mails of a sandbox', () => {
  beforeEach(forgetMails);

  test('success: the sent mails, the newest first, with the links of their text', async () => {
    expect(await shown()).toEqual([]);
    await write('mari');
    await shown();
    await write('juhan');
    const [newest, oldest, ...others] = await shown();
    expect(others).toEqual([]);
    expect(oldest?.to).toBe('mari@example.ee');
    expect(newest).toEqual({
      to: 'juhan@example.ee',
      subject: 'For juhan',
      text: 'Confirm (https://registry.example/confirm/juhan?a=1&b=2). Or see https://registry.example/help.',
      html: '<p>Hello juhan</p>',
      sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      links: ['https://registry.example/confirm/juhan?a=1&b=2', 'https://registry.example/help'],
    });
  });

  test('success: a mail is sent without a control, and the queue is polled more than once a second', async () => {
    await write('mari');
    await expect.poll(attempts, { interval: 50 }).toMatchObject([{ attempts: 1, sent: true }]);
    const intervals = await registry().sql.rows(
      sql`select interval_ms < 1000 as short from jobs where name = 'deliver mails'`,
    );
    expect(intervals).toEqual([{ short: true }]);
  });

  test('success: a list, or a page where HTML is asked for', async () => {
    await write('mari');
    const ask = (accept: string) => fetch(`${registry().url}/sandbox/mail`, { headers: { accept } });
    for (const accept of ['*/*', 'application/json', 'text/*'])
      expect((await ask(accept)).headers.get('content-type')).toBe('application/json; charset=utf-8');
    const page = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('accept');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('mari@example.ee');
  });

  test('success: a mail as HTML runs no script and loads no resource', async () => {
    await write('mari');
    await shown();
    const [row] = await registry().sql.rows(sql<{ id: number }>`select id from mails`);
    const reply = await control(`mail/${row?.id}`);
    expect([reply.status, await reply.text()]).toEqual([200, '<p>Hello mari</p>']);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'.*form-action 'none'.*; sandbox/);
    expect(policy).not.toMatch(/script|allow-same-origin|allow-forms/);
  });

  test.each(['0', '999999', 'abc', '-1', '1e3', '99999999999999999999'])(
    'failure: there is no mail %s',
    async (id) => {
      expect((await control(`mail/${id}`)).status).toBe(404);
    },
  );

  test('failure: what is not sent yet cannot be opened', async () => {
    await control('faults', { target: 'mail', mode: 'down', times: 1 });
    await write('mari');
    expect(await shown()).toEqual([]);
    const [row] = await registry().sql.rows(sql<{ id: number }>`select id from mails`);
    expect((await control(`mail/${row?.id}`)).status).toBe(404);
  });

  test('success: neither address nor text of a mail is in the log', async () => {
    await write('secretive');
    await shown();
    expect(registry().logged()).toContain('"msg":"mail sent"');
    expect(registry().logged()).not.toContain('secretive');
  });
});

describe.concurrent('faults', () => {
  beforeEach(openOwn);

  test.each([
    ['down', 'ECONNREFUSED'],
    ['error', '451'],
  ])(
    'success: %s makes the next sends fail, and advancing the clock triggers the next attempts',
    async (mode, reason) => {
      expect(await answer(control('faults', { target: 'mail', mode, times: 2 }))).toEqual([
        200,
        { target: 'mail', mode, times: 2 },
      ]);
      await write('mari');
      expect(await shown()).toEqual([]);
      expect(await attempts()).toEqual([
        { attempts: 1, sent: false, last_error: expect.stringContaining(reason) },
      ]);
      await control('clock', { advance: 'PT1M' });
      expect(await attempts()).toMatchObject([{ attempts: 2, sent: false }]);
      await control('clock', { advance: 'PT1M' });
      expect(await attempts()).toMatchObject([{ attempts: 2, sent: false }]);
      await control('clock', { advance: 'PT1M' });
      expect(await attempts()).toEqual([{ attempts: 3, sent: true, last_error: null }]);
      expect(await shown()).toHaveLength(1);
    },
  );

  test('success: a large jump of the clock makes each attempt at its time', async () => {
    await control('faults', { target: 'mail', mode: 'down', times: 3 });
    await write('mari');
    expect(await shown()).toEqual([]); // the first attempt is over: one under way would wait for the end of its lease
    await control('clock', { advance: 'P10D' });
    expect(await attempts()).toEqual([{ attempts: 4, sent: true, last_error: null }]);
    const [row] = await registry().sql.rows(sql<{ minutes: number }>`
      select extract(epoch from sent_at - created_at) / 60 as minutes from mails`);
    expect(Number(row?.minutes)).toBeLessThan(10);
  });

  test('success: slow takes five seconds', async () => {
    await control('faults', { target: 'mail', mode: 'slow', times: 1 });
    const begun = performance.now();
    await write('mari');
    await expect.poll(attempts, { interval: 50 }).toMatchObject([{ attempts: 1, sent: true }]);
    expect(performance.now() - begun).toBeGreaterThan(5_000);
  });

  test('success: none ends them', async () => {
    await control('faults', { target: 'mail', mode: 'down', times: 1000 });
    expect(await answer(control('faults', { target: 'mail', mode: 'none' }))).toEqual([
      200,
      { target: 'mail', mode: 'none', times: 0 },
    ]);
    await write('mari');
    expect(await shown()).toHaveLength(1);
  });

  test('success: a mail that fails for three days is given up', async () => {
    await control('faults', { target: 'mail', mode: 'down', times: 1000 });
    await write('mari');
    await control('clock', { advance: 'P3D' });
    const [row] = await registry().sql.rows(
      sql`select gave_up_at is not null as "gaveUp", attempts from mails`,
    );
    expect(row?.gaveUp).toBe(true);
    await control('faults', { target: 'mail', mode: 'none' });
    await control('clock', { advance: 'P3D' });
    expect(await shown()).toEqual([]);
  });
});

describe.concurrent('a reset', () => {
  beforeEach(openOwn);

  test('success: a reset removes mails and faults', async () => {
    await write('mari');
    expect(await shown()).toHaveLength(1);
    await control('faults', { target: 'mail', mode: 'down', times: 5 });
    await write('juhan');
    expect(await shown()).toHaveLength(1);
    expect((await control('reset', {})).status).toBe(200);
    expect(await shown()).toEqual([]);
    await write('juhan');
    expect(await shown()).toMatchObject([{ to: 'juhan@example.ee' }]);
  });

  test('success: a mail in flight during a reset does not mark a later one as sent', async () => {
    await control('faults', { target: 'mail', mode: 'slow', times: 1 });
    await write('before');
    await expect.poll(attempts, { interval: 20 }).toMatchObject([{ attempts: 1 }]);
    await control('reset', {});
    await control('faults', { target: 'mail', mode: 'down', times: 1000 });
    await write('after');
    // It is tried when the previous one has ended.
    const refused = { attempts: 1, sent: false, last_error: expect.stringContaining('ECONNREFUSED') };
    await expect.poll(attempts, { interval: 20 }).toEqual([refused]);
  });
});

describe('invalid faults', () => {
  beforeEach(forgetMails);

  test.each([
    {},
    [],
    { target: 'registry', mode: 'down', times: 1 },
    { target: 'mail', mode: 'up', times: 1 },
    { target: 'mail', mode: 'down' },
    { target: 'mail', mode: 'down', times: 0 },
    { target: 'mail', mode: 'down', times: -1 },
    { target: 'mail', mode: 'down', times: 1.5 },
    { target: 'mail', mode: 'down', times: '3' },
    { target: 'mail', mode: 'down', times: 1001 },
    { target: 'mail', mode: 'none', times: 'x' },
    { mode: 'down', times: 1 },
    { target: ['mail'], mode: 'down', times: 1 },
  ])('failure: %j is answered with the valid values, and changes nothing', async (body) => {
    expect(await answer(control('faults', body))).toEqual([
      400,
      { error: expect.stringMatching(/^Give \{"target": "provider" or .*"webhook", "mode": "down" or /) },
    ]);
    await write('mari');
    expect(await shown()).toHaveLength(1);
  });
});
