import { expect, test } from 'vitest';
import { firstUncoveredDay, remainingAt } from '../../../src/registry/registrars/balance-outlook.ts';

const DAYS = [
  { day: '2026-01-02', amount: '600' },
  { day: '2026-01-09', amount: '500' },
];

test.each([
  [0n, '2026-01-02'],
  [599n, '2026-01-02'],
  [600n, '2026-01-09'],
  [1099n, '2026-01-09'],
  [1100n, undefined],
])('success: a balance of %i lasts until %s', (balance, day) => {
  expect(firstUncoveredDay(balance, DAYS)).toBe(day);
});

test('success: what remains, at least nothing', () => {
  const ends = ['2026-01-01', '2026-01-02', '2026-01-08', '2026-01-09'];
  expect(remainingAt(1000n, DAYS, ends)).toEqual([1000n, 400n, 400n, 0n]);
  expect(remainingAt(1000n, [], ends)).toEqual([1000n, 1000n, 1000n, 1000n]);
});
