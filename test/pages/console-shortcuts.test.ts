import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';

const OPTIONS = { javaScriptEnabled: true, viewport: { width: 1440, height: 900 }, locale: 'en' };

describe.skipIf(noBrowser)('the console by keyboard', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
    const mari = await Registrant.of(alpha(registry.url));
    for (const name of ['klahv-a.ee', 'klahv-b.ee', 'klahv-c.ee']) await mari.register({ name });
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (page: Page) => page.locator(':focus').textContent();
  const pathOf = (page: Page) => new URL(page.url()).pathname;

  test('success: from the overview to a list, through its lines, to a record and its renewal', async () => {
    await withPage(OPTIONS, async (page, observed) => {
      await logIn(page, registry.url);
      await press(page, 'g', 'd');
      await page.waitForURL('**/console/domains');
      await press(page, '/');
      // In a field, letters are letters.
      await page.keyboard.type('klahv-jx');
      await press(page, 'Backspace', 'Backspace', 'Enter');
      await page.getByText('3 found').waitFor();
      await press(page, 'j');
      expect(await focused(page)).toBe('klahv-a.ee');
      await press(page, 'j', 'j', 'j', 'k');
      expect(await focused(page)).toBe('klahv-b.ee');
      await press(page, 'x');
      await page.getByText('1 selected').waitFor();
      await press(page, 'Escape', 'j', 'Enter');
      await page.waitForURL('**/console/domains/klahv-c.ee');
      await press(page, 'r');
      await page.waitForURL('**/console/domains/klahv-c.ee/renew');
      expect(observed.complaints).toEqual([]);
    });
  });

  test('success: through the inbox; a message is marked as read', async () => {
    await registry.sql.run(sql`
      insert into poll_messages (registrar_id, type, text, created_at)
      select r.id, m.type, m.text, now() - m.place * interval '1 minute' from registrars r,
        (values (1, 'low_balance', 'The first one'), (2, 'expired', 'The second one')) as m(place, type, text) where r.code = 'ALPHA'`);
    await withPage(OPTIONS, async (page, observed) => {
      await logIn(page, registry.url);
      // The menu that postpones a line of the overview.
      await press(page, 'j', 's');
      await page.getByRole('button', { name: 'Until tomorrow' }).waitFor();
      await press(page, 'g', 'i');
      await page.waitForURL('**/console/messages');
      // The first one is open beside the list.
      await press(page, 'j');
      expect(await focused(page)).toContain('The second one');
      await press(page, 'Enter');
      await page.waitForURL('**/console/messages/*');
      await press(page, 'e');
      await expect
        .poll(() => registry.sql.rows(sql`select text from poll_messages where read_at is not null`))
        .toEqual([{ text: 'The second one' }]);
      expect(observed.complaints).toEqual([]);
    });
  });

  test('success: the keys are listed, and can be switched off', async () => {
    await withPage(OPTIONS, async (page, observed) => {
      await logIn(page, registry.url);
      await press(page, '?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.waitFor();
      expect(await violationsOf(page)).toEqual([]);
      const use = help.getByRole('checkbox', { name: 'Use these keys in this browser' });
      await use.uncheck();
      await press(page, 'Escape', 'g', 'd', '?');
      expect([pathOf(page), await help.isVisible()]).toEqual(['/console', false]);
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await use.check();
      await help.getByRole('button', { name: 'Close' }).click();
      await press(page, 'g', 'm');
      await page.waitForURL('**/console/balance');
      expect(observed.complaints).toEqual([]);
    });
  });
});
