import { hash, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { BoundedQueue } from '../../platform/bounded-queue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/database.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { type Admission, admissionOf, type Visitor } from './admission.ts';
import { type Credentials, parseBasic } from './basic.ts';
import { findMatchingHash, NOBODYS_HASH } from './passwords.ts';
import { findUser, type KnownUser, userVersions } from './users.ts';

/** How long a verified header is believed before it costs a full verification again. */
const BELIEVED_MS = 60_000;
/** Whoever still comes with it then is verified anew behind his back, so that a busy client never waits for it. */
const RENEWED_MS = 45_000;
/** Whoever was verified in the last hour is not locked out by somebody else's guesses at his name. */
const REMEMBERED_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;
/** Each takes a processor and 19 MB for a moment, and one processor is left to those who are in already. */
const VERIFICATIONS_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const VERIFICATIONS_WAITING = 64;

/** Whoever has no user has no certificate either. */
const NOBODY: Pick<KnownUser, 'certificates' | 'allowedFrom'> = { certificates: [], allowedFrom: [] };

type Remembered = {
  readonly principal: Principal;
  readonly version: string;
  readonly verifiedAt: number;
  readonly admission: Admission;
  /** When the password he came with ends, where it is one that is being replaced. */
  readonly until: Date | undefined;
};

type Rules = {
  readonly failuresPerMinute: number;
  readonly certificatesRequired: boolean;
  /** Told why somebody was not let in; he himself hears one text whatever it was. */
  readonly turnedAway: (why: string, username: string, visitor: Visitor) => void;
};

/**
 * Decides who comes in by Basic credentials, from where and with which certificate. A verification is slow on purpose, so its outcome is remembered
 * for a minute under a digest of the header, salted by a secret of this process; a changed user or registrar is forgotten within a second.
 */
export class Gatekeeper {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #rules: Rules;
  readonly #failures: RateLimiter<string>;
  readonly #secret = randomBytes(32).toString('base64');
  readonly #remembered = new Map<string, Remembered>();
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #renewals = new Set<string>();
  readonly #verifications = new BoundedQueue(VERIFICATIONS_AT_ONCE, VERIFICATIONS_WAITING);

  constructor(sql: Sql, clock: Clock, rules: Rules) {
    this.#sql = sql;
    this.#clock = clock;
    this.#rules = rules;
    this.#failures = new RateLimiter(rules.failuresPerMinute);
  }

  /** The principal of a header that was verified a moment ago. */
  recall(header: string, visitor: Visitor): Principal | undefined {
    const digest = this.#digest(header);
    const known = this.#remembered.get(digest);
    if (!known) return undefined;
    const age = performance.now() - known.verifiedAt;
    const now = this.#clock.now();
    if (age >= BELIEVED_MS || (known.until !== undefined && known.until <= now)) return undefined;
    if (known.admission(visitor, now) !== undefined) return undefined;
    if (age >= RENEWED_MS) void this.#renew(digest, header);
    return known.principal;
  }

  /** Verifies a header in full; refuses with one text whatever is wrong with it. */
  async admit(header: string | undefined, visitor: Visitor): Promise<Principal> {
    const credentials = parseBasic(header);
    if (!header || !credentials) return refuse('badCredentials');
    const digest = this.#digest(header);
    this.#refuseGuessing(digest, credentials.username, visitor.address);
    const user = await findUser(this.#sql, credentials.username);
    const admission = admissionOf(user ?? NOBODY, this.#rules.certificatesRequired);
    const barred = admission(visitor, this.#clock.now());
    // Without a certificate nobody can try passwords, nor learn from the time it takes whether there is such a user.
    if (barred !== undefined && this.#rules.certificatesRequired)
      return this.#turnAway(barred, credentials, visitor);
    if (!(await this.#verified(digest, credentials, user)) || !user)
      return this.#turnAway('the user or his password is wrong', credentials, visitor);
    return barred === undefined ? user.principal : this.#turnAway(barred, credentials, visitor);
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

  /** What comes of it is only remembered; when it fails, whoever comes after the minute hears why. */
  async #renew(digest: string, header: string): Promise<void> {
    const credentials = parseBasic(header);
    if (!credentials || this.#renewals.has(digest)) return;
    this.#renewals.add(digest);
    try {
      await this.#verify(digest, credentials, await findUser(this.#sql, credentials.username));
    } catch {
      // Neither the database nor the queue has to have time for this now.
    } finally {
      this.#renewals.delete(digest);
    }
  }

  /** Twins that come at the same time share one verification. */
  async #verified(digest: string, credentials: Credentials, user: KnownUser | undefined): Promise<boolean> {
    const known = this.#remembered.get(digest);
    if (known && known.version === user?.version && performance.now() - known.verifiedAt < BELIEVED_MS)
      if (known.until === undefined || known.until > this.#clock.now()) return true;
    const underWay = this.#underWay.get(digest) ?? this.#verify(digest, credentials, user);
    this.#underWay.set(digest, underWay);
    return underWay.finally(() => this.#underWay.delete(digest));
  }

  async #verify(digest: string, { password }: Credentials, user: KnownUser | undefined): Promise<boolean> {
    const match = await this.#match(user, password);
    if (!user?.active || !match) return false;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const { principal, version } = user;
    const { until } = match;
    const admission = admissionOf(user, this.#rules.certificatesRequired);
    this.#remembered.set(digest, { principal, version, admission, verifiedAt: performance.now(), until });
    return true;
  }

  #turnAway(why: string, { username }: Credentials, visitor: Visitor): never {
    this.#failures.take(`address ${visitor.address}`);
    this.#failures.take(`username ${username}`);
    this.#rules.turnedAway(why, username, visitor);
    return refuse('badCredentials');
  }

  /** Whether the password is the user's, or the one he is replacing and until when that is. */
  async #match(
    user: KnownUser | undefined,
    password: string,
  ): Promise<{ until: Date | undefined } | undefined> {
    const previous = user?.previousPassword;
    const hashes = [user?.passwordHash ?? NOBODYS_HASH];
    if (previous && previous.until > this.#clock.now()) hashes.push(previous.hash);
    const outcome = this.#verifications.run(async () => {
      const matching = await findMatchingHash(password, hashes);
      if (matching === undefined) return undefined;
      return { until: matching === user?.passwordHash ? undefined : previous?.until };
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
