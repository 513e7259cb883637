import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { freshName, hosts, KEY, Registrant } from '../support/domains.ts';
import { sentMails } from '../support/life.ts';
import { confirmationLink, MESSAGE, postMessage } from '../support/lookup.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { violationsOf } from './axe.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { overflowOf } from './inspection.ts';
import { inspectRendered } from './rendered-document.ts';

/** Contrast is among what axe looks at. */
const VARIANTS = [
  { lang: 'en', width: 1280, colorScheme: 'light' },
  { lang: 'en', width: 320, colorScheme: 'dark' },
  { lang: 'et', width: 1280, colorScheme: 'dark' },
  { lang: 'et', width: 320, colorScheme: 'light' },
] as const;
const FINGER = 44;
const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
const FIELDS = ['senderName', 'senderEmail', 'message'] as const;

/** Every page in each of its states, by name. */
const STATES = [
  'search',
  'working',
  'expired',
  'held',
  'unregistered',
  'blocked',
  'zone',
  'invalid',
  'missing',
  'registrars',
  'noRegistrar',
  'form',
  'faults',
  'sent',
  'open',
  'forwarded',
] as const;
type State = (typeof STATES)[number];

describe.skipIf(noBrowser)('the look-up in a browser', () => {
  let registry: TestRegistry;
  let paths: Readonly<Record<State, string>>;
  const names = { working: `õun-${freshName()}`, long: `${'a'.repeat(50)}.com.ee` };

  beforeAll(async () => {
    registry = await startRegistry();
    paths = await preparePaths();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  async function preparePaths(): Promise<Record<State, string>> {
    const client = alpha(registry.url);
    const company = { name: 'Õnneliku Kodu & Ülla Aia Osaühing '.repeat(7).trim(), ident: ORGANISATION };
    await registry.sql.run(sql`
      update registrars set phone = '+372.5551234', abuse_email = 'abuse@alpha.example', abuse_phone = '+372.5554321' where code = 'ALPHA'`);
    await (await Registrant.of(client, company)).register({
      name: names.working,
      dnskeys_attributes: [KEY],
      nameservers_attributes: [
        {
          hostname: `ns1.${names.working}`,
          ipv4: ['8.8.4.4'],
          ipv6: ['2a00:1450:4001:0831:9abc:def0:1234:5678'],
        },
        ...hosts('a-name-server-with-a-long-name.example.com'),
      ],
    });
    const mari = await Registrant.of(client);
    const [expired, held] = [await mari.register({ name: names.long }), await mari.register()];
    await registry.sql.run(sql`
      update domains set statuses = '{"expired": "", "serverRenewProhibited": ""}', outzone_at = '2030-05-01', delete_date = '2030-05-31'
      where name = ${expired}`);
    await registry.sql.run(sql`
      update domains set statuses = '{"clientHold": "", "pendingUpdate": "", "serverObjUpdateProhibited": ""}' where name = ${held}`);
    const links: string[] = [];
    for (const sender of ['open@example.ee', 'forwarded@example.ee']) {
      await postMessage(registry, held, {
        ...MESSAGE,
        senderEmail: sender,
        message: `${'W'.repeat(300)}\nTere!`,
      });
      links.push((await confirmationLink(registry, sender)).slice(registry.url.length).replace(/\?.*/, '?'));
    }
    await fetch(`${registry.url}${links[1]}`, { method: 'POST' });
    const lookup = (name: string) => `/lookup?name=${encodeURIComponent(name)}&`;
    return {
      search: '/lookup?',
      working: lookup(names.working),
      expired: lookup(expired),
      held: lookup(held),
      unregistered: lookup('freenome.ee'),
      blocked: lookup('blocked.ee'),
      zone: lookup('com.ee'),
      invalid: lookup('https://www.maasikas.ee/pood'),
      missing: '/lookup/nothing?',
      registrars: '/lookup/registrars?',
      noRegistrar: '/lookup/registrars?search=nobody&',
      form: `/lookup/contact?name=${held}&`,
      faults: `/lookup/contact?name=${held}&`,
      sent: '/lookup/contact/sent?',
      open: links[0] ?? '',
      forwarded: links[1] ?? '',
    };
  }

  const submit = (page: Page) => page.locator('form[method=post] button').click();
  async function show(page: Page, state: State, lang: string): Promise<void> {
    await page.goto(`${registry.url}${paths[state]}lang=${lang}`);
    if (state === 'faults') await submit(page);
  }
  const visit = (options: BrowserContextOptions, look: (page: Page) => Promise<void>) =>
    withPage(options, async (page, { complaints, requests }) => {
      await look(page);
      const own = complaints.filter((text) => !/the server responded with a status of 40[04]/.test(text));
      expect(own).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
    });

  test.each(VARIANTS)(
    'success: axe finds no violation in the pages in $lang at $width pixels in the $colorScheme',
    async (variant) => {
      const { lang, width, colorScheme } = variant;
      await visit({ viewport: { width, height: 740 }, colorScheme }, async (page) => {
        await page.goto(`${registry.url}/lookup?lang=${lang}`);
        for (const state of STATES.filter((_, index) => VARIANTS[index % VARIANTS.length] === variant)) {
          const found = await inspectRendered(page, `${registry.url}${paths[state]}lang=${lang}`);
          expect([state, found]).toMatchObject([state, { lang, violations: [], overflow: 0 }]);
        }
      });
    },
  );

  test('success: nor in the form with errors', async () => {
    await visit({ viewport: { width: 320, height: 740 } }, async (page) => {
      await show(page, 'faults', 'et');
      expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
    });
  });

  test('failure: axe finds the violations of another page', async () => {
    await withPage({}, async (page) => {
      await page.setContent('<p style="color:#aaa">Text</p><img src="x"><input>');
      const rules = (await violationsOf(page)).map((violation) => violation.split(':', 1)[0]);
      expect(rules).toEqual(
        expect.arrayContaining(['color-contrast', 'image-alt', 'label', 'html-has-lang']),
      );
    });
  });

  test('success: a person finds a domain and writes to its registrant, on a phone, by keyboard and without script', async () => {
    const name = await (await Registrant.of(alpha(registry.url), { email: 'hidden@example.ee' })).register();
    await visit(
      { viewport: { width: 320, height: 568 }, javaScriptEnabled: false, locale: 'en' },
      async (page) => {
        await page.goto(`${registry.url}/lookup`);
        await page.getByLabel('Domain name').fill(name);
        await page.keyboard.press('Enter');
        await page.waitForURL(/name=/);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
        await page.getByRole('link', { name: 'Write to the registrant' }).click();
        await page.getByRole('link', { name: 'Eesti keeles' }).click();
        await page.getByRole('link', { name: 'In English' }).click();
        await page.getByLabel('Your name').fill('Jaan Jõgi');
        await submit(page);
        expect(await page.getByRole('alert').getByRole('link').count()).toBe(2);
        expect(await page.getByLabel('Your name').inputValue()).toBe('Jaan Jõgi');
        await page.getByLabel('Your e-mail address').fill('phone@example.ee');
        await page.getByLabel('Your message').fill('Is the domain\nfor sale?');
        for (const control of await page.locator('main').locator('input, textarea, button').all())
          expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(FINGER);
        await submit(page);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Look into your mailbox');
        await page.goto(await confirmationLink(registry, 'phone@example.ee'));
        expect(await page.locator('.quoted').innerText()).toBe('Is the domain\nfor sale?');
        await submit(page);
        expect(await page.locator('.outcome').textContent()).toContain('Your message was forwarded.');
        await page.reload();
        expect(await page.getByRole('button').count()).toBe(0);
        expect(await overflowOf(page)).toBe(0);
      },
    );
    const forwarded = (await sentMails(registry)).filter(({ to }) => to === 'hidden@example.ee');
    expect(forwarded).toHaveLength(1);
  });

  test('success: in print there is the answer and no form', async () => {
    await visit({ viewport: { width: 700, height: 900 } }, async (page) => {
      await show(page, 'working', 'en');
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('search').isVisible()).toBe(false);
      expect(await page.getByText('Key tag').first().isVisible()).toBe(true);
      expect(await overflowOf(page)).toBe(0);
    });
  });

  test('failure: a page of another site sends no message', async () => {
    await withPage({}, async (page) => {
      await page.goto('data:text/html,<form method=post></form>');
      const action = `${registry.url}${paths.form}lang=en`;
      const [reply] = await Promise.all([
        page.waitForResponse((response) => response.url().startsWith(registry.url)),
        page.evaluate(`document.forms[0].action = ${JSON.stringify(action)}; document.forms[0].submit()`),
      ]);
      expect(reply.status()).toBe(403);
    });
  });

  test('success: every field is described by its hint and its error', async () => {
    await visit({}, async (page) => {
      await show(page, 'faults', 'en');
      for (const name of FIELDS) {
        const described = (await page.locator(`#${name}`).getAttribute('aria-describedby'))?.split(' ') ?? [];
        expect(described).toEqual([`${name}-hint`, `${name}-fault`]);
        for (const id of described) expect(await page.locator(`#${id}`).count()).toBe(1);
      }
    });
  });
});
