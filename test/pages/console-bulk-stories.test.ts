import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../support/client.ts';
import { hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';

const OLD = 'ns1.old-provider.example';
const VIEW = {
  javaScriptEnabled: true,
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
  locale: 'en',
} as const;

/** Domains like one that was registered: registering each would take as long as everything else. */
async function copies(registry: TestRegistry, of: string, count: number): Promise<string[]> {
  const rows = await registry.sql.rows(sql<{ name: string }>`
    with made as (
      insert into domains (name, zone, registrar_id, registrant_id, created_at, updated_at, expire_time, transfer_code)
      select replace(d.name, '.ee', '') || '-' || n || '.ee', d.zone, d.registrar_id, d.registrant_id, d.created_at, d.updated_at, d.expire_time, d.transfer_code
      from domains d, generate_series(1, ${count}::int) as n where d.name = ${of} returning id, name),
    linked as (
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select made.id, n.hostname, n.ipv4, n.ipv6 from made, domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${of})
    select name from made order by name`);
  return rows.map(({ name }) => name);
}

/** Whoever works here counts the clicks; typing is free. */
class Clicks {
  count = 0;

  async on(place: Locator): Promise<void> {
    this.count += 1;
    await place.click();
  }
}

const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name });

describe.skipIf(noBrowser)('work on many domains, with the number of clicks', () => {
  let registry: TestRegistry;
  let mari: Registrant;
  beforeAll(async () => {
    registry = await startRegistry();
    mari = await Registrant.of(alpha(registry.url));
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const started = (work: (page: Page, clicks: Clicks) => Promise<void>) =>
    withPage(VIEW, async (page, observed) => {
      await logIn(page, registry.url);
      await work(page, new Clicks());
      expect(observed.complaints).toEqual([]);
    });
  const done = async (page: Page, count: number) => {
    await page.getByText(`${count} of ${count}`).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  };

  test('success: 40 domains are renewed by 4 clicks at most', async () => {
    const name = await mari.register();
    await copies(registry, name, 39);
    await started(async (page, clicks) => {
      await clicks.on(page.getByRole('link', { name: 'Domains', exact: true }).first());
      await page.getByLabel('Name', { exact: true }).fill(name.replace('.ee', ''));
      await page.keyboard.press('Enter');
      await page.getByText('40 found').waitFor();
      await clicks.on(page.getByRole('checkbox', { name: 'Select all on this page' }));
      await clicks.on(button(page, 'Renew 40'));
      const confirm = button(page, 'Renew 40 domains · €360.00');
      await confirm.waitFor();
      expect((await confirm.boundingBox())?.y).toBeLessThan(700);
      expect(await violationsOf(page)).toEqual([]);
      await clicks.on(confirm);
      await done(page, 40);
      expect(clicks.count).toBeLessThanOrEqual(4);
    });
  });

  test('success: 120 domains are moved to other nameservers in one run, by 6 clicks at most', async () => {
    const name = await mari.register({ nameservers_attributes: hosts(OLD, 'ns2.old-provider.example') });
    await copies(registry, name, 119);
    await started(async (page, clicks) => {
      await clicks.on(page.getByRole('link', { name: 'Domains', exact: true }).first());
      await page.getByRole('textbox', { name: 'Nameserver' }).fill(OLD);
      await page.keyboard.press('Enter');
      await page.getByText('120 found').waitFor();
      await clicks.on(page.getByRole('checkbox', { name: 'Select all on this page' }));
      await clicks.on(page.getByRole('checkbox', { name: 'Select all 120' }));
      await clicks.on(button(page, 'Nameservers 120'));
      await page.getByLabel('New nameservers').fill('ns1.new-provider.example\nns2.new-provider.example');
      await clicks.on(button(page, 'Preview'));
      const confirm = button(page, 'Change 120 domains');
      await confirm.waitFor();
      expect((await confirm.boundingBox())?.y).toBeLessThan(700);
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      expect(height).toBeLessThanOrEqual(900);
      await clicks.on(confirm);
      await done(page, 120);
      expect(clicks.count).toBeLessThanOrEqual(6);
    });
    const delegations = await registry.sql.rows(sql<{ hosts: string; count: number }>`
      select hosts, count(*) as count from (
        select string_agg(n.hostname, ' ' order by n.hostname) as hosts from domain_nameservers n join domains d on d.id = n.domain_id
        where d.name like ${`${name.replace('.ee', '')}%`} group by d.id) as each group by hosts`);
    expect(delegations).toEqual([{ hosts: 'ns1.new-provider.example ns2.new-provider.example', count: 120 }]);
  });

  test('success: 15 domains are transferred by 4 clicks at most', async () => {
    const jaan = await Registrant.of(beta(registry.url));
    const name = await jaan.register();
    const names = [name, ...(await copies(registry, name, 14))];
    const { code } = await registry.sql.one(
      sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
    );
    await started(async (page, clicks) => {
      await clicks.on(page.getByRole('link', { name: 'Bulk changes' }));
      await clicks.on(page.getByRole('link', { name: 'Transfer domains to you' }));
      await page
        .getByLabel('Domains', { exact: true })
        .fill(names.map((each) => `${each},${code}`).join('\n'));
      await clicks.on(button(page, 'Preview'));
      await clicks.on(button(page, 'Transfer 15 domains'));
      await done(page, 15);
      expect(clicks.count).toBeLessThanOrEqual(4);
    });
  });
});
