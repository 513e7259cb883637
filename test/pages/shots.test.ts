import { afterAll, beforeAll, describe, test } from 'vitest';
import { alpha, beta } from '../support/client.ts';
import { hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';

describe('shots', () => {
  let registry: TestRegistry;
  let name: string;
  let foreign: string;
  beforeAll(async () => {
    registry = await startRegistry();
    const mari = await Registrant.of(alpha(registry.url));
    foreign = await (await Registrant.of(beta(registry.url))).register();
    name = await mari.register({ nameservers_attributes: hosts('ns1.old.example', 'ns2.old.example') });
    await registry.sql.run(sql`
      with made as (
        insert into domains (name, zone, registrar_id, registrant_id, created_at, updated_at, expire_time, transfer_code)
        select replace(d.name, '.ee', '') || '-' || n || '.ee', d.zone, d.registrar_id, d.registrant_id, d.created_at, d.updated_at, d.expire_time, d.transfer_code
        from domains d, generate_series(1, 119) as n where d.name = ${name} returning id, name)
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select made.id, n.hostname, n.ipv4, n.ipv6 from made, domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${name}`);
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));
  test.each([[1440, 'light'], [390, 'light'], [1280, 'dark']] as const)('%s %s', async (width, colorScheme) => {
    await withPage({ javaScriptEnabled: true, viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme, locale: 'en' }, async (page) => {
      const shot = (what: string) => page.screenshot({ path: `/tmp/c-jobs-shot-${what}-${width}.png` });
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains?nameserver=ns1.old.example`);
      const boxes = page.getByRole('checkbox', { name: /^Select .+\.ee$/ });
      await boxes.nth(1).click();
      await boxes.nth(3).click();
      await shot('list');
      await page.goto(`${registry.url}/console/bulk/nameservers?list=1&nameserver=ns1.old.example`);
      await page.getByLabel('New nameservers').fill('ns1.new.example\nns2.new.example');
      await shot('form');
      const names = await page.getByLabel('Domains', { exact: true }).inputValue();
      await page.getByLabel('Domains', { exact: true }).fill(`${names}\n${foreign}\nno_name`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Nothing has been changed yet').waitFor();
      await shot('preview');
      await page.locator('main button[value="confirm"]').click();
      await page.getByText('2 failed').waitFor();
      await shot('job');
      await page.goto(`${registry.url}/console/jobs`);
      await shot('jobs');
      await page.goto(`${registry.url}/console/bulk`);
      await shot('bulk');
      await registry.sql.run(sql`update domain_nameservers set hostname = replace(hostname, 'new', 'old')`);
    });
  });
});
