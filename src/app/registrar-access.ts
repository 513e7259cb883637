import type { RateLimits, RequestLimiter } from '../platform/concurrency/rate-limiter.ts';
import { Authenticator } from '../registry/access/authenticator.ts';
import type { ClientIdentity } from '../registry/access/known-users.ts';
import { PasswordVerifications } from '../registry/access/passwords.ts';
import { CallCounts } from '../registry/activity/call-counts.ts';
import type { ProductDependencies } from './product-dependencies.ts';

/** What the interfaces of registrars share: their users, failed logins and requests per minute are counted together. */
export type RegistrarAccess = {
  readonly authenticator: Authenticator;
  /** Of the passwords of API users and of people. */
  readonly verifications: PasswordVerifications;
  readonly rateLimiter: RequestLimiter<number>;
  readonly calls: CallCounts;
};

export function openRegistrarAccess(
  { database, clock, config, log, metrics }: ProductDependencies,
  rateLimits: RateLimits,
): RegistrarAccess {
  const verifications = new PasswordVerifications(clock);
  const rules = {
    failuresPerMinute: config.failuresPerMinute,
    certificates: config.certificates === 'off' ? 'ignored' : 'required',
    onRejected: (reason: string, user: string, { address }: ClientIdentity) =>
      log.info({ user, address, reason }, 'login rejected'),
    addressNotWritten: (error: unknown) => log.warn({ err: error }, 'the address of a login was not written'),
  } as const;
  const authenticator = new Authenticator(database, clock, rules, verifications);
  metrics.watch(
    'cadastre_password_checks_waiting',
    'Verifications of passwords that wait for their turn',
    () => verifications.waiting,
  );
  return {
    authenticator,
    verifications,
    rateLimiter: rateLimits.limiter('registrar API', config.rateLimitPerMinute),
    calls: new CallCounts(database.writes, log),
  };
}
