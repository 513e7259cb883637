import { expect, test } from 'vitest';
import { checkFunds } from '../../../src/registry/prices/check-funds.ts';

const missing = (price: bigint, balance: bigint, debt = 0n) =>
  checkFunds(price, { balance, debt }).map(({ name, members }) => [name, members]);
const short = (price: string, balance: string, rest: string) => [
  ['noFunds', { price, balance, missing: rest }],
];

test('success: the balance covers the price', () => {
  expect(missing(900n, 900n)).toEqual([]);
  expect(missing(0n, 0n)).toEqual([]);
});

test('failure: a cent too little, or everything', () => {
  expect(missing(900n, 899n)).toEqual(short('9.00', '8.99', '0.01'));
  expect(missing(900n, 0n)).toEqual(short('9.00', '0.00', '9.00'));
});

test('failure: a debt must be repaid first, whatever the balance', () => {
  expect(missing(900n, 10_000n, 1n)).toEqual(short('9.00', '100.00', '0.01'));
  expect(missing(900n, 400n, 150n)).toEqual(short('9.00', '4.00', '6.50'));
});
