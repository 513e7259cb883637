import { Notifier, type NotifyEvent } from '../doors/dns/notify.ts';
import type { DnsAnswerEvent, DnsRequestEvent } from '../doors/dns/request.ts';
import { SandboxSecondaries } from '../doors/dns/sandbox-secondaries.ts';
import { SeenSignatures } from '../doors/dns/seen-signatures.ts';
import { type DnsServerOptions, startDnsServer } from '../doors/dns/server.ts';
import { TransferSlots } from '../doors/dns/transfer-slots.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { RateLimiter } from '../platform/concurrency/rate-limiter.ts';
import type { Logger } from '../platform/logging.ts';
import { addressBucket } from '../platform/values/ip-addresses.ts';
import { KnownSecondaries } from '../registry/secondaries/known-secondaries.ts';
import { recordSecondaryQuery, recordSecondarySerial } from '../registry/secondaries/secondaries.ts';
import { SecondaryProgress } from '../registry/secondaries/secondary-progress.ts';
import { databaseZones } from './database-zones.ts';
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
/** So that a slow secondary does not hold the only one. */
const MIN_TRANSFERS = 2;

/** Serves the zones to secondaries, and tells them of changes. Maintenance of the APIs does not stop it. */
export async function startDns(parts: ProductDependencies): Promise<DnsProduct> {
  const { config, database, log, metrics, policy } = parts;
  const known = new KnownSecondaries(database.reads);
  await known.refresh();
  const sandbox = config.mode === 'sandbox' ? new SandboxSecondaries() : undefined;
  const notifier = new Notifier({
    notified: (event) => {
      metrics.dnsNotifications.inc({ result: event.result });
      logNotification(log, event);
    },
  });
  const watch = new SerialWatch({
    ...{ reads: database.reads, notifier },
    // A copy has the secondaries of the original.
    targets: () => (parts.isStaging?.() ? [] : [...known.list(), ...(sandbox?.targets ?? [])]),
  });
  const refusals = new RateLimiter<string>(LOGGED_REFUSALS_PER_MINUTE);
  const recorded = (secondary: string, zone: string, recording: Promise<void>) =>
    recording.catch((error) =>
      log.warn({ err: error, secondary, zone }, 'the serial of a secondary was not recorded'),
    );
  const progress = new SecondaryProgress({
    has: (secondary, zone, serial) => {
      const at = wallClock.now();
      recorded(secondary, zone, recordSecondarySerial(database.writes, { secondary, zone, serial, at }));
    },
    asks: (secondary, zone) => {
      const at = wallClock.now();
      recorded(secondary, zone, recordSecondaryQuery(database.writes, { secondary, zone, at }));
    },
  });
  const options: Omit<DnsServerOptions, 'host' | 'port'> = {
    ...{ zones: policy.zones.map(({ origin }) => origin), source: databaseZones(database) },
    transfers: new TransferSlots(maxTransfers(config.writeConnections)),
    seenSignatures: new SeenSignatures(),
    // A key that an operator of the sandbox gives the same name does not shut out those who use the public one.
    findKey: (name) => sandbox?.findKey(name) ?? known.findKey(name),
    requested: (event: DnsRequestEvent) => {
      const { type, result, secondary, key, zone, from } = event;
      metrics.dnsRequests.inc({ type, result });
      if (secondary !== undefined && key !== undefined) known.noteUse(secondary, key);
      if (secondary !== undefined && !sandbox?.has(secondary) && zone !== undefined) {
        if (from !== undefined) progress.said(secondary, zone, from);
        else if (type === 'SOA') progress.asked(secondary, zone);
      }
      if (result !== 'NOERROR' && refusals.take(addressBucket(event.address)).allowed)
        log.warn(event, 'DNS request refused');
    },
    answered: ({ secondary, zone, kind, serial }: DnsAnswerEvent) => {
      const target = sandbox?.has(secondary) ? sandbox.onlyTarget : secondary;
      if (target !== undefined) notifier.acknowledge(target, zone, serial);
      if (kind === 'soa') return;
      metrics.dnsTransfers.inc({ zone, kind });
      log.info({ secondary, zone, kind, serial }, 'zone transferred');
    },
    delivered: (delivery: DnsAnswerEvent) => {
      if (!sandbox?.has(delivery.secondary)) progress.delivered(delivery);
    },
    failed: (error) => log.error({ err: error }, 'a DNS request failed'),
    dropped: (reason) => metrics.dnsDatagramsDropped.inc({ reason }),
    ended: (reason) => metrics.dnsConnectionsEnded.inc({ reason }),
  };
  const ports = portsToTry(config.dnsPort, DEFAULT_PORT, config);
  const servers = await listenOn({ setting: 'DNS_PORT', ports, config, log }, (at) =>
    startDnsServer({ ...options, ...at }),
  );
  const [{ port }] = servers;
  const tasks = [
    new IntervalTask('read secondaries and keys', CHANGE_CHECK_INTERVAL_MS, log, () =>
      known.refresh(),
    ).start(),
    new IntervalTask('look for new serials', SERIAL_CHECK_INTERVAL_MS, log, async () => {
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
  return {
    port,
    notifySecondary: (address, secondaryPort) => sandbox?.add(address, secondaryPort),
    forgetSecondaries: () => sandbox?.clear(),
    close: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      notifier.close();
      await Promise.all(servers.map(({ drain }) => drain(DRAIN_TIMEOUT_MS)));
    },
  };
}

/** Of whole zones. Of two or three connections one is all that can be spared. */
const maxTransfers = (connections: number): number =>
  connections < SHARE_OF_TRANSFERS
    ? 1
    : Math.max(MIN_TRANSFERS, Math.floor(connections / SHARE_OF_TRANSFERS));

function logNotification(log: Logger, event: NotifyEvent): void {
  if (event.result === 'gave-up') log.warn(event, 'a secondary does not answer notifications');
  else if (event.result === 'refused') log.warn(event, 'a secondary refuses a notification');
  else log.debug(event, 'secondary notified');
}
