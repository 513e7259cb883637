import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricedLines } from '../../../src/billing/exports/invoice-documents.ts';
import { lineTexts } from '../../../src/billing/invoices/line-texts.ts';
import { splitGross, spreadEvenly } from '../../../src/billing/invoices/vat.ts';

const total = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);

describe('equal lines', () => {
  test('success: twenty names over 200.00 with VAT differ by a cent, not by ten', () => {
    const { net, vat } = splitGross(20_000n, 24);
    const nets = spreadEvenly(net, 20);
    expect([...new Set(nets)]).toEqual([807n, 806n]);
    const lines = nets.map((each) => ({ description: 'x', quantity: 1, net: each }));
    const taxes = pricedLines({ lines, net, vat }).map((line) => line.vat);
    expect([total(nets), total(taxes)]).toEqual([net, vat]);
    expect(taxes.every((tax) => tax === 193n || tax === 194n)).toBe(true);
  });

  test('success: whatever the sum, nothing is lost and no part is more than a cent larger', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.integer({ min: 1, max: 200 }), (sum, count) => {
        const parts = spreadEvenly(sum, count);
        const [first = 0n, last = 0n] = [parts[0], parts.at(-1)];
        return parts.length === count && total(parts) === sum && first - last <= 1n && first >= last;
      }),
    );
  });
});

test('success: the lines that we write ourselves are in both languages', () => {
  expect([lineTexts.reservation('õun.ee', 1), lineTexts.reservation('õun.ee', 2)]).toEqual([
    'õun.ee: reserveerimine 1 aastaks / reservation for 1 year',
    'õun.ee: reserveerimine 2 aastaks / reservation for 2 years',
  ]);
  for (const text of [
    lineTexts.reservedName('a.ee'),
    lineTexts.prepayment('A'),
    lineTexts.deposit('a.ee'),
    lineTexts.invoice(1),
    lineTexts.reload,
    lineTexts.imported,
  ])
    expect(text).toMatch(/^\S.* \/ \S/);
});
