import { IntervalTask } from '../../platform/concurrency/interval-task.ts';
import { KnownSecondaries } from '../../registry/secondaries/known-secondaries.ts';
import type { DoorDependencies, OpenDoor } from '../door.ts';
import { listenOn, portsToTry } from '../own-port.ts';
import { databaseZones } from './database-zones.ts';
import { Notifier } from './notify.ts';
import { recordedNotification, recordedRequests } from './recorded-events.ts';
import type { SandboxSecondaries } from './sandbox-secondaries.ts';
import { SeenSignatures } from './seen-signatures.ts';
import { SerialWatch } from './serial-watch.ts';
import { startDnsServer } from './dns-server.ts';
import { TransferSlots } from './transfer-slots.ts';

type Dependencies = Omit<DoorDependencies, 'clock' | 'origin'> & {
  /** Whether this is a copy, which has the secondaries of the original. */
  readonly isStaging: () => boolean;
  readonly sandbox?: SandboxSecondaries | undefined;
};

/** How soon a revoked key is refused. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;
/** With the writer's half a second it is below the 0.7 s that publication may take of ours. */
const SERIAL_CHECK_INTERVAL_MS = 150;
/** Below the time after which a stop is given up. */
const DRAIN_TIMEOUT_MS = 15_000;
const DEFAULT_PORT = 8053;
/** Most of the connections for transactions are left to the APIs. */
const SHARE_OF_TRANSFERS = 4;
/** So that a slow secondary does not hold the only one. */
const MIN_TRANSFERS = 2;

/** Serves the zones to secondaries, and tells them of changes. Maintenance of the APIs does not stop it. */
export async function startDns(parts: Dependencies): Promise<OpenDoor> {
  const { config, database, log, metrics, policy, isStaging, sandbox } = parts;
  const known = new KnownSecondaries(database.reads);
  await known.refresh();
  const notifier = new Notifier({ notified: recordedNotification(parts) });
  const watch = new SerialWatch({
    reads: database.reads,
    notifier,
    targets: () => (isStaging() ? [] : [...known.list(), ...(sandbox?.targets ?? [])]),
  });
  const options = {
    zones: policy.zones.map(({ origin }) => origin),
    source: databaseZones(database),
    transfers: new TransferSlots(maxTransfers(config.writeConnections)),
    seenSignatures: new SeenSignatures(),
    // A key that an operator of the sandbox gives the same name does not shut out those who use the public one.
    findKey: (name: string) => sandbox?.findKey(name) ?? known.findKey(name),
    ...recordedRequests({ ...parts, known, notifier }),
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
    drain: async () => {
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
