import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePages } from '../../src/doors/console/pages.ts';
import { alpha } from '../support/client.ts';
import { PEOPLE } from '../support/console.ts';
import { consoleObjects } from '../support/console-objects.ts';
import { createContact, freshCode } from '../support/contacts.ts';
import { freshName, KEY, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { logIn } from './console-session.ts';
import { overflowOf } from './inspection.ts';
import { onePass } from './one-pass.ts';

const VARIANTS = [
  { lang: 'en', width: 1280, colorScheme: 'light' },
  { lang: 'en', width: 320, colorScheme: 'dark' },
  { lang: 'et', width: 1280, colorScheme: 'dark' },
  { lang: 'et', width: 320, colorScheme: 'light' },
] as const;
const FIRST = 'esimene.ee';

describe.skipIf(noBrowser)('the console in a browser', () => {
  let registry: TestRegistry;
  let objects: Readonly<Record<string, string>>;
  beforeAll(async () => {
    registry = await startRegistry();
    const client = alpha(registry.url);
    const company = { name: 'Õnneliku Kodu & Ülla Aia Osaühing '.repeat(5).trim(), ident: ORGANISATION };
    const owner = await Registrant.of(client, company);
    await owner.register({ name: FIRST, dnskeys_attributes: [KEY] });
    const held = await owner.register({ name: `${'pikk-nimi-'.repeat(5)}a.ee` });
    await registry.sql.run(sql`
      update domains set statuses = '{"clientHold": "", "serverForceDelete": "", "serverRenewProhibited": ""}' where name = ${held}`);
    await registry.sql.run(sql`
      insert into allowed_addresses (registrar_id, range, note, created_at) select id, '127.0.0.0/8', 'kontor', now() from registrars where code = 'ALPHA'`);
    const { id } = await registry.sql.one(sql<{ id: number }>`
      insert into poll_messages (registrar_id, type, text, created_at, attached_obj_type, attached_obj_id, details)
      select registrar_id, 'status_set', 'clientHold set on domain ' || name || ' by the registry', now(), 'Domain', id,
        jsonb_build_object('kind', 'change', 'object', 'domain', 'name', name, 'operation', 'update', 'at', now(), 'who', 'operator:registry', 'reason', 'court order', 'requestId', null)
      from domains where name = ${held} returning id`);
    objects = {
      ...(await consoleObjects(registry)),
      ...{ name: held, code: await createContact(client, company), id: String(id) },
    };
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
  const addressOf = (path: string) =>
    `${registry.url}/console${path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(objects[name] ?? ''))}`;

  const passes = VARIANTS.map((variant) => ({
    ...variant,
    paths: consolePages.flatMap(({ path }, index) =>
      onePass(VARIANTS, index).includes(variant) ? [path] : [],
    ),
  }));

  test.each(passes)(
    'success: axe finds no violation in the pages in $lang at $width pixels in the $colorScheme',
    { timeout: 20_000 + 10_000 * consolePages.length },
    async ({ paths, lang, width, colorScheme }) => {
      await registry.sql.run(sql`update people set language = ${lang} where email_key = ${PEOPLE.alpha[0]}`);
      await withPage({ viewport: { width, height: 740 }, colorScheme }, async (page, observed) => {
        await logIn(page, registry.url);
        const found = new Map<string, unknown>();
        for (const path of paths) {
          const answer = await page.goto(addressOf(path));
          const state = [answer?.status(), await page.locator('html').getAttribute('lang')];
          const faults = [...(await violationsOf(page)), ...observed.complaints.splice(0)];
          found.set(path, { state, faults, overflow: await overflowOf(page) });
        }
        const faultless = { state: [200, lang], faults: [], overflow: 0 };
        expect(found).toEqual(new Map(paths.map((path) => [path, faultless])));
        expect(observed.requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
      });
    },
  );

  test.each([true, false])(
    'success: a user finds a domain, its state with the reason, and its registrant, by keyboard; scripts: %s',
    async (javaScriptEnabled) => {
      await registry.sql.run(sql`update people set language = 'en' where email_key = ${PEOPLE.alpha[0]}`);
      await withPage({ javaScriptEnabled, locale: 'en' }, async (page) => {
        await logIn(page, registry.url);
        await page.getByRole('link', { name: 'Domains', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.getByLabel('Name', { exact: true }).fill('pikk-nimi');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: objects.name ?? '', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: objects.name ?? '' }).waitFor();
        for (const status of ['clientHold', 'serverForceDelete', 'serverRenewProhibited'])
          await page.getByText(status, { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Show the transfer code' }).focus();
        await page.keyboard.press('Enter');
        const { code } = await registry.sql.one(
          sql<{ code: string }>`select transfer_code as code from domains where name = ${objects.name ?? ''}`,
        );
        await page.getByText(code).waitFor();
      });
    },
  );

  const whereScripts = process.env.TORTURE ? [true, false] : [true];
  test.each(whereScripts)(
    'success: a user creates a contact, registers a domain for it and corrects an error, by keyboard; scripts: %s',
    async (javaScriptEnabled) => {
      await registry.sql.run(sql`update people set language = 'en' where email_key = ${PEOPLE.alpha[0]}`);
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
          await page.getByText('A nameserver below the domain itself needs an address.').first().waitFor();
          await inspect();
          // The list of errors links to the field.
          await page.getByRole('alert').getByRole('link').focus();
          await page.keyboard.press('Enter');
          await page.getByLabel('Nameservers').fill(`ns1.${name} 192.0.2.1\nns2.example.ee`);
          await press('Preview');
          await page.getByText('Balance afterwards').waitFor();
          await inspect();
          await press('Register');
          await page.getByText('The domain is registered.').waitFor();
          await page.getByRole('heading', { level: 1, name }).waitFor();
        },
      );
    },
  );
});
