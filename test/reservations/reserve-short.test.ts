import { describe, expect, test } from 'vitest';
import type { Status } from '../../src/billing/invoices/invoice.ts';
import { ee } from '../../src/policy/ee.ts';
import type { NameState } from '../../src/registry/names/availability.ts';
import { parseNames } from '../../src/reservations/reservation.ts';
import { shownStatus } from '../../src/reservations/reserve-long-status.ts';
import { shortReservation } from '../../src/reservations/reserve-short.ts';
import { NOW, refusalsOf } from '../support/decisions.ts';

describe('the names of a request', () => {
  test.each([
    ['each once, in their order', ['b.ee', 'a.com.ee', 'b.ee'], ['b.ee', 'a.com.ee']],
    [
      'one name in several writings',
      ['ÕIGEKEEL.ee', 'õigekeel.ee', 'O\u0303igekeel.ee', 'xn--igekeel-00a.ee'],
      ['õigekeel.ee'],
    ],
    [
      'names that no zone of ours can contain',
      ['foo.com', 'a.b.c.ee', '-.ee', 'кафе.ee', 'x'.repeat(5000)],
      [],
    ],
    ['zones themselves', ['ee', 'com.ee'], []],
  ])('success: %s', async (_what, texts, names) => {
    expect(await parseNames(texts, ee)).toEqual(names);
  });
});

describe('a free reservation', () => {
  const state = (name: string, changes: Partial<NameState> = {}): NameState => ({
    name,
    registered: false,
    blocked: false,
    reservationCode: null,
    disputeCode: null,
    ...changes,
  });
  const taken = [
    state('registered.ee', { registered: true }),
    state('blocked.ee', { blocked: true }),
    state('reserved.ee', { reservationCode: 'x' }),
    state('disputed.ee', { disputeCode: 'x' }),
  ];
  const decide = (...states: NameState[]) =>
    shortReservation.decide(
      states,
      { names: [], expiresAt: new Date('2027-03-08T10:00:00Z'), timeZone: ee.timeZone },
      { now: NOW, requestKey: undefined, dryRun: false },
    );

  test('success: each available name has its own code; the others are left out', () => {
    const { answer, reservation } = decide(state('a.ee'), ...taken, state('b.ee'));
    expect(answer).toEqual({
      id: expect.stringMatching(/^[\w-]{10}$/),
      names: ['a.ee', 'b.ee'].map((name) => ({
        name,
        code: expect.stringMatching(/^[0-9a-f]{32}$/),
        expiresAt: '2027-03-08T12:00:00.000+02:00',
      })),
    });
    expect(new Set(reservation.codes).size).toBe(2);
    expect(reservation).toMatchObject({ id: answer.id, names: ['a.ee', 'b.ee'] });
    expect(answer.names.map(({ code }) => code)).toEqual(reservation.codes);
  });

  test.each(taken.map((one) => [one.name, one] as const))('failure: %s alone', (_name, one) => {
    expect(refusalsOf(() => decide(one))).toEqual([['noneAvailable', null]]);
  });

  test('failure: none at all', () => {
    expect(refusalsOf(() => decide())).toEqual([['noneAvailable', null]]);
  });
});

describe('the status of a paid reservation', () => {
  test.each<[Status, string, string]>([
    ['unpaid', 'pending', 'error'],
    ['failed', 'failed', 'error'],
    ['overdue', 'unpaid', 'error'],
    ['paid', 'paid', 'paid'],
    ['cancelled', 'cancelled', 'cancelled'],
    ['refunded', 'cancelled', 'cancelled'],
  ])(
    'success: an invoice that is %s reads %s, and %s while a payment of it is held',
    (status, plain, held) => {
      expect([shownStatus({ status, held: false }), shownStatus({ status, held: true })]).toEqual([
        plain,
        held,
      ]);
    },
  );
});
