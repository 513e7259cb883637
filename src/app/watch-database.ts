import { bankMetrics } from '../billing/bank/bank-view.ts';
import { deliveryMetrics } from '../billing/deliveries/delivery-view.ts';
import { exportMetrics } from '../billing/exports/export-view.ts';
import { paymentMetrics } from '../billing/payments/payment-view.ts';
import { clockMetrics } from '../platform/clock/clock-readings.ts';
import type { Config } from '../platform/config/config.ts';
import { registerInDatabase } from '../platform/database-metrics.ts';
import { jobMetrics } from '../platform/jobs/job-metrics.ts';
import type { Logger } from '../platform/logging.ts';
import { mailMetrics } from '../platform/mail/mail-view.ts';
import type { Metrics } from '../platform/metrics.ts';
import { operatorCheckMetrics } from '../platform/recorded-checks.ts';
import type { Database, DatabaseEvents } from '../platform/database/database.ts';
import { programSchema } from '../platform/migrations/migration.ts';
import { registerPoolMetrics } from '../platform/database/pool-status.ts';
import { registerReplicaMetrics } from '../platform/database/replica-metrics.ts';
import { serverMetrics } from '../platform/database/server-metrics.ts';
import type { SpanExporter } from '../platform/tracing/span-exporter.ts';
import { currentTrace } from '../platform/work-scope.ts';
import { version } from '../platform/version.ts';
import { certificateMetrics } from '../registry/certificates/certificate-metrics.ts';
import { secondaryMetrics } from '../registry/secondaries/secondary-lag.ts';
import { webhookMetrics } from '../registry/webhooks/webhook-view.ts';
import { zoneMetrics } from '../registry/zones/zone-view.ts';
import { addStatementSpan } from './spans.ts';

/** Logs outages and slow statements, and exports a span of each statement of a request. */
export const databaseEvents = (
  log: Logger,
  { slowStatementMs }: Pick<Config, 'slowStatementMs'>,
  spans?: SpanExporter,
): DatabaseEvents => ({
  outageBegan: (error) => log.error({ err: error }, 'the database is unavailable'),
  outageEnded: (seconds) =>
    log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the database is available again'),
  statementEnded: (text, startedAt, endedAt, failure) => {
    if (spans) addStatementSpan(spans, currentTrace(), text, { startedAt, endedAt, failure });
    const ms = endedAt - startedAt;
    if (ms >= slowStatementMs) reportSlowStatement(log, text, ms);
  },
});

const MAX_TEXT_LENGTH = 2_000;

/** The text has no values: those are sent separately. */
function reportSlowStatement(log: Logger, text: string, ms: number): void {
  const statement = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
  log.warn({ reqId: currentTrace()?.requestId, ms: Math.round(ms), statement }, 'slow statement');
}

/** The metrics of every process: its version, its connections to the database, and what waits in it. */
export function registerDatabaseMetrics(metrics: Metrics, database: Database): void {
  metrics.registerBuildInfo(version, programSchema().migrations.at(-1)?.version ?? 0);
  metrics.watch('cadastre_database_available', '1 while the database answers, 0 while it is away', () =>
    Number(database.isAvailable()),
  );
  registerPoolMetrics(metrics, database.poolStatus);
  if (database.replicaCounts) registerReplicaMetrics(metrics, database.replicaCounts);
  registerInDatabase(metrics, database.lists, [
    ...serverMetrics,
    ...jobMetrics,
    ...operatorCheckMetrics,
    ...clockMetrics,
    ...mailMetrics,
    ...deliveryMetrics,
    ...exportMetrics,
    ...paymentMetrics,
    ...bankMetrics,
    ...certificateMetrics,
    ...zoneMetrics,
    ...secondaryMetrics,
    ...webhookMetrics,
  ]);
}
