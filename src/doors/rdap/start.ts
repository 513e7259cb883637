import type { Authenticator } from '../../registry/access/authenticator.ts';
import { KnownRequesters } from '../../registry/lookup/known-requesters.ts';
import type { LookupLimits } from '../../registry/lookup/lookup-limits.ts';
import type { HttpDoorDependencies, OpenDoor } from '../door.ts';
import { fingerprintReader } from '../http/client-certificate.ts';
import { RdapAccess } from './rdap-access.ts';
import { RDAP_PREFIX } from './prefix.ts';
import { rdapRoutes } from './routes.ts';

type Dependencies = HttpDoorDependencies & {
  readonly authenticator: Authenticator;
  readonly lookups: LookupLimits;
};

/** What anybody can look up, as programs ask. */
export async function startRdap(parts: Dependencies): Promise<OpenDoor> {
  const { app, config, database, authenticator, authenticated, lookups, rateLimits, origin } = parts;
  const access = new RdapAccess({
    authenticator,
    fingerprintOf: fingerprintReader(config),
    requesters: new KnownRequesters(database.reads),
    limits: lookups,
    authenticatedLimiter: rateLimits.limiter('RDAP with credentials', config.rateLimitPerMinute),
    authenticated,
  });
  const { lookupsPerMinute } = config;
  const routes = rdapRoutes({ ...parts, access, lookupsPerMinute, origin: () => origin.url });
  await app.register(routes, { prefix: RDAP_PREFIX });
  return {};
}
