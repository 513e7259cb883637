import type { Cents } from '../../../platform/values/money.ts';

/** What a payer, or a script in his place, can let happen at the payment page. */
export const outcomes = ['settled', 'failed', 'abandoned', 'waiting_for_sca'] as const;
export type Outcome = (typeof outcomes)[number];

/** Money came in, whatever became of it later. */
export const paidStates = ['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back'];
/** Nothing more can be paid with such a payment. */
export const closedStates = [...paidStates, 'abandoned', 'voided'];
/** What can be paid back, as long as something of it stands. */
export const refundableStates = ['settled', 'refunded', 'partially_refunded'];

const NOTHING_STANDS = new Set(['failed', 'abandoned', 'voided', 'refunded', 'chargebacked', 'charged_back']);

/** The event that tells of a state, where it is not the general one. */
const EVENTS: Readonly<Record<string, string>> = {
  refunded: 'refunded',
  partially_refunded: 'refunded',
  chargebacked: 'chargebacked',
  charged_back: 'chargebacked',
  voided: 'voided',
  abandoned: 'abandoned',
};

export const eventOf = (state: string): string => EVENTS[state] ?? 'status_updated';

/** What stands of a payment in this state, where nobody says otherwise. A payment that is only begun stands whole. */
export function standingIn(state: string, initial: Cents): Cents {
  if (NOTHING_STANDS.has(state)) return 0n;
  return state === 'partially_refunded' ? initial / 2n : initial;
}
