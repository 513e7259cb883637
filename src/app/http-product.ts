import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { BILLING_PREFIX } from '../doors/billing-api/prefix.ts';
import { SecondAddress } from '../doors/http/second-address.ts';
import { createServer } from '../doors/http/server.ts';
import { registerTlsMetrics, TlsIdentity } from '../doors/http/tls.ts';
import { healthRoutes } from '../doors/pages/health.ts';
import { serveMetrics } from '../doors/pages/metrics.ts';
import { pageRoutes } from '../doors/pages/routes.ts';
import { malformedBody } from '../doors/registrar-api/envelope.ts';
import { PREFIX } from '../doors/registrar-api/prefix.ts';
import { RESERVATION_PREFIX } from '../doors/reservation-api/prefix.ts';
import { refuse } from '../operations/refusals.ts';
import { ClockWrong } from '../platform/clock/checked-clock.ts';
import { type Clock, wallClock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { type Maintenance, readMaintenance } from '../platform/maintenance.ts';
import { registerEventLoopMetrics } from '../platform/metrics.ts';
import { registerSpanMetrics } from '../platform/tracing/span-exporter.ts';
import { trustedAuthorities } from '../registry/certificates/authorities.ts';
import { assembleBilling } from './billing.ts';
import { billingDoor, confirmationDoor, type Door, registrarDoor, reservationDoor } from './doors.ts';
import type { Origin } from './origin.ts';
import { ownRateLimits } from './processes/shared-rate-limits.ts';
import { DOORS, type DoorName, type ProductDependencies } from './product-dependencies.ts';
import { sandboxKeys } from './sandbox-keys.ts';
import { seed } from './seed.ts';
import { version } from './version.ts';
import { registerDatabaseMetrics } from './watch-database.ts';

export type HttpProduct = {
  readonly url: string;
  /** Undefined where a supervisor serves the metrics. */
  readonly metricsUrl: string | undefined;
  stop(): Promise<void>;
};

/** How often a process checks for changes of the maintenance mode, of users and of tokens. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** Bulk calls get a timeout this many times longer. */
const BULK_FACTOR = 10;

/** Starts all listeners: the APIs, the pages, health, metrics and, in the sandbox, its controls. */
export async function startHttp(parts: ProductDependencies): Promise<HttpProduct> {
  const { config, database, log, metrics, origin, sandbox } = parts;
  const clock = refusingClock(parts.clock);
  await using running = new AsyncDisposableStack();
  const tls = await tlsIdentity(parts);
  const { app, inFlight, connections, isOverloaded, authenticated, drain } = createServer({
    ...{ config, log, metrics, malformed: malformedBody(), spans: parts.spans },
    rewritePath: aliasRewriter(config.registrarApiAlias),
    ...(tls && { tls: { identity: tls.options, askClients: config.certificates === 'direct' } }),
  });
  const ipv6Loopback = new SecondAddress(app.server);
  let changeCheck: IntervalTask | undefined;
  // After the listeners: a check that waits behind a slow read must not keep them open.
  running.defer(() => changeCheck?.stop());
  running.defer(async () => {
    const closed = ipv6Loopback.close();
    await app.close();
    await closed;
  });
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
  const billing = assembleBilling({ ...parts, clock }, () => origin.url);
  const rateLimits = parts.supervised?.rateLimits ?? ownRateLimits;
  const dependencies = { ...parts, clock, app, server, billing, rateLimits };
  const doors = {
    registrar: registrarDoor(dependencies),
    reservation: reservationDoor(dependencies),
    billing: billingDoor(dependencies),
    confirmation: confirmationDoor(dependencies),
  } satisfies Record<DoorName, Door>;
  const openDoors: Door[] = (parts.doors ?? DOORS).map((name) => doors[name]);
  for (const door of openDoors) {
    await door.open();
    running.defer(async () => door.settled?.());
  }
  healthRoutes(app, {
    ...{ reads: database.reads, mode: config.mode, version, stopping: () => stopping },
    isStaging: () => parts.isStaging?.() ?? false,
    clockFault: () => clockFault(parts.clock),
  });
  pageRoutes(app, {
    mode: config.mode,
    version,
    // Complete, whichever doors are open: each process documents all of them.
    apis: {
      registrar: doors.registrar.document,
      reservation: doors.reservation.document,
      billing: doors.billing.document,
    },
    isStaging: () => parts.isStaging?.() ?? false,
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
  if (tls) registerTlsMetrics(metrics, tls);
  if (parts.spans) registerSpanMetrics(metrics, parts.spans);

  const { supervised } = parts;
  const address = { port: config.port, host: config.host, reusePort: supervised !== undefined };
  await app.listen(address);
  const { port } = app.server.address() as AddressInfo;
  origin.listensOn(port);
  // `localhost` resolves to both; a machine without IPv6 needs no second listener.
  if (sandbox && config.host === '127.0.0.1')
    await ipv6Loopback
      .listen('::1', port)
      .catch((error) => log.warn({ err: error }, 'the sandbox does not listen on ::1'));
  if (supervised) supervised.reportMetrics(metrics);
  else {
    const metricsServer = await serveMetrics(metrics, config, port);
    running.defer(() => metricsServer.close());
    metricsUrl = metricsServer.url;
  }
  changeCheck = new IntervalTask(CHANGE_CHECK_INTERVAL_MS, log, async () => {
    maintenance = await readMaintenance(database.reads);
    for (const door of openDoors) await door.refresh?.();
    await tls?.refresh(app.server as TlsServer, log);
  }).start();

  supervised?.listensOn(port);
  const started = running.move();
  return {
    url: origin.url,
    metricsUrl,
    stop: async () => {
      stopping = true;
      drain();
      await sleep(config.shutdownDelayMs);
      await started.disposeAsync();
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
