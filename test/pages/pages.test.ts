import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { pageServer } from './fixture.ts';
import { linksOf, lowContrastTextOf, overflowOf, unfold } from './inspection.ts';
import { onePass } from './one-pass.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const widths = [DESKTOP, PHONE, { width: 320, height: 568 }];
const paths = [
  '/',
  '/docs',
  '/docs/registrar/domains?code=php',
  '/guide',
  '/guide/search?q=renew',
  '/guide/operate/install',
  '/guide/integrate/errors',
  '/guide/evaluate',
  '/docs/search?q=renew',
];
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
      await page.locator('.folded a[href="/docs/registrar/contacts"]').click();
      await page.getByText('Contents', { exact: true }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'POST Create a contact' }).click();
      expect(page.url()).toBe(`${origin}/docs/registrar/contacts#createContact`);
      const section = page.locator('#createContact');
      const refusal = section.locator('details', { hasText: 'a contact with this code exists' });
      await refusal.locator('summary').click();
      expect(await refusal.locator('pre').isVisible()).toBe(true);
      await section.getByRole('link', { name: 'Python' }).click();
      expect(page.url()).toBe(`${origin}/docs/registrar/contacts?code=python#createContact`);
      expect(await section.getByRole('group', { name: 'Request, Python' }).textContent()).toContain(
        'registry.post(',
      );
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    });
  });

  test('success: a person searches, and what is found is marked in the contents, without script', async () => {
    await withPage({ viewport: DESKTOP, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/docs?code=java`);
      await page.getByRole('searchbox').first().fill('renew a domain');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('status').textContent()).toContain('renew a domain');
      await page.getByRole('main').getByRole('link', { name: 'Renew a domain' }).first().click();
      expect(page.url()).toBe(`${origin}/docs/registrar/domains?code=java#renewDomain`);
      expect(await page.locator('.beside [aria-current=page]').textContent()).toBe('Domains');
    });
  });

  test.each(paths)('success: axe finds nothing in %s', async (path) => {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(origin + path);
      await unfold(page);
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  test('success: the code stands beside the text where there is room, and below it on a phone', async () => {
    await withPage({ viewport: DESKTOP, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/docs/registrar/contacts`);
      const placesOf = async () => {
        const boxes = [
          page.locator('.beside'),
          page.locator('#createContact .text'),
          page.locator('#createContact .code'),
        ];
        return Promise.all(boxes.map((each) => each.first().boundingBox()));
      };
      const [contents, text, code] = await placesOf();
      expect(contents?.x).toBeLessThan(text?.x ?? 0);
      expect(text?.x).toBeLessThan(code?.x ?? 0);
      expect(Math.abs((text?.y ?? 0) - (code?.y ?? 0))).toBeLessThan(40);
      await page.setViewportSize(PHONE);
      const [hidden, above, below] = await placesOf();
      expect(hidden).toBeNull();
      expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    });
  });

  test('success: code of the guide is copied by a button, which there is only with a script', async () => {
    const path = '/guide/operate/install';
    await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page, { complaints }) => {
      await page.goto(origin + path);
      const block = page.locator('.copyable').first();
      await block.getByRole('button', { name: 'Copy' }).click();
      await expect.poll(() => block.getByRole('button').textContent()).toBe('Copied');
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe((await block.locator('code').textContent())?.trim());
      expect(complaints).toEqual([]);
    });
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(origin + path);
      expect(await page.locator('.copy').count()).toBe(0);
    });
  });

  test('success: a person finds a trouble by search and reads on, without script, on a phone', async () => {
    await withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/guide`);
      await page.getByRole('link', { name: 'Operate', exact: true }).last().click();
      await page.getByRole('searchbox').last().fill('disk is ful');
      await page.keyboard.press('Enter');
      await page.getByRole('main').locator('.found a').first().click();
      expect(page.url()).toContain('/guide/operate/');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.getByRole('navigation', { name: 'Neighbouring pages' }).getByRole('link').first().click();
      expect(page.url()).toContain('/guide/operate');
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
