import { describe, expect, test } from 'vitest';
import { readNumbers, requirePayableParts } from '../../../src/billing/invoices/bulk-payment.ts';
import type { Invoice, Status } from '../../../src/billing/invoices/invoice.ts';
import { Refused, textOf } from '../../../src/operations/refusal.ts';
import { invoiceOf } from '../../support/invoices.ts';

const reasonsOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.refusals.map((refusal) => [refusal.at?.join('.'), textOf(refusal)]);
  }
};
const range = (count: number) => Array.from({ length: count }, (_, index) => 160_000 + index);

describe('the numbers in a description', () => {
  test.each([
    ['150005', [150_005]],
    ['150005 150006', [150_005, 150_006]],
    ['  150005 \n 150006\t150007  ', [150_005, 150_006, 150_007]],
    ['0150005', [150_005]],
    [range(100).join(' '), range(100)],
  ])('success: %j', (description, numbers) => {
    expect(readNumbers(description)).toEqual(numbers);
  });

  test.each([
    ['auction_deposit', 'auction_deposit is no invoice number'],
    ['150123.ee', '150123.ee is no invoice number'],
    ['1501234e-1', '1501234e-1 is no invoice number'],
    ['150005,150006', '150005,150006 is no invoice number'],
    ['-150005', '-150005 is no invoice number'],
    ['150005 x', 'x is no invoice number'],
    ['9'.repeat(16), `${'9'.repeat(16)} is no invoice number`],
    ['150005 150005', 'names an invoice twice'],
    ['150005 0150005', 'names an invoice twice'],
    [range(101).join(' '), 'names more than 100 invoices'],
  ])('failure: %j', (description, text) => {
    expect(reasonsOf(() => readNumbers(description))).toEqual([['description', text]]);
  });
});

describe('what a bulk payment pays', () => {
  const [first, second] = [invoiceOf({ number: 1, amount: 1000n }), invoiceOf({ number: 2, amount: 2000n })];
  const pays = (invoices: readonly Invoice[], amount: bigint, numbers = [1, 2]) =>
    reasonsOf(() => requirePayableParts(invoices, { numbers, initiator: 'auction', amount }));

  test('success: the invoices of the caller, whose sum is the amount', () => {
    expect(pays([first, second], 3000n)).toEqual([first, second]);
  });

  test.each([2999n, 3001n, 1000n])('failure: the sum is not that of the invoices: %s', (amount) => {
    expect(pays([first, second], amount)).toEqual([['amount', 'the invoices come to 30.00']]);
  });

  test('failure: some do not exist, are another’s, or are bulk invoices: the same answer', () => {
    const missing = [['description', 'there is no invoice 2']];
    expect(pays([first], 3000n)).toEqual(missing);
    expect(pays([first, { ...second, initiator: 'eeid' }], 3000n)).toEqual(missing);
    expect(pays([first, { ...second, kind: 'bulk' }], 3000n)).toEqual(missing);
    expect(pays([], 3000n)).toEqual([['description', 'there is no invoice 1, 2']]);
  });

  test.each<[Status, boolean]>([
    ['unpaid', true],
    ['failed', true],
    ['overdue', true],
    ['paid', false],
    ['cancelled', false],
    ['refunded', false],
  ])('success: one of them is %s: paid with the others is %j', (status, payable) => {
    const other = { ...second, status };
    expect(pays([first, other], 3000n)).toEqual(
      payable ? [first, other] : [['description', `invoice 2 is ${status}`]],
    );
  });
});
