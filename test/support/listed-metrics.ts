import { vi } from 'vitest';
import { registerCopyMetrics } from '../../src/app/copy-guard.ts';
import { ProcessMetrics } from '../../src/app/processes/process-metrics.ts';
import { registerTlsMetrics } from '../../src/doors/http/tls.ts';
import { registerClockMetrics } from '../../src/platform/clock/checked-clock.ts';
import { registerReplicaMetrics } from '../../src/platform/database/replica-metrics.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { Counter, Histogram, Registry } from '../../src/platform/prometheus.ts';
import { registerSpanMetrics } from '../../src/platform/tracing/span-exporter.ts';
import { freshRegistryForThisTest } from './registry.ts';

export type ListedMetric = {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
};

/** Every metric of ours that any process can have, by name, as it is registered. */
export async function listedMetrics(): Promise<ListedMetric[]> {
  const registered = vi.spyOn(Registry.prototype, 'registerMetric');
  try {
    await freshRegistryForThisTest({ eppPort: 0, dnsPort: 0, whoisPort: 0 });
    // In production only, or where a setting enables it. Nothing is read: they are only registered.
    const [metrics, part] = [new Metrics(), {} as never];
    registerCopyMetrics(metrics, part);
    registerClockMetrics(metrics, part);
    registerTlsMetrics(metrics, part);
    registerReplicaMetrics(metrics, part);
    registerSpanMetrics(metrics, part);
    new ProcessMetrics(() => []);
    const listed = registered.mock.calls.map(([metric]) => describeMetric(metric));
    const ours = listed.filter(({ name }) => name.startsWith('cadastre_'));
    return [...new Map(ours.map((metric) => [metric.name, metric])).values()].sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } finally {
    registered.mockRestore();
  }
}

function describeMetric(metric: object): ListedMetric {
  const { name, help, labelNames } = metric as { name: string; help: string; labelNames: string[] };
  const kind = metric instanceof Histogram ? 'histogram' : metric instanceof Counter ? 'counter' : 'gauge';
  return { name, kind, labels: labelNames, help };
}
