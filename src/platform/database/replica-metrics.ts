import type { Metrics } from '../metrics.ts';
import { Counter } from '../prometheus.ts';
import type { ReplicaCounts } from './replica.ts';

export function registerReplicaMetrics({ registry }: Metrics, counts: () => ReplicaCounts): void {
  new Counter({
    name: 'cadastre_replica_lists_total',
    help: 'Statements of lists that a standby answered (replica), or the primary because it was behind or unavailable',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(counts())) this.inc({ outcome }, count);
    },
  });
}
