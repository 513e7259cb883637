import { describe, expect, test } from 'vitest';
import type { Invoice, Status } from '../../../src/billing/invoices/invoice.ts';
import {
  type Bill,
  decide,
  isFinal,
  type KnownPayment,
  type ProviderReport,
} from '../../../src/billing/payments/decide.ts';
import { invoiceOf } from '../../support/invoices.ts';

const OUTCOME = { surplus: 0n, shares: [], changes: [], refundSurplus: 0n, doneRefunds: [], hold: undefined };
const reportOf = (state: string, standingAmount = 12_400n): ProviderReport => ({
  state,
  standingAmount,
  toOurAccount: true,
});
const paymentOf = (changes: Partial<KnownPayment> = {}): KnownPayment => ({
  reference: 'one',
  state: 'waiting_for_sca',
  booked: 0n,
  surplus: 0n,
  reversed: false,
  returnedExternally: 0n,
  resolvedAmount: null,
  shares: [],
  refunds: [],
  ...changes,
});
const billOf = (changes: Partial<Invoice> = {}, otherAttempts: readonly string[] = []): Bill => {
  const invoice = invoiceOf(changes);
  return { invoice, leaves: [invoice], otherAttempts };
};

/** An invoice of 124.00 and the one payment for it, as they stand after each state of the payment. */
const begun = { payment: paymentOf(), bill: billOf() };
const SHARE = { invoiceNumber: 150_005, booked: 12_400n };
const settled = {
  payment: paymentOf({ state: 'settled', booked: 12_400n, shares: [SHARE] }),
  bill: billOf({ status: 'paid', paidBy: 'one' }),
};
const goneBack = (state: string) => ({
  payment: paymentOf({ state, reversed: true, shares: [{ ...SHARE, booked: 0n }] }),
  bill: billOf({ status: 'refunded', paidBy: 'one' }),
});
const KNOWN = {
  waiting_for_sca: begun,
  settled,
  refunded: goneBack('refunded'),
  chargebacked: goneBack('chargebacked'),
};

/** The outcome of a decision: what is booked, the new status of the invoice, why it is held. */
const outcomeOf = ({ payment, bill }: { payment: KnownPayment; bill: Bill }, report: ProviderReport) => {
  const { shares, surplus, changes, hold, refundSurplus } = decide(payment, bill, report);
  const booked = shares.reduce((sum, share) => sum + share.booked, surplus);
  return { booked, to: changes.map(({ to }) => to), hold: hold?.kind, refund: refundSurplus };
};

describe('a state that follows another', () => {
  const moved = (to: Status[], booked: bigint, hold?: string) => ({ to, booked, hold, refund: 0n });

  test.each<[from: keyof typeof KNOWN, to: string, stands: bigint, ReturnType<typeof moved>]>([
    ['waiting_for_sca', 'settled', 12_400n, moved(['paid'], 12_400n)],
    ['waiting_for_sca', 'failed', 12_400n, moved(['failed'], 0n)],
    ['waiting_for_sca', 'voided', 12_400n, moved(['failed'], 0n)],
    ['waiting_for_sca', 'abandoned', 12_400n, moved(['failed'], 0n)],
    ['waiting_for_sca', 'refunded', 0n, moved([], 0n)],
    ['settled', 'settled', 12_400n, moved([], 12_400n)],
    ['settled', 'refunded', 0n, moved(['refunded'], 0n)],
    ['settled', 'chargebacked', 0n, moved(['refunded'], 0n)],
    ['settled', 'charged_back', 0n, moved(['refunded'], 0n)],
    ['settled', 'voided', 12_400n, moved(['refunded'], 0n)],
    ['settled', 'partially_refunded', 10_000n, moved([], 12_400n, 'reduction')],
    ['refunded', 'settled', 12_400n, moved([], 0n, 'again')],
    ['refunded', 'refunded', 0n, moved([], 0n)],
    ['chargebacked', 'settled', 12_400n, moved([], 0n, 'again')],
    ['chargebacked', 'chargebacked', 0n, moved([], 0n)],
  ])('success: from %s to %s, of which %s stand', (from, state, stands, expected) => {
    expect(outcomeOf(KNOWN[from], reportOf(state, stands))).toEqual(expected);
  });

  test.each([
    'initial',
    'waiting_for_sca',
    'waiting_for_3ds_response',
    'confirmed_3ds',
    '3ds_confirmed',
    'sent_for_processing',
    'authorised',
    'authorized',
    'a_state_of_tomorrow',
    '',
  ])('success: %s is not final, and changes nothing, whatever standing amount is reported', (state) => {
    for (const stands of [0n, 12_400n, 1n]) {
      expect(decide(begun.payment, begun.bill, reportOf(state, stands))).toEqual(OUTCOME);
      expect(decide(settled.payment, settled.bill, reportOf(state, stands))).toEqual({
        ...OUTCOME,
        shares: [SHARE],
      });
    }
    expect([isFinal(state, false), isFinal(state, true)]).toEqual([false, false]);
  });

  test.each([
    ['settled', true, true],
    ['refunded', true, true],
    ['partially_refunded', true, true],
    ['chargebacked', true, true],
    ['charged_back', true, true],
    ['abandoned', true, true],
    ['voided', true, true],
    ['failed', true, false],
  ])('success: %s is final: %j for a link, %j for a one-off payment', (state, link, oneoff) => {
    expect([isFinal(state, false), isFinal(state, true)]).toEqual([link, oneoff]);
  });
});

describe('an attempt', () => {
  const after = (from: Status, before: string | null, state: string, others: string[] = []) =>
    decide(paymentOf({ state: before }), billOf({ status: from }, others), reportOf(state)).changes.map(
      ({ to }) => to,
    );

  test.each<[Status, string | null, string, Status[]]>([
    ['unpaid', null, 'initial', []],
    ['failed', null, 'initial', ['unpaid']],
    ['overdue', null, 'waiting_for_sca', ['unpaid']],
    ['failed', 'failed', 'waiting_for_sca', ['unpaid']],
    ['failed', 'failed', 'failed', []],
    ['failed', 'initial', 'sent_for_processing', []],
    ['overdue', 'initial', 'failed', []],
    ['unpaid', null, 'failed', ['failed']],
    ['cancelled', 'initial', 'failed', []],
    ['paid', 'initial', 'failed', []],
    ['refunded', 'initial', 'abandoned', []],
    ['cancelled', null, 'initial', []],
  ])('success: for an invoice that is %s, from %s to %s', (from, before, state, expected) => {
    expect(after(from, before, state)).toEqual(expected);
  });

  test('success: while another is under way a failed one does not fail the invoice', () => {
    expect(after('unpaid', 'initial', 'failed', ['waiting_for_sca'])).toEqual([]);
    expect(after('unpaid', 'initial', 'failed', ['failed', 'initial'])).toEqual([]);
    expect(after('unpaid', 'initial', 'failed', ['failed', 'abandoned', 'voided'])).toEqual(['failed']);
  });

  test('success: one whose money is booked, since it is being refunded, opens nothing', () => {
    const surplus = paymentOf({ state: 'settled', booked: 1n, surplus: 1n });
    expect(decide(surplus, billOf({ status: 'failed' }), reportOf('initial')).changes).toEqual([]);
  });

  test('success: one for no invoice of ours changes nothing', () => {
    expect(decide(paymentOf(), undefined, reportOf('failed'))).toEqual(OUTCOME);
  });
});

describe('unexpected amounts, accounts and invoices', () => {
  const held = (hold: string) => ({ booked: 0n, to: [], hold, refund: 0n });

  test.each([1n, 12_399n, 12_401n, 24_800n])('failure: %s cents instead of 12400 are held', (stands) => {
    expect(outcomeOf(begun, reportOf('settled', stands))).toEqual(held('amount'));
  });

  test('failure: to another account, for no invoice of ours', () => {
    expect(outcomeOf(begun, { ...reportOf('settled'), toOurAccount: false })).toEqual(held('account'));
    expect(decide(paymentOf(), undefined, reportOf('settled')).hold).toEqual({
      kind: 'invoice',
      detail: 'there is no invoice of that number: settled, 124.00 stand, 0.00 booked',
    });
  });

  test.each<[Status, bigint]>([
    ['paid', 12_400n],
    ['cancelled', 12_400n],
    ['refunded', 12_400n],
    ['paid', 1n],
  ])('success: a payment of an invoice that is %s is refunded: %s', (status, stands) => {
    const bill = billOf({ status, paidBy: 'another' });
    expect(outcomeOf({ payment: paymentOf(), bill }, reportOf('settled', stands))).toEqual({
      booked: stands,
      to: [],
      hold: undefined,
      refund: stands,
    });
  });

  test('success: only the payment that paid an invoice can reverse it', () => {
    const second = { ...settled.payment, reference: 'two' };
    expect(outcomeOf({ payment: second, bill: settled.bill }, reportOf('chargebacked', 0n))).toEqual({
      booked: 0n,
      to: [],
      hold: undefined,
      refund: 0n,
    });
  });

  test('success: an amount that an operator decided on is not held again; another one is', () => {
    const judged = { payment: paymentOf({ resolvedAmount: 500n, state: 'settled' }), bill: billOf() };
    expect(outcomeOf(judged, reportOf('settled', 500n)).hold).toBeUndefined();
    expect(outcomeOf(judged, reportOf('settled', 501n)).hold).toBe('amount');
  });
});

describe('money returned outside the provider', () => {
  const returned = (returnedExternally: bigint, booked: bigint) => ({
    payment: { ...settled.payment, returnedExternally, booked, shares: [{ ...SHARE, booked }] },
    bill: booked > 0n ? settled.bill : billOf({ status: 'refunded', paidBy: 'one' }),
  });

  test('success: is not refunded again when the provider reports that all of it stands', () => {
    expect(outcomeOf(returned(12_400n, 0n), reportOf('settled'))).toEqual({
      booked: 0n,
      to: [],
      hold: undefined,
      refund: 0n,
    });
  });

  test('failure: returned by the provider as well, it is held; where nothing stands nothing stays booked', () => {
    expect(outcomeOf(returned(12_400n, 0n), reportOf('refunded', 0n))).toMatchObject({
      booked: 0n,
      hold: 'twice',
    });
    expect(outcomeOf(returned(10_000n, 2400n), reportOf('refunded', 0n))).toEqual({
      booked: 0n,
      to: ['refunded'],
      hold: 'twice',
      refund: 0n,
    });
    expect(outcomeOf(returned(12_400n, 0n), reportOf('partially_refunded', 12_399n)).hold).toBe('twice');
    expect(outcomeOf(returned(10_000n, 2400n), reportOf('partially_refunded', 5000n))).toEqual({
      booked: 2400n,
      to: [],
      hold: 'twice',
      refund: 0n,
    });
  });
});

const leaves = [1000n, 2000n, 4000n].map((amount, index) =>
  invoiceOf({ number: index + 1, amount, net: amount, status: 'paid', paidBy: 'paid' }),
);
const bulkOf = (changes: Partial<Invoice> = {}): Invoice =>
  invoiceOf({
    number: 9,
    amount: 7000n,
    net: 7000n,
    kind: 'bulk',
    status: 'paid',
    paidBy: 'paid',
    ...changes,
  });
const bill: Bill = { invoice: bulkOf(), leaves, otherAttempts: [] };
const payment: KnownPayment = {
  ...paymentOf({ reference: 'paid', state: 'settled', booked: 7000n }),
  shares: leaves.map(({ number, amount }) => ({ invoiceNumber: number, booked: amount })),
  refunds: leaves.map(({ number, amount }) => ({ id: number, amount, invoiceNumber: number })),
};

describe('a payment of several invoices', () => {
  const paidBy = (statuses: readonly Status[], stands = 7000n, parent: Status = 'unpaid') => {
    const parts = leaves.map((leaf, index) => ({
      ...leaf,
      status: statuses[index] ?? 'unpaid',
      paidBy: null,
    }));
    const invoice = bulkOf({ status: parent, paidBy: null });
    const { shares, surplus, changes, refundSurplus, hold } = decide(
      paymentOf(),
      { invoice, leaves: parts, otherAttempts: [] },
      reportOf('settled', stands),
    );
    return {
      surplus,
      refund: refundSurplus,
      hold: hold?.kind,
      shares: shares.map(({ invoiceNumber, booked }) => [invoiceNumber, booked]),
      changes: changes.map(({ invoice: { number }, to }) => [number, to]),
    };
  };

  test('success: pays each of them', () => {
    expect(paidBy(['unpaid', 'failed', 'overdue'])).toEqual({
      surplus: 0n,
      refund: 0n,
      hold: undefined,
      shares: [
        [1, 1000n],
        [2, 2000n],
        [3, 4000n],
      ],
      changes: [9, 1, 2, 3].map((number) => [number, 'paid']),
    });
  });

  test.each<Status>(['paid', 'cancelled', 'refunded'])(
    'success: the share of one that is %s is refunded',
    (one) => {
      expect(paidBy([one, 'unpaid', 'unpaid'])).toEqual({
        surplus: 1000n,
        refund: 1000n,
        hold: undefined,
        shares: [
          [2, 2000n],
          [3, 4000n],
        ],
        changes: [9, 2, 3].map((number) => [number, 'paid']),
      });
    },
  );

  test('success: where none can be paid all of it is refunded, and the bulk invoice is cancelled', () => {
    expect(paidBy(['paid', 'cancelled', 'refunded'])).toEqual({
      surplus: 7000n,
      refund: 7000n,
      hold: undefined,
      shares: [],
      changes: [[9, 'cancelled']],
    });
  });

  test('success: all of it is refunded where the bulk invoice was paid outside the provider', () => {
    expect(paidBy(['unpaid', 'unpaid', 'unpaid'], 7000n, 'paid')).toEqual({
      surplus: 7000n,
      refund: 7000n,
      hold: undefined,
      shares: [],
      changes: [],
    });
  });

  test('success: a failed one leaves them unchanged', () => {
    const parts = leaves.map((leaf) => ({ ...leaf, status: 'unpaid', paidBy: null }) as const);
    const invoice = bulkOf({ status: 'unpaid', paidBy: null });
    const { changes } = decide(
      paymentOf(),
      { invoice, leaves: parts, otherAttempts: [] },
      reportOf('failed'),
    );
    expect(changes).toEqual([{ invoice, to: 'failed' }]);
  });

  test('failure: a partial refund that nobody ordered is held, and changes nothing', () => {
    const { shares, changes, hold } = decide(
      { ...payment, refunds: [] },
      bill,
      reportOf('partially_refunded', 5000n),
    );
    expect({ shares, changes, hold: hold?.kind }).toEqual({
      shares: payment.shares,
      changes: [],
      hold: 'reduction',
    });
  });

  test('failure: another amount than that of the bulk invoice pays none', () => {
    expect(paidBy([], 1000n)).toEqual({ surplus: 0n, refund: 0n, hold: 'amount', shares: [], changes: [] });
  });

  test.each(['chargebacked', 'refunded'])('success: %s, of which nothing stands, reverses all', (state) => {
    const { changes, shares } = decide({ ...payment, refunds: [] }, bill, reportOf(state, 0n));
    expect(changes.map(({ invoice, to }) => [invoice.number, to])).toEqual(
      [9, 1, 2, 3].map((number) => [number, 'refunded']),
    );
    expect(shares.map(({ booked }) => booked)).toEqual([0n, 0n, 0n]);
  });
});

describe('refunds that are carried out', () => {
  const after = (standingAmount: bigint) => decide(payment, bill, reportOf('refunded', standingAmount));

  test.each([
    { standing: 6000n, done: [1], left: [0n, 2000n, 4000n], refunded: [1] },
    { standing: 4000n, done: [1, 2], left: [0n, 0n, 4000n], refunded: [1, 2] },
    { standing: 2000n, done: [1, 3], left: [0n, 2000n, 0n], refunded: [1, 3] },
    { standing: 0n, done: [1, 2, 3], left: [0n, 0n, 0n], refunded: [9, 1, 2, 3] },
  ])(
    'success: those whose sum is what is missing when $standing stand',
    ({ standing, done, left, refunded }) => {
      const { doneRefunds, shares, hold, changes } = after(standing);
      expect({ doneRefunds, hold, left: shares.map(({ booked }) => booked) }).toEqual({
        doneRefunds: done,
        hold: undefined,
        left,
      });
      expect(changes.map(({ invoice, to }) => [invoice.number, to])).toEqual(
        refunded.map((number) => [number, 'refunded']),
      );
    },
  );

  test('success: of equal refunds the most likely one', () => {
    const equal = {
      ...payment,
      refunds: [3, 1, 2].map((id) => ({ id, amount: 1000n, invoiceNumber: null })),
    };
    expect(decide({ ...equal, surplus: 3000n }, bill, reportOf('refunded', 6000n)).doneRefunds).toEqual([3]);
  });

  test('failure: a difference that no refund explains is held', () => {
    expect(after(6500n)).toMatchObject({ doneRefunds: [], hold: { kind: 'reduction' } });
  });
});
