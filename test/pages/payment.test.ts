import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkOrder, oneoffOrder, startProvider, type TestProvider } from '../support/provider-simulator.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { lowContrastTextOf, overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const PHONE = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };
const SMALL_PHONE = { viewport: { width: 320, height: 568 }, javaScriptEnabled: false };
const FINGER = 44;

describe.skipIf(noBrowser)('the payment page in a browser', () => {
  let here: TestProvider;
  let number = 160_800;
  beforeAll(async () => {
    here = await startProvider();
  });
  afterAll(() => Promise.all([closeBrowser(), here?.stop()]));
  beforeEach(() => {
    here.merchant.callbacks = [];
  });

  const open = (
    link: string,
    visit: (page: Page) => Promise<void>,
    options: BrowserContextOptions = PHONE,
    status = 200,
  ) =>
    withPage(options, async (page, { complaints, requests }) => {
      expect((await page.goto(link))?.status()).toBe(status);
      expect(await overflowOf(page)).toBe(0);
      await visit(page);
      expect(await overflowOf(page)).toBe(0);
      if (status === 200) expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${here.origin}/`))).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
    });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const newLink = (name?: string) => here.provider.link(linkOrder(++number, name));
  const newOneoff = (customerUrl = `${here.origin}/shop?basket=7`) =>
    here.provider.oneoff({ ...oneoffOrder(String(++number)), customerUrl });
  const stateOf = async (reference: string) => (await here.provider.payment(reference))?.state;

  test('success: a signed link shows payee, invoice, amount and payer, and opening it changes nothing', async () => {
    await open(newLink(), async (page) => {
      expect(await headingOf(page)).toBe('Pay 20.00 EUR');
      for (const text of ['Näidisregister & Co', String(number), '20.00 EUR', 'Mari Õun OÜ'])
        expect(await page.getByRole('definition').filter({ hasText: text }).count()).toBe(1);
      expect(await page.getByRole('button').allTextContents()).toEqual([
        'Pay 20.00 EUR',
        'Decline',
        'Abandon',
      ]);
    });
    expect(here.merchant.callbacks).toEqual([]);
    expect(
      await here.sql.rows(
        sql`select from provider_simulator.payments where order_reference = ${String(number)}`,
      ),
    ).toEqual([]);
  });

  test.each([
    ['Pay 20.00 EUR', 'The invoice is paid', 'settled', 'status_updated'],
    ['Decline', 'The payment was declined', 'failed', 'status_updated'],
    ['Abandon', 'The payment was abandoned', 'abandoned', 'abandoned'],
  ])('success: %s on a signed link ends on a receipt', async (button, heading, state, event) => {
    await open(newLink(), async (page) => {
      await press(page, button);
      expect(await headingOf(page)).toBe(heading);
      const reference = page.url().split('/').at(-1) ?? '';
      expect(page.url()).toBe(`${here.url}/receipt/${reference}`);
      expect(await stateOf(reference)).toBe(state);
      expect(here.merchant.callbacks).toEqual([
        { payment_reference: reference, order_reference: String(number), event_name: event },
      ]);
      await page.reload();
      expect(await headingOf(page)).toBe(heading);
    });
    expect(here.merchant.callbacks).toHaveLength(1);
  });

  test('success: after a decline the same link pays, and after that says that it is paid', async () => {
    const link = newLink();
    await open(link, (page) => press(page, 'Decline'));
    await open(link, async (second) => {
      await open(link, (first) => press(first, 'Pay 20.00 EUR'));
      await press(second, 'Pay 20.00 EUR');
      expect(await headingOf(second)).toBe('The invoice is paid');
      expect(await second.getByRole('button').count()).toBe(0);
    });
    await open(link, async (page) => expect(await headingOf(page)).toBe('The invoice is paid'));
    expect(here.merchant.callbacks).toHaveLength(2);
  });

  test.each([
    ['Pay 20.10 EUR', 'settled'],
    ['Decline', 'failed'],
    ['Abandon', 'abandoned'],
  ])(
    'success: %s on a one-off payment leads back to the shop, which gets the state',
    async (button, state) => {
      const { reference, link } = await newOneoff();
      await open(link, async (page) => {
        await press(page, button);
        expect(page.url()).toBe(
          `${here.origin}/shop?basket=7&payment_reference=${reference}&order_reference=${number}`,
        );
        expect(await headingOf(page)).toBe('Back');
      });
      expect(await stateOf(reference)).toBe(state);
      expect(here.merchant.callbacks).toMatchObject([{ payment_reference: reference }]);
    },
  );

  test('success: a one-off payment that was declined is paid on the same page, then closed', async () => {
    const { reference, link } = await newOneoff();
    await open(link, (page) => press(page, 'Decline'));
    await open(link, async (page) => {
      expect(await page.locator('.outcome').textContent()).toContain('The last attempt was declined.');
      await press(page, 'Pay 20.10 EUR');
    });
    expect(await stateOf(reference)).toBe('settled');
    await open(link, async (page) => {
      expect(await headingOf(page)).toBe('The invoice is paid');
      expect(await page.getByRole('button').count()).toBe(0);
      await page.getByRole('link', { name: 'Back to where you came from' }).click();
      expect(await headingOf(page)).toBe('Back');
    });
    expect(here.merchant.callbacks).toHaveLength(2);
  });

  test('success: a shop at another origin is returned to as well', async () => {
    const { reference, link } = await newOneoff(`${here.origin.replace('127.0.0.1', 'localhost')}/shop#end`);
    await withPage(PHONE, async (page, { complaints }) => {
      await page.goto(link);
      await press(page, 'Pay 20.10 EUR');
      expect(page.url()).toMatch(
        new RegExp(`^http://localhost:\\d+/shop\\?payment_reference=${reference}&.*#end$`),
      );
      expect(complaints).toEqual([]);
    });
  });

  test('failure: a link that was changed says so and pays nothing', async () => {
    const forged = newLink().replace('20.00', '02.00');
    await open(
      forged,
      async (page) => {
        expect(await headingOf(page)).toBe('This payment link is not valid');
        expect(await page.getByRole('button').count()).toBe(0);
      },
      PHONE,
      403,
    );
    const posted = await fetch(forged, {
      method: 'POST',
      headers: { origin: here.origin },
      body: new URLSearchParams({ outcome: 'settled' }),
    });
    expect(posted.status).toBe(403);
    expect(here.merchant.callbacks).toEqual([]);
  });

  test.each(['lp', `pay/${'0'.repeat(64)}`, 'pay/x', `receipt/${'0'.repeat(64)}`])(
    'failure: nothing to pay at %s',
    async (path) => {
      const reply = await fetch(`${here.url}/${path}`);
      expect([403, 404]).toContain(reply.status);
      expect(reply.headers.get('content-type')).toContain('text/html');
    },
  );

  test.each(['', 'outcome=refunded', 'outcome=settled&outcome=failed', 'outcome=waiting_for_sca', '{}'])(
    'failure: the form %j is refused',
    async (body) => {
      const { reference, link } = await newOneoff();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: here.origin };
      for (const address of [link, newLink()])
        expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400);
      expect((await fetch(link, { method: 'POST', body: '{"outcome":"settled"}' })).status).toBe(415);
      expect(await stateOf(reference)).toBe('initial');
    },
  );

  test.each(onePass([SMALL_PHONE, PHONE]))(
    'success: buttons are large enough for fingers and names of any length fit $viewport.width',
    async (options) => {
      for (const name of ['W'.repeat(250), `<b onclick='x'>"&lt; \u200Fאבג`])
        await open(
          newLink(name),
          async (page) => {
            expect(await page.locator('main b').count()).toBe(0);
            expect(await page.locator('dd bdi').last().textContent()).toBe(name);
            for (const button of await page.getByRole('button').all()) {
              const box = await button.boundingBox();
              expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(FINGER);
            }
            await press(page, 'Decline');
          },
          options,
        );
    },
  );

  test.each(onePass(['light', 'dark'] as const, 1))(
    'success: all text is easy to read in the %s',
    async (colorScheme) => {
      await open(
        newLink(),
        async (page) => {
          expect(await lowContrastTextOf(page)).toEqual([]);
          await press(page, 'Pay 20.00 EUR');
          expect(await lowContrastTextOf(page)).toEqual([]);
        },
        { colorScheme, viewport: { width: 1280, height: 900 } },
      );
    },
  );
});
