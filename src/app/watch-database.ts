import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/sql/database.ts';
import type { ServerEvents } from '../platform/sql/server.ts';

export const outagesIn = (log: Logger): ServerEvents => ({
  outageBegan: (error) => log.error({ err: error }, 'the database is unavailable'),
  outageEnded: (seconds) =>
    log.info({ seconds: Math.round(seconds * 10) / 10 }, 'the database is available again'),
});

export function registerDatabaseMetrics(metrics: Metrics, database: Database): void {
  metrics.watch('cadastre_database_available', '1 while the database answers, 0 while it is away', () =>
    Number(database.isAvailable()),
  );
}
