/** What a state of the provider's means for money. States that we do not know change nothing. */
export type StateClass = 'standing' | 'ended' | 'under way';

const STANDING = new Set(['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back']);
const ENDED = new Set(['failed', 'abandoned', 'voided']);

export function classOf(state: string): StateClass {
  if (STANDING.has(state)) return 'standing';
  return ENDED.has(state) ? 'ended' : 'under way';
}

/** Whether nothing more is expected; a one-off payment that failed can be paid by the same link again. */
export const isFinal = (state: string, isOneoff: boolean): boolean =>
  classOf(state) !== 'under way' && !(state === 'failed' && isOneoff);
