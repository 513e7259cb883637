import { Command } from 'commander';
import { serveMetrics } from '../doors/pages/metrics.ts';
import { wallClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/database/database.ts';
import { installationKind, isUpToDate } from '../platform/database/migrate.ts';
import { openLog } from '../platform/logging.ts';
import { Metrics } from '../platform/metrics.ts';
import { ee } from '../policy/ee.ts';
import { banner } from './banner.ts';
import { startHttp } from './http-product.ts';
import { CommandError, print } from './output.ts';
import { startSandbox } from './sandbox.ts';
import { untilToldToStop } from './stopping.ts';
import { startWorker } from './work.ts';

export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('run the whole product with nothing to configure: database, APIs, jobs and pages')
    .option('--expose', 'listen on an address that is not loopback (HOST); its passwords are public')
    .addHelpText('after', '\nExample: PORT=9000 CADASTRE_HOME=/tmp/try cadastre sandbox')
    .action(async ({ expose }: { expose?: boolean }) => {
      const config = readConfig('sandbox');
      await untilToldToStop(async () => {
        const sandbox = await startSandbox(config, expose ?? false);
        print(banner(sandbox, config.home));
        return sandbox.stop;
      });
    });
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the APIs on the database of DATABASE_URL; run as many as you need')
    .addHelpText('after', '\nMigrate first (cadastre migrate), and run cadastre work beside it.')
    .action(() => runOnProduction((parts) => startHttp(parts)));
}

export function workCommand(): Command {
  return new Command('work')
    .description('run the jobs that fall due by time; one is enough, more do no harm')
    .action(() => runOnProduction(startMeasuredWorker));
}

/** A worker has no other port: its figures are found where a server beside it would not have put its own. */
async function startMeasuredWorker(parts: Parameters<Start>[0]): ReturnType<Start> {
  const { metrics, config, log } = parts;
  const figures = await serveMetrics(metrics, config.metricsPort, config.port + 1);
  log.info({ metrics: figures.url }, 'figures');
  const worker = await startWorker(parts);
  return { stop: () => worker.stop().finally(() => figures.close()) };
}

type Start = (parts: Parameters<typeof startHttp>[0]) => Promise<{ stop(): Promise<void> }>;

async function runOnProduction(start: Start): Promise<void> {
  const config = readConfig('production');
  if (config.databaseUrl === undefined)
    throw new CommandError(
      'DATABASE_URL must be set; cadastre sandbox is the way to try things without one.',
    );
  const { databaseUrl } = config;
  await untilToldToStop(async () => {
    const { log, flush } = openLog(config.logLevel);
    const database = openDatabase(databaseUrl, config);
    const close = async () => {
      await database.close();
      flush();
    };
    try {
      await refuseUnfit(database.reads);
      const running = await start({
        config,
        database,
        clock: wallClock,
        policy: ee,
        log,
        metrics: new Metrics(),
      });
      log.info({ version: process.version }, 'started');
      return () => running.stop().finally(close);
    } catch (error) {
      await close();
      throw error;
    }
  });
}

async function refuseUnfit(sql: Parameters<typeof isUpToDate>[0]): Promise<void> {
  const kind = await installationKind(sql);
  if (kind === 'sandbox')
    throw new CommandError('The database belongs to a sandbox; a production server does not touch it.');
  if (kind === undefined || !(await isUpToDate(sql)))
    throw new CommandError('The database is not at the version of this program; run cadastre migrate first.');
}
