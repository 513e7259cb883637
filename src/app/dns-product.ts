import { Notifier, type NotifyEvent, type NotifyTarget } from '../doors/dns/notify.ts';
import type { DnsAnswerEvent, DnsRequestEvent, SecondaryKey } from '../doors/dns/request.ts';
import { type DnsServerOptions, startDnsServer } from '../doors/dns/server.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { RateLimiter } from '../platform/concurrency/rate-limiter.ts';
import type { Logger } from '../platform/logging.ts';
import { addressBucket } from '../platform/values/ip-addresses.ts';
import { KnownSecondaries } from '../registry/secondaries/known-secondaries.ts';
import { recordSecondarySerial } from '../registry/secondaries/secondaries.ts';
import { databaseZones } from './database-zones.ts';
import { registerSecondaryMetrics } from './dns-metrics.ts';
import { SANDBOX_TSIG } from './dns-address.ts';
import { listenOn, portsToTry } from './door-ports.ts';
import type { ProductDependencies } from './product-dependencies.ts';
import { SerialWatch } from './serial-watch.ts';

export type DnsProduct = {
  readonly port: number;
  /** Of the sandbox, in memory. */
  readonly notifySecondary: (address: string, port: number) => void;
  forgetSecondaries(): void;
  close(): Promise<void>;
};

/** How soon a revoked key is refused. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** With the writer's half a second it is below the 0.7 s that publication may take of ours. */
const SERIAL_CHECK_INTERVAL_MS = 150;
/** Below the time after which a stop is given up; see run-until-stopped.ts. */
const DRAIN_TIMEOUT_MS = 15_000;
const DEFAULT_PORT = 8053;
/** Of refused requests of one address; all of them are counted. */
const LOGGED_REFUSALS_PER_MINUTE = 6;
/** Most of the connections for transactions are left to the APIs. */
const SHARE_OF_TRANSFERS = 4;
const SANDBOX_SECONDARY = 'sandbox';

/** Serves the zones to secondaries, and tells them of changes. Maintenance of the APIs does not stop it. */
export async function startDns(parts: ProductDependencies): Promise<DnsProduct> {
  const { config, database, log, metrics, policy } = parts;
  const known = new KnownSecondaries(database.reads);
  await known.refresh();
  const sandboxKey = config.mode === 'sandbox' ? sandboxSecondaryKey() : undefined;
  const sandboxTargets = new Map<string, NotifyTarget>();
  const notifier = new Notifier({
    notified: (event) => {
      metrics.dnsNotifications.inc({ result: event.result });
      logNotification(log, event);
    },
  });
  const watch = new SerialWatch({
    ...{ reads: database.reads, notifier },
    // A copy has the secondaries of the original.
    targets: () => (parts.isStaging?.() ? [] : [...known.list(), ...sandboxTargets.values()]),
  });
  const refusals = new RateLimiter<string>(LOGGED_REFUSALS_PER_MINUTE);
  const record = (secondary: string, zone: string, serial: number) => {
    if (secondary === SANDBOX_SECONDARY) return;
    recordSecondarySerial(database.writes, { secondary, zone, serial, at: wallClock.now() }).catch((error) =>
      log.warn({ err: error, secondary, zone }, 'the serial of a secondary was not recorded'),
    );
  };
  const options: Omit<DnsServerOptions, 'host' | 'port'> = {
    ...{ zones: policy.zones.map(({ origin }) => origin), source: databaseZones(database) },
    maxTransfers: Math.max(1, Math.floor(config.writeConnections / SHARE_OF_TRANSFERS)),
    findKey: (name) => known.findKey(name) ?? (name === sandboxKey?.name ? sandboxKey : undefined),
    requested: (event: DnsRequestEvent) => {
      const { type, result, secondary, key, zone, from } = event;
      metrics.dnsRequests.inc({ type, result });
      if (secondary !== undefined && key !== undefined) known.noteUse(secondary, key);
      if (secondary !== undefined && zone !== undefined && from !== undefined) record(secondary, zone, from);
      if (result !== 'NOERROR' && refusals.take(addressBucket(event.address)).allowed)
        log.warn(event, 'DNS request refused');
    },
    answered: ({ secondary, zone, kind, serial }: DnsAnswerEvent) => {
      notifier.told(secondary, zone, serial);
      if (kind === 'soa') return;
      metrics.dnsTransfers.inc({ zone, kind });
      log.info({ secondary, zone, kind, serial }, 'zone transferred');
      if (kind !== 'up-to-date') record(secondary, zone, serial);
    },
    failed: (error) => log.error({ err: error }, 'a DNS request failed'),
    ended: (reason) => metrics.dnsConnectionsEnded.inc({ reason }),
  };
  const ports = portsToTry(config.dnsPort, DEFAULT_PORT, config);
  const servers = await listenOn({ setting: 'DNS_PORT', ports, config, log }, (at) =>
    startDnsServer({ ...options, ...at }),
  );
  const [{ port }] = servers;
  const tasks = [
    new IntervalTask(CHANGE_CHECK_INTERVAL_MS, log, () => known.refresh()).start(),
    new IntervalTask(SERIAL_CHECK_INTERVAL_MS, log, async () => {
      // While the database is away the check of secondaries says so once a second.
      if (database.isAvailable()) await watch.look();
    }).start(),
  ];
  metrics.watch('cadastre_dns_connections', 'DNS connections over TCP', () =>
    servers.reduce((sum, { connections }) => sum + connections(), 0),
  );
  metrics.watch(
    'cadastre_dns_notifications_pending',
    'Notifications that no secondary has answered yet',
    () => notifier.pending,
  );
  registerSecondaryMetrics(metrics, database.reads);
  return {
    port,
    notifySecondary: (address, secondaryPort) => {
      if (!sandboxKey) return;
      const secondary = `${SANDBOX_SECONDARY} ${address} ${secondaryPort}`;
      sandboxTargets.set(secondary, { secondary, address, port: secondaryPort, key: sandboxKey });
    },
    forgetSecondaries: () => sandboxTargets.clear(),
    close: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      notifier.close();
      await Promise.all(servers.map(({ drain }) => drain(DRAIN_TIMEOUT_MS)));
    },
  };
}

const sandboxSecondaryKey = (): SecondaryKey => ({
  ...{ ...SANDBOX_TSIG, secondary: SANDBOX_SECONDARY },
  secret: Buffer.from(SANDBOX_TSIG.secret, 'base64'),
});

function logNotification(log: Logger, event: NotifyEvent): void {
  if (event.result === 'gave-up') log.warn(event, 'a secondary does not answer notifications');
  else if (event.result === 'refused') log.warn(event, 'a secondary refuses a notification');
  else log.debug(event, 'secondary notified');
}
