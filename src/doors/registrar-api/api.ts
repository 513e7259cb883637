import type { FastifyPluginCallback } from 'fastify';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ApiUser } from '../../registry/actor.ts';
import { type ApiDependencies, httpApi } from '../http/api.ts';
import { compatibilityCalls } from './compatibility/incumbent-endpoints.ts';
import { linkUnderAlias } from './compatibility/path-alias.ts';
import { compatibilityProfile } from './compatibility/profile.ts';
import type { RegistrarApi, RegistrarEndpoint } from './endpoint.ts';
import { envelope } from './envelope.ts';
import { renderRefusals } from './render-refusals.ts';
import { type GuardDependencies, itemGuard, requestGuard } from './request-guards.ts';

type Dependencies = ApiDependencies &
  GuardDependencies & {
    readonly database: Database;
    readonly policy: Policy;
    readonly origin: () => string;
    /** The other prefix of the API, if it has one. */
    readonly alias: string | undefined;
    readonly endpoints: readonly RegistrarEndpoint[];
  };

/** The registrar API under its prefix. */
export function registrarApi(dependencies: Dependencies): FastifyPluginCallback {
  const { policy, origin } = dependencies;
  const calls = compatibilityCalls(dependencies.endpoints, dependencies);
  const profile = compatibilityProfile(calls, dependencies);
  const api = httpApi<RegistrarApi>({
    ...dependencies,
    guard: requestGuard(dependencies),
    requireItems: itemGuard(dependencies),
    callerOf: (request) => request.principal,
    // The guard sets the principal; a request that it refuses has none.
    profileOf: ({ principal }: { readonly principal?: ApiUser }) =>
      principal?.compatibility ? profile : undefined,
    configOf: ({ id, right, document }) => ({
      call: id,
      right,
      ...(document !== undefined && { documentType: document }),
    }),
    keyScopeOf: ({ registrarId }) => `registrar:${registrarId}`,
    contextOf: (principal, { id, now, requestKey, dryRun }) => ({
      principal,
      now,
      requestId: id,
      requestKey,
      dryRun,
      policy,
      publicUrl: origin(),
    }),
    profileEndpoints: calls.additional,
    hasDryRuns: true,
    envelope,
    renderRefusals,
  });
  const keepAlias = linkUnderAlias(dependencies.alias);
  return (app, options, done) => {
    app.addHook('onSend', (request, reply, _payload, next) => {
      keepAlias(request, reply);
      next();
    });
    api(app, options, done);
  };
}
