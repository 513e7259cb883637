import type { Metrics } from '../metrics.ts';
import type { Sql } from '../sql/executor.ts';
import { countGivenUp, countWaiting } from './overview.ts';

/** The same figures on every process, since they tell of the database: take the largest, not the sum. */
export function watchMails(metrics: Metrics, db: Sql): void {
  metrics.watch('cadastre_mails_waiting', 'Mails that are still to be sent', () => countWaiting(db));
  metrics.watch('cadastre_mails_given_up', 'Mails that could not be delivered', () => countGivenUp(db));
}
