import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeNow, PEOPLE, shownSecret } from '../support/console.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { overflowOf } from './inspection.ts';

const FINGER = 44;
/** For a mouse. */
const POINTER = 28;
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) <= 768;

describe.skipIf(noBrowser)('logging in to the console, in a browser', () => {
  let registry: TestRegistry;
  /** Passkeys are bound to names. */
  let origin: string;
  beforeAll(async () => {
    registry = await startRegistry();
    origin = registry.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  /** No axe violations, no overflow, and controls that are large enough. */
  async function examine(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await examineTargets(page);
  }
  async function examineTargets(page: Page): Promise<void> {
    for (const control of await page
      .locator('main')
      .locator('button:visible, input:not([type=hidden], .hidden)')
      .all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(isPhone(page) ? FINGER : POINTER);
  }
  async function enterPassword(page: Page, [email, password]: readonly [string, string]): Promise<void> {
    await page.goto(`${origin}/console/login`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  /** Axe is a script itself. */
  const withScripts = {
    javaScriptEnabled: true,
    look: examine,
    person: PEOPLE.reader,
  };
  const without = {
    javaScriptEnabled: false,
    look: examineTargets,
    person: PEOPLE.beta,
  };

  test.each([
    ['with', withScripts],
    ['without', without],
  ])(
    'success: by password and code, on a phone, by keyboard, %s scripts',
    async (_how, { look, person, javaScriptEnabled }) => {
      const options = { viewport: { width: 320, height: 640 }, javaScriptEnabled, locale: 'en' };
      await withPage(options, async (page, { complaints }) => {
        await enterPassword(page, person);
        await page.locator('.worklist').waitFor();
        await page.locator('.person summary').click();
        await page.getByRole('link', { name: 'My account' }).click();
        await look(page);
        await page.getByRole('link', { name: 'Authenticator app' }).click();
        await look(page);
        await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
        await page.getByLabel('Code', { exact: true }).waitFor();
        await look(page);
        const secret = shownSecret(await page.content());
        await page.getByLabel('Code', { exact: true }).fill(codeNow(secret));
        await page.keyboard.press('Enter');
        await heading(page, 'Your recovery codes');
        expect(await page.locator('.codes li').count()).toBe(10);
        await look(page);
        await page.locator('.person summary').click();
        await page.getByRole('button', { name: 'Log out' }).click();
        await look(page);
        expect(await page.getByRole('button', { name: 'Log in with a passkey' }).isVisible()).toBe(
          javaScriptEnabled,
        );
        await enterPassword(page, person);
        await heading(page, 'Your code');
        await look(page);
        await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1));
        await page.keyboard.press('Enter');
        await page.locator('.worklist').waitFor();
        expect(complaints).toEqual([]);
      });
    },
  );

  test('success: by passkey', async () => {
    await withPage({ locale: 'en', colorScheme: 'dark' }, async (page, { complaints, requests }) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await enterPassword(page, PEOPLE.alpha);
      await page.locator('.worklist').waitFor();
      await page.goto(`${origin}/console/account/passkeys`);
      await examine(page);
      await page.getByLabel('Name of the device').fill('Test <phone>');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await heading(page, 'Your recovery codes');
      await page.goto(`${origin}/console/account/passkeys`);
      expect(await page.getByRole('cell', { name: 'Test <phone>', exact: true }).count()).toBe(1);
      await examine(page);
      await page.locator('.person summary').click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.locator('.worklist').waitFor();

      // Without user confirmation there is a button to try again.
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
      await page.locator('.person summary').click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.getByRole('alert').waitFor();
      await examine(page);
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
      await page.getByRole('button', { name: 'Ask again' }).click();
      await page.locator('.worklist').waitFor();
      await devtools.detach();
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    });
  });
});
