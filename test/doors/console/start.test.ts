import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { carriedFields, type ConsoleClient, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';

let registry: TestRegistry;
let client: ConsoleClient;
const STATUSES = {
  'a.ee': 'pendingUpdate',
  'b.ee': 'pendingDeleteConfirmation',
  'c.ee': 'serverForceDelete',
  'd.ee': 'serverHold',
  'e.ee': 'clientHold',
  'f.ee': 'pendingDelete',
  'g.ee': 'expired',
  'h.ee': 'expired',
};
const start = async (person: Parameters<typeof loggedIn>[1]) =>
  (await (await loggedIn(registry.url, person)).get('/console')).text;

/** The lines of the worklist: tone, address and title. */
const linesOf = (text: string) =>
  Array.from(
    text.matchAll(/<li class="(error|warn|waiting|neutral)">.*\n<div><a href="([^"]+)">([^<]+)<\/a>/g),
    ([, tone, address = '', title]) => ({ tone, address: address.replaceAll('&amp;', '&'), title }),
  );
const lineOf = async (title: string, by = client) =>
  linesOf((await by.get('/console')).text).find((line) => line.title === title);

beforeAll(async () => {
  registry = await startRegistry();
  client = await loggedIn(registry.url);
  const mari = await Registrant.of(alpha(registry.url));
  for (const [name, status] of Object.entries(STATUSES)) {
    await mari.register({ name: `start-${name}` });
    await setStatuses(registry.sql, `start-${name}`, { [status]: '' });
  }
  await registry.sql.run(
    sql`update domains set expire_time = now() + interval '10 days' where name in ('start-a.ee', 'start-e.ee')`,
  );
  await registry.sql.run(
    sql`update domains set expire_time = now() + interval '40 days' where name = 'start-c.ee'`,
  );
  await registry.sql.run(sql`
    insert into poll_messages (registrar_id, type, text, created_at)
    select id, 'low_balance', text, at from registrars, (values ('The older one', now() - interval '1 day'), ('<b>The newest</b>', now())) as m(text, at)
    where code = 'ALPHA'`);
});
afterAll(() => registry.stop());

describe('the overview', () => {
  test('success: domains in need, the worst first; one leads to its page, more to the list that is counted', async () => {
    const lines = linesOf((await client.get('/console')).text);
    const titles = [
      'start-d.ee is on hold by the registry',
      '2 domains have expired',
      'start-c.ee is under forced deletion',
      'start-f.ee is being deleted and can still be restored',
      '2 domains expire within 30 days',
      'start-a.ee waits for a new registrant to be confirmed',
      'start-b.ee waits for its deletion to be confirmed',
      'start-e.ee is on hold by you',
    ];
    expect(lines.filter(({ address }) => address.includes('/domains')).map(({ title }) => title)).toEqual(
      titles,
    );
    for (const { address, title = '' } of lines.filter(({ address: each }) => each.includes('/domains?')))
      expect((await client.get(address)).text, title).toContain('2 found');
    expect(lines.find(({ title }) => title?.startsWith('start-d'))?.address).toBe(
      '/console/domains/start-d.ee',
    );
  });

  test('success: a button renews a list for a year, at the price that is on it', async () => {
    const { text } = await client.get('/console');
    const [form = ''] =
      /<form method="post" action="\/console\/bulk\/renew">[\s\S]*?<\/form>/.exec(text) ?? [];
    const [, step = '', label = ''] =
      /<button class="act second" name="step" value="([^"]*)">([^<]*)</.exec(form) ?? [];
    expect(label).toMatch(/^Renew 2 · €[\d.]+$/);
    const { status, text: previewed } = await client.post('/console/bulk/renew', {
      ...carriedFields(form),
      step,
    });
    const [, price = ''] = label.split(' · ');
    expect([status, previewed.includes(price)]).toEqual([200, true]);
    for (const name of ['start-g.ee', 'start-h.ee']) expect(previewed).toContain(name);
  });

  test('success: unread messages, the newest as text', async () => {
    const text = await start('alpha');
    expect(text).toContain('&lt;b&gt;The newest&lt;/b&gt;');
    expect(text).not.toContain('The older one');
    expect(linesOf(text).find(({ address }) => address === '/console/messages')?.title).toMatch(
      /^\d+ unread messages$/,
    );
  });

  test('success: a low balance, a debt, and invoices that are unpaid', async () => {
    const titles = async () => linesOf((await client.get('/console')).text).map(({ title }) => title);
    expect((await titles()).join()).not.toMatch(/balance|invoice|owe/);
    await registry.sql.run(sql`update registrars set low_balance = 99999999999 where code = 'ALPHA'`);
    const invoice = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
    expect(invoice.status).toBe(200);
    expect(await titles()).toEqual(
      expect.arrayContaining(['The balance is below €999,999,999.99', '1 invoice is unpaid']),
    );
    const unpaid = await lineOf('1 invoice is unpaid');
    expect((await client.get(unpaid?.address ?? '')).text).toContain('1 found');
    await registry.sql.run(sql`update registrars set low_balance = null where code = 'ALPHA'`);
  });

  test('success: how long the balance lasts if everything is renewed', async () => {
    const outlook = async () =>
      /<section class="card outlook">[\s\S]*?<\/section>/.exec(await start('alpha'))?.[0];
    expect(await outlook()).toContain('Enough for a year');
    const { balance } = await registry.sql.one(sql<{ balance: string }>`
      select a.balance::text as balance from ledger_accounts a join registrars r on r.id = a.registrar_id where r.code = 'ALPHA' and a.kind = 'registrar'`);
    await registry.sql.run(sql`
      update ledger_accounts set balance = 1 where kind = 'registrar' and registrar_id = (select id from registrars where code = 'ALPHA')`);
    expect(await outlook()).toMatch(/Enough until about \d+ \w+ \d{4}/);
    await registry.sql.run(sql`
      update ledger_accounts set balance = ${balance}::bigint where kind = 'registrar' and registrar_id = (select id from registrars where code = 'ALPHA')`);
  });

  test('success: twelve months as a drawing and as a table', async () => {
    const { text } = await client.get('/console');
    const [card = ''] = /<section class="card year">[\s\S]*?<\/section>/.exec(text) ?? [];
    expect(card.match(/<g/g)).toHaveLength(12);
    expect(card).toContain('Registrations <strong>8</strong>');
    expect(card.match(/<tr role="row"><td/g)).toHaveLength(12);
  });

  test('success: jobs that failed in part or were stopped, and webhooks that fail', async () => {
    const registrar = sql`(select id from registrars where code = 'ALPHA')`;
    const [failed, old, stopped] = [randomUUID(), randomUUID(), randomUUID()];
    await registry.sql.run(sql`
      insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, kind, input, total, changed, refused, created_at, finished_at, stopped_at)
      select j.id::uuid, ${registrar}, p.id, p.name, 'a-request', 'hold', '{"isHeld": true}', 3, j.changed, j.refused, j.at, j.finished, j.stopped
      from people p, (values (${failed}, 1, 2, now(), now(), null::timestamptz), (${old}, 1, 2, now() - interval '3 days', now() - interval '3 days', null),
        (${stopped}, 1, 0, now(), null, now())) as j(id, changed, refused, at, finished, stopped)
      where p.email_key = 'alpha@sandbox.example'`);
    await registry.sql.run(sql`
      insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at, failing_since, failures, disabled_at, disabled_reason)
      select e.id, ${registrar}, e.position, 'https://hooks.example', e.description, now(), now(), e.failing, e.failures, e.disabled, e.reason
      from (values ('whe_0000000000000001', 1, 'the shop', now(), 1, null::timestamptz, null),
        ('whe_0000000000000002', 2, 'the archive', null, 0, now(), 'by the registrar')) as e(id, position, description, failing, failures, disabled, reason)`);
    const lines = linesOf((await client.get('/console')).text);
    const titleOf = (address: string) => lines.find((line) => line.address === address)?.title;
    expect(titleOf(`/console/jobs/${failed}`)).toMatch(/: 2 of 3 failed$/);
    expect(titleOf(`/console/jobs/${stopped}`)).toMatch(/: stopped after 1 of 3$/);
    expect(titleOf(`/console/jobs/${old}`)).toBeUndefined();
    expect(titleOf('/console/webhooks/whe_0000000000000001')).toBe('The webhook the shop fails');
    expect(titleOf('/console/webhooks/whe_0000000000000002')).toBeUndefined();
  });

  test('success: a job whose failures were tried again is not there any more', async () => {
    const registrar = sql`(select id from registrars where code = 'ALPHA')`;
    const [failed, other] = [randomUUID(), randomUUID()];
    await registry.sql.run(sql`
      with begun as (
        insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, kind, input, total, refused, created_at, finished_at)
        select j.id::uuid, ${registrar}, p.id, p.name, 'a-request', 'hold', '{"isHeld": true}', 1, 1, now(), now()
        from people p, (values (${failed}), (${other})) as j(id) where p.email_key = 'alpha@sandbox.example' returning id)
      insert into bulk_job_rows (job_id, position, name, outcome, refusal, finished_at)
      select id, 0, 'start-e.ee', 'refused', '{"name": "domainUnknown", "values": {}}', now() from begun`);
    const shown = async () => (await client.get('/console')).text.match(/\/console\/jobs\/[0-9a-f-]+/g) ?? [];
    expect(await shown()).toEqual(
      expect.arrayContaining([`/console/jobs/${failed}`, `/console/jobs/${other}`]),
    );
    // Over the first form, as somebody who corrects the list.
    const previewed = await client.post('/console/bulk/hold', { step: 'again', job: failed });
    expect(previewed.status).toBe(200);
    const edited = await client.post('/console/bulk/hold', {
      ...carriedFields(previewed.text),
      step: 'edit',
    });
    expect(carriedFields(edited.text)).toMatchObject({ againOf: failed });
    const again = await client.post('/console/bulk/hold', {
      ...carriedFields(previewed.text),
      ...carriedFields(edited.text),
      names: 'start-d.ee',
      step: 'preview',
    });
    const done = await client.post('/console/bulk/hold', { ...carriedFields(again.text), step: 'confirm' });
    expect(done.status).toBe(303);
    expect(await shown()).not.toContain(`/console/jobs/${failed}`);
    expect(await shown()).toContain(`/console/jobs/${other}`);
    await registry.sql.run(sql`delete from bulk_jobs where registrar_id = ${registrar} and kind = 'hold'`);
    await registry.sql.run(sql`update domains set statuses = '{"serverHold": ""}' where name = 'start-d.ee'`);
  });

  test('success: nothing of another registrar', async () => {
    const text = await start('beta');
    expect(text).not.toContain('start-');
    expect(text).not.toContain('The newest');
  });

  test('success: a reader sees no money and changes nothing, an accountant sees nothing but money', async () => {
    const reader = await start('reader');
    expect(reader).toContain('2 domains have expired');
    for (const hidden of [
      '€',
      'Balance',
      '/console/bulk/renew',
      '/console/jobs/',
      '/console/domains/register',
    ])
      expect(reader, hidden).not.toContain(hidden);
    await registry.sql.run(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
    );
    const accountant = await start('reader');
    expect(accountant).toContain('Enough for a year');
    for (const hidden of ['The newest', '/console/domains', '/console/contacts', '/console/messages'])
      expect(accountant).not.toContain(hidden);
  });
});

describe('lines that are postponed', () => {
  const EXPIRED = '2 domains have expired';
  const snooze = (fields: Record<string, string> = {}, by = client) =>
    by.post('/console/snooze', { line: 'domains:expired', count: '2', until: 'tomorrow', ...fields });
  /** Whether it is among the things to do, and among those that are postponed. */
  const places = async (by = client): Promise<[boolean, boolean]> => {
    const { text } = await by.get('/console');
    const [, postponed = ''] = /<details class="postponed">(.*?)<\/details>/s.exec(text) ?? [];
    return [linesOf(text).some(({ title }) => title === EXPIRED), postponed.includes(`${EXPIRED}</a>`)];
  };
  afterEach(() => registry.sql.run(sql`delete from snoozed_lines`));

  test.each(['tomorrow', 'week'])(
    'success: until %s, by this person only, and back by Undo',
    async (until) => {
      const reader = await loggedIn(registry.url, 'reader');
      await registry.sql.run(
        sql`update memberships set roles = '{reader}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
      );
      expect(await places()).toEqual([true, false]);
      const { status, to } = await snooze({ until });
      expect([status, to]).toEqual([303, '/console?notice=lineSnoozed']);
      const { text } = await client.get(to ?? '');
      expect(text).toMatch(
        /action="\/console\/snooze\/end">\s*<input type="hidden" name="line" value="domains:expired">/,
      );
      expect(await places()).toEqual([false, true]);
      expect(await places(reader)).toEqual([true, false]);
      expect((await snooze({}, reader)).status).toBe(303);
      expect(await places(reader)).toEqual([false, true]);
      for (const _ of [1, 2]) {
        const ended = await client.post('/console/snooze/end', { line: 'domains:expired' });
        expect([ended.status, ended.to]).toEqual([303, '/console?notice=lineShown']);
      }
      expect([await places(), await places(reader)]).toEqual([
        [true, false],
        [false, true],
      ]);
    },
  );

  test('success: it returns by itself', async () => {
    await snooze();
    await registry.sql.run(sql`update snoozed_lines set until = now()`);
    expect(await places()).toEqual([true, false]);
    // And is forgotten with the next one.
    await snooze({ line: 'messages', count: '99' });
    expect(await registry.sql.rows(sql`select line from snoozed_lines`)).toEqual([{ line: 'messages' }]);
  });

  test('success: it returns at once if there is more of it, also what was not seen yet', async () => {
    await snooze();
    await registry.sql.run(sql`update snoozed_lines set count = 1`);
    expect(await places()).toEqual([true, false]);
    await snooze({ count: '1' });
    expect(await places()).toEqual([true, false]);
    await snooze({ count: '999' });
    expect(await registry.sql.rows(sql`select count from snoozed_lines`)).toEqual([{ count: 2 }]);
  });

  test('success: every line can be postponed, and the menu says until when', async () => {
    const { text } = await client.get('/console');
    const keys = [
      ...text.matchAll(/name="line" value="([^"]+)">\s*<input type="hidden" name="count" value="(\d+)"/g),
    ];
    expect(keys).toHaveLength(linesOf(text).length);
    for (const [, line = '', count = ''] of keys) expect((await snooze({ line, count })).status).toBe(303);
    const after = await client.get('/console');
    expect(linesOf(after.text)).toEqual([]);
    expect(after.text).toContain('Nothing to do today.');
    expect(after.text).toContain(`${keys.length} postponed`);
  });

  test.each([
    { line: 'nothing' },
    { line: '' },
    { line: 'x'.repeat(9_000) },
    { line: 'domains:clientUpdateProhibited' },
  ])('failure: of a line that is not there nothing is kept: %#', async (fields) => {
    const { status } = await snooze(fields);
    expect([303, 413]).toContain(status);
    expect(await registry.sql.rows(sql`select line from snoozed_lines`)).toEqual([]);
  });

  test.each([{ until: '' }, { until: 'never' }, { until: '2030-01-01' }])('failure: %j', async (fields) => {
    const { status, text } = await snooze(fields);
    expect([status, text.includes('Expected: tomorrow or next week')]).toEqual([400, true]);
    expect(await places()).toEqual([true, false]);
  });
});
