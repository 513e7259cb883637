import { describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { endPrice } from '../../../src/registry/prices/end-price.ts';
import { pricesInZones, readPriceSchedule, scheduleOf } from '../../../src/registry/prices/price-schedule.ts';
import { setPrices } from '../../../src/registry/prices/set-prices.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const TODAY = '2030-06-01';
const yearly = { zone: 'ee', operation: 'create', months: 12 } as const;
const from = (validFrom: string, validUntil: string | null, amount: bigint | undefined) => ({
  ...yearly,
  validFrom,
  validUntil,
  amount,
});

describe('a schedule of prices', () => {
  test('success: what is over is left out, what is announced is not', () => {
    const rows = [
      from('2030-01-01', '2030-06-01', 800n),
      from('2030-06-01', '2030-06-02', 900n),
      from('2030-06-02', null, 950n),
    ];
    expect(scheduleOf(rows, TODAY)).toEqual(rows.slice(1));
  });

  test('success: equal prices in a row are one, from the first day on', () => {
    const rows = [from('2029-01-01', '2030-03-01', 900n), from('2030-03-01', null, 900n)];
    expect(scheduleOf(rows, TODAY)).toEqual([from('2029-01-01', null, 900n)]);
  });

  test('success: equal prices with days without one between them are two', () => {
    const rows = [
      from('2030-01-01', '2030-07-01', 900n),
      from('2030-07-01', '2030-08-01', undefined),
      from('2030-08-01', null, 900n),
    ];
    expect(scheduleOf(rows, TODAY)).toEqual([rows[0], rows[2]]);
  });

  test('success: equal prices of other periods stay apart', () => {
    const rows = [from('2030-01-01', '2030-07-01', 900n), { ...from('2030-07-01', null, 900n), months: 24 }];
    expect(scheduleOf(rows, TODAY)).toEqual(rows);
  });
});

test('success: a later price takes the place of a running one, which is in force again when it ends', async () => {
  const of = { zone: 'med.ee', operation: 'renew', months: 12 } as const;
  const context = await core.context('alpha', { now: new Date('2040-01-15T10:00:00Z') });
  const set = (amount: bigint, validFrom: string) =>
    carryOut(core.database.writes, setPrices, [{ ...of, amount, validFrom }], operator());
  await set(1_000n, '2040-02-01');
  await set(1_100n, '2040-03-01');
  await carryOut(core.database.writes, endPrice, { ...of, day: '2041-01-01' }, operator());
  await set(1_200n, '2041-06-01');
  const shown = (await readPriceSchedule(core.database.reads, context))
    .filter((each) => each.zone === of.zone && each.operation === 'renew' && each.months === 12)
    .map(({ amount, validFrom, validUntil }) => [amount, validFrom, validUntil]);
  expect(shown.slice(1)).toEqual([
    [1_000n, '2040-02-01', '2040-03-01'],
    [1_100n, '2040-03-01', '2041-01-01'],
    [1_200n, '2041-06-01', null],
  ]);
  expect(shown[0]).toEqual([900n, expect.any(String), '2040-02-01']);
  const on = async (day: string) =>
    (await pricesInZones(core.database.reads, [of.zone], { ...context, now: new Date(`${day}T10:00:00Z`) }))
      .filter((each) => each.operation === 'renew' && each.months === 12)
      .map(({ amount }) => amount);
  expect(await on('2040-02-29')).toEqual([1_000n]);
  expect(await on('2040-03-01')).toEqual([1_100n]);
  expect(await on('2041-01-01')).toEqual([]);
});

test('success: no zone has no prices', async () => {
  const context = await core.context('alpha');
  expect(await pricesInZones(core.database.reads, [], context)).toEqual([]);
  expect(await pricesInZones(core.database.reads, ['lv'], context)).toEqual([]);
});
