import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { parseBulkPeriod } from '../../../src/registry/domains/rules/periods.ts';
import { type Renewal, renewDomain } from '../../../src/registry/domains/renew-domain.ts';
import { renewDomains } from '../../../src/registry/domains/bulk/renew-many.ts';
import {
  contextOf,
  domainOf,
  type Found,
  foundDomain,
  NOW,
  OTHER_REGISTRAR,
  refusalsOf,
  withPolicy,
} from '../../support/decisions.ts';

const MONEY = { price: '900', funds: { balance: '900', debt: '0' } };
/** The registry's day of the expiry that domainOf has. */
const EXP_DATE = '2027-06-11';
const decide = (
  changes: Partial<Renewal> = {},
  domain: Partial<Domain> = {},
  money: Partial<{ price: string | null; funds: typeof MONEY.funds }> = {},
  context = contextOf(),
) =>
  renewDomain.decide(
    { ...foundDomain(domain), ...MONEY, ...money },
    { name: 'example.ee', months: 12, expDate: EXP_DATE, ...changes },
    context,
  );
/** Midnight in Tallinn before a day. */
const expiring = (day: string): Partial<Domain> => ({ expireTime: new Date(`${day}T00:00:00+02:00`) });

describe('a renewal', () => {
  const REFUSED: readonly [string, () => unknown, Found][] = [
    ['another exp_date', () => decide({ expDate: '2020-01-01' }), ['expiryMismatch', 'expiry']],
    ['the day in UTC', () => decide({ expDate: '2027-06-10' }), ['expiryMismatch', 'expiry']],
    ['no price', () => decide({}, {}, { price: null }), ['noPrice', 'period']],
    ['a cent too little', () => decide({}, {}, { funds: { balance: '899', debt: '0' } }), ['noFunds', null]],
    ['a debt', () => decide({}, {}, { funds: { balance: '90000', debt: '1' } }), ['noFunds', null]],
    [
      'an expiry of eleven years from now',
      () => decide({ months: 120, expDate: '2028-03-02' }, expiring('2028-03-02')),
      ['expiryTooFar', null],
    ],
    [
      'an expiry that would still be past',
      () => decide({ months: 3, expDate: '2026-12-01' }, expiring('2026-12-01')),
      ['expiryPast', null],
    ],
    [
      'too early, where the policy has a window',
      () => decide({}, {}, {}, withPolicy({ renewalWindowDays: 90 })),
      ['renewalTooEarly', null],
    ],
  ];
  test.each(REFUSED)('failure: %s', (_what, renew, expected) => {
    expect(refusalsOf(renew)).toEqual([expected]);
  });

  test('failure: an expiry exactly eleven years from now, and one that is now', () => {
    const midnight = contextOf({ now: new Date('2027-03-01T00:00:00+02:00') });
    const renewed = (months: number, expDate: string) =>
      refusalsOf(() => decide({ months, expDate }, expiring(expDate), {}, midnight));
    expect(renewed(120, '2028-03-01')).toEqual([['expiryTooFar', null]]);
    expect(renewed(3, '2026-12-01')).toEqual([['expiryPast', null]]);
  });

  test('success: just within eleven years, and just in the future', () => {
    expect(refusalsOf(() => decide({ months: 120, expDate: '2028-03-01' }, expiring('2028-03-01')))).toEqual(
      [],
    );
    expect(refusalsOf(() => decide({ months: 3, expDate: '2026-12-02' }, expiring('2026-12-02')))).toEqual(
      [],
    );
  });

  test('failure: all refusals at once', () => {
    const refused = decide.bind(null, { expDate: '2020-01-01' }, { statuses: { pendingUpdate: '' } });
    expect(refusalsOf(() => refused({ funds: { balance: '0', debt: '0' } }))).toEqual([
      ['statusProhibits', null],
      ['expiryMismatch', 'expiry'],
      ['noFunds', null],
    ]);
  });

  test.each([
    ['2027-06-11', 6, '2027-12-11T00:00:00+02:00'],
    ['2027-06-11', 12, '2028-06-11T00:00:00+03:00'],
    ['2027-08-31', 6, '2028-02-29T00:00:00+02:00'],
    ['2028-02-29', 12, '2029-02-28T00:00:00+02:00'],
  ])('success: from %s for %d months to %s', (day, months, expiry) => {
    const offset = day.startsWith('2028') ? '+02:00' : '+03:00';
    const expireTime = new Date(`${day}T00:00:00${offset}`);
    const plan = decide({ months, expDate: day }, { expireTime });
    expect(plan.after.expireTime).toEqual(new Date(expiry));
    expect(plan.charge).toEqual({ amount: 900n, operation: 'renew', description: 'Renew example.ee' });
  });

  test.each([
    ['a hold by expiry ends', { expired: '', serverHold: '' }, ['expiry'], {}],
    ['that of the registry stays', { expired: '', serverHold: '' }, ['registry'], { serverHold: '' }],
    [
      'other statuses stay',
      { expired: '', serverUpdateProhibited: 'x' },
      [],
      { serverUpdateProhibited: 'x' },
    ],
    ['a deletion is cancelled', { pendingDelete: '', serverHold: '' }, ['expiry'], {}],
  ] as const)('success: restores: %s', (_what, statuses, holdCauses, expected) => {
    const leaving = { outzoneAt: NOW, deleteDate: '2027-04-01', remindedAt: NOW };
    const { after } = decide({}, { statuses, holdCauses, ...leaving });
    expect(after.statuses).toEqual(expected);
    expect(after).toMatchObject({ outzoneAt: null, deleteDate: null, remindedAt: null });
  });

  test('failure: an unknown domain, a removed one', () => {
    const missing = (gone: boolean) =>
      refusalsOf(() =>
        renewDomain.decide(
          { domain: undefined, gone, ...MONEY },
          { name: 'example.ee', months: 12, expDate: EXP_DATE },
          contextOf(),
        ),
      );
    expect([missing(false), missing(true)]).toEqual([[['objectMissing', null]], [['objectGone', null]]]);
  });
});

describe('a renewal of many', () => {
  const named = (name: string, changes: Partial<Domain> = {}) =>
    [name, domainOf({ name, ...changes })] as const;
  const domains = new Map([
    named('a.ee'),
    named('b.ee'),
    named('held.ee', { statuses: { serverRenewProhibited: '' } }),
    named('foreign.ee', { registrarId: OTHER_REGISTRAR }),
    named('late.ee', expiring('2026-01-01')),
    named('far.ee', expiring('2037-06-11')),
    named('unpriced.ee'),
  ]);
  const prices = new Map(
    [...domains.keys()].filter((name) => name !== 'unpriced.ee').map((name) => [name, 900n]),
  );
  const all = (
    names: readonly string[],
    balance = '1800',
    debt = '0',
    agreed: { agreedPrice?: bigint } = {},
  ) =>
    renewDomains.decide(
      { domains, prices, funds: { balance, debt } },
      { names, months: 12 },
      { ...contextOf(), ...agreed },
    );

  test('success: each with its own charge, and their sum', () => {
    const { answer, charge, changes } = all(['a.ee', 'b.ee']);
    expect(answer).toEqual({ names: ['a.ee', 'b.ee'] });
    expect(charge?.amount).toBe(1800n);
    expect(changes.map((change) => [change.charge?.amount, change.charge?.description])).toEqual([
      [900n, 'Renew a.ee'],
      [900n, 'Renew b.ee'],
    ]);
  });

  test.each([
    ['one that is not there', 'none.ee', 'bodyObjectMissing'],
    ['one that is prohibited', 'held.ee', 'statusProhibits'],
    ['one of another registrar', 'foreign.ee', 'notSponsor'],
    ['one that would stay expired', 'late.ee', 'expiryPast'],
    ['one that would exceed the maximum expiry', 'far.ee', 'expiryTooFar'],
    ['one without a price', 'unpriced.ee', 'noPrice'],
  ])('failure: %s, and none is renewed', (_what, name, reason) => {
    const renew = () => all(['a.ee', name, 'b.ee']);
    expect(refusalsOf(renew)).toEqual([[reason, 'domains.1']]);
    expect(renew).toThrow(expect.objectContaining({ refusals: [expect.objectContaining({ object: name })] }));
  });

  test('failure: another total than the agreed one', () => {
    const renew = (agreedPrice: bigint) => () => all(['a.ee', 'b.ee'], '1800', '0', { agreedPrice });
    expect(renew(1800n)).not.toThrow();
    expect(refusalsOf(renew(900n))).toEqual([['otherPrice', 'agreedPrice']]);
  });

  test('failure: each failed one is named', () => {
    expect(refusalsOf(() => all(['held.ee', 'a.ee', 'none.ee']))).toEqual([
      ['statusProhibits', 'domains.0'],
      ['bodyObjectMissing', 'domains.2'],
    ]);
  });

  test('failure: the balance covers each price but not the sum; a debt', () => {
    const EACH = [
      ['noFunds', 'domains.0'],
      ['noFunds', 'domains.1'],
    ];
    expect(refusalsOf(() => all(['a.ee', 'b.ee'], '1799'))).toEqual(EACH);
    expect(refusalsOf(() => all(['a.ee', 'b.ee'], '9999', '1'))).toEqual(EACH);
  });

  test.each([['11y'], ['1m'], ['12m'], ['y'], ['0y'], [''], ['1Y'], ['01y'], ['1y '], ['1']])(
    'failure: the period "%s"',
    (text) => {
      expect(parseBulkPeriod(text)).toBeUndefined();
    },
  );

  test.each([
    ['3m', 3],
    ['6m', 6],
    ['9m', 9],
    ['1y', 12],
    ['9y', 108],
    ['10y', 120],
  ])('success: the period %s is %d months', (text, months) => {
    expect(parseBulkPeriod(text)).toBe(months);
  });
});
