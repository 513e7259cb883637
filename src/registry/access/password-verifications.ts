import { availableParallelism } from 'node:os';
import type { Clock } from '../../platform/clock/clock.ts';
import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import { refuse } from '../refusals.ts';
import { findMatchingHash, NOBODYS_HASH } from './passwords.ts';
import type { KnownUser } from './users.ts';

/** Each takes a processor and 19 MB for a moment, and one processor is left to those who are in already. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const MAX_WAITING = 64;
/** Waiting places for users who are known to succeed: a flood of guesses cannot take them. */
const KEPT_FOR_KNOWN = 128;

/** A match; `until` is set where the password is one that is being replaced. */
type Match = { readonly until: Date | undefined };

/** Verifies passwords a few at a time, known users first; beyond a bound the answer is 503. */
export class PasswordVerifications {
  readonly #clock: Clock;
  readonly #queue = new BoundedQueue(AT_ONCE, MAX_WAITING, KEPT_FOR_KNOWN);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An unknown user costs as much as any other. */
  async match(user: KnownUser | undefined, password: string, preferred: boolean): Promise<Match | undefined> {
    const previous = user?.previousPassword;
    const hashes = [user?.passwordHash ?? NOBODYS_HASH];
    if (previous && previous.until > this.#clock.now()) hashes.push(previous.hash);
    const verify = async () => {
      const matching = await findMatchingHash(password, hashes);
      if (matching === undefined) return undefined;
      return { until: matching === user?.passwordHash ? undefined : previous?.until };
    };
    return this.#queue.run(verify, { preferred }) ?? refuse('overload');
  }
}
