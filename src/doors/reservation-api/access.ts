import { Refused } from '../../operations/refusal.ts';
import { RateLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket, addressMatcher } from '../../platform/values/ip-addresses.ts';
import { type RefusalName, refusal, refuse } from '../../reservations/refusals.ts';
import type { KnownToken, KnownTokens } from '../../reservations/tokens.ts';

export type AccessDependencies = {
  readonly tokens: KnownTokens;
  /** CIDR ranges that the portal may call from. */
  readonly allowedIps: readonly string[];
  readonly requestsPerMinute: number;
  /** For one address (IPv6: one /64) that does not come in, and for one token that asks for what is not there. */
  readonly failuresPerMinute: number;
};

/** The scheme's name in any case, as everywhere in HTTP, and then one word. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
/** What was asked for and is not there. */
export type MissingName = Extract<RefusalName, 'reservationMissing' | 'reservationInvoiceMissing'>;
const MAX_REGULARS = 10_000;

/** Both forms are needed: a token in force, and an address on the list. Whichever is wrong, the answer is the same. */
export class PortalAccess {
  readonly #tokens: KnownTokens;
  readonly #isAllowed: (address: string) => boolean;
  readonly #requests: RateLimiter<number>;
  readonly #failures: RateLimiter<string>;
  readonly #guesses: RateLimiter<number>;
  readonly #regulars = new Set<string>();

  constructor({ tokens, allowedIps, requestsPerMinute, failuresPerMinute }: AccessDependencies) {
    this.#tokens = tokens;
    this.#isAllowed = addressMatcher(allowedIps);
    this.#requests = new RateLimiter(requestsPerMinute);
    this.#failures = new RateLimiter(failuresPerMinute);
    this.#guesses = new RateLimiter(failuresPerMinute);
  }

  admit(authorization: string | undefined, clientAddress: string): KnownToken {
    const address = addressBucket(clientAddress);
    const given = BEARER.exec(authorization ?? '')?.[1];
    const token = given === undefined ? undefined : this.#tokens.find(given);
    const admitted = this.#isAllowed(clientAddress) ? token : undefined;
    this.#refuseTooManyFailures(admitted, address);
    if (!admitted) {
      this.#failures.take(address);
      return refuse('portalUnauthorized');
    }
    const { allowed, secondsToReset } = this.#requests.take(admitted.id);
    return allowed ? admitted : refuseRate(secondsToReset);
  }

  /** Finds what only somebody with the right id can know of; whoever asks for too many wrong ones waits. */
  async find<T>(
    { id }: KnownToken,
    look: () => Promise<T | undefined>,
    { otherwise }: { readonly otherwise: MissingName },
  ): Promise<T> {
    const { allowed, secondsToReset } = this.#guesses.look(id);
    if (!allowed) refuseRate(secondsToReset);
    const found = await look();
    if (found !== undefined) return found;
    this.#guesses.take(id);
    return refuse(otherwise);
  }

  /** The failures of somebody behind the same address do not shut out who came in from there before. */
  #refuseTooManyFailures(admitted: KnownToken | undefined, address: string): void {
    const regular = admitted && `${admitted.id} ${address}`;
    if (regular && this.#regulars.has(regular)) return;
    const { allowed, secondsToReset } = this.#failures.look(address);
    if (!allowed) refuseRate(secondsToReset);
    if (this.#regulars.size >= MAX_REGULARS) this.#regulars.clear();
    if (regular) this.#regulars.add(regular);
  }
}

const refuseRate = (seconds: number): never => {
  throw new Refused({ ...refusal('portalRateExceeded'), retryAfterSeconds: seconds });
};
