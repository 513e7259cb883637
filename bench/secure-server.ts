import { setImmediate as nextTurn } from 'node:timers/promises';
import { destination } from 'pino';
import { startDoors } from '../src/app/start-doors.ts';
import { noProvider } from '../src/billing/provider/unconfigured-provider.ts';
import { wallClock } from '../src/platform/clock/clock.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import { Origin } from '../src/platform/config/origin.ts';
import { createLog } from '../src/platform/logging.ts';
import { Metrics } from '../src/platform/metrics.ts';
import { type DatabaseTarget, openDatabase } from '../src/platform/database/database.ts';
import { ee } from '../src/policy/ee.ts';
import { freePort } from '../test/support/free-port.ts';

/** The server as `serve` starts it, terminating TLS and asking for certificates, in a process of its own. */
export type SecureSettings = {
  readonly database: DatabaseTarget;
  readonly tlsKeyFile: string;
  readonly tlsCertificateFile: string;
};
export type SecurePorts = { readonly port: number; readonly eppPort: number };

/** Asked of a server that was started with `--expose-gc`; answered with the bytes that it holds without garbage. */
export type MemoryQuestion = 'memory';

async function start({ database: target, ...files }: SecureSettings): Promise<SecurePorts> {
  const config: Config = {
    ...readConfig('production', {}),
    ...files,
    port: 0,
    metricsPort: 0,
    shutdownDelayMs: 0,
    certificates: 'direct',
    rateLimitPerMinute: 1_000_000_000,
    eppPort: await freePort(),
    eppSessionsPerRegistrar: 10_000,
    maxConnectionsPerAddress: 10_000,
  };
  const http = await startDoors({
    config,
    clock: wallClock,
    policy: ee,
    provider: noProvider,
    origin: new Origin(config),
    database: openDatabase(target, config, ee.timeZone),
    // Every request is logged, as in production, but read by nobody.
    log: createLog(config.logLevel, destination({ dest: '/dev/null', sync: false, minLength: 4096 })),
    metrics: new Metrics(),
  });
  return { port: Number(new URL(http.url).port), eppPort: Number(config.eppPort) };
}

/** Finalizers free native memory after a collection, so one is not enough. */
async function memoryWithoutGarbage(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await globalThis.gc?.({ execution: 'async' });
    await nextTurn();
  }
  return process.memoryUsage.rss();
}

process.on('message', async (message: SecureSettings | MemoryQuestion) => {
  process.send?.(message === 'memory' ? await memoryWithoutGarbage() : await start(message));
});
process.on('disconnect', () => process.exit(0));
