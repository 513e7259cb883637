import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { PaymentPoller } from '../billing/payments/payment-poller.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import { billingApi } from '../doors/billing-api/api.ts';
import { callbackEndpoints } from '../doors/billing-api/callback.ts';
import { billingEndpoints } from '../doors/billing-api/endpoints.ts';
import { billingDescription } from '../doors/billing-api/openapi.ts';
import { BILLING_PREFIX } from '../doors/billing-api/prefix.ts';
import { fingerprintReader } from '../doors/http/client-certificate.ts';
import { openApiDocument } from '../doors/http/openapi.ts';
import { SecondAddress } from '../doors/http/second-address.ts';
import { createServer } from '../doors/http/server.ts';
import { TlsIdentity } from '../doors/http/tls.ts';
import { authorityRoutes } from '../doors/pages/authority.ts';
import { confirmPages } from '../doors/pages/confirmation/confirmation-routes.ts';
import { healthRoutes } from '../doors/pages/health.ts';
import { serveMetrics } from '../doors/pages/metrics.ts';
import { pageRoutes } from '../doors/pages/routes.ts';
import { registrarApi } from '../doors/registrar-api/api.ts';
import { registrarEndpoints } from '../doors/registrar-api/endpoints.ts';
import { malformedBody } from '../doors/registrar-api/envelope.ts';
import { registrarDescription } from '../doors/registrar-api/openapi.ts';
import { PREFIX } from '../doors/registrar-api/prefix.ts';
import { PortalAccess } from '../doors/reservation-api/access.ts';
import { reservationApi } from '../doors/reservation-api/api.ts';
import { reservationEndpoints } from '../doors/reservation-api/endpoints.ts';
import { reservationDescription } from '../doors/reservation-api/openapi.ts';
import { RESERVATION_PREFIX } from '../doors/reservation-api/prefix.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import { refuse } from '../operations/refusals.ts';
import { ClockWrong } from '../platform/clock/checked-clock.ts';
import { type Clock, wallClock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { RateLimiter } from '../platform/concurrency/rate-limiter.ts';
import type { Config } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import { type Maintenance, readMaintenance } from '../platform/maintenance.ts';
import { type Metrics, registerEventLoopMetrics } from '../platform/metrics.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Policy } from '../policy/policy.ts';
import { Authenticator } from '../registry/access/authenticator.ts';
import { trustedAuthorities } from '../registry/certificates/authorities.ts';
import { KnownTokens } from '../reservations/tokens.ts';
import { assembleBilling, billingSecrets } from './billing.ts';
import type { Origin } from './origin.ts';
import { sandboxKeys } from './sandbox-keys.ts';
import { seed } from './seed.ts';
import { version } from './version.ts';
import { registerDatabaseMetrics } from './watch-database.ts';

export type ProductDependencies = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly origin: Origin;
  readonly provider: PaymentProvider;
  /** Set in the sandbox only. */
  readonly sandbox?: SandboxPowers;
};

export type HttpProduct = { readonly url: string; readonly metricsUrl: string; stop(): Promise<void> };

/** How often a process checks for changes of the maintenance mode, of users and of tokens. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** Bulk calls get a timeout this many times longer. */
const BULK_FACTOR = 10;

/** Starts all listeners: the APIs, the pages, health, metrics and, in the sandbox, its controls. */
export async function startHttp(parts: ProductDependencies): Promise<HttpProduct> {
  const { config, database, policy, log, metrics, origin, provider, sandbox } = parts;
  const clock = refusingClock(parts.clock);
  await using running = new AsyncDisposableStack();
  const tls = await tlsIdentity(parts);
  const { app, inFlight, connections, isOverloaded, authenticated } = createServer({
    ...{ config, log, metrics, malformed: malformedBody() },
    rewritePath: aliasRewriter(config.registrarApiAlias),
    ...(tls && { tls: { identity: tls.options, askClients: config.certificates === 'direct' } }),
  });
  const ipv6Loopback = new SecondAddress(app.server);
  running.defer(async () => {
    const closed = ipv6Loopback.close();
    await app.close();
    await closed;
  });
  const gatekeeper = new Authenticator(database, clock, {
    failuresPerMinute: config.failuresPerMinute,
    certificatesRequired: config.certificates !== 'off',
    onRejected: (why, user, { address }) => log.info({ user, address, why }, 'login rejected'),
    addressNotWritten: (error) => log.warn({ err: error }, 'the address of a login was not written'),
  });
  const endpoints = registrarEndpoints({ database, policy, provider });
  let maintenance: Maintenance | undefined = await readMaintenance(database.reads);
  let stopping = false;
  let metricsUrl: string | undefined;

  const refuseIfUnavailable = (request: FastifyRequest) => {
    if (maintenance) refuse('maintenance');
    clock.now();
    if (isOverloaded(request)) refuse('overload');
  };
  const bulkAnswerTimeoutMs = BULK_FACTOR * config.answerTimeoutMs;
  const server = { refuseIfUnavailable, authenticated, clock, log, metrics, bulkAnswerTimeoutMs };
  const rateLimiter = new RateLimiter<number>(config.rateLimitPerMinute);
  await app.register(
    registrarApi({
      ...{ ...server, database, gatekeeper, rateLimiter, policy, endpoints },
      origin: () => origin.url,
      fingerprintOf: fingerprintReader(config),
    }),
    { prefix: PREFIX },
  );
  const billing = assembleBilling({ ...parts, clock }, () => origin.url);
  const poller = new PaymentPoller(billing, config.paymentLookupsPerSecond);
  running.defer(() => poller.settled());
  const serviceEndpoints = billingEndpoints({ billing });
  const providerEndpoints = callbackEndpoints({
    database,
    pollSoon: poller.pollSoon,
    pollUnknownSoon: poller.pollUnknownSoon,
  });
  await app.register(
    billingApi({
      ...server,
      endpoints: serviceEndpoints,
      callbackEndpoints: providerEndpoints,
      secrets: billingSecrets(config),
      callbacksPerMinute: config.callbacksPerMinute,
    }),
    { prefix: BILLING_PREFIX },
  );
  const tokens = new KnownTokens(database.reads, clock);
  await tokens.refresh();
  const portalAccess = new PortalAccess({
    tokens,
    allowedIps: config.portalAllowedIps,
    requestsPerMinute: config.portalRequestsPerMinute,
    failuresPerMinute: config.failuresPerMinute,
  });
  const portalEndpoints = reservationEndpoints({ reservations: billing, access: portalAccess });
  await app.register(reservationApi({ ...server, access: portalAccess, endpoints: portalEndpoints }), {
    prefix: RESERVATION_PREFIX,
  });
  await app.register(
    confirmPages({
      ...{ database, policy, clock, log, metrics, refuseIfUnavailable, mode: config.mode },
      guessesPerMinute: config.failuresPerMinute,
    }),
    { prefix: '/confirm' },
  );
  authorityRoutes(app, database.reads);
  healthRoutes(app, {
    ...{ reads: database.reads, mode: config.mode, version, stopping: () => stopping },
    clockFault: () => clockFault(parts.clock),
  });
  pageRoutes(app, {
    mode: config.mode,
    version,
    apis: {
      registrar: openApiDocument(registrarDescription, endpoints, version),
      reservation: openApiDocument(reservationDescription(policy), portalEndpoints, version),
      billing: openApiDocument(billingDescription, [...serviceEndpoints, ...providerEndpoints], version),
    },
    origin: () => origin.url,
    now: () => (sandbox ? clock : wallClock).now(),
    metricsUrl: () => metricsUrl,
    credentials: sandbox ? seedCredentials() : [],
    keys: sandbox ? sandboxKeys(config) : [],
    links: sandbox ? SANDBOX_LINKS : [],
  });
  if (sandbox) {
    const { sandboxControls } = await import('../doors/sandbox/controls.ts');
    const addresses = () => sandboxAddresses(origin, metricsUrl);
    await app.register(async (scope) => {
      // Moving the clock by years exceeds the usual timeout.
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, answerTimeoutMs: Number.POSITIVE_INFINITY };
      });
      sandboxControls(scope, sandbox, addresses);
    });
  }
  metrics.watch('cadastre_requests_in_flight', 'Requests under way', inFlight);
  metrics.watch('cadastre_connections', 'Connections of clients', connections);
  running.defer(registerEventLoopMetrics(metrics));
  metrics.watch(
    'cadastre_list_statements_waiting',
    'Statements of lists that wait for their turn',
    () => database.listTurns.waiting,
  );
  registerDatabaseMetrics(metrics, database);

  await app.listen({ port: config.port, host: config.host });
  const { port } = app.server.address() as AddressInfo;
  origin.listensOn(port);
  // `localhost` resolves to both; a machine without IPv6 needs no second listener.
  if (sandbox && config.host === '127.0.0.1')
    await ipv6Loopback
      .listen('::1', port)
      .catch((error) => log.warn({ err: error }, 'the sandbox does not listen on ::1'));
  const metricsServer = await serveMetrics(metrics, config.metricsPort, port);
  running.defer(() => metricsServer.close());
  metricsUrl = metricsServer.url;
  const changeCheck = new IntervalTask(CHANGE_CHECK_INTERVAL_MS, log, async () => {
    maintenance = await readMaintenance(database.reads);
    await gatekeeper.forgetChanged();
    await tokens.refresh();
    await tls?.refresh(app.server as TlsServer, log);
  }).start();
  running.defer(() => changeCheck.stop());

  const started = running.move();
  return {
    url: origin.url,
    metricsUrl,
    stop: () => {
      stopping = true;
      return started.disposeAsync();
    },
  };
}

/** Paths below the alias of the registrar API are those below its own prefix. */
const aliasRewriter = (alias: string | undefined) => (url: string) =>
  alias !== undefined && url.startsWith(alias) && /^(?:[/?]|$)/.test(url.slice(alias.length))
    ? PREFIX + url.slice(alias.length)
    : url;

/** Turns a wrong clock into a refusal wherever a request reads the time. */
const refusingClock = (clock: Clock): Clock => ({
  now() {
    try {
      return clock.now();
    } catch (error) {
      if (error instanceof ClockWrong) refuse('clockWrong');
      throw error;
    }
  },
});

function clockFault(clock: Clock): string | undefined {
  try {
    clock.now();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Clients are sent the accepted CAs, so that they can choose the certificate to present. */
async function tlsIdentity({ config, database, log }: ProductDependencies): Promise<TlsIdentity | undefined> {
  const { tlsKeyFile: key, tlsCertificateFile: certificate, certificates } = config;
  if (key === undefined || certificate === undefined) return undefined;
  const authorities = async () =>
    certificates === 'direct'
      ? (await trustedAuthorities(database.reads)).map((authority) => authority.certificate)
      : [];
  return TlsIdentity.read({ key, certificate }, authorities, log);
}

const SANDBOX_LINKS = [
  { what: 'Where everything is, for programs', path: '/sandbox' },
  { what: 'The clock: read it, move it forward', path: '/sandbox/clock' },
  { what: 'Back to the seed', path: '/sandbox/reset' },
  { what: "Put money on a registrar's account", path: '/sandbox/topup' },
  { what: 'Mails: what was sent, what waits', path: '/sandbox/mail' },
  { what: 'Messages to other services, and what became of them', path: '/sandbox/deliveries' },
  { what: 'The accounting service: the invoices that it has', path: '/sandbox/accounting' },
  { what: 'The e-invoice operator: what it has received', path: '/sandbox/einvoice' },
  { what: 'Make an outside service fail', path: '/sandbox/faults' },
  { what: 'Pay an invoice by its link', path: '/sandbox/provider/pay' },
  { what: 'The reservation API of the business portal', path: '/api/v1/business_registry' },
  { what: 'The billing API of the calling services', path: '/api/v1' },
];

const sandboxAddresses = (origin: Origin, metrics: string | undefined) => ({
  home: `${origin.urlForPeople}/`,
  docs: `${origin.urlForPeople}/docs`,
  metrics,
  registrar_api: origin.url + PREFIX,
  reservation_api: origin.url + RESERVATION_PREFIX,
  billing_api: origin.url + BILLING_PREFIX,
});

function seedCredentials() {
  return seed.users.map(({ username, password, registrar, roles }) => ({
    registrar,
    username,
    password,
    roles: roles.join(', '),
    balance: seed.registrars.find(({ code }) => code === registrar)?.balance ?? '',
  }));
}
