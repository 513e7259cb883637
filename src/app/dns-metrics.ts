import { Gauge } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { hasSecondaryTables, listSecondaries } from '../registry/secondaries/secondaries.ts';

/** What each secondary is known to have, read at each scrape; a failed reading leaves the series out. */
export function registerSecondaryMetrics(metrics: Metrics, reads: Sql): void {
  new Gauge({
    name: 'cadastre_dns_secondary_serial',
    help: 'The serial that a secondary had when it last asked for a transfer or received one',
    labelNames: ['secondary', 'zone'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      const secondaries = await read(reads).catch(() => []);
      for (const { name, serials } of secondaries)
        for (const [zone, serial] of Object.entries(serials)) this.set({ secondary: name, zone }, serial);
    },
  });
}

const read = async (db: Sql) => ((await hasSecondaryTables(db)) ? listSecondaries(db) : []);
