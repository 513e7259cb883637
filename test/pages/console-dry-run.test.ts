import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('the preview beside a form', () => {
  let registry: TestRegistry;
  let name: string;
  beforeAll(async () => {
    registry = await startRegistry();
    name = await (await Registrant.of(alpha(registry.url))).register({
      nameservers_attributes: hosts('ns1.example.ee', 'ns2.example.ee'),
    });
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('success: follows what is typed, at %s pixels', async (width, colorScheme) => {
    const options = { viewport: { width, height: 844 }, colorScheme, locale: 'en' };
    await withPage(options, async (page, { complaints }) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains/${name}/nameservers`);
      const beside = page.locator('aside.dry-run');
      const field = page.locator('#nameservers');
      await field.fill('ns1.example.ee\nns3.example.ee');
      await beside.getByText('Will be added').waitFor();
      expect(await beside.innerText()).toMatch(
        /Will be added\s+ns3\.example\.ee\s+Will be removed\s+ns2\.example\.ee/,
      );
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      const [form, shown] = [await page.locator('main form').boundingBox(), await beside.boundingBox()];
      if (width > 1000) expect(shown?.x).toBeGreaterThanOrEqual((form?.x ?? 0) + (form?.width ?? 0));
      else expect(shown?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0));
      await field.fill('ns1.example.ee\nns');
      await beside.waitFor({ state: 'hidden' });
      await page.goto(`${registry.url}/console/domains/${name}/renew`);
      await beside.getByText('€9.00').waitFor();
      await page.locator('#years').selectOption('2');
      await beside.getByText('€18.00').waitFor();
      expect(complaints).toEqual([]);
    });
  });

  test('success: one answer for many keys; a server that fails is not noticed, and the form is sent', async () => {
    await withPage({ locale: 'en' }, async (page, { requests }) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains/${name}/nameservers`);
      const field = page.locator('#nameservers');
      await field.fill('');
      await page.locator('aside.dry-run').getByText('leaves the zone').waitFor();
      const before = requests.length;
      await field.pressSequentially('ns1.example.ee\nns4.example.ee', { delay: 20 });
      await page.locator('aside.dry-run').getByText('ns4.example.ee').first().waitFor();
      expect(requests.length - before).toBeLessThanOrEqual(3);
      await page.route('**/nameservers', (route) =>
        route.request().headers()['x-dry-run'] ? route.abort() : route.continue(),
      );
      await field.fill('ns1.example.ee\nns5.example.ee');
      await page.locator('aside.dry-run').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.getByRole('button', { name: 'Change the nameservers' }).click();
      await page.getByText('The domain is changed.').waitFor();
      await page.unroute('**/nameservers');
    });
    const { names } = await registry.sql.one(sql<{ names: string[] }>`
      select array_agg(n.hostname order by n.hostname) as names from domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${name}`);
    expect(names).toEqual(['ns1.example.ee', 'ns5.example.ee']);
  });
});
