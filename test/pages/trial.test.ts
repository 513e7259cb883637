import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { lowContrastTextOf, overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const WIDTHS = [1280, 320];

describe.skipIf(noBrowser)('trying a call of /docs in a browser', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  test.each(onePass(['light', 'dark'] as const, 1))(
    'success: the form and its answer are easy to use and to read in the %s',
    async (colorScheme) => {
      await withPage({ colorScheme }, async (page, { complaints, requests }) => {
        const inspect = async () => {
          expect(await violationsOf(page)).toEqual([]);
          expect(await lowContrastTextOf(page)).toEqual([]);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            expect([width, await overflowOf(page)]).toEqual([width, 0]);
          }
        };
        await page.goto(`${registry.url}/docs/try/createContact`);
        await inspect();
        await page.getByLabel('Header Dry-Run').selectOption('true');
        await page.getByRole('button', { name: 'Send the request' }).click();
        expect(await page.getByRole('heading', { name: 'Answer 200 OK' }).isVisible()).toBe(true);
        expect(await page.getByLabel('Header Dry-Run').inputValue()).toBe('true');
        await page.getByText('Headers of the answer').click();
        await inspect();
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
      });
    },
  );

  test('success: a person goes from the reference to a trial and back, without script', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${registry.url}/docs/registrar/billing#readBalance`);
      await page.locator('#readBalance').getByRole('link', { name: 'Try it' }).click();
      await page.getByRole('button', { name: 'Send the request' }).click();
      expect(await page.getByRole('group', { name: 'Answer' }).textContent()).toContain('"100000.00"');
      await page.getByRole('link', { name: 'API reference' }).click();
      expect(page.url()).toBe(`${registry.url}/docs/registrar/billing#readBalance`);
    });
  });
});
