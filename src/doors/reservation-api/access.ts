import { Refused } from '../../operations/refusal.ts';
import { RateLimiter, type RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket, addressMatcher } from '../../platform/values/ip-addresses.ts';
import { type RefusalName, refusal, refuse } from '../../reservations/reservation-refusals.ts';
import type { KnownToken, KnownTokens } from '../../reservations/tokens.ts';

export type AccessDependencies = {
  readonly tokens: Pick<KnownTokens, 'find'>;
  /** CIDR ranges from which the portal may call. */
  readonly allowedIps: readonly string[];
  readonly requests: RequestLimiter<number>;
  /** Limit of failed authentications per address (IPv6: per /64), and of unknown ids per token. */
  readonly failuresPerMinute: number;
};

/** The scheme is case-insensitive, as everywhere in HTTP. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
/** The refusals of an unknown object. */
export type MissingName = Extract<RefusalName, 'reservationMissing' | 'reservationInvoiceMissing'>;
const MAX_KNOWN_CLIENTS = 10_000;

/** Requires both a valid token and an allowed address. The answer does not reveal which one failed. */
export class PortalAccess {
  readonly #tokens: AccessDependencies['tokens'];
  readonly #isAllowed: (address: string) => boolean;
  readonly #requests: RequestLimiter<number>;
  readonly #failures: RateLimiter<string>;
  readonly #unknownIds: RateLimiter<number>;
  readonly #knownClients = new Set<string>();

  constructor({ tokens, allowedIps, requests, failuresPerMinute }: AccessDependencies) {
    this.#tokens = tokens;
    this.#isAllowed = addressMatcher(allowedIps);
    this.#requests = requests;
    this.#failures = new RateLimiter(failuresPerMinute);
    this.#unknownIds = new RateLimiter(failuresPerMinute);
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

  /** Finds an object by its secret id; limits the rate of wrong ids. */
  async find<T>(
    { id }: KnownToken,
    lookup: () => Promise<T | undefined>,
    { otherwise }: { readonly otherwise: MissingName },
  ): Promise<T> {
    const { allowed, secondsToReset } = this.#unknownIds.peek(id);
    if (!allowed) refuseRate(secondsToReset);
    const found = await lookup();
    if (found !== undefined) return found;
    this.#unknownIds.take(id);
    return refuse(otherwise);
  }

  /** Failures of other clients behind the same address do not block a token that was admitted from there before. */
  #refuseTooManyFailures(admitted: KnownToken | undefined, address: string): void {
    const client = admitted && `${admitted.id} ${address}`;
    if (client && this.#knownClients.has(client)) return;
    const { allowed, secondsToReset } = this.#failures.peek(address);
    if (!allowed) refuseRate(secondsToReset);
    if (this.#knownClients.size >= MAX_KNOWN_CLIENTS) this.#knownClients.clear();
    if (client) this.#knownClients.add(client);
  }
}

const refuseRate = (seconds: number): never => {
  throw new Refused({ ...refusal('portalRateExceeded'), retryAfterSeconds: seconds });
};
