import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, type Client } from '../support/client.ts';
import { moveClock } from '../support/life.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { askForDeletion, askForNewRegistrant, messagesAbout } from '../support/requests.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { lowContrastTextOf, overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const PHONE = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };
const DESKTOP = { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false };
const FINGER = 44;

/** What a person sees and presses, in both languages. */
const said = {
  et: {
    change: { confirm: 'Kinnitan vahetuse', confirmed: 'Registreerija vahetus on kinnitatud.' },
    deletion: { confirm: 'Kinnitan kustutamise', confirmed: 'Kustutamine on kinnitatud.' },
    reject: 'Keeldun',
    rejected: { change: 'Registreerija vahetusest on keeldutud.', deletion: 'Kustutamisest on keeldutud.' },
    lapsed: 'Vastamise aeg on möödas.',
    other: 'In English',
  },
  en: {
    change: { confirm: 'Confirm the change', confirmed: 'The change was confirmed.' },
    deletion: { confirm: 'Confirm the deletion', confirmed: 'The deletion was confirmed.' },
    reject: 'Reject',
    rejected: { change: 'The change was rejected.', deletion: 'The deletion was rejected.' },
    lapsed: 'The time to answer is over.',
    other: 'Eesti keeles',
  },
} as const;
const languages = ['et', 'en'] as const;

describe.skipIf(noBrowser)('the registrant’s confirmation in a browser', () => {
  let registry: TestRegistry;
  let client: Client;
  beforeAll(async () => {
    registry = await startRegistry();
    client = alpha(registry.url);
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const open = (link: string, options: BrowserContextOptions, visit: (page: Page) => Promise<void>) =>
    withPage(options, async (page, { complaints, requests }) => {
      expect((await page.goto(link))?.status()).toBe(200);
      await visit(page);
      expect(await overflowOf(page)).toBe(0);
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
    });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const outcomeOf = (page: Page) => page.locator('.outcome p').first().textContent();
  const read = async (name: string) => (await client.get(`/domains/${name}`)).body.data.domain;

  test.each(onePass(languages, 0))(
    'success: %s: a new registrant is confirmed on a phone',
    async (locale) => {
      const words = said[locale];
      const { domain, newRegistrant, link } = await askForNewRegistrant(client);
      await open(link, { ...PHONE, locale }, async (page) => {
        expect(await page.locator('html').getAttribute('lang')).toBe(locale);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(domain);
        for (const name of [domain, 'Alpha Registrar', 'Mari Maasikas', 'Jaan Jõgi'])
          expect(await page.getByRole('definition').filter({ hasText: name }).count()).toBe(1);
        await press(page, words.change.confirm);
        expect(page.url()).toBe(`${link}?lang=${locale}`);
        expect(await outcomeOf(page)).toBe(words.change.confirmed);
        expect(await page.getByRole('button').count()).toBe(0);
        await page.reload();
        expect(await outcomeOf(page)).toBe(words.change.confirmed);
      });
      expect((await read(domain)).registrant.code).toBe(newRegistrant);
      expect(await messagesAbout(client, domain)).toEqual([
        { type: 'update_confirmed', text: `Registrant confirmed domain update: ${domain}` },
      ]);
    },
  );

  test.each(onePass(languages, 1))('success: %s: a new registrant is rejected', async (locale) => {
    const words = said[locale];
    const { domain, link } = await askForNewRegistrant(client);
    await open(link, { ...DESKTOP, locale }, async (page) => {
      await press(page, words.reject);
      expect(await outcomeOf(page)).toBe(words.rejected.change);
    });
    const { registrant, statuses } = await read(domain);
    expect([registrant.name, 'pendingUpdate' in statuses]).toEqual(['Mari Maasikas', false]);
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'update_rejected' }]);
  });

  test.each(onePass(languages, 2))('success: %s: a deletion is confirmed', async (locale) => {
    const words = said[locale];
    const { domain, link } = await askForDeletion(client);
    await open(link, { ...DESKTOP, locale }, async (page) => {
      await press(page, words.deletion.confirm);
      expect(await outcomeOf(page)).toBe(words.deletion.confirmed);
    });
    expect((await read(domain)).statuses).toMatchObject({ pendingDelete: '' });
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'deletion_confirmed' }]);
  });

  test.each(onePass(languages, 3))('success: %s: a deletion is rejected on a phone', async (locale) => {
    const words = said[locale];
    const { domain, link } = await askForDeletion(client);
    await open(link, { ...PHONE, locale }, async (page) => {
      await press(page, words.reject);
      expect(await outcomeOf(page)).toBe(words.rejected.deletion);
    });
    expect((await read(domain)).statuses).not.toHaveProperty('pendingDelete');
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'deletion_rejected' }]);
  });

  test('success: the language can be switched, and stays until the end', async () => {
    const { link } = await askForDeletion(client);
    await open(link, { ...PHONE, locale: 'et' }, async (page) => {
      await page.getByRole('link', { name: said.et.other }).click();
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      await press(page, said.en.reject);
      expect(await outcomeOf(page)).toBe(said.en.rejected.deletion);
      await page.getByRole('link', { name: said.en.other }).click();
      expect(await outcomeOf(page)).toBe(said.et.rejected.deletion);
    });
  });

  test('success: two windows with the same request: the second shows the decision of the first', async () => {
    const { domain, link } = await askForDeletion(client);
    await open(`${link}?lang=en`, DESKTOP, async (second) => {
      await open(`${link}?lang=en`, DESKTOP, (first) => press(first, said.en.reject));
      await press(second, said.en.deletion.confirm);
      expect(await outcomeOf(second)).toBe(said.en.rejected.deletion);
    });
    expect(await messagesAbout(client, domain)).toHaveLength(1);
  });

  test('success: it can be operated by keyboard, with visible focus', async () => {
    const { link } = await askForDeletion(client);
    await open(`${link}?lang=en`, DESKTOP, async (page) => {
      const passed: (string | null)[] = [];
      do {
        await page.keyboard.press('Tab');
        passed.push(await page.locator(':focus').textContent());
      } while (passed.length < 10 && passed.at(-1) !== said.en.reject);
      expect(passed.slice(-3)).toEqual([said.en.other, said.en.deletion.confirm, said.en.reject]);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      await page.waitForURL(/lang=en/);
      expect(await outcomeOf(page)).toBe(said.en.rejected.deletion);
    });
  });

  test.each(onePass([PHONE, { ...PHONE, viewport: { width: 320, height: 568 } }], 1))(
    'success: buttons are large enough for fingers and names of any length fit $viewport.width',
    async (options) => {
      const names = {
        name: `${'a'.repeat(50)}${options.viewport.width}.ee`,
        registrant: 'W'.repeat(250),
        newRegistrant: 'Õnneliku Kodu & Ülla Aia Osaühing '.repeat(7).trim(),
      };
      const { link } = await askForNewRegistrant(client, names);
      await open(link, options, async (page) => {
        const buttons = await page.getByRole('button').all();
        expect(buttons).toHaveLength(2);
        for (const button of buttons) {
          const box = await button.boundingBox();
          expect(box?.height).toBeGreaterThanOrEqual(FINGER);
          expect(box?.width).toBeGreaterThanOrEqual(FINGER);
        }
      });
    },
  );

  test('failure: a name is escaped, with any characters that the rules allow', async () => {
    const evil = `"><b onclick='x'>&lt;i&gt; \u200Fאבג`;
    const refused = await client.post('/contacts', {
      contact: {
        name: evil,
        email: 'a@example.ee',
        phone: '+372.5551234',
        ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
      },
    });
    expect(refused.status).toBe(400);
    const allowed = `"O'Neil" & Sons &lt;i&gt; onclick='x' \u200Fאבג`;
    const { newRegistrant, link } = await askForNewRegistrant(client, { newRegistrant: allowed });
    const shownAs = (name: string) =>
      open(`${link}?lang=en`, { ...DESKTOP, javaScriptEnabled: true }, async (page) => {
        expect(await page.locator('dd bdi').nth(3).textContent()).toBe(name);
        expect(await page.locator('main b, main i, main [onclick]').count()).toBe(0);
        expect(await page.getByRole('button').count()).toBe(2);
      });
    await shownAs(allowed);
    // A name that violates the rules is escaped too.
    await registry.sql.run(sql`update contacts set name = ${evil} where code = ${newRegistrant ?? ''}`);
    await shownAs(evil);
  });

  test.each(onePass(['light', 'dark'] as const))(
    'success: all text is easy to read in the %s',
    async (colorScheme) => {
      const [change, deletion] = [await askForNewRegistrant(client), await askForDeletion(client)];
      for (const { link } of [change, deletion])
        await open(link, { colorScheme, locale: 'en' }, async (page) => {
          expect(await lowContrastTextOf(page)).toEqual([]);
          await press(page, said.en.reject);
          expect(await lowContrastTextOf(page)).toEqual([]);
        });
    },
  );

  test('failure: an unknown link shows only how to find the right one', async () => {
    await withPage({ ...PHONE, locale: 'en' }, async (page) => {
      expect((await page.goto(`${registry.url}/confirm/${'A'.repeat(43)}`))?.status()).toBe(404);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'There is nothing to confirm here',
      );
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await overflowOf(page)).toBe(0);
    });
  });

  // The last one: it moves the clock for all.
  test('failure: after 48 hours nothing can be decided, also in a window that was open before', async () => {
    const { domain, link } = await askForNewRegistrant(client);
    await open(`${link}?lang=en`, PHONE, async (page) => {
      await moveClock(registry, { advance: 'PT48H' });
      await press(page, said.en.change.confirm);
      expect(await outcomeOf(page)).toBe(said.en.lapsed);
    });
    expect((await read(domain)).registrant.name).toBe('Mari Maasikas');
    expect(await messagesAbout(client, domain)).toMatchObject([{ type: 'update_lapsed' }]);
  });
});
