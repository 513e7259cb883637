import type { FastifyPluginCallback } from 'fastify';
import type { Database } from '../../platform/sql/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { type ApiDependencies, httpApi } from '../http/api.ts';
import { compatibilityProfile } from './compatibility/profile.ts';
import type { RegistrarApi, RegistrarEndpoint } from './endpoint.ts';
import { envelope, renderRefusals } from './envelope.ts';
import { type GuardDependencies, itemGuard, requestGuard } from './request-guards.ts';

type Dependencies = ApiDependencies &
  GuardDependencies & {
    readonly database: Database;
    readonly policy: Policy;
    readonly origin: () => string;
    readonly endpoints: readonly RegistrarEndpoint[];
  };

/** The registrar API under its prefix. */
export function registrarApi(dependencies: Dependencies): FastifyPluginCallback {
  const { policy, origin } = dependencies;
  const profile = compatibilityProfile(dependencies.endpoints, dependencies);
  return httpApi<RegistrarApi>({
    ...dependencies,
    guard: requestGuard(dependencies),
    requireItems: itemGuard(dependencies),
    callerOf: (request) => request.principal,
    profileOf: ({ compatibility }) => (compatibility ? profile : undefined),
    configOf: ({ right, document }) => ({ right, ...(document !== undefined && { documentType: document }) }),
    keyScopeOf: ({ registrarId }) => `registrar:${registrarId}`,
    contextOf: (principal, { id, now, requestKey, dryRun }) => ({
      ...{ principal, now, requestId: id, requestKey, dryRun, policy },
      publicUrl: origin(),
    }),
    hasDryRuns: true,
    envelope,
    renderRefusals,
  });
}
