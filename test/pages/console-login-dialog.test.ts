import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { codeNow, loggedIn, PEOPLE, setUpApp } from '../support/console.ts';
import { freshCode } from '../support/contacts.ts';
import { Registrant } from '../support/domains.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('the login over a form', () => {
  let registry: TestRegistry;
  /** Passkeys are bound to names. */
  let origin: string;
  beforeAll(async () => {
    registry = await startRegistry();
    origin = registry.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const end = () =>
    registry.sql.run(sql`update person_sessions set last_seen_at = last_seen_at - interval '31 minutes'`);
  const age = () =>
    registry.sql.run(
      sql`update person_sessions set authenticated_at = authenticated_at - interval '6 minutes'`,
    );
  const logIn = async (page: Page, [email, password] = PEOPLE.alpha, url = origin) => {
    await page.goto(`${url}/console/login?lang=en`);
    await page.locator('main [name="email"]').fill(email);
    await page.locator('main [name="password"]').fill(password);
    await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()]);
  };
  const PERSON = {
    name: 'Kadri Kask',
    email: 'kadri@example.ee',
    phone: '+372.5551234',
    ident: '47605030299',
  };
  /** The form of a contact, whose fields are called like those of the login. */
  const fillIn = async (page: Page, url = origin) => {
    const code = freshCode();
    await page.goto(`${url}/console/contacts/~create`);
    for (const [name, value] of Object.entries({ ...PERSON, id: code }))
      await page.locator(`main [name="${name}"]`).fill(value);
    return code;
  };
  const send = (page: Page) => page.getByRole('button', { name: 'Preview', exact: true }).click();
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Log in to continue' });
  const exists = async (code: string) =>
    (await registry.sql.rows(sql`select 1 from contacts where code = ${code}`)).length === 1;

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('success: after a wrong password, at %s pixels', async (width, colorScheme) => {
    const options = { viewport: { width, height: 844 }, colorScheme, locale: 'en' };
    await withPage(options, async (page, { complaints }) => {
      await logIn(page);
      const code = await fillIn(page);
      await end();
      await send(page);
      const over = dialog(page);
      await over.waitFor();
      expect(await over.getByLabel('Email address').inputValue()).toBe(PEOPLE.alpha[0]);
      expect(await page.locator(':focus').getAttribute('name')).toBe('password');
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await over.getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await over.getByText('The email address or the password is wrong.').first().waitFor();
      expect(await page.locator('main [name="email"]').inputValue()).toBe(PERSON.email);
      await over.getByLabel('Password').fill(PEOPLE.alpha[1]);
      await page.keyboard.press('Enter');
      await page.getByText('This is a preview.').waitFor();
      await end();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await over.getByLabel('Password').fill(PEOPLE.alpha[1]);
      await page.keyboard.press('Enter');
      await page.getByText('The contact is created.').waitFor();
      expect(await exists(code)).toBe(true);
      expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    });
  });

  test('success: a fresh proof for what is dangerous, with an authenticator app', async () => {
    const person = await loggedIn(registry.url, 'beta');
    const { secret } = await setUpApp(person);
    const name = await (await Registrant.of(alpha(registry.url))).register();
    await withPage({ locale: 'en' }, async (page) => {
      await logIn(page);
      await page.goto(`${origin}/console/domains/${name}/delete`);
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await age();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog(page).getByText('Confirm it’s you to continue.').waitFor();
      await dialog(page).getByLabel('Password').fill(PEOPLE.alpha[1]);
      await page.keyboard.press('Enter');
      await page.waitForURL(/notice=/);
    });
    await withPage({ locale: 'en' }, async (page) => {
      await logIn(page, PEOPLE.beta);
      await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1));
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      await registry.sql.run(
        sql`update people set totp_last_step = null where email_key = ${PEOPLE.beta[0]}`,
      );
      const code = await fillIn(page);
      await end();
      await send(page);
      await dialog(page).getByLabel('Password').fill(PEOPLE.beta[1]);
      await page.keyboard.press('Enter');
      await dialog(page).getByLabel('Code', { exact: true }).fill('000000');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('The code is wrong').first().waitFor();
      await dialog(page).getByRole('link', { name: 'Use another method' }).click();
      await dialog(page).getByLabel('Password').fill(PEOPLE.beta[1]);
      await page.keyboard.press('Enter');
      await dialog(page).getByLabel('Code', { exact: true }).fill(codeNow(secret));
      await page.keyboard.press('Enter');
      await page.getByText('This is a preview.').waitFor();
      expect(await page.locator('main [name="id"]').inputValue()).toBe(code);
    });
  });

  test('success: by passkey', async () => {
    await withPage({ locale: 'en' }, async (page, { complaints }) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('WebAuthn.enable');
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await logIn(page, PEOPLE.reader);
      await page.goto(`${origin}/console/account/passkeys`);
      await page.getByLabel('Name of the device').fill('Telephone');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('heading', { level: 1, name: 'Your recovery codes' }).waitFor();
      await page.goto(`${origin}/console/account/passkeys`);
      await page.getByLabel('Name of the device').fill('Laptop');
      await end();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await dialog(page).getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.waitForURL(/passkeys\/new/);
      await page.getByRole('heading', { level: 1, name: 'Add a passkey' }).waitFor();
      await devtools.detach();
      expect(complaints).toEqual([]);
    });
  });

  test('failure: another person logs in; another one has logged in beside it; and somebody gives up', async () => {
    await withPage({ locale: 'en' }, async (page) => {
      await logIn(page);
      const code = await fillIn(page);
      await end();
      await send(page);
      await dialog(page).getByLabel('Password').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      expect(await page.locator('main [name="id"]').inputValue()).toBe(code);
      await send(page);
      await dialog(page).getByLabel('Email address').fill(PEOPLE.reader[0]);
      await dialog(page).getByLabel('Password').fill(PEOPLE.reader[1]);
      await page.keyboard.press('Enter');
      await page.getByText('The form was not sent').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console');
      expect(await exists(code)).toBe(false);
    });
  });

  test('failure: in another window another person has logged in', async () => {
    await withPage({ locale: 'en' }, async (page) => {
      await logIn(page);
      await fillIn(page);
      const other = await page.context().newPage();
      await logIn(other, PEOPLE.reader);
      await other.close();
      await send(page);
      await page.getByText('The form was not sent').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console');
    });
  });

  test('failure: after too many wrong passwords nobody is let in by the dialog either', async () => {
    const strict = await freshRegistryForThisTest({ failuresPerMinute: 1 });
    await withPage({ locale: 'en' }, async (page) => {
      await logIn(page, PEOPLE.alpha, strict.url);
      await fillIn(page, strict.url);
      await strict.sql.run(
        sql`update person_sessions set last_seen_at = last_seen_at - interval '31 minutes'`,
      );
      await send(page);
      await dialog(page).getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('The email address or the password is wrong.').first().waitFor();
      await dialog(page).getByLabel('Password').fill('wrong');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Too many failed attempts.').first().waitFor();
      await dialog(page).getByLabel('Password').fill(PEOPLE.alpha[1]);
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Too many failed attempts.').first().waitFor();
      expect(await page.locator('main [name="name"]').inputValue()).toBe(PERSON.name);
    });
  });
});
