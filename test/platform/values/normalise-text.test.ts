import { describe, expect, test } from 'vitest';
import { isLengthWithin, normaliseText, withCommas } from '../../../src/platform/values/normalise-text.ts';

describe('normaliseText', () => {
  test('success: letters and their marks become one', () => {
    expect(normaliseText('o\u0303', 2)).toBe('õ');
    expect(normaliseText(`a${'\u0301'.repeat(8)}`, 9)).toBe(`á${'\u0301'.repeat(7)}`);
  });

  test.each([
    ['a text that is too long', 'aaa', 2],
    ['marks without end', `a${'\u0301'.repeat(9)}`, 1_000],
    ['marks of two kinds without end', `a${'\u0301\u0327'.repeat(20_000)}`, 100_000],
  ])('failure: %s', (_what, text, maxLength) => {
    expect(normaliseText(text, maxLength)).toBeUndefined();
  });
});

test.each([0, 7, 999, 1_000, 12_345, 1_048_576])('success: %i is written with commas', (whole) => {
  expect(withCommas(whole)).toBe(whole.toLocaleString('en'));
});

test.each([
  ['', { max: 1 }, true],
  ['aaa', { max: 2 }, false],
  ['aa', { min: 3, max: 4 }, false],
  ['\u{20000}'.repeat(2), { min: 3, max: 4 }, false],
  ['\u{20000}'.repeat(3), { min: 3, max: 4 }, true],
  ['\u{20000}'.repeat(4), { min: 3, max: 4 }, true],
  ['\u{20000}'.repeat(5), { min: 3, max: 4 }, false],
  ['a'.repeat(9), { min: 3, max: 4 }, false],
  ['\u{20000}aaa', { max: 4 }, true],
])('success: %o counted in characters, within %o: %s', (text, bounds, isWithin) => {
  expect(isLengthWithin(text, bounds)).toBe(isWithin);
});
