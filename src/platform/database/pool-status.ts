import type { Metrics } from '../metrics.ts';
import { Counter, Gauge } from '../prometheus.ts';

/** A pool at this moment, and what its callers have waited so far. */
export type PoolStatus = {
  readonly max: number;
  readonly open: number;
  readonly inUse: number;
  /** Callers without a connection; in a pipelined pool statements behind another on theirs. */
  readonly waiting: number;
  /** Waits that are over, whether or not they ended with a connection. Undefined in a pipelined pool. */
  readonly waits?: number;
  readonly waitedMs?: number;
};

export type PoolName = 'reads' | 'lists' | 'writes' | 'transactions';
type Statuses = () => Readonly<Record<PoolName, PoolStatus>>;

export function registerPoolMetrics({ registry }: Metrics, statuses: Statuses): void {
  const common = { labelNames: ['pool'], registers: [registry] };
  const gauge = (name: string, help: string, pick: (status: PoolStatus) => number) =>
    new Gauge({
      ...common,
      name,
      help,
      collect() {
        for (const [pool, status] of Object.entries(statuses())) this.set({ pool }, pick(status));
      },
    });
  const counter = (name: string, help: string, pick: (status: PoolStatus) => number | undefined) =>
    new Counter({
      ...common,
      name,
      help,
      collect() {
        this.reset();
        for (const [pool, status] of Object.entries(statuses())) {
          const value = pick(status);
          if (value !== undefined) this.inc({ pool }, value);
        }
      },
    });
  gauge(
    'cadastre_pool_connections_max',
    'Connections to the database that a pool may open',
    ({ max }) => max,
  );
  gauge('cadastre_pool_connections_open', 'Connections to the database that a pool has', ({ open }) => open);
  gauge('cadastre_pool_connections_in_use', 'Connections of a pool that are in use', ({ inUse }) => inUse);
  gauge('cadastre_pool_waiting', 'Callers that wait for a connection of a pool', ({ waiting }) => waiting);
  counter('cadastre_pool_waits_total', 'Waits for a connection of a pool', ({ waits }) => waits);
  counter(
    'cadastre_pool_wait_seconds_total',
    'Time spent waiting for a connection of a pool',
    ({ waitedMs }) => (waitedMs === undefined ? undefined : waitedMs / 1000),
  );
}
