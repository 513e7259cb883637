import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { pageServer } from './fixture.ts';
import { linksOf, lowContrastTextOf, overflowOf, unfold } from './inspection.ts';
import { onePass } from './one-pass.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const widths = [DESKTOP, PHONE, { width: 320, height: 568 }];
const paths = ['/', '/docs'];
const visits = paths.flatMap((path) =>
  onePass([false, true]).map((javaScriptEnabled) => ({ path, javaScriptEnabled })),
);

describe.skipIf(noBrowser)('pages in a browser', () => {
  const app = pageServer();
  let origin: string;
  beforeAll(async () => {
    origin = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => Promise.all([closeBrowser(), app.close()]));

  test.each(visits)(
    'success: $path, with script $javaScriptEnabled, fits every width, logs no error and loads nothing from other hosts',
    async ({ path, javaScriptEnabled }) => {
      await withPage({ viewport: DESKTOP, javaScriptEnabled }, async (page, { complaints, requests }) => {
        const answer = await page.goto(origin + path);
        expect(answer?.status()).toBe(200);
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        expect(await page.getByRole('main').isVisible()).toBe(true);
        await unfold(page);
        for (const size of widths) {
          await page.setViewportSize(size);
          expect([size.width, await overflowOf(page)]).toEqual([size.width, 0]);
        }
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
      });
    },
  );

  test.each(paths)('success: every link of %s to this server works', async (path) => {
    await withPage({}, async (page) => {
      await page.goto(origin + path);
      const own = new Set(
        (await linksOf(page))
          .filter((link) => link.startsWith(`${origin}/`))
          .map((link) => link.split('#', 1)[0] ?? ''),
      );
      expect(own.size).toBeGreaterThan(1);
      for (const link of own) expect([link, (await page.request.get(link)).status()]).toEqual([link, 200]);
    });
  });

  test('success: a person navigates from home to a call and its refusals, without script', async () => {
    await withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      await page.goto(origin);
      await page.getByRole('link', { name: 'API reference' }).click();
      await page.getByText('Contents', { exact: true }).click();
      await page.getByRole('link', { name: 'POST Create a contact' }).click();
      expect(page.url()).toBe(`${origin}/docs#createContact`);
      const refusal = page.locator('#createContact details', { hasText: 'a contact with this code exists' });
      await refusal.locator('summary').click();
      expect(await refusal.locator('pre').isVisible()).toBe(true);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    });
  });

  test('success: the first tab stop leads to the content', async () => {
    await withPage({}, async (page) => {
      await page.goto(origin);
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.locator(':focus').getAttribute('id')).toBe('content');
    });
  });

  test.each(
    paths.flatMap((path, index) =>
      onePass(['light', 'dark'] as const, index).map((colorScheme) => ({ path, colorScheme })),
    ),
  )('success: all text of $path is easy to read in the $colorScheme', async ({ path, colorScheme }) => {
    await withPage({ colorScheme }, async (page) => {
      await page.goto(origin + path);
      expect(await lowContrastTextOf(page)).toEqual([]);
    });
  });
});
