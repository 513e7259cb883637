import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

/** How often something is tried, and how long to wait in between. */
export type RetryPolicy = {
  readonly attempts: number;
  /** So many attempts follow each other at once; most conflicts are over by then. */
  readonly immediateAttempts: number;
  /** The most that is waited after an attempt; how long it is within that is random. */
  readonly maxDelayMs: (attempt: number) => number;
};

/**
 * For conflicts between transactions. Of many that change one object at once one wins each round, so the number of
 * attempts bounds how many may meet there; the delay grows with the attempts, since more of them compete.
 */
export const CONFLICT_RETRIES: RetryPolicy = {
  attempts: 40,
  immediateAttempts: 3,
  maxDelayMs: (attempt) => attempt + 1,
};

/** Jittered backoff after a failed attempt, the first of which has the number 1. */
export async function backOff(policy: RetryPolicy, attempt: number): Promise<void> {
  if (attempt > policy.immediateAttempts) await setTimeout(randomInt(1, policy.maxDelayMs(attempt) + 1));
}
