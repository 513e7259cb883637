import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Billing } from '../billing/context.ts';
import { PaymentPoller } from '../billing/payments/payment-poller.ts';
import type { PollDependencies } from '../billing/payments/poll-provider.ts';
import { billingApi } from '../doors/billing-api/api.ts';
import { callbackEndpoints } from '../doors/billing-api/callback.ts';
import { billingEndpoints } from '../doors/billing-api/endpoints.ts';
import { billingDescription } from '../doors/billing-api/openapi.ts';
import { BILLING_PREFIX } from '../doors/billing-api/prefix.ts';
import { CONSOLE_PREFIX } from '../doors/console/prefix.ts';
import { consoleRoutes } from '../doors/console/routes.ts';
import type { ApiDependencies } from '../doors/http/api.ts';
import { fingerprintReader } from '../doors/http/client-certificate.ts';
import { openApiDocument } from '../doors/http/openapi.ts';
import { authorityRoutes } from '../doors/pages/authority.ts';
import { confirmPages } from '../doors/pages/confirmation/confirmation-routes.ts';
import { lookupPages } from '../doors/pages/lookup/lookup-routes.ts';
import { RdapAccess } from '../doors/rdap/access.ts';
import { RDAP_PREFIX } from '../doors/rdap/prefix.ts';
import { rdapRoutes } from '../doors/rdap/routes.ts';
import { registrarApi } from '../doors/registrar-api/api.ts';
import { registrarEndpoints } from '../doors/registrar-api/endpoints.ts';
import { registrarDescription } from '../doors/registrar-api/openapi.ts';
import { PREFIX } from '../doors/registrar-api/prefix.ts';
import { PortalAccess } from '../doors/reservation-api/access.ts';
import { reservationApi } from '../doors/reservation-api/api.ts';
import { reservationEndpoints } from '../doors/reservation-api/endpoints.ts';
import { reservationDescription } from '../doors/reservation-api/openapi.ts';
import { RESERVATION_PREFIX } from '../doors/reservation-api/prefix.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { version } from '../platform/version.ts';
import { LoginLimits } from '../registry/access/login-limits.ts';
import { KnownRequesters } from '../registry/lookup/known-requesters.ts';
import type { LookupLimits } from '../registry/lookup/lookup-limits.ts';
import { authenticatorKeys } from '../registry/people/authenticator-secrets.ts';
import { IdentityProvider } from '../registry/people/identity-provider.ts';
import { PasswordLogins } from '../registry/people/log-in.ts';
import { KnownTokens } from '../reservations/tokens.ts';
import { billingSecrets } from './billing.ts';
import { identitySettings } from './identity-settings.ts';
import { messageLimiters } from './lookup-limits.ts';
import type { RateLimits } from './processes/shared-rate-limits.ts';
import type { ProductDependencies } from './product-dependencies.ts';
import type { RegistrarAccess } from './registrar-access.ts';
import { webhookSettings } from './webhook-settings.ts';

/** Of each door. The product opens those that it is told to serve. */
type Dependencies = ProductDependencies & {
  readonly app: FastifyInstance;
  readonly access: RegistrarAccess;
  readonly server: ApiDependencies;
  /** As `refuseIfUnavailable`, but for maintenance, which does not concern look-ups. */
  readonly refuseIfBusy: (request: FastifyRequest) => void;
  readonly rateLimits: RateLimits;
  /** Of RDAP, WHOIS and the page together. */
  readonly lookups: LookupLimits;
  readonly billing: Billing & PollDependencies;
};

export type Door = {
  /** Adds its routes to the server. */
  open(): Promise<void>;
  /** Takes over changes of users and tokens that other processes have made. */
  refresh?(): Promise<void>;
  /** Resolves when the work that its requests have started is done. */
  settled?(): Promise<void>;
};
type DocumentedDoor = Door & { readonly document: () => ReturnType<typeof openApiDocument> };

export function registrarDoor({ app, server, ...parts }: Dependencies): DocumentedDoor {
  const { database, policy, provider, origin, config, access } = parts;
  const endpoints = registrarEndpoints({
    ...{ database, policy, provider },
    webhooks: webhookSettings(config),
  });
  return {
    document: () => openApiDocument(registrarDescription, endpoints, version),
    open: async () => {
      const api = registrarApi({
        ...{ ...server, database, policy, endpoints },
        ...{ gatekeeper: access.authenticator, rateLimiter: access.rateLimiter },
        origin: () => origin.url,
        alias: config.registrarApiAlias,
        fingerprintOf: fingerprintReader(config),
      });
      await app.register(api, { prefix: PREFIX });
      authorityRoutes(app, database.reads);
    },
  };
}

export function reservationDoor({ app, server, ...parts }: Dependencies): DocumentedDoor {
  const { database, policy, clock, config, billing, rateLimits } = parts;
  const tokens = new KnownTokens(database.reads, clock);
  const access = new PortalAccess({
    tokens,
    allowedIps: config.portalAllowedIps,
    requests: rateLimits.limiter('reservation API', config.portalRequestsPerMinute),
    failuresPerMinute: config.failuresPerMinute,
  });
  const endpoints = reservationEndpoints({ reservations: billing, access });
  return {
    document: () => openApiDocument(reservationDescription(policy), endpoints, version),
    open: async () => {
      await tokens.refresh();
      await app.register(reservationApi({ ...server, access, endpoints }), { prefix: RESERVATION_PREFIX });
    },
    refresh: () => tokens.refresh(),
  };
}

/** The calls of other services, and the callbacks of the payment provider. */
export function billingDoor({ app, server, ...parts }: Dependencies): DocumentedDoor {
  const { database, config, billing, rateLimits } = parts;
  const poller = new PaymentPoller(billing, config.paymentLookupsPerSecond);
  const endpoints = billingEndpoints({ billing });
  const { pollSoon, pollUnknownSoon } = poller;
  const callbacks = callbackEndpoints({ database, pollSoon, pollUnknownSoon });
  return {
    document: () => openApiDocument(billingDescription, [...endpoints, ...callbacks], version),
    open: async () => {
      const api = billingApi({
        ...{ ...server, endpoints, callbackEndpoints: callbacks },
        secrets: billingSecrets(config),
        callbackLimiter: rateLimits.limiter('callbacks', config.callbacksPerMinute),
      });
      await app.register(api, { prefix: BILLING_PREFIX });
    },
    settled: () => poller.settled(),
  };
}

/** The pages on which registrants confirm or reject. */
export function confirmationDoor({ app, server, database, policy, config }: Dependencies): Door {
  return {
    open: async () => {
      const pages = confirmPages({
        ...{ ...server, database, policy, mode: config.mode, guessesPerMinute: config.failuresPerMinute },
      });
      await app.register(pages, { prefix: '/confirm' });
    },
  };
}

/** What anybody can look up. */
export function rdapDoor({ app, server, ...parts }: Dependencies): Door {
  const { database, policy, config, lookups, rateLimits, origin, refuseIfBusy } = parts;
  const access = new RdapAccess({
    authenticator: parts.access.authenticator,
    fingerprintOf: fingerprintReader(config),
    requesters: new KnownRequesters(database.reads),
    limits: lookups,
    authenticatedLimiter: rateLimits.limiter('RDAP with credentials', config.rateLimitPerMinute),
    authenticated: server.authenticated,
  });
  return {
    open: async () => {
      const { lookupsPerMinute } = config;
      const routes = rdapRoutes({
        ...{ ...server, database, policy, access, lookupsPerMinute, refuseIfBusy },
        origin: () => origin.url,
      });
      await app.register(routes, { prefix: RDAP_PREFIX });
    },
  };
}

/** The look-up for people. */
export function lookupDoor({ app, server, lookups, rateLimits, ...parts }: Dependencies): Door {
  const { database, policy, config, origin, refuseIfBusy } = parts;
  return {
    open: async () => {
      const pages = lookupPages({
        ...{ ...server, database, policy, mode: config.mode, limits: lookups, refuseIfBusy },
        messageLimiters: messageLimiters(policy, rateLimits),
        publicUrl: () => origin.urlForPeople,
        isOwnOrigin: (given, host) => origin.isOwn(given, host),
      });
      await app.register(pages, { prefix: '/lookup' });
    },
  };
}

/** The registrars' console. */
export function consoleDoor({ app, server, ...parts }: Dependencies): Door {
  const { database, policy, config, origin, access, billing } = parts;
  const limits = new LoginLimits(config.failuresPerMinute, access.verifications);
  return {
    open: async () => {
      const pages = consoleRoutes({
        ...{ ...server, database, policy, provider: billing.provider, mode: config.mode, wallClock },
        logins: new PasswordLogins(database.reads, limits),
        authenticatorKeys: authenticatorKeys(config),
        publicUrl: () => origin.urlForPeople,
        isOwnOrigin: (given, host) => origin.isOwn(given, host),
        identity: new IdentityProvider(() => identitySettings(config, origin)),
        webhooks: webhookSettings(config),
        requestLimiter: parts.rateLimits.limiter('console', config.rateLimitPerMinute),
        isStaging: () => parts.isStaging?.() ?? false,
      });
      await app.register(pages, { prefix: CONSOLE_PREFIX });
    },
  };
}
