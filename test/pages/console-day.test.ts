import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../support/client.ts';
import { PEOPLE } from '../support/console.ts';
import { hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { onePass } from './one-pass.ts';

/** Where screenshots of every step are kept, for somebody to look at. */
const SHOTS = process.env.SCREENSHOTS;

const DAYS = [
  { lang: 'en', colorScheme: 'light', width: 1280, hand: 'mouse', javaScriptEnabled: true },
  { lang: 'et', colorScheme: 'dark', width: 1280, hand: 'keyboard', javaScriptEnabled: true },
  { lang: 'en', colorScheme: 'dark', width: 390, hand: 'keyboard', javaScriptEnabled: false },
  { lang: 'et', colorScheme: 'light', width: 390, hand: 'mouse', javaScriptEnabled: false },
] as const;

/** Somebody of the office, who finds what to press by what it does, in either language. */
class Clerk {
  readonly page: Page;
  readonly #day: (typeof DAYS)[number];
  #step = 0;

  constructor(page: Page, day: (typeof DAYS)[number]) {
    this.page = page;
    this.#day = day;
  }

  /** Presses what leads to another page, and waits for that. */
  async press(selector: string): Promise<void> {
    const target = this.page.locator(selector).first();
    if (this.#day.hand === 'keyboard') await target.focus();
    await Promise.all([
      this.page.waitForNavigation(),
      this.#day.hand === 'keyboard' ? this.page.keyboard.press('Enter') : target.click(),
    ]);
  }

  async fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const control = this.page
        .locator(`main :is(input:not([type="hidden"]), select, textarea)[name="${name}"]`)
        .first();
      if ((await control.evaluate((each) => each.tagName)) === 'SELECT') await control.selectOption(value);
      else await control.fill(value);
    }
  }

  async check(selector: string): Promise<void> {
    const box = this.page.locator(selector).first();
    if (this.#day.hand === 'mouse') return box.check();
    await box.focus();
    await this.page.keyboard.press('Space');
  }

  /** Looks at the preview of what was filled in, and confirms it. */
  async previewAndConfirm(name: string): Promise<void> {
    await this.press('main button[value="preview"]');
    await this.seen(`${name}-preview`);
    await this.press('main button[value="confirm"]');
    await this.page.locator('.outcome[role="status"]').waitFor();
    await this.seen(name);
  }

  async seen(name: string): Promise<void> {
    this.#step += 1;
    if (SHOTS === undefined) return;
    const { lang, colorScheme, width } = this.#day;
    const folder = path.join(SHOTS, `${lang}-${colorScheme}-${width}`);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${String(this.#step).padStart(2, '0')}-${name}.png`);
    await this.page.screenshot({ path: file, fullPage: true });
  }
}

describe.skipIf(noBrowser)("a day's work of a registrar's office", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const codeOf = async (name: string) =>
    (
      await registry.sql.one(
        sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
      )
    ).code;

  test.each(onePass(DAYS))(
    'success: in $lang at $width pixels by $hand, scripts: $javaScriptEnabled',
    { timeout: 120_000 },
    async (day) => {
      const nth = DAYS.indexOf(day) === 0 ? '' : String(DAYS.indexOf(day) + 1);
      const nameservers = { nameservers_attributes: hosts('ns1.hoster.example', 'ns2.hoster.example') };
      const mari = await Registrant.of(alpha(registry.url), { name: 'Mari Maasikas' });
      const held = await mari.register({ name: `lillepood${nth}.ee`, ...nameservers });
      await alpha(registry.url).put(`/domains/${held}/statuses/clientHold`);
      const leaving = await (await Registrant.of(beta(registry.url))).register({ name: `kalapood${nth}.ee` });
      const [contact, fresh] = [`jaan-tamm${nth}`, `mesilane${nth}.ee`];
      const { lang, width, colorScheme, javaScriptEnabled } = day;
      await registry.sql.run(sql`update people set language = ${lang} where email_key = ${PEOPLE.alpha[0]}`);

      const options = { viewport: { width, height: 900 }, colorScheme, javaScriptEnabled };
      await withPage(options, async (page, observed) => {
        const clerk = new Clerk(page, day);
        const to = (address: string) => clerk.press(`a[href="/console${address}"]`);

        await page.goto(`${registry.url}/console`);
        await clerk.fillIn({ email: PEOPLE.alpha[0], password: PEOPLE.alpha[1] });
        await clerk.press('main form button');
        await page.locator('nav.menu').waitFor();
        await clerk.seen('start');

        // Find a domain by a part of its name, and see why it is on hold.
        await to('/domains');
        await clerk.fillIn({ name: 'lillep' });
        await clerk.press('form.filter button');
        await clerk.seen('domains');
        await to(`/domains/${held}`);
        await page.locator('main code', { hasText: 'clientHold' }).first().waitFor();
        await clerk.seen('domain');

        // Renew it, change its nameservers, and lift the hold.
        await to(`/domains/${held}/renew`);
        await clerk.fillIn({ years: '2' });
        await clerk.previewAndConfirm('renewed');
        await to(`/domains/${held}/nameservers`);
        await clerk.fillIn({ nameservers: 'ns1.hoster.example\nns3.hoster.example' });
        await clerk.previewAndConfirm('nameservers');
        await to(`/domains/${held}/hold`);
        await clerk.previewAndConfirm('released');

        // Register a domain for a new contact.
        await to('/contacts');
        await to('/contacts/~create');
        await clerk.fillIn({
          ...{ id: contact, name: 'Jaan Tamm', email: 'jaan@example.ee', phone: '+372.5551234' },
          ...{ ident: '38001085718', identType: 'priv', identCountry: 'EE' },
        });
        await clerk.previewAndConfirm('contact');
        await clerk.press(`a[href^="/console/domains/register?registrant="]`);
        await clerk.fillIn({ name: fresh, nameservers: 'ns1.hoster.example\nns2.hoster.example' });
        await clerk.previewAndConfirm('registered');

        // Take over a domain, and give out the code of another one.
        await to('/domains');
        await to('/domains/transfer');
        await clerk.fillIn({ name: leaving, transferCode: await codeOf(leaving) });
        await clerk.previewAndConfirm('transferred');
        await clerk.press('form[action$="/transfer-code"] button');
        await page.getByText(await codeOf(leaving)).waitFor();

        // Renew what a filter has found.
        await to('/bulk');
        await to('/bulk/renew');
        await clerk.fillIn({ names: `${held}\n${fresh}` });
        await clerk.press('main button[value="preview"]');
        await clerk.seen('bulk-preview');
        await clerk.press('main button[value="review"]');
        await clerk.seen('bulk-review');
        await clerk.press('main button[value="confirm"]');
        await clerk.seen('bulk-result');

        // Top up, pay, and fetch the invoice.
        await to('/balance');
        await clerk.seen('balance');
        await to('/balance/top-up');
        await clerk.fillIn({ amount: '100.00' });
        await clerk.previewAndConfirm('invoice');
        const invoice = page.url().replace(/\?.*/, '');
        await clerk.press('a.act, a[rel~="noreferrer"]');
        await clerk.press('button[value="settled"]');
        await expect
          .poll(
            async () => {
              await page.goto(invoice);
              return page.locator('a[rel~="noreferrer"]').count();
            },
            { timeout: 20_000 },
          )
          .toBe(0);
        await clerk.seen('paid');
        const file = await page.request.get(`${invoice}/pdf`);
        expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');

        // Read and acknowledge messages.
        await to('/messages');
        await clerk.seen('messages');
        await clerk.check('input[name="message"]');
        await clerk.press('form[action$="/messages/acknowledge"] button, main form[method="post"] button');
        await page.locator('.outcome[role="status"]').waitFor();

        // Export, and invite a colleague.
        const list = await page.request.get(`${registry.url}/console/domains.csv`);
        expect(await list.text()).toContain(fresh);
        await to('/people');
        await clerk.fillIn({ email: `kolleeg${nth}@example.ee`, name: 'Uus Kolleeg' });
        await clerk.check('input[name="role-reader"]');
        await clerk.press('form[action$="/people/invite"] button');
        await page.locator('.outcome[role="status"]').waitFor();
        await clerk.seen('invited');
        await to('/access');
        await clerk.seen('access');

        expect(observed.complaints).toEqual([]);
      });

      const state = await registry.sql.rows(sql<{
        name: string;
        statuses: object;
        years: number;
        hosts: string[];
      }>`
      select d.name, d.statuses, round(extract(epoch from d.expire_time - d.created_at) / 31557600)::int as years,
        array(select hostname from domain_nameservers n where n.domain_id = d.id order by hostname) as hosts
      from domains d join registrars r on r.id = d.registrar_id
      where r.code = 'ALPHA' and d.name = any(${[held, fresh, leaving]}) order by array_position(${[held, fresh, leaving]}, d.name)`);
      expect(state).toEqual([
        { name: held, statuses: {}, years: 4, hosts: ['ns1.hoster.example', 'ns3.hoster.example'] },
        { name: fresh, statuses: {}, years: 2, hosts: ['ns1.hoster.example', 'ns2.hoster.example'] },
        { name: leaving, statuses: expect.anything(), years: 1, hosts: expect.anything() },
      ]);
    },
  );
});
