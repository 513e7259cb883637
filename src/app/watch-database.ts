import { bankMetrics } from '../billing/bank/bank-view.ts';
import { deliveryMetrics } from '../billing/deliveries/delivery-view.ts';
import { exportMetrics } from '../billing/exports/export-view.ts';
import { paymentMetrics } from '../billing/payments/payment-view.ts';
import { registerInDatabase } from '../platform/database-metrics.ts';
import { jobMetrics } from '../platform/jobs/job-metrics.ts';
import type { Logger } from '../platform/logging.ts';
import { mailMetrics } from '../platform/mail/mail-view.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/sql/database.ts';
import { registerPoolMetrics } from '../platform/sql/pool-status.ts';
import type { ServerEvents } from '../platform/sql/server.ts';
import { serverMetrics } from '../platform/sql/server-metrics.ts';
import { certificateMetrics } from '../registry/certificates/certificate-metrics.ts';
import { version } from './version.ts';

export const outagesIn = (log: Logger): ServerEvents => ({
  outageBegan: (error) => log.error({ err: error }, 'the database is unavailable'),
  outageEnded: (seconds) =>
    log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the database is available again'),
});

/** The metrics of every process: its version, its connections to the database, and what waits in it. */
export function registerDatabaseMetrics(metrics: Metrics, database: Database): void {
  metrics.registerBuildInfo(version);
  metrics.watch('cadastre_database_available', '1 while the database answers, 0 while it is away', () =>
    Number(database.isAvailable()),
  );
  registerPoolMetrics(metrics, database.poolStatus);
  registerInDatabase(metrics, database.lists, [
    ...serverMetrics,
    ...jobMetrics,
    ...mailMetrics,
    ...deliveryMetrics,
    ...exportMetrics,
    ...paymentMetrics,
    ...bankMetrics,
    ...certificateMetrics,
  ]);
}
