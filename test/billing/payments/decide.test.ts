import { describe, expect, test } from 'vitest';
import type { Invoice } from '../../../src/billing/invoices/invoice.ts';
import { type Bill, decide, type KnownPayment } from '../../../src/billing/payments/decide.ts';

const invoiceOf = (number: number, amount: bigint, kind: Invoice['kind'] = 'invoice'): Invoice => ({
  ...{ number, amount, kind, net: amount, initiator: 'auction', status: 'paid', currency: 'EUR' },
  ...{ description: '', customField: null, registrarId: null, paidBy: 'paid' },
  ...{ depositDomain: null, depositUser: null, depositEmail: null },
});
const leaves = [invoiceOf(1, 1000n), invoiceOf(2, 2000n), invoiceOf(3, 4000n)];
const bill: Bill = { invoice: invoiceOf(9, 7000n, 'bulk'), leaves, otherAttempts: [] };
const payment: KnownPayment = {
  ...{ reference: 'paid', state: 'settled', booked: 7000n, surplus: 0n, reversed: false },
  ...{ returnedExternally: 0n, resolvedAmount: null },
  shares: leaves.map(({ number, amount }) => ({ invoiceNumber: number, booked: amount })),
  refunds: leaves.map(({ number, amount }) => ({ id: number, amount, invoiceNumber: number })),
};
const after = (standingAmount: bigint) =>
  decide(payment, bill, { state: 'refunded', standingAmount, toOurAccount: true });

describe('refunds that are carried out', () => {
  test.each([
    { standing: 6000n, done: [1], left: [0n, 2000n, 4000n] },
    { standing: 4000n, done: [1, 2], left: [0n, 0n, 4000n] },
    { standing: 2000n, done: [1, 3], left: [0n, 2000n, 0n] },
    { standing: 0n, done: [1, 2, 3], left: [0n, 0n, 0n] },
  ])('success: those that come to what is missing when $standing stand', ({ standing, done, left }) => {
    const { doneRefunds, shares, hold } = after(standing);
    expect({ doneRefunds, hold, left: shares.map(({ booked }) => booked) }).toEqual({
      ...{ doneRefunds: done, hold: undefined, left },
    });
  });

  test('success: of equal ones that whose money is the likeliest to be missing', () => {
    const equal = {
      ...payment,
      refunds: [3, 1, 2].map((id) => ({ id, amount: 1000n, invoiceNumber: null })),
    };
    const told = { state: 'refunded', standingAmount: 6000n, toOurAccount: true };
    expect(decide({ ...equal, surplus: 3000n }, bill, told).doneRefunds).toEqual([3]);
  });

  test('failure: what no refund comes to is held', () => {
    expect(after(6500n)).toMatchObject({ doneRefunds: [], hold: { kind: 'reduction' } });
  });
});
