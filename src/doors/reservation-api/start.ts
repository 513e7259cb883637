import { version } from '../../platform/version.ts';
import type { ReservationDependencies } from '../../reservations/dependencies.ts';
import { KnownTokens } from '../../reservations/tokens.ts';
import type { ApiDoor, HttpDoorDependencies } from '../door.ts';
import { openApiDocument } from '../http/openapi.ts';
import { PortalAccess } from './access.ts';
import { reservationApi } from './api.ts';
import { reservationEndpoints } from './endpoints.ts';
import { reservationDescription } from './openapi.ts';
import { RESERVATION_PREFIX } from './prefix.ts';

type Dependencies = HttpDoorDependencies & { readonly billing: ReservationDependencies };

/** The reservation API of the business portal. */
export function reservationDoor(parts: Dependencies): ApiDoor {
  const { app, config, database, clock, policy, billing, origin, rateLimits } = parts;
  const tokens = new KnownTokens(database.reads, clock);
  const access = new PortalAccess({
    tokens,
    allowedIps: config.portalAllowedIps,
    requests: rateLimits.limiter('reservation API', config.portalRequestsPerMinute),
    failuresPerMinute: config.failuresPerMinute,
  });
  const endpoints = reservationEndpoints({ reservations: billing, access });
  return {
    document: () =>
      openApiDocument(reservationDescription(policy), endpoints, { version, server: origin.url }),
    async start() {
      await tokens.refresh();
      await app.register(reservationApi({ ...parts, access, endpoints }), { prefix: RESERVATION_PREFIX });
      return { refresh: () => tokens.refresh() };
    },
  };
}
