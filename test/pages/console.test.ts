import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshCode } from '../support/contacts.ts';
import { freshName } from '../support/domains.ts';
import type { TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { ConsoleShowcase, VARIANTS } from './console-showcase.ts';
import { overflowOf } from './inspection.ts';
import { inspectRendered } from './rendered-document.ts';

describe.skipIf(noBrowser)('the console in a browser', () => {
  let registry: TestRegistry;
  let showcase: ConsoleShowcase;
  beforeAll(async () => {
    showcase = await ConsoleShowcase.open();
    registry = showcase.registry;
  });
  afterAll(() => showcase?.close());

  test.each(['en', 'et'])(
    'success: axe finds no violation in the pages in %s, at both widths and in both colours',
    { timeout: 300_000 },
    async (lang) => {
      await showcase.speak(lang);
      await withPage({ bypassCSP: true }, async (page, { complaints, requests }) => {
        await logIn(page, registry.url);
        for (const variant of VARIANTS.filter((each) => each.lang === lang)) {
          await page.setViewportSize({ width: variant.width, height: 740 });
          await page.emulateMedia({ colorScheme: variant.colorScheme });
          for (const address of showcase.addressesIn(variant)) {
            expect([address, await inspectRendered(page, address)]).toEqual([
              address,
              { status: 200, lang, violations: [], overflow: 0 },
            ]);
          }
        }
        expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
        expect(complaints).toEqual([]);
      });
    },
  );

  test.each([true, false])(
    'success: a user finds a domain, its state with the reason, and its registrant, by keyboard; scripts: %s',
    async (javaScriptEnabled) => {
      await showcase.speak('en');
      await withPage({ javaScriptEnabled, locale: 'en' }, async (page) => {
        await logIn(page, registry.url);
        await page.getByRole('link', { name: 'Domains', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.getByLabel('Name', { exact: true }).fill('pikk-nimi');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: showcase.objects.name ?? '', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: showcase.objects.name ?? '' }).waitFor();
        for (const status of ['clientHold', 'serverForceDelete', 'serverRenewProhibited'])
          await page.getByText(status, { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Show the transfer code' }).focus();
        await page.keyboard.press('Enter');
        const { code } = await registry.sql.one(
          sql<{
            code: string;
          }>`select transfer_code as code from domains where name = ${showcase.objects.name ?? ''}`,
        );
        await page.getByText(code).waitFor();
      });
    },
  );

  const whereScripts = process.env.TORTURE ? [true, false] : [true];
  test.each(whereScripts)(
    'success: a user creates a contact, registers a domain for it and corrects an error, by keyboard; scripts: %s',
    async (javaScriptEnabled) => {
      await showcase.speak('en');
      await withPage(
        { javaScriptEnabled, locale: 'en', viewport: { width: 320, height: 740 } },
        async (page) => {
          const follow = async (name: string) => {
            await page.getByRole('link', { name, exact: true }).focus();
            await page.keyboard.press('Enter');
          };
          const press = async (name: string) => {
            await page.getByRole('button', { name, exact: true }).focus();
            await page.keyboard.press('Enter');
          };
          const inspect = async () => {
            if (javaScriptEnabled)
              expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
          };
          const [code, name] = [freshCode(), freshName()];
          await logIn(page, registry.url);
          await press('More');
          await follow('Contacts');
          await follow('Create a contact');
          await page.getByLabel('Name', { exact: true }).first().fill('Jaan Tamm');
          await page.getByLabel('Email address', { exact: true }).first().fill('jaan@example.ee');
          await page.getByLabel('Phone', { exact: true }).first().fill('+372.5551234');
          await page.getByLabel('Code or date of birth').fill('37605030299');
          await page.getByLabel('Postal address').focus();
          await page.keyboard.press('Space');
          await page.getByLabel('Code', { exact: true }).fill(code);
          await press('Preview');
          await page.getByText('Nothing has been changed yet').waitFor();
          await inspect();
          await press('Create');
          await page.getByText('The contact is created.').waitFor();
          await follow('Register a domain for this contact');
          await page.getByLabel('Domain name').fill(name);
          await page.getByLabel('Nameservers').fill(`ns1.${name}\nns2.example.ee`);
          await press('Preview');
          await page
            .getByText('A nameserver inside the domain itself needs an IP address.')
            .first()
            .waitFor();
          await inspect();
          // The list of errors links to the field.
          await page.getByRole('alert').getByRole('link').focus();
          await page.keyboard.press('Enter');
          await page.getByLabel('Nameservers').fill(`ns1.${name} 192.0.2.1\nns2.example.ee`);
          await press('Preview');
          await page.getByText('Balance afterwards').waitFor();
          await inspect();
          await press('Register · €9.00');
          await page.getByText('The domain is registered.').waitFor();
          await page.getByRole('heading', { level: 1, name }).waitFor();
        },
      );
    },
  );
});
