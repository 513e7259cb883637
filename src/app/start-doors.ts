import { setTimeout as sleep } from 'node:timers/promises';
import type { PortCommands } from '../doors/pages/home.ts';
import { serveMetrics } from '../doors/health/serve-metrics.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { registerEventLoopMetrics } from '../platform/metrics.ts';
import { registerSpanMetrics } from '../platform/tracing/span-exporter.ts';
import { CALL_WRITE_INTERVAL_MS } from '../registry/activity/call-counts.ts';
import { isServed } from './door-ports.ts';
import { doorsOf } from './doors.ts';
import { OpenDoors } from './open-doors.ts';
import { openOwnPages } from './own-pages.ts';
import { portCommands } from './port-addresses.ts';
import { DOORS, type ProductDependencies } from './product-dependencies.ts';
import { consoleAddress } from './sandbox-pages.ts';
import { openShared, type SharedDependencies } from './shared-dependencies.ts';
import { registerDatabaseMetrics } from './watch-database.ts';

export type RunningDoors = PortCommands & {
  readonly url: string;
  /** Where it listens, whatever address people use. */
  readonly port: number;
  /** Undefined where a supervisor serves the metrics. */
  readonly metricsUrl: string | undefined;
  readonly consoleUrl: string;
  /** Reads the keys and certificates of HTTPS and EPP again. */
  reload(): Promise<void>;
  stop(): Promise<void>;
};

/** How often a process checks for changes of the maintenance mode, of users and of tokens. */
const CHANGE_CHECK_INTERVAL_MS = 1_000;

/** Starts the doors that this process serves, one after the other; those that are open are closed where one fails. */
export async function startDoors(parts: ProductDependencies): Promise<RunningDoors> {
  const { config, metrics, origin, supervised } = parts;
  await using running = new AsyncDisposableStack();
  const tasks = running.use(new AsyncDisposableStack());
  const open = new OpenDoors();
  running.defer(() => open.close());
  const shared = await openShared(parts, open);
  const { starts, documents } = doorsOf(shared, parts.clock);
  await openOwnPages(shared, open, documents);
  running.defer(registerEventLoopMetrics(metrics));
  registerProcessMetrics(shared);
  for (const door of DOORS) if (isServed(door, parts)) open.add(door, await starts[door]());
  // Last, so that a server which is ready takes EPP connections too.
  const port = await shared.server.listen();
  if (supervised) supervised.reportMetrics(metrics);
  else {
    const { url, close: drain } = await serveMetrics(metrics, config, port);
    open.add('metrics', { url, drain });
  }
  startTasks(shared, open, tasks);
  supervised?.listensOn({ port, eppPort: open.portOf('epp'), whoisPort: open.portOf('whois') });
  const started = running.move();
  return {
    url: origin.url,
    port,
    metricsUrl: open.urlOf('metrics'),
    consoleUrl: consoleAddress(origin),
    ...portCommands(parts, open),
    reload: () => open.reload(),
    stop: async () => {
      shared.availability.stop();
      shared.server.endConnections();
      await sleep(config.shutdownDelayMs);
      await started.disposeAsync();
    },
  };
}

function registerProcessMetrics({ metrics, database, lookups, spans }: SharedDependencies): void {
  metrics.watch(
    'cadastre_list_statements_waiting',
    'Statements of lists that wait for their turn; two of a registrar run at once',
    () => database.listTurns.waiting,
  );
  metrics.watch(
    'cadastre_lookups_waiting',
    'Look-ups that wait for their turn; beyond 128 they are refused',
    () => lookups.waiting,
  );
  registerDatabaseMetrics(metrics, database);
  if (spans) registerSpanMetrics(metrics, spans);
}

/** They end after the doors: a check that waits behind a slow read must not keep these open. */
function startTasks(
  { log, availability, authenticator, calls }: SharedDependencies,
  open: OpenDoors,
  tasks: AsyncDisposableStack,
): void {
  const changeCheck = new IntervalTask('read changed settings', CHANGE_CHECK_INTERVAL_MS, log, async () => {
    await availability.refresh();
    await authenticator.forgetChanged();
    await open.refresh();
  }).start();
  const callWriter = new IntervalTask('write counted calls', CALL_WRITE_INTERVAL_MS, log, () =>
    calls.write(),
  ).start();
  tasks.defer(() => changeCheck.stop());
  // The last requests are counted when the doors are closed.
  tasks.defer(async () => {
    await callWriter.stop();
    await calls.write();
  });
}
