import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal, toDecimal } from '../../../src/platform/values/money.ts';

const MOST = 10n ** 15n - 1n;

describe('money', () => {
  test.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [-1n, '-0.01'],
    [99n, '0.99'],
    [100n, '1.00'],
    [-12_345n, '-123.45'],
    [MOST, '9999999999999.99'],
  ])('success: %s cents are %s', (cents, text) => {
    expect(toDecimal(cents)).toBe(text);
    expect(parseDecimal(text)).toBe(cents);
  });

  test('success: what is written can be read again, whatever the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MOST, max: MOST }), (cents) => parseDecimal(toDecimal(cents)) === cents),
    );
  });

  test('success: what is read adds up as money does', () => {
    const amount = fc.bigInt({ min: 0n, max: MOST / 2n });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const sum = (parseDecimal(toDecimal(a)) ?? 0n) + (parseDecimal(toDecimal(b)) ?? 0n);
        return toDecimal(sum) === toDecimal(a + b);
      }),
    );
  });

  test.each([
    '',
    '1',
    '1.',
    '.50',
    '1.5',
    '1.555',
    '1,50',
    '+1.00',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '--1.00',
    '1e3',
    'NaN',
    '١.٠٠',
    '10000000000000.00',
  ])('failure: %j is no amount', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  test('success: whatever is read has the value that its digits say', () => {
    const nearlyAmounts = fc.stringMatching(/^-?[0-9]{0,14}\.?[0-9]{0,3}$/);
    fc.assert(
      fc.property(nearlyAmounts, (text) => {
        const cents = parseDecimal(text);
        return cents === undefined || Math.abs(Number(text) * 100 - Number(cents)) < 0.5;
      }),
      { numRuns: 1000 },
    );
  });
});
