import { describe, expect, test } from 'vitest';
import { checkDigit, isReferenceNumber } from '../../../src/billing/invoices/reference-numbers.ts';

describe('check digits', () => {
  test.each([
    ['1', 3],
    ['1234567891234567891', 7],
    ['773423', 0],
    ['214403', 2],
    ['736648', 8],
  ])('success: of %s it is %i', (base, digit) => {
    expect(checkDigit(base)).toBe(digit);
    expect(isReferenceNumber(`${base}${digit}`)).toBe(true);
  });

  test.each(['7366487', '7734231', '3', '', '13x', ' 13', '1'.repeat(21), '-13', '1.3'])(
    'failure: %j is no reference number',
    (text) => expect(isReferenceNumber(text)).toBe(false),
  );
});
