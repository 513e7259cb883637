import { describe, expect, test } from 'vitest';
import { normaliseText, withCommas } from '../../../src/platform/values/text.ts';

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
