import type { Sql } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countRejected } from './overview.ts';

/** The same figure on every process, since it tells of the database: take the largest, not the sum. */
export function watchExports(metrics: Metrics, sql: Sql): void {
  metrics.watch(
    'cadastre_exports_rejected',
    'Invoices that the accounting service or the operator of e-invoices did not take',
    () => countRejected(sql),
  );
}
