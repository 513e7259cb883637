import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { countRejected } from './overview.ts';

/** The same figure on every process, since it tells of the database: take the largest, not the sum. */
export function watchExports(metrics: Metrics, db: Sql): void {
  metrics.watch(
    'cadastre_exports_rejected',
    'Invoices that the accounting service or the operator of e-invoices did not take',
    () => countRejected(db),
  );
}
