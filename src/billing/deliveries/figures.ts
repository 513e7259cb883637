import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { countGivenUp, countWaiting } from './overview.ts';

/** The same figures on every process, since they tell of the database: take the largest, not the sum. */
export function watchDeliveries(metrics: Metrics, db: Sql): void {
  metrics.watch('cadastre_deliveries_waiting', 'Messages to services that are still to be delivered', () =>
    countWaiting(db),
  );
  metrics.watch('cadastre_deliveries_given_up', 'Messages to services that could not be delivered', () =>
    countGivenUp(db),
  );
}
