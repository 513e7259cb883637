import { startHttp } from '../src/app/http-product.ts';
import { Origin } from '../src/app/origin.ts';
import { noProvider } from '../src/billing/provider/unconfigured-provider.ts';
import { wallClock } from '../src/platform/clock/clock.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import { createLog } from '../src/platform/logging.ts';
import { Metrics } from '../src/platform/metrics.ts';
import { type DatabaseTarget, openDatabase } from '../src/platform/sql/database.ts';
import { ee } from '../src/policy/ee.ts';

/** The server as `serve` starts it, terminating TLS and asking for certificates, in a process of its own. */
export type SecureSettings = {
  readonly database: DatabaseTarget;
  readonly tlsKeyFile: string;
  readonly tlsCertificateFile: string;
};

process.on('message', async ({ database: target, ...files }: SecureSettings) => {
  const config: Config = {
    ...{
      ...readConfig('production', {}),
      ...files,
      port: 0,
      metricsPort: 0,
      shutdownDelayMs: 0,
      certificates: 'direct',
    },
    rateLimitPerMinute: 1_000_000_000,
  };
  const http = await startHttp({
    ...{ config, clock: wallClock, policy: ee, provider: noProvider, origin: new Origin(config) },
    database: openDatabase(target, config, ee.timeZone),
    log: createLog('error', process.stderr),
    metrics: new Metrics(),
  });
  process.send?.(Number(new URL(http.url).port));
});
process.on('disconnect', () => process.exit(0));
