import type { RequestLimiter } from '../platform/concurrency/rate-limiter.ts';
import { Authenticator } from '../registry/access/authenticator.ts';
import type { RateLimits } from './processes/shared-rate-limits.ts';
import type { ProductDependencies } from './product-dependencies.ts';

/** What the interfaces of registrars share: their users, failed logins and requests per minute are counted together. */
export type RegistrarAccess = {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RequestLimiter<number>;
};

export function openRegistrarAccess(
  { database, clock, config, log, metrics }: ProductDependencies,
  rateLimits: RateLimits,
): RegistrarAccess {
  const authenticator = new Authenticator(database, clock, {
    failuresPerMinute: config.failuresPerMinute,
    certificates: config.certificates === 'off' ? 'ignored' : 'required',
    onRejected: (why, user, { address }) => log.info({ user, address, why }, 'login rejected'),
    addressNotWritten: (error) => log.warn({ err: error }, 'the address of a login was not written'),
  });
  metrics.watch(
    'cadastre_password_checks_waiting',
    'Verifications of passwords that wait for their turn',
    () => authenticator.verificationsWaiting,
  );
  return { authenticator, rateLimiter: rateLimits.limiter('registrar API', config.rateLimitPerMinute) };
}
