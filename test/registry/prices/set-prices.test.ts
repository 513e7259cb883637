import { expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { endPrice } from '../../../src/registry/prices/end-price.ts';
import { listPrices } from '../../../src/registry/prices/list-prices.ts';
import { setPrices } from '../../../src/registry/prices/set-prices.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const price = { zone: 'pri.ee', operation: 'create', months: 12 } as const;
const set = (zone: string, validFrom: string) =>
  carryOut(core.database.writes, setPrices, [{ ...price, zone, amount: 500n, validFrom }], operator());
const end = () => carryOut(core.database.writes, endPrice, { ...price, day: '2035-01-01' }, operator());
const ends = async () =>
  (await listPrices(core.database.reads, price.zone))
    .filter(({ operation, period }) => operation === 'create' && period === '1y')
    .map(({ validUntil }) => validUntil);

test('failure: a price in a zone that there is not, alone or among others', async () => {
  await expect(set('lv', '2030-01-01')).rejects.toThrow('lv is no zone of this registry; there are');
  expect(await listPrices(core.database.reads, 'lv')).toEqual([]);
});

test('failure: a price of nothing, or less', async () => {
  for (const amount of [0n, -1n]) {
    const free = carryOut(
      core.database.writes,
      setPrices,
      [{ ...price, amount, validFrom: '2030-01-01' }],
      operator(),
    );
    await expect(free).rejects.toThrow('The amount is above zero, such as 9.00');
  }
});

test('success: of several ends at once one ends the price, and no older one is in force again', async () => {
  await set('pri.ee', '2030-01-01');
  expect(await ends()).toEqual([null, null]);
  const outcomes = await Promise.allSettled([end(), end(), end()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await ends()).toEqual(['2035-01-01', '2035-01-01']);
});
