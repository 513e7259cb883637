import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js';
import gc from 'prom-client/lib/metrics/gc.js';
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js';
import heapSpacesSizeAndUsed from 'prom-client/lib/metrics/heapSpacesSizeAndUsed.js';
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js';
import processHandles from 'prom-client/lib/metrics/processHandles.js';
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js';
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js';
import processRequests from 'prom-client/lib/metrics/processRequests.js';
import processResources from 'prom-client/lib/metrics/processResources.js';
import processStartTime from 'prom-client/lib/metrics/processStartTime.js';
import version from 'prom-client/lib/metrics/version.js';
import Registry from 'prom-client/lib/registry.js';

/**
 * The parts of `prom-client` that the product uses. Its index loads all of OpenTelemetry's API as well, for its
 * measurement of processor time: that takes more than half of the time of loading it.
 */
export { Counter, Gauge, Histogram, Registry };

const defaultMetrics = [
  processCpuSeconds,
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  version,
  gc,
];

const EVENT_LOOP_PRECISION_MS = 10;

/** The usual metrics of a process, under the usual names. */
export function collectDefaultMetrics(registry: Registry): void {
  for (const collect of defaultMetrics)
    collect(registry, { eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
}

function processCpuSeconds(registry: Registry): void {
  const count = (name: string, help: string, microseconds: (usage: NodeJS.CpuUsage) => number) =>
    new Counter({
      name: `process_cpu_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(microseconds(process.cpuUsage()) / 1e6);
      },
    });
  count('user_seconds_total', 'Total user CPU time spent in seconds.', ({ user }) => user);
  count('system_seconds_total', 'Total system CPU time spent in seconds.', ({ system }) => system);
  count(
    'seconds_total',
    'Total user and system CPU time spent in seconds.',
    ({ user, system }) => user + system,
  );
}
