import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { PEOPLE } from '../support/console.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';

/** Counts what a person has to press, beginning with the overview; typing is free, Enter and boxes are not. */
class Clicks {
  readonly #page: Page;
  count = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(selector: string): Promise<void> {
    this.count += 1;
    const target = this.#page.locator(selector).filter({ visible: true }).first();
    await Promise.all([this.#page.waitForNavigation(), target.click()]);
  }

  async open(selector: string): Promise<void> {
    this.count += 1;
    await this.#page.locator(selector).filter({ visible: true }).first().click();
  }

  async search(text: string): Promise<void> {
    this.count += 1;
    const field = this.#page.locator('.find input');
    await field.fill(text);
    await Promise.all([this.#page.waitForNavigation(), field.press('Enter')]);
  }

  async type(name: string, text: string): Promise<void> {
    await this.#page.locator(`main [name="${name}"]`).first().fill(text);
  }
}

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describe.skipIf(noBrowser)('the clicks of a job', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  const during = (viewport: typeof DESKTOP, job: (clicks: Clicks, page: Page) => Promise<void>) =>
    withPage({ viewport }, async (page) => {
      await page.goto(`${registry.url}/console`);
      await page.locator('main [name="email"]').fill(PEOPLE.alpha[0]);
      await page.locator('main [name="password"]').fill(PEOPLE.alpha[1]);
      await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()]);
      const clicks = new Clicks(page);
      await job(clicks, page);
      return clicks.count;
    });

  const held = async (name: string) => {
    await (await Registrant.of(alpha(registry.url), { name: 'Liis Saar' })).register({ name });
    await alpha(registry.url).put(`/domains/${name}/statuses/clientHold`);
  };

  test('success: a domain that does not work is found, explained and brought back in three', async () => {
    await held('surnud.ee');
    const count = await during(DESKTOP, async (clicks, page) => {
      await clicks.search('surnud.ee');
      await clicks.press('main a[href="/console/domains/surnud.ee"]');
      await page.locator('main .tag').first().waitFor();
      await clicks.press('.acts > form[action$="/release"] button');
      await page.locator('.outcome form[action$="/hold"]').waitFor();
    });
    expect(count).toBeLessThanOrEqual(3);
  });

  test('success: a colleague is invited, limited to one role, in four', async () => {
    const count = await during(DESKTOP, async (clicks, page) => {
      await clicks.press('nav.side a[href="/console/people"]');
      await clicks.type('email', 'uus@example.ee');
      await clicks.type('name', 'Uus Inimene');
      await clicks.open('main form[action="/console/people/invite"] [name="role-billing"]');
      await clicks.press('main form[action="/console/people/invite"] button');
      await page.getByText('uus@example.ee').first().waitFor();
    });
    expect(count).toBeLessThanOrEqual(4);
  });

  test('success: an API user has a new password in two, and the old one works for a day', async () => {
    const count = await during(DESKTOP, async (clicks, page) => {
      await clicks.press('nav.side a[href="/console/access"]');
      await clicks.press('main form[action="/console/access/users/alpha/password"] button');
      await page.locator('.secret').waitFor();
    });
    expect(count).toBeLessThanOrEqual(2);
    const { until } = await registry.sql.one(sql<{ until: Date | null }>`
      select previous_password_until as until from api_users where username = 'alpha'`);
    expect(until).not.toBeNull();
  });

  test('success: the data of a registrant on the phone in three', async () => {
    await held('telefon.ee');
    const count = await during(PHONE, async (clicks, page) => {
      await clicks.search('telefon.ee');
      await clicks.press('main a[href="/console/domains/telefon.ee"]');
      await clicks.press('main a[href^="/console/contacts/"]');
      await page.getByText('+372.5551234').first().waitFor();
    });
    expect(count).toBeLessThanOrEqual(3);
  });

  test('success: availability is said while a name is typed', async () => {
    await held('voetud.ee');
    await withPage({ viewport: DESKTOP }, async (page, observed) => {
      await page.goto(
        `${registry.url}/console/login?next=${encodeURIComponent('/console/domains/register')}`,
      );
      await page.locator('main [name="email"]').fill(PEOPLE.alpha[0]);
      await page.locator('main [name="password"]').fill(PEOPLE.alpha[1]);
      await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()]);
      await page.locator('#name').pressSequentially('voetud.ee');
      await page.getByText('This name is taken.').waitFor();
      await page.locator('#name').fill('vaba-veel.ee');
      await page.getByText('vaba-veel.ee is available').waitFor();
      expect(observed.complaints).toEqual([]);
    });
  });
});
