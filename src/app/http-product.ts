import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { SecondAddress } from '../doors/http/second-address.ts';
import { createServer } from '../doors/http/server.ts';
import { registerTlsMetrics, TlsIdentity } from '../doors/http/tls.ts';
import { healthRoutes } from '../doors/pages/health.ts';
import { serveMetrics } from '../doors/pages/metrics.ts';
import { pageRoutes } from '../doors/pages/routes.ts';
import { pathRewriter } from '../doors/registrar-api/path-alias.ts';
import { malformedBody } from '../doors/registrar-api/render-refusals.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import { refusal, refuse } from '../operations/common-refusals.ts';
import type { Refusal } from '../operations/refusal.ts';
import { BACKLOG } from '../platform/backlog.ts';
import { ClockWrong } from '../platform/clock/checked-clock.ts';
import { type Clock, wallClock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { type Maintenance, readMaintenance } from '../platform/maintenance.ts';
import { registerEventLoopMetrics } from '../platform/metrics.ts';
import { registerSpanMetrics } from '../platform/tracing/span-exporter.ts';
import { version } from '../platform/version.ts';
import type { CallCounts } from '../registry/activity/call-counts.ts';
import { CALL_WRITE_INTERVAL_MS } from '../registry/activity/call-counts.ts';
import { trustedAuthorities } from '../registry/certificates/authorities.ts';
import { assembleBilling } from './billing.ts';
import { DNS_PROCESS, dnsAddress, dnsCommand } from './dns-address.ts';
import type { DnsProduct } from './dns-product.ts';
import { hasOwnPort, isOpened, type PortDoor } from './door-ports.ts';
import {
  billingDoor,
  confirmationDoor,
  consoleDoor,
  type Door,
  lookupDoor,
  rdapDoor,
  registrarDoor,
  reservationDoor,
} from './doors.ts';
import type { EppProduct } from './epp-product.ts';
import { whoisAddress, whoisCommand } from './lookup-addresses.ts';
import { lookupLimits } from './lookup-limits.ts';
import { ownRateLimits } from './processes/shared-rate-limits.ts';
import { DOORS, type DoorName, type ProductDependencies } from './product-dependencies.ts';
import { openRegistrarAccess } from './registrar-access.ts';
import { sandboxKeys, trialCredentials } from './sandbox-keys.ts';
import {
  consoleAddress,
  eppAddress,
  eppCommand,
  SANDBOX_LINKS,
  sandboxAddresses,
  seedCredentials,
  seedPeople,
} from './sandbox-pages.ts';
import { seed } from './seed.ts';
import { registerDatabaseMetrics } from './watch-database.ts';
import type { WhoisProduct } from './whois-product.ts';

export type HttpProduct = {
  readonly url: string;
  /** Where it listens, whatever address people use. */
  readonly port: number;
  /** Undefined where a supervisor serves the metrics. */
  readonly metricsUrl: string | undefined;
  readonly consoleUrl: string;
  /** A command that connects to EPP, in a sandbox that has opened it. */
  readonly eppCommand: string | undefined;
  /** A command that transfers a zone, in a sandbox that has opened DNS. */
  readonly dnsCommand: string | undefined;
  /** A command that looks up a domain, in a sandbox that has opened WHOIS. */
  readonly whoisCommand: string | undefined;
  /** Reads the keys and certificates of HTTPS and EPP again. */
  reload(): Promise<void>;
  stop(): Promise<void>;
};

/** How often a process checks for changes of the maintenance mode, of users and of tokens. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** Bulk calls get a timeout this many times longer. */
const BULK_FACTOR = 10;

/** Starts all listeners: the APIs, the pages, health, metrics and, in the sandbox, its controls. */
export async function startHttp(parts: ProductDependencies): Promise<HttpProduct> {
  const { config, database, log, metrics, origin } = parts;
  const clock = refusingClock(parts.clock);
  await using running = new AsyncDisposableStack();
  const tls = await tlsIdentity(parts);
  const { app, inFlight, isFull, connections, isOverloaded, authenticated, drain } = createServer({
    ...{ config, log, metrics, malformed: malformedBody(), spans: parts.spans },
    answered: (user, call, result) =>
      access.calls.add({ userId: user.userId, interface: 'http', call, result }),
    rewritePath: pathRewriter(config.registrarApiAlias),
    ...(tls && { tls: { identity: tls.options, askClients: config.certificates === 'direct' } }),
  });
  const ipv6Loopback = new SecondAddress(app.server);
  let epp: EppProduct | undefined;
  let dns: DnsProduct | undefined;
  let whois: WhoisProduct | undefined;
  let changeCheck: IntervalTask | undefined;
  let callWriter: IntervalTask | undefined;
  // After the listeners: a check that waits behind a slow read must not keep them open.
  running.defer(() => changeCheck?.stop());
  // The last requests are counted when the listeners are closed.
  running.defer(async () => {
    await callWriter?.stop();
    await access.calls.write();
  });
  running.defer(async () => {
    const closed = Promise.all([ipv6Loopback.close(), epp?.close(), dns?.close(), whois?.close()]);
    await app.close();
    await closed;
  });
  let maintenance: Maintenance | undefined = await readMaintenance(database.reads);
  let stopping = false;
  let metricsUrl: string | undefined;

  const refuseIfBusy = (request: FastifyRequest) => {
    clock.now();
    if (isOverloaded(request)) refuse('overload');
  };
  const refuseIfUnavailable = (request: FastifyRequest) => {
    if (maintenance) refuse('maintenance');
    refuseIfBusy(request);
  };
  const unavailable = (): Refusal | undefined => {
    if (maintenance) return refusal('maintenance');
    if (clockFault(parts.clock) !== undefined) return refusal('clockWrong');
    if (!database.isAvailable()) return refusal('databaseAway');
    return isFull() ? refusal('overload') : undefined;
  };
  const bulkAnswerTimeoutMs = BULK_FACTOR * config.answerTimeoutMs;
  const server = { refuseIfUnavailable, authenticated, clock, log, metrics, bulkAnswerTimeoutMs };
  const billing = assembleBilling({ ...parts, clock }, () => origin.url);
  const rateLimits = parts.supervised?.rateLimits ?? ownRateLimits;
  const access = openRegistrarAccess({ ...parts, clock }, rateLimits);
  const lookups = lookupLimits(config, rateLimits);
  const dependencies = { ...parts, clock, app, server, refuseIfBusy, billing, rateLimits, lookups, access };
  const doors = {
    registrar: registrarDoor(dependencies),
    reservation: reservationDoor(dependencies),
    billing: billingDoor(dependencies),
    confirmation: confirmationDoor(dependencies),
    rdap: rdapDoor(dependencies),
    lookup: lookupDoor(dependencies),
    console: consoleDoor(dependencies),
  } satisfies Record<Exclude<DoorName, PortDoor>, Door>;
  const wanted = parts.doors ?? DOORS;
  const openDoors: Door[] = wanted.flatMap((name) => (hasOwnPort(name) ? [] : [doors[name]]));
  for (const door of openDoors) {
    await door.open();
    running.defer(async () => door.settled?.());
  }
  healthRoutes(app, {
    ...{ reads: database.reads, mode: config.mode, version, stopping: () => stopping },
    isStaging: () => parts.isStaging?.() ?? false,
    clockFault: () => clockFault(parts.clock),
  });
  const { eppIdentity } = parts;
  const eppPlace = () => (epp && eppIdentity ? eppAddress(config.host, epp.port, eppIdentity) : undefined);
  const eppLine = () => {
    const place = eppPlace();
    return place && eppIdentity && eppCommand(place, eppIdentity);
  };
  const dnsPlace = () => dns && dnsAddress(config, dns.port, parts.policy);
  const dnsLine = () => {
    const place = parts.sandbox && dnsPlace();
    return place && dnsCommand(place);
  };
  const whoisPlace = () => whois && whoisAddress(config, whois.port);
  const whoisLine = () => {
    const place = parts.sandbox && whoisPlace();
    return place && whoisCommand(place, seed.blocked);
  };
  const sandbox =
    parts.sandbox &&
    withOtherDoors(
      parts.sandbox,
      access.calls,
      () => epp,
      () => dns,
    );
  // Complete, whichever doors are open: each process documents all of them.
  const apis = {
    registrar: doors.registrar.document,
    reservation: doors.reservation.document,
    billing: doors.billing.document,
  };
  pageRoutes(app, {
    mode: config.mode,
    version,
    apis,
    isStaging: () => parts.isStaging?.() ?? false,
    origin: () => origin.url,
    now: () => (sandbox ? clock : wallClock).now(),
    metricsUrl: () => metricsUrl,
    credentials: sandbox ? seedCredentials() : [],
    console: () => ({ url: consoleAddress(origin), people: seedPeople() }),
    keys: sandbox ? sandboxKeys(config) : [],
    eppCommand: eppLine,
    dnsCommand: dnsLine,
    whoisCommand: whoisLine,
    links: sandbox ? SANDBOX_LINKS : [],
  });
  if (sandbox) {
    const { sandboxControls } = await import('../doors/sandbox/controls.ts');
    const { trialRoutes } = await import('../doors/sandbox/trial/trial-routes.ts');
    const trials = { apis, seed: () => trialCredentials(config), ownUrl: () => origin.ownUrl };
    const addresses = () =>
      sandboxAddresses(origin, metricsUrl, { epp: eppPlace(), dns: dnsPlace(), whois: whoisPlace() });
    await app.register(async (scope) => {
      // Moving the clock by years exceeds the usual timeout.
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, answerTimeoutMs: Number.POSITIVE_INFINITY };
      });
      sandboxControls(scope, sandbox, addresses);
      trialRoutes(scope, trials);
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
  metrics.watch('cadastre_lookups_waiting', 'Look-ups that wait for their turn', () => lookups.waiting);
  registerDatabaseMetrics(metrics, database);
  if (tls) registerTlsMetrics(metrics, tls);
  if (parts.spans) registerSpanMetrics(metrics, parts.spans);

  const { supervised } = parts;
  // First, so that a server which is ready takes EPP connections too.
  if (wanted.includes('epp') && isOpened(config.eppPort, config))
    epp = await (await import('./epp-product.ts')).startEpp({ ...parts, ...access, clock, unavailable });
  // One process is enough for the few secondaries, and only one may tell them of changes.
  if (
    wanted.includes('dns') &&
    isOpened(config.dnsPort, config) &&
    (supervised?.number ?? DNS_PROCESS) === DNS_PROCESS
  )
    dns = await (await import('./dns-product.ts')).startDns(parts);
  if (wanted.includes('whois') && isOpened(config.whoisPort, config))
    whois = await (await import('./whois-product.ts')).startWhois(parts, lookups);
  const address = {
    port: config.port,
    host: config.host,
    reusePort: supervised !== undefined,
    backlog: BACKLOG,
  };
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
  changeCheck = new IntervalTask('read changed settings', CHANGE_CHECK_INTERVAL_MS, log, async () => {
    maintenance = await readMaintenance(database.reads);
    await access.authenticator.forgetChanged();
    for (const door of openDoors) await door.refresh?.();
    await tls?.refresh(app.server as TlsServer);
  }).start();

  callWriter = new IntervalTask('write counted calls', CALL_WRITE_INTERVAL_MS, log, () =>
    access.calls.write(),
  ).start();

  supervised?.listensOn({ port, eppPort: epp?.port, whoisPort: whois?.port });
  const started = running.move();
  return {
    url: origin.url,
    port,
    metricsUrl,
    consoleUrl: consoleAddress(origin),
    eppCommand: eppLine(),
    dnsCommand: dnsLine(),
    whoisCommand: whoisLine(),
    reload: async () => {
      await tls?.reload(app.server as TlsServer);
      await epp?.reload();
    },
    stop: async () => {
      stopping = true;
      drain();
      await sleep(config.shutdownDelayMs);
      await started.disposeAsync();
    },
  };
}

/** After a reset the users of EPP sessions are others, even if they are called the same. */
const withOtherDoors = (
  powers: SandboxPowers,
  calls: Pick<CallCounts, 'forget'>,
  epp: () => EppProduct | undefined,
  dns: () => DnsProduct | undefined,
): SandboxPowers => ({
  ...powers,
  reset: async () => {
    await calls.forget();
    await powers.reset();
    await calls.forget();
    epp()?.endSessions('reset');
    dns()?.forgetSecondaries();
  },
  get notifySecondary() {
    return dns()?.notifySecondary;
  },
});

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
