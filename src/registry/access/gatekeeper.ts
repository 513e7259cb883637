import { hash, randomBytes } from 'node:crypto';
import { BoundedQueue } from '../../platform/bounded-queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/database.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { type Credentials, parseBasic } from './basic.ts';
import { NOBODYS_HASH, verifyPassword } from './passwords.ts';
import { findUser, type KnownUser, userVersions } from './users.ts';

/** How long a verified header is believed before it costs a full verification again. */
const BELIEVED_MS = 60_000;
/** Whoever was verified in the last hour is not locked out by somebody else's guesses at his name. */
const REMEMBERED_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;
const VERIFICATIONS_AT_ONCE = 2;
const VERIFICATIONS_WAITING = 64;

type Remembered = {
  readonly principal: Principal;
  readonly version: string;
  readonly verifiedAt: number;
  /** When the password he came with ends, where it is one that is being replaced. */
  readonly until: Date | undefined;
};

/**
 * Decides who comes in by Basic credentials. A verification is slow on purpose, so its outcome is remembered
 * for a minute under a digest of the header, salted by a secret of this process; a changed user or registrar is forgotten within a second.
 */
export class Gatekeeper {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #failures: RateLimiter<string>;
  readonly #secret = randomBytes(32).toString('base64');
  readonly #remembered = new Map<string, Remembered>();
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  readonly #verifications = new BoundedQueue(VERIFICATIONS_AT_ONCE, VERIFICATIONS_WAITING);

  constructor(sql: Sql, clock: Clock, failuresPerMinute: number) {
    this.#sql = sql;
    this.#clock = clock;
    this.#failures = new RateLimiter(failuresPerMinute);
  }

  /** The principal of a header that was verified a moment ago. */
  recall(header: string): Principal | undefined {
    const known = this.#remembered.get(this.#digest(header));
    if (!known || performance.now() - known.verifiedAt >= BELIEVED_MS) return undefined;
    return known.until === undefined || known.until > this.#clock.now() ? known.principal : undefined;
  }

  /** Verifies a header in full; refuses with one text whatever is wrong with it. */
  async admit(header: string | undefined, address: string): Promise<Principal> {
    const credentials = parseBasic(header);
    if (!header || !credentials) return refuse('badCredentials');
    const digest = this.#digest(header);
    this.#refuseGuessing(digest, credentials.username, address);
    const underWay = this.#underWay.get(digest) ?? this.#verify(digest, credentials);
    this.#underWay.set(digest, underWay);
    const principal = await underWay.finally(() => this.#underWay.delete(digest));
    if (principal) return principal;
    this.#failures.take(`address ${address}`);
    this.#failures.take(`username ${credentials.username}`);
    return refuse('badCredentials');
  }

  /** Forgets everybody whose user or registrar has changed; called every second. */
  async forgetChanged(): Promise<void> {
    if (this.#remembered.size === 0) return;
    const ids = [...new Set(Array.from(this.#remembered.values(), ({ principal }) => principal.userId))];
    const versions = await userVersions(this.#sql, ids);
    for (const [digest, { principal, version }] of this.#remembered) {
      if (versions.get(principal.userId) !== version) this.#remembered.delete(digest);
    }
  }

  async #verify(digest: string, { username, password }: Credentials): Promise<Principal | undefined> {
    const user = await findUser(this.#sql, username);
    const match = await this.#match(user, password);
    if (!user?.active || !match) return undefined;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const { principal, version } = user;
    this.#remembered.set(digest, { principal, version, verifiedAt: performance.now(), until: match.until });
    return principal;
  }

  /** Whether the password is the user's, or the one he is replacing and until when that is. */
  async #match(
    user: KnownUser | undefined,
    password: string,
  ): Promise<{ until: Date | undefined } | undefined> {
    const outcome = this.#verifications.run(async () => {
      if (await verifyPassword(password, user?.passwordHash ?? NOBODYS_HASH)) return { until: undefined };
      const previous = user?.previousPassword;
      if (!previous || previous.until <= this.#clock.now()) return undefined;
      return (await verifyPassword(password, previous.hash)) ? { until: previous.until } : undefined;
    });
    return outcome ?? refuse('overload');
  }

  #refuseGuessing(digest: string, username: string, address: string): void {
    const known = this.#remembered.get(digest);
    if (known && performance.now() - known.verifiedAt < REMEMBERED_MS) return;
    for (const key of [`address ${address}`, `username ${username}`]) {
      const { allowed, secondsToReset } = this.#failures.look(key);
      if (!allowed) refuse('tooManyFailures', { seconds: secondsToReset });
    }
  }

  #digest(header: string): string {
    return hash('sha256', this.#secret + header, 'base64');
  }
}
