import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { KnownToken } from '../../reservations/tokens.ts';
import { NO_ENVELOPE } from '../http/answer.ts';
import { type ApiDependencies, httpApi } from '../http/api.ts';
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
  const callers = new WeakMap<FastifyRequest, KnownToken>();
  return httpApi<ReservationApi>({
    ...dependencies,
    guard: (request, _reply, next) => {
      refuseIfUnavailable(request);
      callers.set(request, access.admit(request.headers.authorization, request.ip));
      authenticated(request);
      next();
    },
    callerOf: (request) => {
      const token = callers.get(request);
      if (!token) throw new Error('a call without a caller');
      return token;
    },
    keyScopeOf: ({ id }) => `portal:${id}`,
    contextOf: (caller, { now, requestKey }) => ({ caller, now, requestKey, dryRun: false }),
    hasDryRuns: false,
    envelope: NO_ENVELOPE,
    renderRefusals,
  });
}
