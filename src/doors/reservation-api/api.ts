import type { FastifyPluginCallback } from 'fastify';
import type { KnownToken } from '../../reservations/tokens.ts';
import { NO_ENVELOPE } from '../http/http-answer.ts';
import { type ApiDependencies, httpApi } from '../http/api.ts';
import { Callers } from '../http/callers.ts';
import type { PortalAccess } from './access.ts';
import type { ReservationApi, ReservationEndpoint } from './endpoint.ts';
import { renderRefusals } from './render-refusals.ts';

type Dependencies = ApiDependencies & {
  readonly access: PortalAccess;
  readonly endpoints: readonly ReservationEndpoint[];
};

/** The reservation API of the business portal: two forms of authentication for every call. */
export function reservationApi(dependencies: Dependencies): FastifyPluginCallback {
  const { access, refuseIfUnavailable, authenticated } = dependencies;
  const callers = new Callers<KnownToken>();
  return httpApi<ReservationApi>({
    ...dependencies,
    guard: (request, _reply, next) => {
      refuseIfUnavailable(request);
      callers.set(request, access.admit(request.headers.authorization, request.ip));
      authenticated(request);
      next();
    },
    callerOf: callers.of,
    keyScopeOf: ({ id }) => `portal:${id}`,
    contextOf: (caller, { now, requestKey }) => ({ caller, now, requestKey, dryRun: false }),
    hasDryRuns: false,
    envelope: NO_ENVELOPE,
    renderRefusals,
  });
}
