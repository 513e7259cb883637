import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

export type RetryPolicy = {
  readonly attempts: number;
  /** The number of attempts without delay; most conflicts are over by then. */
  readonly immediateAttempts: number;
  /** The upper bound of the random delay after an attempt. */
  readonly maxDelayMs: (attempt: number) => number;
};

/**
 * For conflicts between transactions. Of many concurrent changes of one object one succeeds per round, so the number of
 * attempts bounds how many may compete; the delay grows with the attempts, since more of them compete.
 */
export const CONFLICT_RETRIES: RetryPolicy = {
  attempts: 40,
  immediateAttempts: 3,
  maxDelayMs: (attempt) => attempt + 1,
};

/** Jittered backoff after a failed attempt; the first attempt has number 1. */
export async function backOff(policy: RetryPolicy, attempt: number): Promise<void> {
  if (attempt > policy.immediateAttempts) await setTimeout(randomInt(1, policy.maxDelayMs(attempt) + 1));
}
