import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { tableRows } from '../../support/table-rows.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: ConsoleClient;
let other: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  [client, other] = [await loggedIn(registry.url), await loggedIn(registry.url, 'beta')];
  const user = alpha(registry.url);
  for (const path of ['/domains', '/domains', '/domains/absent.ee']) await user.get(path);
  // 60 changes on 2 March 2021, newest last, older than everything of the seed; and one of an operator.
  await registry.sql.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
    select timestamptz '2021-03-02 12:00Z' + n / 2 * interval '1 second', 'domain', n, 'old-' || n || '.ee', 'renew', r.id,
      case when n = 61 then 'operator:juhan' when n % 2 = 0 then 'epp:alpha' else 'person:' || ${PEOPLE.alpha[0]} end
    from generate_series(1, 61) n, registrars r where r.code = 'ALPHA'`);
  await vi.waitFor(async () => expect(await page()).toContain('2303 refused'), NOTICED);
});
afterAll(() => registry.stop());

const page = async (query = '', by = client) => (await by.get(`/console/activity?${query}`)).text;
/** Not those of the last days. */
const CALLS = /API calls of \d/;
const oldNames = (text: string) => text.match(/(?<=>)old-\d+\.ee/g) ?? [];

describe('API calls', () => {
  test('success: they are counted by user, call and result, and by day', async () => {
    const text = await page();
    expect(tableRows(text, CALLS)).toEqual([
      ['alpha', 'API GET /registry/v1/domains', '1000 done', '2'],
      ['alpha', 'API GET /registry/v1/domains/:domain_name', '2303 refused', '1'],
    ]);
    const [[, calls, failed] = []] = tableRows(text, /API calls of the last/);
    expect([calls, failed]).toEqual(['3', '1']);
  });

  test.each([
    ['who=alpha', 2],
    [`who=${encodeURIComponent(PEOPLE.alpha[0])}`, 0],
    ['who=beta', 0],
    ['day=2021-03-02', 0],
  ])('success: ?%s', async (query, rows) => {
    expect(tableRows(await page(query), CALLS)).toHaveLength(rows);
  });

  test('success: another registrar sees none of them', async () => {
    const text = await page('who=alpha', other);
    expect(tableRows(text, CALLS)).toEqual([]);
    expect(text).not.toContain('old-');
  });

  test.each(['day=yesterday', 'day=2021-02-30', 'who=%00', `who=${'x'.repeat(256)}`])(
    'failure: ?%s',
    async (query) => {
      const { status, text } = await client.get(`/console/activity?${query}`);
      expect([status, text.includes('aria-invalid="true"')]).toEqual([400, true]);
    },
  );
});

describe('changes', () => {
  const followed = async (query: string) => {
    const texts: string[] = [];
    for (let address: string | undefined = `/console/activity?${query}`; address !== undefined; ) {
      const { text } = await client.get(address);
      texts.push(text);
      address = /rel="next" href="([^"#]+)/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    return texts;
  };

  test('success: pagination without gap or overlap, to the beginning', async () => {
    const texts = await followed('');
    expect(texts.length).toBeGreaterThan(1);
    const names = texts.flatMap(oldNames);
    expect([names.length, new Set(names).size]).toEqual([61, 61]);
    expect(names.slice(0, 2)).toEqual(['old-61.ee', 'old-60.ee']);
    expect(texts.join('')).not.toContain('juhan');
  });

  test.each([
    ['alpha', 30, 'alpha (EPP)'],
    [PEOPLE.alpha[0], 30, `${PEOPLE.alpha[0]} (console)`],
    ['nobody', 0, 'Nothing was changed.'],
    ['juhan', 0, 'Nothing was changed.'],
  ])('success: changes of %s', async (who, changes, words) => {
    const text = (await followed(`who=${encodeURIComponent(who)}`)).join('');
    expect(oldNames(text)).toHaveLength(changes);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain(words);
  });

  test('success: a transfer with the contacts that were copied for it is one change', async () => {
    const mari = await Registrant.of(alpha(registry.url), { name: 'Mari Maasikas' });
    const name = await mari.register({ name: 'kolija.ee' });
    const { code } = await registry.sql.one(
      sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
    );
    const moved = await beta(registry.url).post('/domains/transfer', {
      data: { domain_transfers: [{ domain_name: name, transfer_code: code }] },
    });
    expect(moved.status).toBe(200);
    const { copy } = await registry.sql.one(
      sql<{
        copy: string;
      }>`select c.code as copy from contacts c join domains d on d.registrant_id = c.id where d.name = ${name}`,
    );
    const text = await page('', other);
    const about = tableRows(text, /Changes/).filter((row) => row.join(' ').match(/kolija|Copied/));
    expect(about).toEqual([
      [
        expect.any(String),
        `Domain ${name}`,
        `Transferred to you. Contacts copied for you: ${copy}`,
        'beta (API)',
      ],
    ]);
    expect(text).toContain(`<a class="within" href="/console/contacts/${encodeURIComponent(copy)}">`);
  });
});
