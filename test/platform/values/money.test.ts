import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseAmount,
  parseDecimal,
  parseSignedAmount,
  toDecimal,
} from '../../../src/platform/values/money.ts';

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

  test('success: any amount round-trips', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MOST, max: MOST }), (cents) => parseDecimal(toDecimal(cents)) === cents),
    );
  });

  test('success: parsed amounts add up exactly', () => {
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

  test('success: a parsed amount has the value of its digits', () => {
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

describe('an amount as a client writes it', () => {
  test.each([
    ['20', 2000n],
    ['20.5', 2050n],
    ['20.50', 2050n],
    ['0.01', 1n],
    ['007', 700n],
    ['999999999999', 99_999_999_999_900n],
    ['9999999999.99', 999_999_999_999n],
    ['99999999999.9', 9_999_999_999_990n],
  ])('success: %s', (text, cents) => {
    expect(parseAmount(text)).toBe(cents);
    expect([parseSignedAmount(text), parseSignedAmount(`-${text}`)]).toEqual([cents, -cents]);
  });

  test.each([
    '',
    '.',
    '.5',
    '20.',
    '20.505',
    '1,5',
    '1 000',
    '+1',
    '--1',
    '1e3',
    '0x1',
    '٣',
    'x',
    '1.2.3',
    '1000000000000',
    '99999999999.99',
    '1'.repeat(100_000),
  ])('failure: %s', (text) => {
    expect([parseAmount(text), parseSignedAmount(text)]).toEqual([undefined, undefined]);
    expect(parseAmount(`-${text}`)).toBeUndefined();
  });
});
