import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const VARIANTS = [
  { javaScriptEnabled: true, width: 320, colorScheme: 'light' },
  { javaScriptEnabled: false, width: 1280, colorScheme: 'dark' },
] as const;

describe.skipIf(noBrowser)('many domains and messages in a browser', () => {
  let registry: TestRegistry;
  let mari: Registrant;
  beforeAll(async () => {
    registry = await startRegistry();
    mari = await Registrant.of(alpha(registry.url));
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  test.each(onePass(VARIANTS))(
    'success: domains of a file are renewed but for one, and messages are acknowledged; scripts: $javaScriptEnabled',
    async ({ javaScriptEnabled, width, colorScheme }) => {
      const names = [await mari.register(), await mari.register()];
      const list = `domain\n${names.join('\n')}\nno_name\n`;
      await registry.sql.run(sql`
        insert into poll_messages (registrar_id, type, text, created_at)
        select id, 'low_balance', 'Message ' || n, now() from registrars, generate_series(1, 2) as n where code = 'ALPHA'`);
      const options = { javaScriptEnabled, viewport: { width, height: 740 }, colorScheme, locale: 'en' };
      await withPage(options, async (page, observed) => {
        const inspect = async () => {
          if (javaScriptEnabled) expect(await violationsOf(page)).toEqual([]);
          expect(await overflowOf(page)).toBe(0);
        };
        await logIn(page, registry.url);
        if (await page.getByRole('button', { name: 'More' }).isVisible())
          await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('link', { name: 'Bulk changes' }).click();
        await page.getByRole('link', { name: 'Renew domains' }).click();
        const file = page.getByLabel('Or choose a CSV file');
        if (javaScriptEnabled) {
          await file.setInputFiles({ name: 'domains.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
          await expect.poll(() => page.getByLabel('Domains', { exact: true }).inputValue()).toBe(list);
        } else {
          expect(await file.isVisible()).toBe(false);
          await page.getByLabel('Domains', { exact: true }).fill(list);
        }
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByText('1 domain cannot be changed').first().waitFor();
        await inspect();
        await page.getByRole('checkbox', { name: `Leave out ${names[1]}` }).focus();
        await page.keyboard.press('Space');
        // Enter in a line checks the list again, with what is left out; it begins nothing.
        await page.getByLabel(/“no_name” is not a domain name/).press('Enter');
        await page.getByRole('button', { name: 'Renew 1 domain · €9.00' }).waitFor();
        expect(await page.getByRole('checkbox', { name: `Leave out ${names[1]}` }).isChecked()).toBe(true);
        await page.getByRole('button', { name: 'Renew 1 domain · €9.00' }).click();
        await page.getByRole('heading', { name: '1 failed' }).waitFor();
        await inspect();
        const downloading = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Export CSV' }).click();
        expect((await downloading).suggestedFilename()).toMatch(/^renew-[0-9-]+\.csv$/);
        await page.getByRole('button', { name: 'Retry 1' }).click();
        await page.getByText('None of the domains can be changed.').waitFor();
        await inspect();
        if (await page.getByRole('button', { name: 'More' }).isVisible())
          await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('link', { name: 'Jobs' }).filter({ visible: true }).click();
        await page.getByRole('link', { name: 'Renew domains' }).waitFor();
        await inspect();

        await page
          .getByRole('link', { name: /^Inbox/ })
          .filter({ visible: true })
          .click();
        for (const text of ['Message 1', 'Message 2']) await page.getByLabel(`Choose: ${text}`).check();
        await page.getByRole('button', { name: 'Mark as read' }).click();
        await page.getByText('The messages are marked as read.').waitFor();
        expect(await page.getByRole('link', { name: 'Message 1' }).count()).toBe(0);
        expect(observed.complaints).toEqual([]);
      });
    },
  );
});
