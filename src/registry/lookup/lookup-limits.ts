import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket, networkBucket } from '../../platform/values/ip-addresses.ts';

export type Admission =
  | {
      readonly isAdmitted: true;
      /** How many requests of its network were counted, this one included. */
      readonly ofNetwork: number;
    }
  | { readonly isAdmitted: false; readonly retryAfterSeconds: number };

/** Of clients without credentials. Never shared with the APIs of registrars. */
export type ClientLimiters = {
  readonly perAddress: RequestLimiter<string>;
  readonly perNetwork: RequestLimiter<string>;
};

/** Counts one request of an address. What its own limit refuses is not counted for its network. */
export function admitClient({ perAddress, perNetwork }: ClientLimiters, address: string): Admission {
  const own = perAddress.take(addressBucket(address));
  const last = own.allowed ? perNetwork.take(networkBucket(address)) : own;
  return last.allowed
    ? { isAdmitted: true, ofNetwork: perNetwork.limit - last.remaining }
    : { isAdmitted: false, retryAfterSeconds: last.secondsToReset };
}

const MAX_AT_ONCE = 16;
const MAX_QUEUED = 128;

/** Limits of the public look-up: a crawler is told that it asks too often, and never slows a registrar. */
export class LookupLimits {
  readonly #limiters: ClientLimiters;
  readonly #queue = new BoundedQueue(MAX_AT_ONCE, MAX_QUEUED);

  constructor(limiters: ClientLimiters) {
    this.#limiters = limiters;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  admit(address: string): Admission {
    return admitClient(this.#limiters, address);
  }

  /** Runs the statements of one look-up in its turn; undefined at once if too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined {
    return this.#queue.run(work);
  }
}
