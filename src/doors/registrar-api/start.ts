import type { PaymentProvider } from '../../billing/provider/provider.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { version } from '../../platform/version.ts';
import type { Authenticator } from '../../registry/access/authenticator.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import type { ApiDoor, HttpDoorDependencies } from '../door.ts';
import { fingerprintReader } from '../http/client-certificate.ts';
import { openApiDocument } from '../http/openapi.ts';
import { registrarApi } from './api.ts';
import { authorityRoutes } from './authority-routes.ts';
import { registrarEndpoints } from './endpoints.ts';
import { registrarDescription } from './openapi.ts';
import { PREFIX } from './prefix.ts';

type Dependencies = HttpDoorDependencies & {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RequestLimiter<number>;
  readonly provider: PaymentProvider;
  readonly webhooks: WebhookSettings;
};

/** The registrar API, and the certificates of our authorities for those who verify clients themselves. */
export function registrarDoor(parts: Dependencies): ApiDoor {
  const { app, config, database, policy, origin } = parts;
  const endpoints = registrarEndpoints(parts);
  return {
    document: () => openApiDocument(registrarDescription(policy), endpoints, { version, server: origin.url }),
    async start() {
      const api = registrarApi({
        ...parts,
        endpoints,
        gatekeeper: parts.authenticator,
        origin: () => origin.url,
        alias: config.registrarApiAlias,
        fingerprintOf: fingerprintReader(config),
      });
      await app.register(api, { prefix: PREFIX });
      authorityRoutes(app, database.reads);
      return {};
    },
  };
}
