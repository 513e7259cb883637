import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';

const OPTIONS = { javaScriptEnabled: true, viewport: { width: 1440, height: 900 }, locale: 'en' };

describe.skipIf(noBrowser)('copying from pages of the console', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
    const mari = await Registrant.of(alpha(registry.url));
    await mari.register({ name: 'koopia.ee' });
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  test('success: the name of a domain, a host and a code are copied, and the page says so', async () => {
    await withPage(OPTIONS, async (page, observed) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains/koopia.ee`);
      const copied = () => page.evaluate('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Copy: koopia.ee' }).click();
      expect(await copied()).toBe('koopia.ee');
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show the transfer code' }).click();
      await page.getByText('The transfer code is').waitFor();
      await page.getByRole('button', { name: 'Copy: Transfer code' }).click();
      expect(await copied()).toBe(await page.locator('.outcome code').textContent());
      expect(observed.complaints).toEqual([]);
    });
  });

  test('success: without scripts there are no such buttons', async () => {
    await withPage({ ...OPTIONS, javaScriptEnabled: false }, async (page) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains/koopia.ee`);
      await page.getByRole('heading', { name: 'koopia.ee' }).waitFor();
      expect(await page.locator('button[data-copy]:visible').count()).toBe(0);
    });
  });
});
