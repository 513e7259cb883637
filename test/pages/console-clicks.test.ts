import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../support/client.ts';
import { type ConsoleAnswer, type ConsoleClient, loggedIn } from '../support/console.ts';
import { carryOut } from '../support/console-forms.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

/** Jobs of a day, done by the links and forms of the pages without scripts; every link and button is a click. */
class Story {
  readonly #browser: ConsoleClient;
  #page: ConsoleAnswer;
  clicks = 0;

  private constructor(browser: ConsoleClient, page: ConsoleAnswer) {
    this.#browser = browser;
    this.#page = page;
  }

  static async from(browser: ConsoleClient): Promise<Story> {
    return new Story(browser, await browser.get('/console'));
  }

  get text(): string {
    return this.#page.text;
  }

  /** The address of the first link whose address fits, as it stands on the page. */
  link(address: RegExp): string {
    const found = Array.from(this.text.matchAll(/<a [^>]*href="([^"]+)"/g), ([, href = '']) => href).find(
      (href) => address.test(href),
    );
    if (found === undefined) throw new Error(`no link on the page fits ${address}`);
    return found.replaceAll('&amp;', '&');
  }

  async follow(address: RegExp): Promise<void> {
    this.clicks += 1;
    this.#page = await this.#browser.get(this.link(address));
  }

  /** Fills in the form of this action and presses one of its buttons; its hidden fields are sent too. */
  async submit(action: RegExp, filled: Readonly<Record<string, string>> = {}): Promise<void> {
    const form = Array.from(this.text.matchAll(/<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)).find(
      ([, to = '']) => action.test(to),
    );
    if (!form) throw new Error(`no form on the page fits ${action}`);
    const [whole, to = '', fields = ''] = form;
    const names = Array.from(fields.matchAll(/name="([^"]+)"/g), ([, name = '']) => name);
    for (const name of Object.keys(filled)) expect(names).toContain(name);
    const hidden = Array.from(
      fields.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
      ([, name = '', value = '']) => [name, value],
    );
    const all = { ...Object.fromEntries(hidden), ...filled };
    this.clicks += 1;
    const sent = whole.includes('method="post"')
      ? await this.#browser.post(to, all)
      : await this.#browser.get(`${to}?${new URLSearchParams(all)}`);
    this.#page = sent.to ? await this.#browser.get(sent.to) : sent;
  }
}

let registry: TestRegistry;
let browser: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  browser = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

describe('jobs of a day in few clicks', () => {
  test('success: the account is topped up, as far as the page of the payment, in four', async () => {
    const story = await Story.from(browser);
    await story.follow(/\/balance$/);
    await story.submit(/\/balance\/top-up$/, { amount: '1 500,00', step: 'preview' });
    expect(story.text).toContain('€1,860.00');
    await story.submit(/\/balance\/top-up$/, { step: 'confirm' });
    expect(story.link(/\/sandbox\/provider\//)).toContain('http');
    expect(story.clicks + 1).toBe(4);
  });

  test('success: the charges of one customer are found in two, and exported in three', async () => {
    const owner = await Registrant.of(alpha(registry.url), { name: 'Eha Sepp' });
    const name = await owner.register();
    const story = await Story.from(browser);
    await story.follow(/\/balance$/);
    await story.submit(/\/balance$/, { about: 'eha sepp' });
    expect([story.clicks, story.text.includes(name)]).toEqual([2, true]);
    await story.follow(/\/balance\.csv\?/);
    expect([story.clicks, story.text.trimEnd().split('\r\n').length]).toEqual([3, 2]);
  });

  test('success: why a delivery of a webhook failed is seen in three, and it is sent again in four', async () => {
    await carryOut(browser, '/console/webhooks/new', { url: `${registry.url}/sandbox/webhooks/refuse` });
    await new Registrant(alpha(registry.url), await alphaContact()).register();
    await expect
      .poll(async () => {
        await fetch(`${registry.url}/sandbox/webhooks`);
        return (
          await registry.sql.one(sql<{ rows: number }>`select count(*)::int as rows from webhook_attempts`)
        ).rows;
      })
      .toBeGreaterThan(0);
    const story = await Story.from(browser);
    await story.follow(/\/webhooks$/);
    await story.follow(/\/webhooks\/whe_\w+$/);
    await story.follow(/\/deliveries\/msg_\w+$/);
    expect(story.text).toContain('Content');
    await story.submit(/\/deliveries\/msg_\w+\/replay$/);
    expect([
      story.clicks,
      story.text.includes('class="notice"') || story.text.includes('role="status"'),
    ]).toEqual([4, true]);
  });

  test('success: all messages of one kind and day are marked as read in three', async () => {
    await registry.sql.run(sql`
      insert into poll_messages (registrar_id, type, text, created_at)
      select id, 'outzoned', 'Domain d' || n || '.ee has left the zone', now() from registrars, generate_series(1, 5) as n where code = 'ALPHA'`);
    const story = await Story.from(browser);
    await story.follow(/\/messages$/);
    const [, box = ''] = /name="message" value="(\d+ [\d ]+)"/.exec(story.text) ?? [];
    expect(box.split(' ')).toHaveLength(5);
    // The box itself is a click too.
    story.clicks += 1;
    await story.submit(/\/messages\/acknowledge$/, { message: box });
    expect([story.clicks, story.text.includes('d5.ee')]).toEqual([3, false]);
  });
});

async function alphaContact(): Promise<string> {
  return (await Registrant.of(alpha(registry.url))).code;
}
