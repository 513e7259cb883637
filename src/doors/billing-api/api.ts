import type { FastifyPluginCallback } from 'fastify';
import type { Initiator } from '../../billing/invoices/invoice.ts';
import { Refused } from '../../operations/refusal.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { addressBucket } from '../../platform/values/ip-addresses.ts';
import { NO_ENVELOPE } from '../http/http-answer.ts';
import { type ApiDependencies, httpCalls, refuseOtherPaths } from '../http/api.ts';
import { Callers } from '../http/callers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { failureHandler } from '../http/failure-handler.ts';
import { type BillingSecrets, tokenReader } from './access.ts';
import { refusal, refuse } from './billing-api-refusals.ts';
import type { CallbackApi } from './callback.ts';
import type { BillingApi, BillingEndpoint } from './endpoint.ts';
import { renderRefusals } from './render-refusals.ts';

type Dependencies = ApiDependencies & {
  readonly secrets: BillingSecrets;
  readonly callbackLimiter: RequestLimiter<string>;
  readonly endpoints: readonly BillingEndpoint[];
  readonly callbackEndpoints: readonly Endpoint<CallbackApi>[];
};

/** An import has 50,000 entries of up to a dozen values. */
const MAX_VALUES = 600_000;
/** Shared by the calls with a token and the callback. */
const FORMAT = {
  hasDryRuns: false,
  envelope: NO_ENVELOPE,
  renderRefusals,
  maxValues: MAX_VALUES,
} as const;

/** The billing API: a token for every call but the callback. */
export function billingApi(dependencies: Dependencies): FastifyPluginCallback {
  const { refuseIfUnavailable } = dependencies;
  return (app, _options, done) => {
    app.setErrorHandler(failureHandler({ ...dependencies, renderRefusals }));
    refuseOtherPaths(app, [...dependencies.endpoints, ...dependencies.callbackEndpoints], renderRefusals);
    app.addHook('onRequest', (request, _reply, next) => {
      refuseIfUnavailable(request);
      next();
    });
    app.register(callbackPart(dependencies));
    app.register(tokenPart(dependencies));
    done();
  };
}

function tokenPart({ secrets, ...dependencies }: Dependencies): FastifyPluginCallback {
  const readToken = tokenReader(secrets);
  const callers = new Callers<Initiator>();
  return httpCalls<BillingApi>({
    ...dependencies,
    ...FORMAT,
    guard: (request, _reply, next) => {
      readToken(request.headers.authorization)
        .then((initiator) => {
          callers.set(request, initiator ?? refuse('accessDenied'));
          dependencies.authenticated(request);
        })
        .then(() => next(), next);
    },
    callerOf: callers.of,
    keyScopeOf: (initiator) => `billing:${initiator}`,
    contextOf: (initiator, { now, requestKey }) => ({ initiator, now, requestKey, dryRun: false }),
  });
}

function callbackPart({ callbackLimiter, callbackEndpoints, ...dependencies }: Dependencies) {
  return httpCalls<CallbackApi>({
    ...dependencies,
    ...FORMAT,
    endpoints: callbackEndpoints,
    guard: ({ ip }, _reply, next) => {
      const { allowed, secondsToReset: seconds } = callbackLimiter.take(addressBucket(ip));
      if (!allowed) throw new Refused({ ...refusal('tooManyCallbacks'), retryAfterSeconds: seconds });
      next();
    },
    callerOf: ({ ip }) => ({ address: addressBucket(ip) }),
    keyScopeOf: () => 'callback',
    contextOf: ({ address }, { now }) => ({ address, now }),
  });
}
