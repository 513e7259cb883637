import { RateLimiter, type Reservation } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import { refuse } from '../registry-refusals.ts';
import type { Match, PasswordVerifications, StoredPasswords, VerificationPlace } from './passwords.ts';

/** The share of an address's failures that one account may use up, so that one misconfigured client cannot block its address. */
const SHARE_OF_ONE_ACCOUNT = 1 / 3;

type LoginClient = {
  /** Of the account, as it is compared; there need not be such an account. */
  readonly name: string;
  readonly address: string;
  /** Credentials that were verified within the last hour are no guess: not counted, not limited, and preferred. */
  readonly isVerifiedBefore?: boolean;
};

/**
 * Limits the failed logins of one kind of account, API users or people of the console, and decides which verifications
 * of passwords come first. Failures are counted per address (IPv6: per /64), per account and address, and per account
 * over all addresses. Existing and unknown accounts are counted alike.
 */
export class LoginLimits {
  readonly #verifications: PasswordVerifications;
  readonly #byAddress: RateLimiter<string>;
  readonly #byAccountAndAddress: RateLimiter<string>;
  readonly #byAccount: RateLimiter<string>;

  constructor(failuresPerMinute: number, verifications: PasswordVerifications) {
    this.#verifications = verifications;
    this.#byAddress = new RateLimiter(failuresPerMinute);
    this.#byAccountAndAddress = new RateLimiter(Math.ceil(failuresPerMinute * SHARE_OF_ONE_ACCOUNT));
    this.#byAccount = new RateLimiter(failuresPerMinute);
  }

  /** Refuses an address that has used up its failures: for what is judged before an attempt is read. */
  requireFreeAddress(address: string): void {
    const { allowed, secondsToReset } = this.#byAddress.peek(addressBucket(address));
    if (!allowed) refuse('tooManyFailures', { seconds: secondsToReset });
  }

  /**
   * Runs one attempt. It reserves its slots before it is verified, so that concurrent attempts cannot exceed a limit, and
   * releases them however it ends, unless it was declared failed.
   */
  async attempt<T>(
    { name, address, isVerifiedBefore = false }: LoginClient,
    decide: (attempt: LoginAttempt) => Promise<T>,
  ): Promise<T> {
    const bucket = addressBucket(address);
    const attempt = new LoginAttempt({ name, address: bucket, isVerifiedBefore }, () =>
      this.#byAccount.reserve(name),
    );
    try {
      attempt.take(() => this.#byAddress.reserve(bucket));
      attempt.take(() => this.#byAccountAndAddress.reserve(`${bucket} ${name}`));
      return await decide(attempt);
    } finally {
      attempt.end();
    }
  }

  /** Counts a failure that a client learnt without an attempt of its own; refuses if that is one too many. */
  async countFailure(client: Pick<LoginClient, 'name' | 'address'>): Promise<void> {
    await this.attempt(client, async (attempt) => attempt.fail());
  }

  /** Verifies a password in the queue that all kinds of accounts share. */
  async match(
    stored: StoredPasswords | undefined,
    password: string,
    place: VerificationPlace,
  ): Promise<Match | undefined> {
    return this.#verifications.match(stored, password, place);
  }
}

/** One attempt to log in, with the slots that it holds. */
export class LoginAttempt {
  /** Whether it takes slots at all. */
  readonly isCounted: boolean;
  readonly #reserveOverAllAddresses: () => Reservation;
  readonly #slots: Reservation[] = [];
  #hasFailed = false;
  #isPreferred: boolean;
  readonly #client: Required<LoginClient>;

  constructor(client: Required<LoginClient>, reserveOverAllAddresses: () => Reservation) {
    const { isVerifiedBefore } = client;
    this.#client = client;
    this.isCounted = !isVerifiedBefore;
    this.#isPreferred = isVerifiedBefore;
    this.#reserveOverAllAddresses = reserveOverAllAddresses;
  }

  /** Whether its verification goes to the front of the queue, where places are reserved for it. */
  get isPreferred(): boolean {
    return this.#isPreferred;
  }

  /** Existing and other accounts wait alike, unless they are known. */
  get waitsAs(): string {
    return this.#isPreferred ? this.#client.name : this.#client.address;
  }

  /**
   * To be called before the verification. A known client logged in as this account from this address recently, or has
   * a certificate of it; another one needs one more slot, of those that all addresses share.
   */
  recognise(isKnown: boolean): void {
    this.#isPreferred ||= isKnown;
    if (!isKnown) this.take(this.#reserveOverAllAddresses);
  }

  /** The proof was wrong: its slots stay taken for the rest of the minute. */
  fail(): void {
    this.#hasFailed = true;
  }

  take(reserve: () => Reservation): void {
    if (!this.isCounted) return;
    const slot = reserve();
    if (!slot.allowed) refuse('tooManyFailures', { seconds: slot.secondsToReset });
    this.#slots.push(slot);
  }

  end(): void {
    if (!this.#hasFailed) for (const slot of this.#slots) slot.release();
  }
}
