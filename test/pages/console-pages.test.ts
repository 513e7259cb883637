import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { ConsoleShowcase, VARIANTS } from './console-showcase.ts';
import { overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('the pages of the console, opened one by one', () => {
  let showcase: ConsoleShowcase;
  beforeAll(async () => {
    showcase = await ConsoleShowcase.open();
  });
  afterAll(() => showcase?.close());

  test.each(VARIANTS)(
    'success: with their scripts, in $lang at $width pixels in the $colorScheme',
    { timeout: 300_000 },
    async (variant) => {
      const { lang, width, colorScheme } = variant;
      await showcase.speak(lang);
      await withPage({ viewport: { width, height: 740 }, colorScheme }, async (page, observed) => {
        await logIn(page, showcase.registry.url);
        for (const address of showcase.addressesIn(variant)) {
          const answer = await page.goto(address);
          const state = [answer?.status(), await page.locator('html').getAttribute('lang')];
          const faults = [...(await violationsOf(page)), ...observed.complaints.splice(0)];
          expect([address, ...state, faults, await overflowOf(page)]).toEqual([address, 200, lang, [], 0]);
        }
        expect(observed.requests.filter((url) => !url.startsWith(`${showcase.registry.url}/`))).toEqual([]);
      });
    },
  );

  test.each(VARIANTS)(
    'success: the notice that offers to undo, in $lang at $width pixels in the $colorScheme',
    { timeout: 60_000 },
    async ({ lang, width, colorScheme }) => {
      await showcase.speak(lang);
      await withPage({ viewport: { width, height: 740 }, colorScheme }, async (page, observed) => {
        await logIn(page, showcase.registry.url);
        await page.goto(`${showcase.registry.url}/console/domains/${showcase.objects.name}`);
        // Of the page, and then of each notice.
        for (const change of ['main .acts form[action$="/release"]', '.outcome form[action$="/hold"]']) {
          await Promise.all([page.waitForNavigation(), page.locator(`${change} button`).click()]);
          const faults = [...(await violationsOf(page)), ...observed.complaints.splice(0)];
          expect([change, faults, await overflowOf(page)]).toEqual([change, [], 0]);
        }
      });
    },
  );
});
