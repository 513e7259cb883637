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

/** The range as if everything below were handed out. */
const goTo = (number: number) =>
  registry.sql.rows(sql`
    insert into invoice_ranges (name, next_number) values ('regular', ${number})
    on conflict (name) do update set next_number = excluded.next_number`);

describe('invoice numbers', () => {
  test('success: begin with the first of the range', async () => {
    const { status, body } = await auction.post(PATH);
    expect([status, body]).toEqual([201, { message: `Number created; ${FIRST}`, invoice_number: FIRST }]);
  });

  test('success: 32 askers at once get 32 numbers that follow each other', async () => {
    const askers = Array.from({ length: 32 }, (_, index) => (index % 2 === 0 ? auction : eeid));
    const numbers = await Promise.all(askers.map((asker) => asker.number()));
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

  test('success: a body is nobody’s business, as long as it is JSON', async () => {
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

  test('success: the range may have been moved up, and nothing below is handed out', async () => {
    const next = await auction.number();
    await goTo(1);
    expect(await auction.number()).toBe(next + 1);
  });

  test('failure: none is left; what is left is handed out once, and the last never again', async () => {
    await goTo(LAST - 2);
    const askers = await Promise.all(Array.from({ length: 8 }, () => auction.post(PATH)));
    const given = askers.filter(({ status }) => status === 201).map(({ body }) => body.invoice_number);
    // The very last was imported before.
    expect(given.toSorted()).toEqual([LAST - 2, LAST - 1]);
    const refused = askers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 6 }, () => [
        501,
        { message: 'Number create failed. out of range', error: 'out of range' },
      ]),
    );
    const [row] = await registry.sql.rows(sql`select max(number)::int as highest from invoice_numbers`);
    expect(row?.highest).toBe(LAST);
  });

  test('failure: a range that imports have filled is told in no time', async () => {
    await registry.sql.run(sql`
      insert into invoice_numbers (number, initiator, allocated_at)
      select number, 'eeid', now() from generate_series(${FIRST}::int, ${LAST}::int) number on conflict do nothing`);
    await goTo(FIRST);
    const started = performance.now();
    const replies = await Promise.all(Array.from({ length: 5 }, () => auction.post(PATH)));
    expect(replies.map(({ status }) => status)).toEqual([501, 501, 501, 501, 501]);
    expect(performance.now() - started).toBeLessThan(4000);
  });

  test('success: a gap that they have left is found', async () => {
    const gaps = [FIRST + 20_000, FIRST + 20_001, LAST];
    await registry.sql.run(sql`delete from invoice_numbers where number = any(${gaps}::bigint[])
      and not exists (select from invoices i where i.number = invoice_numbers.number)`);
    await goTo(FIRST);
    expect([await auction.number(), await auction.number()]).toEqual(gaps.slice(0, 2));
  });
});
