import type { Sql } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { countGivenUp, countWaiting } from './overview.ts';

/** The same figures on every process, since they tell of the database: take the largest, not the sum. */
export function watchDeliveries(metrics: Metrics, sql: Sql): void {
  metrics.watch('cadastre_deliveries_waiting', 'Messages to services that are still to be delivered', () =>
    countWaiting(sql),
  );
  metrics.watch('cadastre_deliveries_given_up', 'Messages to services that could not be delivered', () =>
    countGivenUp(sql),
  );
}
