import { RateLimiter, type Reservation } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import { refuse } from '../refusals.ts';

/** One client that goes on with a wrong password uses up this part of what its address may fail, and no more. */
const SHARE_OF_ONE_USER = 1 / 3;

/**
 * Counts failed logins per address (IPv6: per /64), per user and address, and per user over all addresses. An attempt
 * takes its places before it is verified and gives them back unless it fails, so that attempts at the same time cannot
 * go beyond a limit together. Whether there is such a user makes no difference.
 */
export class FailedLogins {
  readonly #byAddress: RateLimiter<string>;
  readonly #byUserAndAddress: RateLimiter<string>;
  readonly #byUser: RateLimiter<string>;

  constructor(perMinute: number) {
    this.#byAddress = new RateLimiter(perMinute);
    this.#byUserAndAddress = new RateLimiter(Math.ceil(perMinute * SHARE_OF_ONE_USER));
    this.#byUser = new RateLimiter(perMinute);
  }

  /** Places for one attempt from this address; refused where there are none. */
  reserve(username: string, address: string): FailurePlaces {
    const bucket = addressBucket(address);
    const places = new FailurePlaces();
    places.take(this.#byAddress.reserve(bucket));
    places.take(this.#byUserAndAddress.reserve(`${bucket} ${username}`));
    return places;
  }

  /** One more for an attempt of somebody who is not known to be this user. */
  reserveOverAllAddresses(username: string, places: FailurePlaces): void {
    places.take(this.#byUser.reserve(username));
  }
}

export class FailurePlaces {
  readonly #taken: Reservation[] = [];

  /** All or none: where one is missing the others are given back. */
  take(place: Reservation): void {
    this.#taken.push(place);
    if (place.allowed) return;
    this.release();
    refuse('tooManyFailures', { seconds: place.secondsToReset });
  }

  release(): void {
    for (const place of this.#taken.splice(0)) place.release();
  }
}
