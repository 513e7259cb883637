import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { freshName } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('the registration of a domain in the console', () => {
  let registry: TestRegistry;
  let liis: string;
  beforeAll(async () => {
    registry = await startRegistry();
    const client = alpha(registry.url);
    liis = await createContact(client, {
      name: 'Liis Õunapuu',
      email: 'liis@example.ee',
      ident: { ident: '47605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const registering = (
    options: Parameters<typeof withPage>[0],
    work: (page: Page, complaints: readonly string[]) => Promise<void>,
  ) =>
    withPage({ locale: 'en', ...options }, async (page, { complaints }) => {
      await logIn(page, registry.url);
      await page.goto(`${registry.url}/console/domains/register`);
      await work(page, complaints);
    });
  const registered = (name: string) =>
    registry.sql.one(sql<{ registrant: string; links: string[] }>`
      select c.name as registrant,
        array(select l.role || ' ' || k.name from domain_contacts l join contacts k on k.id = l.contact_id where l.domain_id = d.id order by 1) as links
      from domains d join contacts c on c.id = d.registrant_id where d.name = ${name}`);
  const previewAndConfirm = async (page: Page) => {
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('button', { name: 'Register · €9.00' }).click();
    await page.getByText('The domain is registered.').waitFor();
  };

  test('success: contacts are chosen while they are typed, by keyboard', async () => {
    const name = freshName();
    await registering({ viewport: { width: 1440, height: 900 } }, async (page, complaints) => {
      await page.getByLabel('Domain name').fill(name);
      await page.getByLabel('Registrant', { exact: true }).first().pressSequentially('õuna');
      await page.getByRole('option', { name: /Liis Õunapuu/ }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByText(`Liis Õunapuu (${liis})`).waitFor();
      await page.getByRole('combobox', { name: /Administrative contacts/ }).pressSequentially('47605030299');
      await page.getByRole('option', { name: /Liis Õunapuu/ }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.locator('.offers li:visible').count()).toBe(0);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: /Same as the registrant/ }).click();
      expect(await page.locator('#admins').inputValue()).toBe(liis);
      await previewAndConfirm(page);
      expect(complaints).toEqual([]);
    });
    expect(await registered(name)).toEqual({ registrant: 'Liis Õunapuu', links: ['admin Liis Õunapuu'] });
  });

  test.each([
    ['with scripts', true, 1440],
    ['without scripts, on the phone', false, 390],
  ])('success: a contact is created in the form, %s', async (_, javaScriptEnabled, width) => {
    const name = freshName();
    await registering({ javaScriptEnabled, viewport: { width, height: 844 } }, async (page) => {
      await page.getByLabel('Domain name').fill(name);
      if (javaScriptEnabled) {
        await page.getByLabel('Registrant', { exact: true }).first().pressSequentially('Nobody Yet');
        await page.getByRole('option', { name: /New contact “Nobody Yet”/ }).click();
        expect(await page.locator('#contact-name').inputValue()).toBe('Nobody Yet');
      } else await page.getByText('New contact', { exact: true }).click();
      await page.locator('#contact-name').fill('Kadri Kask');
      await page.locator('#contact-email').fill('not an address');
      await page.locator('#contact-phone').fill('+372.5551234');
      await page.locator('#contact-ident').fill('37605030299');
      if (javaScriptEnabled) expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await page.locator('#contact-email').evaluate((field) => field.removeAttribute('type'));
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.locator('#contact-email-fault').waitFor();
      await page.locator('#contact-email').fill('kadri@example.ee');
      await previewAndConfirm(page);
    });
    expect(await registered(name)).toEqual({ registrant: 'Kadri Kask', links: [] });
  });
});
