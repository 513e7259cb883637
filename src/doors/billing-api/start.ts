import type { Billing } from '../../billing/context.ts';
import { PaymentPoller } from '../../billing/payments/payment-poller.ts';
import type { PollDependencies } from '../../billing/payments/poll-provider.ts';
import { version } from '../../platform/version.ts';
import type { ApiDoor, HttpDoorDependencies } from '../door.ts';
import { openApiDocument } from '../http/openapi.ts';
import { billingSecrets } from './access.ts';
import { billingApi } from './api.ts';
import { callbackEndpoints } from './callback.ts';
import { billingEndpoints } from './endpoints.ts';
import { billingDescription } from './openapi.ts';
import { BILLING_PREFIX } from './prefix.ts';

type Dependencies = HttpDoorDependencies & { readonly billing: Billing & PollDependencies };

/** The calls of other services, and the callbacks of the payment provider, after which its payments are polled. */
export function billingDoor(parts: Dependencies): ApiDoor {
  const { app, config, database, billing, origin, rateLimits } = parts;
  const poller = new PaymentPoller(billing, config.paymentLookupsPerSecond);
  const { pollSoon, pollUnknownSoon } = poller;
  const endpoints = billingEndpoints({ billing });
  const callbacks = callbackEndpoints({ database, pollSoon, pollUnknownSoon });
  return {
    document: () =>
      openApiDocument(billingDescription, [...endpoints, ...callbacks], { version, server: origin.url }),
    async start() {
      const api = billingApi({
        ...parts,
        endpoints,
        callbackEndpoints: callbacks,
        secrets: billingSecrets(config),
        callbackLimiter: rateLimits.limiter('callbacks', config.callbacksPerMinute),
      });
      await app.register(api, { prefix: BILLING_PREFIX });
      return { close: () => poller.settled() };
    },
  };
}
