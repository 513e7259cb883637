import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const HOST = 'ns1.selected.example';
const COUNT = 60;

describe.skipIf(noBrowser)('the selection of domains in a browser', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
    const mari = await Registrant.of(alpha(registry.url));
    for (let count = 0; count < COUNT; count += 1)
      await mari.register({ nameservers_attributes: hosts(HOST, 'ns2.selected.example') });
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const VARIANTS = [
    { width: 1440, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const;
  test.each(onePass(VARIANTS))('success: a row, a range, a page and the list; $width', async (variant) => {
    const { width, colorScheme } = variant;
    const options = { javaScriptEnabled: true, viewport: { width, height: 900 }, colorScheme, locale: 'en' };
    await withPage(options, async (page, observed) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains?nameserver=${HOST}`);
      const renew = page.getByRole('button', { name: /^Renew/ });
      expect(await renew.isVisible()).toBe(false);
      const boxes = page.getByRole('checkbox', { name: /^Select .+\.ee$/ });
      await boxes.first().click();
      expect(await renew.textContent()).toBe('Renew 1');
      await boxes.nth(3).click({ modifiers: ['Shift'] });
      expect(await renew.textContent()).toBe('Renew 4');
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.keyboard.press('Escape');
      expect(await renew.isVisible()).toBe(false);

      if (width > 768) {
        await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
        expect(await renew.textContent()).toBe('Renew 50');
        await page.getByRole('checkbox', { name: `Select all ${COUNT}` }).click();
        expect(await renew.textContent()).toBe(`Renew ${COUNT}`);
        await page.getByText(`${COUNT} selected`).waitFor();
      } else await boxes.first().click();
      await renew.click();
      await page.getByText('Nothing has been changed yet').waitFor();
      expect(observed.complaints).toEqual([]);
    });
  });

  test('success: without scripts', async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 1280, height: 900 }, locale: 'en' };
    await withPage(options, async (page) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains?nameserver=${HOST}`);
      await page
        .getByRole('checkbox', { name: /^Select .+\.ee$/ })
        .first()
        .click();
      await page.getByRole('checkbox', { name: `Select all ${COUNT}` }).click();
      await page.getByRole('button', { name: 'Nameservers' }).click();
      const names = await page.getByLabel('Domains', { exact: true }).inputValue();
      expect(names.trim().split('\n')).toHaveLength(COUNT);
    });
  });
});
