import type { PaymentProvider } from '../../billing/provider/provider.ts';
import { wallClock } from '../../platform/clock/clock.ts';
import { LoginLimits } from '../../registry/access/login-limits.ts';
import type { PasswordVerifications } from '../../registry/access/passwords.ts';
import { authenticatorKeys } from '../../registry/people/authenticator-secrets.ts';
import type { IdentityProvider } from '../../registry/people/identity-provider.ts';
import { PasswordLogins } from '../../registry/people/log-in.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import type { HttpDoorDependencies, OpenDoor } from '../door.ts';
import { CONSOLE_PREFIX } from './prefix.ts';
import { consoleRoutes } from './routes.ts';

type Dependencies = HttpDoorDependencies & {
  readonly provider: PaymentProvider;
  /** Shared with the API users. */
  readonly verifications: PasswordVerifications;
  readonly identity: IdentityProvider;
  readonly webhooks: WebhookSettings;
  readonly isStaging: () => boolean;
};

/** The registrars' console. */
export async function startConsole(parts: Dependencies): Promise<OpenDoor> {
  const { app, config, database, origin, rateLimits, verifications } = parts;
  const limits = new LoginLimits(config.failuresPerMinute, verifications);
  const pages = consoleRoutes({
    ...parts,
    mode: config.mode,
    wallClock,
    logins: new PasswordLogins(database.reads, limits),
    authenticatorKeys: authenticatorKeys(config),
    publicUrl: () => origin.urlForPeople,
    isOwnOrigin: (given, host) => origin.isOwn(given, host),
    requestLimiter: rateLimits.limiter('console', config.rateLimitPerMinute),
  });
  await app.register(pages, { prefix: CONSOLE_PREFIX });
  return {};
}
