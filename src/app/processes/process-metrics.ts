import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import AggregatorRegistry from 'prom-client/lib/cluster.js';
import { Counter, Gauge, Registry } from '../../platform/prometheus.ts';
import type { CollectedMetrics, FromProcess, ToProcess } from './process-messages.ts';

/** Below the scrape timeout of Prometheus. */
const COLLECT_TIMEOUT_MS = 3_000;

/** The metrics of all processes, each with the label `process`, and those of their supervisor. */
export class ProcessMetrics {
  readonly #own = new Registry();
  readonly #processes: () => readonly ChildProcess[];
  readonly #pending = new Map<number, (metrics: CollectedMetrics) => void>();
  #lastId = 0;
  readonly restarts = new Counter({
    name: 'cadastre_process_restarts_total',
    help: 'Processes of serve that ended or hung and were replaced',
    registers: [this.#own],
  });

  constructor(processes: () => readonly ChildProcess[]) {
    this.#processes = processes;
    new Gauge({
      name: 'cadastre_processes',
      help: 'Processes of serve that run',
      registers: [this.#own],
      collect() {
        this.set(processes().filter(({ connected }) => connected).length);
      },
    });
  }

  /** What `serveMetrics` serves. */
  readonly registry = {
    contentType: this.#own.contentType,
    metrics: async (): Promise<string> => {
      const collected = await Promise.all(this.#processes().map((child) => this.#collect(child)));
      const all = [
        ...collected.filter((metrics) => metrics !== undefined),
        await this.#own.getMetricsAsJSON(),
      ];
      return AggregatorRegistry.aggregate(all).metrics();
    },
  };

  receive({ id, metrics }: Extract<FromProcess, { kind: 'metrics' }>): void {
    this.#pending.get(id)?.(metrics);
  }

  /** A process that does not answer in time is left out. */
  async #collect(child: ChildProcess): Promise<CollectedMetrics | undefined> {
    if (!child.connected) return undefined;
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<CollectedMetrics>();
    this.#pending.set(id, resolve);
    try {
      child.send({ kind: 'collect metrics', id } satisfies ToProcess);
      return await Promise.race([promise, sleep(COLLECT_TIMEOUT_MS, undefined, { ref: false })]);
    } finally {
      this.#pending.delete(id);
    }
  }
}
