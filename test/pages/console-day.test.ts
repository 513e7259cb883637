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

/** Where screenshots of every step are stored, for review. */
const SHOTS = process.env.SCREENSHOTS;

const DAYS = [
  { lang: 'en', colorScheme: 'light', width: 1280, hand: 'mouse', javaScriptEnabled: true },
  { lang: 'et', colorScheme: 'dark', width: 1280, hand: 'keyboard', javaScriptEnabled: true },
  { lang: 'en', colorScheme: 'dark', width: 390, hand: 'keyboard', javaScriptEnabled: false },
  { lang: 'et', colorScheme: 'light', width: 390, hand: 'mouse', javaScriptEnabled: false },
] as const;

/** A user of the console, who finds controls by their effect, in either language. */
class ConsoleUser {
  readonly page: Page;
  readonly #day: (typeof DAYS)[number];
  #step = 0;

  constructor(page: Page, day: (typeof DAYS)[number]) {
    this.page = page;
    this.#day = day;
  }

  /** Presses a control that leads to another page, and waits for it. */
  async press(selector: string): Promise<void> {
    const shown = this.page.locator(selector).filter({ visible: true });
    // What is done less often is in the menu of a record, and pages are behind More on narrow screens.
    if ((await shown.count()) === 0) await this.open('main .menu:not([open]) summary');
    if ((await shown.count()) === 0) await this.open('.tabs button');
    const target = shown.first();
    if (this.#day.hand === 'keyboard') await target.focus();
    await Promise.all([
      this.page.waitForNavigation(),
      this.#day.hand === 'keyboard' ? this.page.keyboard.press('Enter') : target.click(),
    ]);
  }

  /** Opens what narrow screens have closed at first. */
  async open(selector: string): Promise<void> {
    const control = this.page.locator(selector).filter({ visible: true });
    if ((await control.count()) > 0) await control.click();
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

  /** Opens the preview of the filled form, and confirms it. */
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
        const user = new ConsoleUser(page, day);
        const to = (address: string) => user.press(`a[href="/console${address}"]`);

        await page.goto(`${registry.url}/console`);
        await user.fillIn({ email: PEOPLE.alpha[0], password: PEOPLE.alpha[1] });
        await user.press('main form button');
        await page.locator('nav.side').waitFor({ state: 'attached' });
        await user.seen('start');

        // Find a domain by a part of its name, and see why it is on hold.
        await to('/domains');
        await user.fillIn({ name: 'lillep' });
        await user.press('.filter button');
        await user.seen('domains');
        await to(`/domains/${held}`);
        await page.locator('main code', { hasText: 'clientHold' }).first().waitFor();
        await user.seen('domain');

        // Renew it, change its nameservers, lift the hold, set it again by mistake, and take that back.
        await to(`/domains/${held}/renew`);
        await user.fillIn({ years: '2' });
        await user.previewAndConfirm('renewed');
        await to(`/domains/${held}/nameservers`);
        await user.fillIn({ nameservers: 'ns1.hoster.example\nns3.hoster.example' });
        await user.previewAndConfirm('nameservers');
        await user.press('form[action$="/release"] button');
        await page.locator('.outcome[role="status"]').waitFor();
        await user.press('.menu form[action$="/hold"] button');
        await user.seen('held');
        await user.press('.outcome form[action$="/release"] button');
        await page.locator('.outcome form[action$="/hold"]').waitFor();
        await user.seen('released');

        // Register a domain for a new contact.
        await to('/contacts');
        await to('/contacts/~create');
        await user.fillIn({
          id: contact,
          name: 'Jaan Tamm',
          email: 'jaan@example.ee',
          phone: '+372.5551234',
          ident: '38001085718',
          identType: 'priv',
          identCountry: 'EE',
        });
        await user.previewAndConfirm('contact');
        await user.press(`a[href^="/console/domains/register?registrant="]`);
        await user.fillIn({ name: fresh, nameservers: 'ns1.hoster.example\nns2.hoster.example' });
        await user.previewAndConfirm('registered');

        // Take over a domain, and give out the code of another one.
        await to('/domains');
        await to('/domains/transfer');
        await user.fillIn({ name: leaving, transferCode: await codeOf(leaving) });
        await user.previewAndConfirm('transferred');
        await user.press('form[action$="/transfer-code"] button');
        await page.getByText(await codeOf(leaving)).waitFor();

        // Renew the results of a filter.
        await to('/bulk');
        await to('/bulk/renew');
        await user.fillIn({ names: `${held}\n${fresh}` });
        await user.press('main button[value="preview"]');
        await user.seen('bulk-preview');
        await user.press('main button[value="confirm"]');
        await user.seen('bulk-result');

        // Top up, pay, and fetch the invoice.
        await to('/balance');
        await user.seen('balance');
        await user.fillIn({ amount: '100.00' });
        await user.previewAndConfirm('invoice');
        const invoice = page.url().replace(/\?.*/, '');
        await user.press('a.act, a[rel~="noreferrer"]');
        await user.press('button[value="settled"]');
        await expect
          .poll(
            async () => {
              await page.goto(invoice);
              return page.locator('a[rel~="noreferrer"]').count();
            },
            { timeout: 20_000 },
          )
          .toBe(0);
        await user.seen('paid');
        const file = await page.request.get(`${invoice}/pdf`);
        expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');

        // Read and acknowledge messages.
        await to('/messages');
        await user.seen('messages');
        await user.check('input[name="message"]');
        await user.press('form[action$="/messages/acknowledge"] button, main form[method="post"] button');
        await page.locator('.outcome[role="status"]').waitFor();

        // Export, and invite a colleague.
        const list = await page.request.get(`${registry.url}/console/domains.csv`);
        expect(await list.text()).toContain(fresh);
        await to('/people');
        await user.fillIn({ email: `kolleeg${nth}@example.ee`, name: 'Uus Kolleeg' });
        await user.check('input[name="role-reader"]');
        await user.press('form[action$="/people/invite"] button');
        await page.locator('.outcome[role="status"]').waitFor();
        await user.seen('invited');
        await to('/access');
        await user.seen('access');

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
