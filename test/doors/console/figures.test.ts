import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { countDays } from '../../../src/registry/figures/count-days.ts';
import { lastMonths } from '../../../src/registry/figures/read-figures.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { tableRows } from '../../support/table-rows.ts';

const now = new Date();
const HOUR_MS = 3_600_000;
const months = lastMonths(now, ee.timeZone);
/** Row indexes of the table, newest month first. */
const [PRESENT, BEFORE, EARLIER] = [0, 1, 2];
const first = (back: number) => `${months.at(-1 - back)}-01`;

let registry: TestRegistry;
let client: ConsoleClient;
let reader: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  [client, reader] = [await loggedIn(registry.url), await loggedIn(registry.url, 'reader')];
  // In one transaction: the worker may count at any time.
  await registry.sql.begin(async (db) => {
    await db.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
      select (e.day::date + e.time::interval) at time zone ${ee.timeZone}, e.kind, 1, 'old.ee', e.operation, r.id, 'user:x'
      from registrars r, (values
        (${first(BEFORE)}, '0 seconds', 'domain', 'create'), (${first(BEFORE)}, '3 days', 'domain', 'create'),
        (${first(PRESENT)}, '-1 second', 'domain', 'renew'), (${first(BEFORE)}, '-1 second', 'domain', 'renew'),
        (${first(BEFORE)}, '5 days', 'domain', 'update'), (${first(BEFORE)}, '5 days', 'contact', 'create')) as e(day, time, kind, operation)
      where r.code = 'ALPHA'`);
    await db.run(sql`
      insert into poll_messages (registrar_id, type, text, created_at)
      select r.id, m.type, m.type, m.day::date::timestamp at time zone ${ee.timeZone} + n * interval '1 hour'
      from registrars r, (values (${first(BEFORE)}, 'transferred_in', 1), (${first(BEFORE)}, 'transferred_away', 2), (${first(EARLIER)}, 'deleted', 3),
        (${first(BEFORE)}, 'expired', 4)) as m(day, type, number), generate_series(1, m.number) n
      where r.code = 'ALPHA'`);
    await db.run(sql`
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor)
      select ${first(BEFORE)}::date::timestamp at time zone ${ee.timeZone} - interval '1 second', a.id, revenue.id, 1, 'renew', 'Renew', a.registrar_id, 123456, 'test'
      from ledger_accounts a join registrars r on r.id = a.registrar_id and r.code = 'ALPHA'
      join ledger_accounts revenue on revenue.kind = 'revenue' and revenue.currency = a.currency where a.kind = 'registrar'`);
    await db.run(sql`update registrars set created_at = created_at - interval '3 months'`);
  });
});
afterAll(() => registry.stop());

const page = async (by = client) => (await by.get('/console/figures')).text;
const rows = async (by = client) => tableRows(await page(by), /Data/);
const expectFigures = async () => {
  const found = await rows();
  expect(found).toHaveLength(24);
  expect(found[BEFORE]?.slice(1)).toEqual(['2', '1', '1', '2', '0', '€1,234.56']);
  expect(found[EARLIER]?.slice(1)).toEqual(['0', '1', '0', '0', '3', '€1,234.56']);
  expect(found[EARLIER + 1]?.slice(1)).toEqual(['0', '0', '0', '0', '0', '–']);
};

describe('figures', () => {
  test('success: each event counts in its month of the registry’s zone, counted or not', async () => {
    await expectFigures();
    await countDays(registry.sql, ee, now);
    await expectFigures();
  });

  test('success: days that are over are counted once, an hour after their end', async () => {
    const midnight = new Date(
      (
        await registry.sql.one(sql<{ at: Date }>`
        select (${now}::timestamptz at time zone ${ee.timeZone})::date::timestamp at time zone ${ee.timeZone} as at`)
      ).at,
    );
    // In one transaction: a worker that counts meanwhile still finds the days that were deleted.
    const last = (at: Date) =>
      registry.sql.begin(async (db) => {
        await db.run(sql`delete from daily_figures where day > ${now}::date - 5`);
        await countDays(db, ee, at);
        await countDays(db, ee, at);
        const { day } = await db.one(sql<{ day: number }>`
          select ((${now}::timestamptz at time zone ${ee.timeZone})::date - max(day))::int as day from daily_figures`);
        return day;
      });
    expect(await last(new Date(midnight.getTime() + HOUR_MS - 1))).toBe(2);
    expect(await last(new Date(midnight.getTime() + HOUR_MS))).toBe(1);
    await expectFigures();
  });

  test('success: days that a clock has counted before they came are not counted when it is back', async () => {
    await registry.sql.begin(async (db) => {
      await countDays(db, ee, new Date(now.getTime() + 420 * 24 * HOUR_MS));
      const future = () => db.rows(sql`select from daily_figures where day > ${now}::date limit 1`);
      expect(await future()).toHaveLength(1);
      await countDays(db, ee, now);
      expect(await future()).toEqual([]);
    });
    await expectFigures();
  });

  test('success: counted days are not counted again by the page', async () => {
    const change = (by: number) =>
      registry.sql.run(sql`
        update daily_figures set renewed = renewed + ${by}::int where day = ${first(BEFORE)}::date
        and registrar_id = (select id from registrars where code = 'ALPHA')`);
    expect(await change(1000)).toBe(1);
    expect((await rows())[BEFORE]?.[2]).toBe('1,001');
    await change(-1000);
  });

  test('success: charts have names and a sentence; the balance is for roles that may see money', async () => {
    for (const [by, charts] of [
      [client, 6],
      [reader, 5],
    ] as const) {
      const text = await page(by);
      const named = [
        ...text.matchAll(/<svg [^>]*role="img" aria-labelledby="([^"]+)" aria-describedby="([^"]+)"/g),
      ];
      expect(named).toHaveLength(charts);
      for (const id of named.flatMap(([, ...ids]) => ids)) expect(text).toContain(`id="${id}"`);
      expect([text.includes('€1,234.56'), text.includes('Balance at the end')]).toEqual([
        charts === 6,
        charts === 6,
      ]);
    }
    expect(await page()).toMatch(/<desc id="deleted-text">Between 0 and 3; \d+ in /);
  });

  test('success: another registrar has its own figures', async () => {
    const others = await rows(await loggedIn(registry.url, 'beta'));
    expect(others[BEFORE]?.slice(1, 6)).toEqual(['0', '0', '0', '0', '0']);
  });
});
