import { describe, expect, test } from 'vitest';
import { readDeposit, selectDeposit, standingDeposit } from '../../../src/billing/invoices/deposit.ts';
import type { Status } from '../../../src/billing/invoices/invoice.ts';

describe('the description of a deposit', () => {
  test.each([
    ['auction_deposit a.ee, user_uuid u-2, user_email m@e.ee', ['a.ee', 'u-2', 'm@e.ee']],
    ['auction_deposit Esimene.EE, user_uuid U-1', ['esimene.ee', 'U-1', null]],
    ['auction_deposit  õun.ee,user_uuid  U_3 , user_email m@e.ee', ['õun.ee', 'U_3', null]],
    ['auction_deposit b.ee, user_uuid u-4', ['b.ee', 'u-4', null]],
    ['auction_deposit 150123.ee, user_uuid 1501234e-1', ['150123.ee', '1501234e-1', null]],
    [
      `auction_deposit ${'d'.repeat(255)}, user_uuid ${'u'.repeat(255)}`,
      ['d'.repeat(255), 'u'.repeat(255), null],
    ],
  ])('success: %s', (description, [domain, user, email]) => {
    expect(readDeposit(description)).toEqual({ domain, user, email });
  });

  test.each([
    'a deposit',
    'my auction_deposit c.ee, user_uuid u-5',
    `auction_deposit ${'d'.repeat(256)}, user_uuid u-6`,
    `auction_deposit e.ee, user_uuid ${'u'.repeat(256)}`,
  ])('failure: %s names no auction', (description) => {
    expect(readDeposit(description)).toBeUndefined();
  });
});

/** Deposits of one auction and user, the last one first, as they are loaded. */
describe('which deposit a status is about', () => {
  test.each<[string, Status, readonly Status[], number | undefined]>([
    ['the only one', 'paid', ['unpaid'], 0],
    ['the last of those that can reach it', 'paid', ['unpaid', 'unpaid'], 0],
    ['an earlier one, where only that was paid', 'refunded', ['unpaid', 'paid'], 1],
    ['the last of those that were paid', 'refunded', ['paid', 'paid'], 0],
    ['the last, where it is repeated, and no earlier one', 'refunded', ['refunded', 'paid'], 0],
    ['the last that was started, where one could not be', 'refunded', ['cancelled', 'refunded', 'paid'], 1],
    ['an earlier one, where the last could not be started', 'refunded', ['cancelled', 'unpaid', 'paid'], 2],
    ['the last, where none can reach it', 'refunded', ['unpaid', 'failed'], 0],
    ['the last that was started, where none can reach it', 'refunded', ['cancelled', 'unpaid'], 1],
    ['the last, where all were cancelled', 'paid', ['cancelled', 'cancelled'], 0],
    ['none, without deposits', 'paid', [], undefined],
  ])('success: %s', (_what, to, found, expected) => {
    const deposits = found.map((status, number) => ({ number, status }));
    expect(selectDeposit(deposits, to)?.number).toBe(expected);
  });
});

describe('whether a deposit rules out another', () => {
  test.each<[readonly Status[], number | undefined]>([
    [['unpaid'], 0],
    [['failed'], 0],
    [['overdue'], 0],
    [['paid'], 0],
    [['refunded', 'cancelled'], undefined],
    [['cancelled', 'paid'], 1],
    [[], undefined],
  ])('success: of %j it is the one at %s', (found, expected) => {
    const deposits = found.map((status, number) => ({ number, status }));
    expect(standingDeposit(deposits)?.number).toBe(expected);
  });
});
