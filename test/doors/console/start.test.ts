import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';

let registry: TestRegistry;
const STATUSES = {
  'a.ee': 'pendingUpdate',
  'b.ee': 'pendingDeleteConfirmation',
  'c.ee': 'serverForceDelete',
  'd.ee': 'serverHold',
  'e.ee': 'clientHold',
  'f.ee': 'pendingDelete',
};
const start = async (person: Parameters<typeof loggedIn>[1]) =>
  (await (await loggedIn(registry.url, person)).get('/console')).text;

beforeAll(async () => {
  registry = await startRegistry();
  const mari = await Registrant.of(alpha(registry.url));
  for (const [name, status] of Object.entries(STATUSES)) {
    await mari.register({ name: `start-${name}` });
    await setStatuses(registry.sql, `start-${name}`, { [status]: '' });
  }
  await registry.sql.run(
    sql`update domains set expire_time = now() + interval '10 days' where name in ('start-a.ee', 'start-b.ee')`,
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

describe('the start page', () => {
  test('success: every number links to the list that it counts', async () => {
    const client = await loggedIn(registry.url);
    const { text } = await client.get('/console');
    const links = [...text.matchAll(/<a href="(\/console\/domains\?[^"]+)" aria-label="[^"]+: (\d+)"/g)];
    expect(links.map(([, , count]) => count)).toEqual(['2', '1', '1', '1', '1', '1', '1']);
    for (const [, address = '', count] of links)
      expect((await client.get(address.replaceAll('&amp;', '&'))).text).toContain(`${count} found`);
  });

  test('success: the unread messages, the newest as text', async () => {
    const text = await start('alpha');
    expect(text).toContain('&lt;b&gt;The newest&lt;/b&gt;');
    expect(text).not.toContain('The older one');
    expect(text).toMatch(
      /Unread messages<\/dt><dd><a href="\/console\/messages" aria-label="Unread messages: \d+">\d+<\/a>/,
    );
  });

  test('success: balance with a mark when it is low, and unpaid invoices', async () => {
    expect(await start('alpha')).not.toContain('class="low"');
    expect(await start('alpha')).not.toContain('Unpaid invoices');
    await registry.sql.run(sql`update registrars set low_balance = 99999999999 where code = 'ALPHA'`);
    const invoice = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
    expect(invoice.status).toBe(200);
    const text = await start('alpha');
    expect(text).toContain('Low: below €999,999,999.99');
    const [, href = ''] = /<a href="([^"]+)" aria-label="Unpaid invoices: 1"/.exec(text) ?? [];
    const client = await loggedIn(registry.url);
    expect((await client.get(href)).text).toContain('1 found');
    expect(text).toContain('<a href="/console/balance">');
    await registry.sql.run(sql`update registrars set low_balance = null where code = 'ALPHA'`);
  });

  test('success: nothing of another registrar', async () => {
    const text = await start('beta');
    expect(text).toContain('No domain needs attention');
    expect(text).not.toContain('The newest');
  });

  test('success: a reader sees no money, an accountant nothing but money', async () => {
    const reader = await start('reader');
    expect([reader.includes('Balance'), reader.includes('Under force delete')]).toEqual([false, true]);
    await registry.sql.run(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
    );
    const accountant = await start('reader');
    expect([accountant.includes('Balance'), accountant.includes('Under force delete')]).toEqual([
      true,
      false,
    ]);
    for (const hidden of ['The newest', '/console/domains', '/console/contacts', '/console/messages'])
      expect(accountant).not.toContain(hidden);
  });
});
