import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Service } from '../../support/billing.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/invoice_generator/invoice_number_generator';
const FIRST = 150_005;
const LAST = 199_999;

let registry: TestRegistry;
let auction: Service;
let eeid: Service;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
});
afterAll(() => registry.stop());

/** Continues the range as if all numbers below were allocated. */
const setNextNumber = (number: number) =>
  registry.sql.rows(sql`
    insert into invoice_ranges (name, next_number) values ('regular', ${number})
    on conflict (name) do update set next_number = excluded.next_number`);

describe('invoice numbers', () => {
  test('success: they begin with the first of the range', async () => {
    const { status, body } = await auction.post(PATH);
    expect([status, body]).toEqual([201, { message: `Number created; ${FIRST}`, invoice_number: FIRST }]);
  });

  test('success: 32 concurrent requests get 32 consecutive numbers', async () => {
    const callers = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? auction : eeid));
    const numbers = await Promise.all(callers.map((caller) => caller.number()));
    const sorted = numbers.toSorted((a, b) => a - b);
    expect(sorted).toEqual(Array.from({ length: 32 }, (_, index) => FIRST + 1 + index));
  });

  test('success: each is bound to the caller that asked for it', async () => {
    const [mine, theirs] = [await auction.number(), await eeid.number()];
    const rows = await registry.sql.rows(sql`
      select number, initiator from invoice_numbers where number in (${mine}, ${theirs}) order by number`);
    expect([...rows]).toEqual([
      { number: mine, initiator: 'auction' },
      { number: theirs, initiator: 'eeid' },
    ]);
  });

  test('success: the body is ignored, as long as it is JSON', async () => {
    for (const body of [{}, { initiator: 'eeid', count: 7 }, [], null, 'text'])
      expect((await auction.post(PATH, body)).status).toBe(201);
  });

  test('success: numbers that were imported are passed over', async () => {
    const next = await auction.number();
    const imported = [next + 1, next + 2, next + 4];
    const { body } = await eeid.post(
      '/import_data/invoice_data',
      imported.map((invoice_number) => ({ invoice_number, transaction_amount: '10.00', status: 'paid' })),
    );
    expect(body.message).toMatch(/^Added 3 invoices, skipped 0\./);
    expect([await auction.number(), await auction.number()]).toEqual([next + 3, next + 5]);
  });

  test('success: the lowest that is left, also where others were taken above it', async () => {
    const next = await auction.number();
    const { body } = await eeid.post('/import_data/invoice_data', [
      { invoice_number: LAST, transaction_amount: '10.00', status: 'paid' },
    ]);
    expect(body.message).toMatch(/^Added 1 invoices, skipped 0\./);
    expect(await auction.number()).toBe(next + 1);
  });

  test('success: the range may have been moved up, and nothing below it is allocated', async () => {
    const next = await auction.number();
    await setNextNumber(1);
    expect(await auction.number()).toBe(next + 1);
  });

  test('failure: the range is exhausted; each remaining number is allocated once, an imported one never', async () => {
    await setNextNumber(LAST - 2);
    const replies = await Promise.all(Array.from({ length: 8 }, () => auction.post(PATH)));
    const given = replies.filter(({ status }) => status === 201).map(({ body }) => body.invoice_number);
    // The last one was imported before.
    expect(given.toSorted()).toEqual([LAST - 2, LAST - 1]);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 6 }, () => [
        501,
        { message: 'Number create failed. out of range', error: 'out of range' },
      ]),
    );
    const [row] = await registry.sql.rows(sql`select max(number)::int as highest from invoice_numbers`);
    expect(row?.highest).toBe(LAST);
  });

  test('failure: a range that imports have filled is reported quickly', async () => {
    await registry.sql.run(sql`
      insert into invoice_numbers (number, initiator, allocated_at)
      select number, 'eeid', now() from generate_series(${FIRST}::int, ${LAST}::int) number on conflict do nothing`);
    await setNextNumber(FIRST);
    const started = performance.now();
    const replies = await Promise.all(Array.from({ length: 5 }, () => auction.post(PATH)));
    expect(replies.map(({ status }) => status)).toEqual([501, 501, 501, 501, 501]);
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  test('success: a gap between imported numbers is found', async () => {
    const gaps = [FIRST + 20_000, FIRST + 20_001, LAST];
    await registry.sql.run(sql`delete from invoice_numbers where number = any(${gaps}::bigint[])
      and not exists (select from invoices i where i.number = invoice_numbers.number)`);
    await setNextNumber(FIRST);
    expect([await auction.number(), await auction.number()]).toEqual(gaps.slice(0, 2));
  });
});
