import { hash, randomBytes } from 'node:crypto';
import { type Clock, wallClock } from '../../platform/clock/clock.ts';
import { withoutDeadline } from '../../platform/work-scope.ts';
import type { Database } from '../../platform/database/database.ts';
import { type ApiUser, hasRight } from '../actor.ts';
import { refuse } from '../registry-refusals.ts';
import {
  type Admission,
  admissionOf,
  type CertificateMode,
  type ClientIdentity,
  findUser,
  hasValidCertificate,
  isCertificateChecked,
  type KnownUser,
  userVersions,
} from './known-users.ts';
import { LoginAddresses } from './login-addresses.ts';
import { type LoginAttempt, LoginLimits } from './login-limits.ts';
import { type Credentials, PasswordVerifications, parseBasic, type VerificationPlace } from './passwords.ts';

export type { CertificateMode };

/** How long the cached outcome of a verification is valid. */
const CACHE_TTL_MS = 60_000;
/** From this age on an entry in use is re-verified in the background, so that a busy client never waits for it. */
const REVERIFY_AFTER_MS = 45_000;
/** A header verified within the last hour is not a guess: it takes no slot in the failure limits. */
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/** An unknown user gets the same checks, with no certificates. */
const UNKNOWN_USER: Pick<KnownUser, 'certificates' | 'allowedFrom'> = { certificates: [], allowedFrom: [] };

type Remembered = {
  readonly principal: ApiUser;
  readonly version: string;
  readonly verifiedAt: number;
  readonly admission: Admission;
  /** When this password expires, if it is being replaced. */
  readonly until: Date | undefined;
};

type Rules = {
  readonly failuresPerMinute: number;
  /** For requests with Basic credentials; a login says its own. */
  readonly certificates: CertificateMode;
  /** Logs the reason of a rejected login; the client always gets the same text. */
  readonly onRejected: (reason: string, username: string, client: ClientIdentity) => void;
  readonly addressNotWritten: (error: unknown) => void;
};

type Attempt = {
  readonly credentials: Credentials;
  readonly digest: string;
  readonly client: ClientIdentity;
  readonly certificates: CertificateMode;
  /** The time at which certificates must be valid. */
  readonly certificateClock: Clock;
};
/** `counted`: the failure has already taken its slots in the failure limits. */
type Outcome = { readonly principal: ApiUser } | { readonly reason: string; readonly counted: boolean };

/**
 * Authenticates users by their credentials, together with client address and certificate: for each request with Basic
 * credentials, or once for a session. Both share the failure limits and the queue of verifications. Verification is slow by design, so its
 * outcome is cached for a minute under a digest of the header, salted with a secret of this process; a changed user or
 * registrar is evicted within a second.
 */
export class Authenticator {
  readonly #database: Pick<Database, 'reads'>;
  readonly #clock: Clock;
  readonly #rules: Rules;
  readonly #limits: LoginLimits;
  readonly #addresses: LoginAddresses;
  readonly #secret = randomBytes(32).toString('base64');
  readonly #remembered = new Map<string, Remembered>();
  readonly #attempts = new Map<string, Promise<Outcome>>();
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #renewals = new Set<string>();

  constructor(
    database: Pick<Database, 'reads' | 'writes'>,
    clock: Clock,
    rules: Rules,
    verifications = new PasswordVerifications(clock),
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#rules = rules;
    this.#limits = new LoginLimits(rules.failuresPerMinute, verifications);
    this.#addresses = new LoginAddresses(database.writes, rules.addressNotWritten);
  }

  /** The principal of a header that was verified within CACHE_TTL_MS. */
  recall(header: string, client: ClientIdentity): ApiUser | undefined {
    const digest = this.#digest(header);
    const known = this.#remembered.get(digest);
    if (!known) return undefined;
    const age = performance.now() - known.verifiedAt;
    const now = this.#clock.now();
    if (age >= CACHE_TTL_MS || (known.until !== undefined && known.until <= now)) return undefined;
    if (known.admission(client, now) !== undefined) return undefined;
    if (age >= REVERIFY_AFTER_MS) void withoutDeadline(() => this.#renew(digest, header, client));
    this.#addresses.noteSuccess(known.principal.userId, client.address, now);
    return known.principal;
  }

  /** Verifies a header in full; every failure is refused with the same text. */
  async admit(header: string | undefined, client: ClientIdentity): Promise<ApiUser> {
    return this.#admit(header, {
      client,
      certificates: this.#rules.certificates,
      certificateClock: this.#clock,
    });
  }

  /**
   * Begins a session, which needs the right to objects. Its certificates follow the wall clock, as TLS does, even where
   * the registry's clock was moved.
   */
  async logIn(
    { username, password }: Credentials,
    client: ClientIdentity,
    certificates: CertificateMode,
  ): Promise<ApiUser> {
    // Basic credentials end the username at the first colon.
    if (username.includes(':')) return refuse('badCredentials');
    const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const principal = await this.#admit(header, { client, certificates, certificateClock: wallClock });
    return hasRight(principal, 'objects') ? principal : refuse('notAllowed');
  }

  async #admit(header: string | undefined, asked: Omit<Attempt, 'credentials' | 'digest'>): Promise<ApiUser> {
    const { client } = asked;
    const credentials = parseBasic(header);
    if (!header || !credentials) return refuse('badCredentials');
    const digest = this.#digest(header);
    const { shared, outcome } = this.#shareAttempt({ ...asked, credentials, digest });
    const decided = await outcome;
    if ('principal' in decided) return decided.principal;
    // Every client that learns that credentials are wrong uses up a slot, even if it shared a concurrent attempt.
    if (shared || !decided.counted)
      await this.#limits.countFailure({ name: credentials.username, address: client.address });
    this.#rules.onRejected(decided.reason, credentials.username, client);
    return refuse('badCredentials');
  }

  /** Evicts entries whose user or registrar has changed; called every second. */
  async forgetChanged(): Promise<void> {
    if (this.#remembered.size === 0) return;
    const ids = [...new Set(Array.from(this.#remembered.values(), ({ principal }) => principal.userId))];
    const versions = await userVersions(this.#database.reads, ids);
    for (const [digest, { principal, version }] of this.#remembered) {
      if (versions.get(principal.userId) !== version) this.#remembered.delete(digest);
    }
  }

  /** Failures are ignored: after CACHE_TTL_MS the client is verified in full and gets the error then. */
  async #renew(digest: string, header: string, { address }: ClientIdentity): Promise<void> {
    const credentials = parseBasic(header);
    if (!credentials || this.#renewals.has(digest)) return;
    this.#renewals.add(digest);
    try {
      const user = await this.#find(credentials, address);
      await this.#verify(digest, credentials, user, { isPreferred: true, waitsAs: address });
    } catch {
      // The background re-verification is optional: an unavailable database or a full queue is no error.
    } finally {
      this.#renewals.delete(digest);
    }
  }

  /** Concurrent duplicates of a request share one attempt, so a burst with a right password counts once. */
  #shareAttempt(attempt: Attempt): { shared: boolean; outcome: Promise<Outcome> } {
    const { digest, client, certificates } = attempt;
    const key = `${digest} ${certificates} ${client.fingerprint ?? ''} ${client.address}`;
    const underWay = this.#attempts.get(key);
    if (underWay) return { shared: true, outcome: underWay };
    // A client that disconnects must not abort the attempt that others share.
    const outcome = withoutDeadline(() => this.#attempt(attempt)).finally(() => this.#attempts.delete(key));
    this.#attempts.set(key, outcome);
    return { shared: false, outcome };
  }

  async #attempt(asked: Attempt): Promise<Outcome> {
    const { credentials, digest, client } = asked;
    const { username: name } = credentials;
    const isVerifiedBefore = this.#isRemembered(digest);
    return this.#limits.attempt({ name, address: client.address, isVerifiedBefore }, async (attempt) => {
      const decided = await this.#decide(asked, attempt);
      if ('principal' in decided) return decided;
      attempt.fail();
      return { ...decided, counted: attempt.isCounted };
    });
  }

  async #decide(
    { credentials, digest, client, certificates, certificateClock }: Attempt,
    attempt: LoginAttempt,
  ): Promise<{ readonly principal: ApiUser } | { readonly reason: string }> {
    const user = await this.#find(credentials, client.address);
    const now = this.#clock.now();
    const certificateTime = certificateClock.now();
    const isKnown =
      user !== undefined && (user.addressKnown || hasValidCertificate(user, client, certificateTime));
    attempt.recognise(isKnown);
    const rejection = admissionOf(user ?? UNKNOWN_USER, certificates)(client, certificateTime);
    // Rejected before the password is verified: without a certificate passwords cannot be tried, and timing does not reveal whether the user exists.
    if (rejection !== undefined && isCertificateChecked(certificates, client)) return { reason: rejection };
    if (!(await this.#verified(digest, credentials, user, attempt)) || !user)
      return { reason: 'the user or its password is wrong' };
    if (rejection !== undefined) return { reason: rejection };
    this.#addresses.noteSuccess(user.principal.userId, client.address, now);
    return { principal: user.principal };
  }

  #find({ username }: Credentials, address: string): Promise<KnownUser | undefined> {
    return findUser(this.#database.reads, username, { address, now: this.#clock.now() });
  }

  /** The same header from several addresses at once is verified once. */
  async #verified(
    digest: string,
    credentials: Credentials,
    user: KnownUser | undefined,
    attempt: VerificationPlace,
  ): Promise<boolean> {
    const known = this.#remembered.get(digest);
    if (known && known.version === user?.version && performance.now() - known.verifiedAt < CACHE_TTL_MS)
      if (known.until === undefined || known.until > this.#clock.now()) return true;
    // A preferred verification must not share the place of a normal one in the queue.
    const key = attempt.isPreferred ? `preferred ${digest}` : digest;
    const underWay = this.#underWay.get(key) ?? this.#verify(digest, credentials, user, attempt);
    this.#underWay.set(key, underWay);
    return underWay.finally(() => this.#underWay.delete(key));
  }

  async #verify(
    digest: string,
    { password }: Credentials,
    user: KnownUser | undefined,
    { isPreferred, waitsAs }: VerificationPlace,
  ): Promise<boolean> {
    // Users of one registrar take turns with those of others, not each with all.
    const place = {
      isPreferred,
      waitsAs: isPreferred ? (user?.principal.registrarCode ?? waitsAs) : waitsAs,
    };
    const match = await this.#limits.match(user, password, place);
    if (!user?.active || !match) return false;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const { principal, version } = user;
    const { until } = match;
    const admission = admissionOf(user, this.#rules.certificates);
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
