import { isIP } from 'node:net';
import { withoutDeadline } from '../../platform/concurrency/deadline.ts';
import { RateLimiter, type Reservation } from '../../platform/concurrency/rate-limiter.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
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

/** An address stays known for 30 days after the last success, which a row may tell a day too early. */
const KNOWN_DAYS = 31;
/** A row is written again when it is nearly a day old, and looked at every hour: it is never more than a day behind. */
const REWRITTEN_AFTER_HOURS = 23;
const LOOK_INTERVAL_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const BATCH = 1_000;

/** Whether the user `u` of the statement came in from this address lately. */
export function isKnownAddress(address: string, now: Date): Fragment {
  return sql`exists (
    select from login_addresses l
    where l.user_id = u.id and l.address = ${addressBucket(address)} and l.succeeded_at > ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day')`;
}

/** Writes down from where users come in: about once a day for each user and address, and without anybody waiting for it. */
export class LoginAddresses {
  readonly #db: Sql;
  readonly #failed: (error: unknown) => void;
  /** When the row was last looked at, by user and address. */
  readonly #lookedAt = new Map<string, number>();

  constructor(db: Sql, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
  }

  /** Called with every request, so it looks at nothing but its memory where there is nothing to write. */
  noteSuccess(userId: number, address: string, now: Date): void {
    const key = `${userId} ${address}`;
    const age = now.getTime() - (this.#lookedAt.get(key) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < LOOK_INTERVAL_MS) return;
    // What a proxy tells instead of an address, such as "unknown", is shared by everybody behind it.
    if (isIP(normaliseAddress(address)) === 0) return;
    if (this.#lookedAt.size >= MAX_REMEMBERED) this.#lookedAt.clear();
    this.#lookedAt.set(key, now.getTime());
    withoutDeadline(() => this.#write(userId, addressBucket(address), now)).catch(this.#failed);
  }

  /** A row that this or another server wrote within the day stays as it is. */
  async #write(userId: number, address: string, now: Date): Promise<void> {
    await this.#db.run(sql`
      insert into login_addresses as l (user_id, address, succeeded_at) values (${userId}, ${address}, ${now})
      on conflict (user_id, address) do update set succeeded_at = excluded.succeeded_at
      where l.succeeded_at <= excluded.succeeded_at - ${REWRITTEN_AFTER_HOURS} * interval '1 hour'`);
  }
}

/** Removes some of those that are no longer known, and tells how many. */
export async function forgetOldLoginAddresses(db: Sql, now: Date): Promise<number> {
  return db.run(sql`
    delete from login_addresses where ctid = any(array(
      select ctid from login_addresses where succeeded_at <= ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day'
      limit ${BATCH}))`);
}
