import { describe, expect, test } from 'vitest';
import { canBecome, isPayable, type Status, statuses } from '../../../src/billing/invoices/invoice.ts';
import { requireStatusReachable } from '../../../src/billing/invoices/set-invoice-status.ts';
import { requirePayable } from '../../../src/billing/payments/payment-attempt.ts';
import { refusalsOf } from '../../support/decisions.ts';
import { invoiceOf } from '../../support/invoices.ts';

/** Which statuses follow each one, and whether it can be paid. */
const NEXT: readonly [from: Status, to: readonly Status[], payable: boolean][] = [
  ['unpaid', ['paid', 'failed', 'cancelled', 'overdue'], true],
  ['failed', ['unpaid', 'paid', 'cancelled'], true],
  ['overdue', ['unpaid', 'paid', 'cancelled'], true],
  ['paid', ['refunded'], false],
  ['cancelled', [], false],
  ['refunded', [], false],
];

describe.each(NEXT)('an invoice that is %s', (from, next, payable) => {
  const invoice = invoiceOf({ status: from });

  test.each(statuses)(`success: becomes %s or is refused, as in the table`, (to) => {
    expect(canBecome(from, to)).toBe(next.includes(to));
    expect(refusalsOf(() => requireStatusReachable({ invoice, leaves: [invoice] }, to))).toEqual(
      next.includes(to) ? [] : [['statusUnreachable', 'status']],
    );
  });

  test(`success: ${payable ? 'can' : 'cannot'} be paid`, () => {
    expect(isPayable(invoice)).toBe(payable);
    expect(refusalsOf(() => requirePayable(invoice))).toEqual(
      payable ? [] : [['invoiceNotPayable', 'number']],
    );
  });
});

describe('the status of a bulk invoice', () => {
  const invoice = invoiceOf({ kind: 'bulk' });
  const refused = (to: Status, ...parts: Status[]) =>
    refusalsOf(() =>
      requireStatusReachable({ invoice, leaves: parts.map((status) => invoiceOf({ status })) }, to),
    );

  test('success: it is paid where all of its parts can be', () => {
    expect(refused('paid', 'unpaid', 'failed', 'overdue')).toEqual([]);
  });

  test.each(['paid', 'cancelled', 'refunded'] as const)('failure: it is not paid where one is %s', (part) => {
    expect(refused('paid', 'unpaid', part)).toEqual([['bulkPartSettled', 'status']]);
  });

  test('success: its parts do not matter for any other status', () => {
    expect(refused('cancelled', 'paid', 'refunded')).toEqual([]);
  });
});
