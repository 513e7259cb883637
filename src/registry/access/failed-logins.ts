import { isIP } from 'node:net';
import { withoutDeadline } from '../../platform/concurrency/deadline.ts';
import { RateLimiter, type Reservation } from '../../platform/concurrency/rate-limiter.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { refuse } from '../registry-refusals.ts';

/** The share of an address's failures that one user may use up, so that one misconfigured client cannot block its address. */
const SHARE_OF_ONE_USER = 1 / 3;

/**
 * Counts failed logins per address (IPv6: per /64), per user and address, and per user over all addresses. An attempt
 * reserves its slots before it is verified and releases them unless it fails, so that concurrent attempts cannot exceed
 * a limit. Existing and unknown users are counted alike.
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

  /** Reserves slots for one attempt from this address; refuses if none are free. */
  reserve(username: string, address: string): FailureSlots {
    const bucket = addressBucket(address);
    const places = new FailureSlots();
    places.take(this.#byAddress.reserve(bucket));
    places.take(this.#byUserAndAddress.reserve(`${bucket} ${username}`));
    return places;
  }

  /** One more slot, for an attempt that comes from an address not known for this user. */
  reserveOverAllAddresses(username: string, places: FailureSlots): void {
    places.take(this.#byUser.reserve(username));
  }
}

export class FailureSlots {
  readonly #taken: Reservation[] = [];

  /** All or none: if a limit is reached, the slots already taken are released. */
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

/** 30 days after the last success, plus the day by which a row may lag behind. */
const KNOWN_DAYS = 31;
/** Rows are checked hourly and rewritten after 23 hours, so none is more than a day out of date. */
const REWRITTEN_AFTER_HOURS = 23;
const CHECK_INTERVAL_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const BATCH = 1_000;

/** Whether the user `u` of the statement recently logged in from this address. */
export function isKnownAddress(address: string, now: Date): Fragment {
  return sql`exists (
    select from login_addresses l
    where l.user_id = u.id and l.address = ${addressBucket(address)} and l.succeeded_at > ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day')`;
}

/** Records the addresses users log in from, about once a day per user and address, in the background. */
export class LoginAddresses {
  readonly #db: Sql;
  readonly #failed: (error: unknown) => void;
  /** When the row was last checked, by user and address. */
  readonly #checkedAt = new Map<string, number>();

  constructor(db: Sql, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
  }

  /** Called with every request: uses only memory unless a write is due. */
  noteSuccess(userId: number, address: string, now: Date): void {
    const key = `${userId} ${address}`;
    const age = now.getTime() - (this.#checkedAt.get(key) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < CHECK_INTERVAL_MS) return;
    // A proxy may send a placeholder such as "unknown" instead of an address; all clients behind it share that.
    if (isIP(normaliseAddress(address)) === 0) return;
    if (this.#checkedAt.size >= MAX_REMEMBERED) this.#checkedAt.clear();
    this.#checkedAt.set(key, now.getTime());
    withoutDeadline(() => this.#write(userId, addressBucket(address), now)).catch(this.#failed);
  }

  /** A row written within the day, by any server, is left unchanged. */
  async #write(userId: number, address: string, now: Date): Promise<void> {
    await this.#db.run(sql`
      insert into login_addresses as l (user_id, address, succeeded_at) values (${userId}, ${address}, ${now})
      on conflict (user_id, address) do update set succeeded_at = excluded.succeeded_at
      where l.succeeded_at <= excluded.succeeded_at - ${REWRITTEN_AFTER_HOURS} * interval '1 hour'`);
  }
}

/** Deletes one batch of expired rows and returns their number. */
export async function deleteOldLoginAddresses(db: Sql, now: Date): Promise<number> {
  return db.run(sql`
    delete from login_addresses where ctid = any(array(
      select ctid from login_addresses where succeeded_at <= ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day'
      limit ${BATCH}))`);
}
