import { describe, expect, test } from 'vitest';
import { bulkOrderReference, invoiceNumberOf } from '../../../src/billing/payments/payment-owner.ts';

const range = (length: number) => Array.from({ length }, (_, index) => 150_005 + index);

describe('the order reference', () => {
  test('success: the bulk invoice, then as many of its parts as fit 120 characters', () => {
    expect(bulkOrderReference(10_001, [150_005, 150_006])).toBe('Ref:10001, 150005, 150006');
    const long = bulkOrderReference(10_001, range(20));
    expect(long).toBe(`Ref:10001, ${range(13).join(', ')}`);
    expect(bulkOrderReference(1001, range(20))).toBe(`Ref:1001, ${range(14).join(', ')}`);
    expect(bulkOrderReference(1001, range(20))).toHaveLength(120);
  });

  test.each([
    ['150005', 150_005],
    ['Ref:150007, 150005, 150006', 150_007],
    ['Ref:150007', 150_007],
    ['Ref: 150007', 150_007],
    ['999999999999999', 999_999_999_999_999],
    ['9999999999999999', undefined],
    ['150005x', undefined],
    ['x150005', undefined],
    ['150005 150006', undefined],
    ['', undefined],
  ])('success: %j belongs to invoice %s', (reference, number) => {
    expect(invoiceNumberOf(reference)).toBe(number);
  });
});
