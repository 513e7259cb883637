import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock/clock.ts';
import { withoutDeadline } from '../../platform/concurrency/deadline.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { FailedLogins, type FailurePlaces, LoginAddresses } from './failed-logins.ts';
import {
  type Admission,
  admissionOf,
  findUser,
  hasValidCertificate,
  type KnownUser,
  userVersions,
  type Visitor,
} from './known-users.ts';
import { type Credentials, PasswordVerifications, parseBasic } from './passwords.ts';

/** How long a verified header is believed before it costs a full verification again. */
const BELIEVED_MS = 60_000;
/** A header that is still in use after this time is verified again in the background, so that a busy client never waits for it. */
const RENEWED_MS = 45_000;
/** A header that was verified in the last hour is no guess, and failures of others at its address do not count against it. */
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/** An unknown user has no certificate either. */
const NOBODY: Pick<KnownUser, 'certificates' | 'allowedFrom'> = { certificates: [], allowedFrom: [] };

type Remembered = {
  readonly principal: Principal;
  readonly version: string;
  readonly verifiedAt: number;
  readonly admission: Admission;
  /** When the password of this header ends, where it is one that is being replaced. */
  readonly until: Date | undefined;
};

type Rules = {
  readonly failuresPerMinute: number;
  readonly certificatesRequired: boolean;
  /** Told why somebody was not let in; the client hears one text whatever it was. */
  readonly turnedAway: (why: string, username: string, visitor: Visitor) => void;
  readonly addressNotWritten: (error: unknown) => void;
};

type Attempt = { readonly credentials: Credentials; readonly digest: string; readonly visitor: Visitor };
/** A failure is counted when it has kept its places among the failures. */
type Outcome = { readonly principal: Principal } | { readonly why: string; readonly counted: boolean };

/**
 * Decides who comes in by Basic credentials, from where and with which certificate. A verification is slow on purpose, so its outcome is remembered
 * for a minute under a digest of the header, salted by a secret of this process; a changed user or registrar is forgotten within a second.
 */
export class Authenticator {
  readonly #database: Pick<Database, 'reads'>;
  readonly #clock: Clock;
  readonly #rules: Rules;
  readonly #failures: FailedLogins;
  readonly #addresses: LoginAddresses;
  readonly #secret = randomBytes(32).toString('base64');
  readonly #remembered = new Map<string, Remembered>();
  readonly #attempts = new Map<string, Promise<Outcome>>();
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #renewals = new Set<string>();
  readonly #verifications: PasswordVerifications;

  constructor(database: Pick<Database, 'reads' | 'writes'>, clock: Clock, rules: Rules) {
    this.#database = database;
    this.#clock = clock;
    this.#rules = rules;
    this.#verifications = new PasswordVerifications(clock);
    this.#failures = new FailedLogins(rules.failuresPerMinute);
    this.#addresses = new LoginAddresses(database.writes, rules.addressNotWritten);
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
    if (age >= RENEWED_MS) void withoutDeadline(() => this.#renew(digest, header, visitor));
    this.#addresses.noteSuccess(known.principal.userId, visitor.address, now);
    return known.principal;
  }

  /** Verifies a header in full; refuses with one text whatever is wrong with it. */
  async admit(header: string | undefined, visitor: Visitor): Promise<Principal> {
    const credentials = parseBasic(header);
    if (!header || !credentials) return refuse('badCredentials');
    const digest = this.#digest(header);
    const { shared, outcome } = this.#shareAttempt({ credentials, digest, visitor });
    const decided = await outcome;
    if ('principal' in decided) return decided.principal;
    // Whoever hears that credentials are wrong has used up a place, also with a duplicate of a request under way.
    if (shared || !decided.counted) this.#failures.reserve(credentials.username, visitor.address);
    this.#rules.turnedAway(decided.why, credentials.username, visitor);
    return refuse('badCredentials');
  }

  /** Forgets everybody whose user or registrar has changed; called every second. */
  async forgetChanged(): Promise<void> {
    if (this.#remembered.size === 0) return;
    const ids = [...new Set(Array.from(this.#remembered.values(), ({ principal }) => principal.userId))];
    const versions = await userVersions(this.#database.reads, ids);
    for (const [digest, { principal, version }] of this.#remembered) {
      if (versions.get(principal.userId) !== version) this.#remembered.delete(digest);
    }
  }

  /** Only the outcome is of interest: when it fails, the client hears why after the minute. */
  async #renew(digest: string, header: string, { address }: Visitor): Promise<void> {
    const credentials = parseBasic(header);
    if (!credentials || this.#renewals.has(digest)) return;
    this.#renewals.add(digest);
    try {
      const user = await this.#find(credentials, address);
      await this.#verify(digest, credentials, user, true);
    } catch {
      // Neither the database nor the queue has to have time for this now.
    } finally {
      this.#renewals.delete(digest);
    }
  }

  /** Duplicates of a visitor's request share its attempt: a burst of requests with a right password is one attempt. */
  #shareAttempt(attempt: Attempt): { shared: boolean; outcome: Promise<Outcome> } {
    const { digest, visitor } = attempt;
    const key = `${digest} ${visitor.fingerprint ?? ''} ${visitor.address}`;
    const underWay = this.#attempts.get(key);
    if (underWay) return { shared: true, outcome: underWay };
    // One client that leaves ends nothing for the others.
    const outcome = withoutDeadline(() => this.#attempt(attempt)).finally(() => this.#attempts.delete(key));
    this.#attempts.set(key, outcome);
    return { shared: false, outcome };
  }

  /** Takes its places among the failures first, and keeps them only if it fails. */
  async #attempt(attempt: Attempt): Promise<Outcome> {
    const { credentials, digest, visitor } = attempt;
    const places = this.#isRemembered(digest)
      ? undefined
      : this.#failures.reserve(credentials.username, visitor.address);
    try {
      const outcome = await this.#decide(attempt, places);
      if ('principal' in outcome) places?.release();
      return outcome;
    } catch (error) {
      places?.release();
      throw error;
    }
  }

  async #decide(
    { credentials, digest, visitor }: Attempt,
    places: FailurePlaces | undefined,
  ): Promise<Outcome> {
    const failed = (why: string) => ({ why, counted: places !== undefined });
    const user = await this.#find(credentials, visitor.address);
    const now = this.#clock.now();
    const isKnown = user !== undefined && (user.addressKnown || hasValidCertificate(user, visitor, now));
    if (places && !isKnown) this.#failures.reserveOverAllAddresses(credentials.username, places);
    const barred = admissionOf(user ?? NOBODY, this.#rules.certificatesRequired)(visitor, now);
    // Without a certificate nobody can try passwords, nor learn from the time it takes whether there is such a user.
    if (barred !== undefined && this.#rules.certificatesRequired) return failed(barred);
    const preferred = isKnown || places === undefined;
    if (!(await this.#verified(digest, credentials, user, preferred)) || !user)
      return failed('the user or its password is wrong');
    if (barred !== undefined) return failed(barred);
    this.#addresses.noteSuccess(user.principal.userId, visitor.address, now);
    return { principal: user.principal };
  }

  #find({ username }: Credentials, address: string): Promise<KnownUser | undefined> {
    return findUser(this.#database.reads, username, { address, now: this.#clock.now() });
  }

  /** One header that comes from several addresses at the same time costs one verification. */
  async #verified(
    digest: string,
    credentials: Credentials,
    user: KnownUser | undefined,
    preferred: boolean,
  ): Promise<boolean> {
    const known = this.#remembered.get(digest);
    if (known && known.version === user?.version && performance.now() - known.verifiedAt < BELIEVED_MS)
      if (known.until === undefined || known.until > this.#clock.now()) return true;
    // What is preferred does not wait with what is not.
    const key = preferred ? `preferred ${digest}` : digest;
    const underWay = this.#underWay.get(key) ?? this.#verify(digest, credentials, user, preferred);
    this.#underWay.set(key, underWay);
    return underWay.finally(() => this.#underWay.delete(key));
  }

  async #verify(
    digest: string,
    { password }: Credentials,
    user: KnownUser | undefined,
    preferred: boolean,
  ): Promise<boolean> {
    const match = await this.#verifications.match(user, password, preferred);
    if (!user?.active || !match) return false;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const { principal, version } = user;
    const { until } = match;
    const admission = admissionOf(user, this.#rules.certificatesRequired);
    this.#remembered.set(digest, { principal, version, admission, verifiedAt: performance.now(), until });
    return true;
  }

  #isRemembered(digest: string): boolean {
    const known = this.#remembered.get(digest);
    return known !== undefined && performance.now() - known.verifiedAt < REMEMBERED_MS;
  }

  #digest(header: string): string {
    return hash('sha256', this.#secret + header, 'base64');
  }
}
