import { registerBankMetrics } from '../billing/bank/bank-view.ts';
import { registerDeliveryMetrics } from '../billing/deliveries/delivery-view.ts';
import { registerExportMetrics } from '../billing/exports/export-view.ts';
import { registerPaymentMetrics } from '../billing/payments/payment-view.ts';
import { registerJobStopMetrics } from '../platform/jobs/job-limits.ts';
import type { Logger } from '../platform/logging.ts';
import { registerMailMetrics } from '../platform/mail/mail-view.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/sql/database.ts';
import type { ServerEvents } from '../platform/sql/server.ts';

export const outagesIn = (log: Logger): ServerEvents => ({
  outageBegan: (error) => log.error({ err: error }, 'the database is unavailable'),
  outageEnded: (seconds) =>
    log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the database is available again'),
});

/** The metrics of every process: whether the database answers, and what waits in it. */
export function registerDatabaseMetrics(metrics: Metrics, database: Database): void {
  metrics.watch('cadastre_database_available', '1 while the database answers, 0 while it is away', () =>
    Number(database.isAvailable()),
  );
  registerMailMetrics(metrics, database.lists);
  registerDeliveryMetrics(metrics, database.lists);
  registerExportMetrics(metrics, database.lists);
  registerPaymentMetrics(metrics, database.lists);
  registerBankMetrics(metrics, database.lists);
  registerJobStopMetrics(metrics, database.lists);
}
