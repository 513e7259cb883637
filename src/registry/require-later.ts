import { moveBy } from '../platform/values/dates.ts';
import type { Policy } from '../policy/policy.ts';
import { refuse } from './operator-refusals.ts';

/** The end of what an operator lets last for a duration from a time on. */
export function requireLater(
  from: Date,
  { duration, example }: { readonly duration: string; readonly example: string },
  { timeZone }: Policy,
): Date {
  const end = moveBy(from, duration, timeZone);
  return end && end > from ? end : refuse('durationInvalid', { example, at: ['duration'] });
}
