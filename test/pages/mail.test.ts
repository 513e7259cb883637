import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enqueueMails } from '../../src/platform/mail/enqueue-mails.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { lowContrastTextOf, overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const LONG_LINK = `/health?token=${'a1b2c3d4'.repeat(30)}`;
const SCRIPT = '<script>document.title = "taken"</script>';

describe.skipIf(noBrowser)('the mails of a sandbox in a browser', () => {
  let registry: TestRegistry;
  let elsewhere: Awaited<ReturnType<typeof openElsewhere>>;
  beforeAll(async () => {
    [registry, elsewhere] = await Promise.all([startRegistry(), openElsewhere()]);
    const { url, sql: db } = registry;
    const mail = {
      to: 'mari@example.ee',
      subject: 'Confirm the change of õunaaed.ee',
      text: `Hello Mari,\n\nconfirm here: ${url}${LONG_LINK}.\n\nThe registry`,
      html: `<p style="color: rgb(255, 0, 0)">Hello Mari</p><p><a href="${url}/health">Confirm</a></p>`,
    };
    const picture = `<img src="${elsewhere.url}/x.png" alt="">`;
    const hostile = {
      to: `${SCRIPT}@example.ee`,
      subject: SCRIPT,
      text: `${SCRIPT} javascript:alert(1)`,
      html: SCRIPT + picture,
    };
    await enqueueMails(db, [hostile, mail], new Date());
    await fetch(`${url}/sandbox/mail`);
    await fetch(`${url}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: 'mail', mode: 'error', times: 1 }),
    });
    await enqueueMails(db, [{ ...mail, to: 'waits@example.ee' }], new Date());
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop(), elsewhere?.close()]));

  test.each(onePass([320, 360, 1280]))(
    'success: it fits a width of %d, logs no error and loads nothing from other hosts',
    async (width) => {
      const options = { viewport: { width, height: 740 }, javaScriptEnabled: false };
      await withPage(options, async (page, { complaints, requests }) => {
        expect((await page.goto(`${registry.url}/sandbox/mail`))?.status()).toBe(200);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mails');
        expect(await overflowOf(page)).toBe(0);
        expect(complaints).toEqual([]);
        expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
      });
    },
  );

  test('success: a person reads a mail on a phone and follows its link', async () => {
    await withPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${registry.url}/sandbox/mail`);
      const mail = page.getByRole('article').filter({ hasText: 'Confirm the change' });
      expect(await mail.getByText('mari@example.ee').isVisible()).toBe(true);
      const link = mail.getByRole('link', { name: '/health?token=' });
      expect(await link.getAttribute('href')).toBe(registry.url + LONG_LINK);
      await link.click();
      expect(page.url()).toBe(registry.url + LONG_LINK);
    });
  });

  test('success: an unsent mail is shown with its reason', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${registry.url}/sandbox/mail`);
      const row = page.getByRole('row').filter({ hasText: 'waits@example.ee' });
      expect(await row.textContent()).toMatch(/Confirm the change.*1.*UTC.*451/s);
    });
  });

  test('success: a mail as HTML has its own styles and working links', async () => {
    await withPage({}, async (page, { complaints }) => {
      await page.goto(`${registry.url}/sandbox/mail`);
      const mail = page.getByRole('article').filter({ hasText: 'Hello Mari' });
      await mail.getByRole('link', { name: 'The same mail as HTML' }).click();
      expect(await page.evaluate('getComputedStyle(document.querySelector("p")).color')).toBe(
        'rgb(255, 0, 0)',
      );
      await page.getByRole('link', { name: 'Confirm' }).click();
      expect(page.url()).toBe(`${registry.url}/health`);
      expect(complaints).toEqual([]);
    });
  });

  test('failure: markup in a mail is escaped on the page, and inert in the mail itself', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${registry.url}/sandbox/mail`);
      const mail = page.getByRole('article').filter({ hasText: 'javascript:alert(1)' });
      expect(await mail.getByRole('heading').textContent()).toBe(SCRIPT);
      expect(await mail.getByRole('link').count()).toBe(1);
      await mail.getByRole('link', { name: 'The same mail as HTML' }).click();
      await page.waitForURL(/\/sandbox\/mail\/\d+$/); // with all that it loads
      expect(await page.title()).toBe('');
      expect(elsewhere.asked).toEqual([]);
    });
  });

  test.each(onePass(['light', 'dark'] as const, 1))(
    'success: all text is easy to read in the %s',
    async (colorScheme) => {
      await withPage({ colorScheme }, async (page) => {
        await page.goto(`${registry.url}/sandbox/mail`);
        expect(await lowContrastTextOf(page)).toEqual([]);
      });
    },
  );
});

/** A tracking server that would learn when a mail is read. */
async function openElsewhere() {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => new Promise((resolve) => server.close(resolve)) };
}
