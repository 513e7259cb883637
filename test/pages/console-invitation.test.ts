import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { invitePerson } from '../../src/registry/people/invite-person.ts';
import { operator } from '../support/operator.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('an invitation to the console, in a browser', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  // The page sends no referrer, so the browser names no origin of the form either.
  test('success: opened from the mail and accepted, though the page hides its address', async () => {
    const now = new Date();
    const details = {
      email: 'mari@alpha.example',
      name: 'Mari',
      language: 'en',
      registrar: 'ALPHA',
    } as const;
    const invitation = { ...details, roles: ['reader'], publicUrl: registry.url, wallTime: now } as const;
    await carryOut(registry.sql, invitePerson, invitation, operator({ now }));
    const { text } = await registry.sql.one(
      sql<{ text: string }>`select text from mails where recipient = ${details.email}`,
    );
    const link = /http\S+\/console\/invitation\/\S+/.exec(text)?.[0] ?? '';
    await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
      await page.goto(link);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.getByLabel('Your name').fill('Mari Maasikas');
      await page.getByLabel('New password').fill('short');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByLabel('New password').fill('four unrelated words here');
      await page.keyboard.press('Enter');
      await page.getByText('Mari Maasikas').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console');
    });
  });
});
