import { exceptInCopies } from '../billing/provider/staging-provider.ts';
import { noProvider } from '../billing/provider/unconfigured-provider.ts';
import { CommandError } from '../commands/terminal/output.ts';
import { requireCorrectClock } from '../platform/clock/require-correct-clock.ts';
import { serveMetrics } from '../doors/health/serve-metrics.ts';
import { type CheckedClock, clockAlert, registerClockMetrics } from '../platform/clock/checked-clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { type Logger, openLog } from '../platform/logging.ts';
import { Metrics } from '../platform/metrics.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { examineSchema } from '../platform/migrations/schema-fit.ts';
import { checkSessions, describeFaults, sessionRemedy } from '../platform/database/session-check.ts';
import { version } from '../platform/version.ts';
import { policy } from '../policy/installed.ts';
import { assembleBilling } from './assemble-billing.ts';
import { CopyGuard, registerCopyMetrics } from './copy-guard.ts';
import { requireEppKey, requirePorts } from './door-ports.ts';
import { jobSettings } from './job-settings.ts';
import { openMailer, openProvider, openSenders } from './open-outside-services.ts';
import { shareOf } from './processes/share-of-limits.ts';
import { supervisedProcess } from './processes/supervised-process.ts';
import { DOORS, type DoorName, isPublicDoor, type ProductDependencies } from './product-dependencies.ts';
import { MAIL_RETENTION_DAYS } from './purges.ts';
import { runUntilStopped, type Stoppable } from './run-until-stopped.ts';
import { openSpanExporter } from './spans.ts';
import { databaseEvents, registerDatabaseMetrics } from './watch-database.ts';
import { openWebhookSender } from './webhook-settings.ts';
import { startWorker } from './worker.ts';

type Running = Omit<Stoppable, 'stop'> & {
  stop(): Promise<void>;
  readonly url?: string;
  readonly port?: number;
  readonly metricsUrl?: string | undefined;
};
type Start = (parts: ProductionParts) => Promise<Running>;
type ProductionParts = ProductDependencies & { readonly clock: CheckedClock; readonly copy: CopyGuard };

/** How often a process compares its clock with the database's. Between checks the monotonic clock is used. */
const CLOCK_CHECK_INTERVAL_MS = 2_000;
/** How soon a process notices that its database was declared a copy. */
const COPY_CHECK_INTERVAL_MS = 1_000;

/** One server with these doors; as one of several processes, with its share of the limits. */
export async function serve(doors: readonly DoorName[] | undefined, processes: number): Promise<void> {
  const supervised = supervisedProcess();
  try {
    const config = shareOf(readConfig('production'), processes);
    if (doors) requirePorts(doors, config);
    requireEppKey(doors, config);
    const start: Start = (parts) => startServer({ ...parts, doors, supervised });
    await runOnProduction(config, start, { labels: supervised && { process: supervised.number } });
  } finally {
    supervised?.leave();
  }
}

export const work = (): Promise<void> =>
  runOnProduction({ ...readConfig('production'), shutdownDelayMs: 0 }, startMeasuredWorker, {
    isWorker: true,
  });

async function startServer(parts: ProductDependencies): Promise<Running> {
  const { config, log, doors = DOORS } = parts;
  // A process of the public interfaces is not given these settings, and registrars do not log in there.
  if (!doors.every(isPublicDoor)) {
    if (config.smtpUrl === undefined)
      log.warn('SMTP_URL is not set: mails wait until a worker that has it sends them');
    if (openProvider(config) === undefined)
      log.warn('the settings of the payment provider are not complete: nobody can pay');
    if (config.certificates === 'off')
      log.warn('CERTIFICATES is off: registrars log in with their passwords alone');
  }
  // Imported lazily: a worker has no APIs.
  const { startDoors } = await import('./start-doors.ts');
  const server = await startDoors(parts);
  if (config.publicUrl === undefined)
    log.warn({ url: server.url }, 'PUBLIC_URL is not set: links in mails begin with this address');
  return server;
}

/** A worker has no other port: its metrics port must not collide with that of a server on the same machine. */
async function startMeasuredWorker(parts: ProductionParts): Promise<Running> {
  const { metrics, config, log, database, copy } = parts;
  const { isStaging } = copy;
  await using running = new AsyncDisposableStack();
  const figures = await serveMetrics(metrics, config, config.port + 1);
  running.defer(() => figures.close());
  log.info({ metrics: figures.url }, 'metrics');
  registerDatabaseMetrics(metrics, database);
  const mailer = isStaging ? undefined : openMailer(config, running);
  if (!mailer && !isStaging)
    log.warn('SMTP_URL is not set: mails wait until a worker that has it sends them');
  const senders = isStaging ? {} : openSenders(config);
  const billing = assembleBilling(parts, () => parts.origin.url);
  const webhooks = isStaging ? undefined : openWebhookSender(parts);
  running.defer(async () => webhooks?.stop());
  const worker = await startWorker({
    ...parts,
    machineClock: parts.clock,
    isClockRight: async () => copy.isAsStarted && (await parts.clock.isRightByNow()),
    mailer,
    senders,
    webhooks,
    billing,
    ...jobSettings(parts, isStaging),
    isStaging,
    mailRetentionDays: MAIL_RETENTION_DAYS,
    isLimited: true,
  });
  running.defer(() => worker.stop());
  const started = running.move();
  return { stop: () => started.disposeAsync() };
}

/** `labels` stand in each line of the log. */
async function runOnProduction(
  config: Config,
  start: Start,
  { labels = {}, isWorker = false }: { readonly labels?: object | undefined; readonly isWorker?: boolean },
): Promise<void> {
  if (config.databaseUrl === undefined)
    throw new CommandError(
      'DATABASE_URL must be set; cadastre sandbox is the way to try things without one.',
    );
  const { databaseUrl } = config;
  await runUntilStopped(
    async () => {
      const { log: unlabelled, flush } = openLog(config.logLevel);
      const log = unlabelled.child(labels);
      const spans = openSpanExporter(config, log);
      const database = openDatabase(databaseUrl, config, policy.timeZone, databaseEvents(log, config, spans));
      const checks: IntervalTask[] = [];
      const check = (name: string, intervalMs: number, run: () => Promise<void>) =>
        checks.push(new IntervalTask(name, intervalMs, log, run).start());
      const close = async () => {
        // A check in progress ends when the pool closes at the latest.
        await Promise.all([...checks.map((task) => task.stop()), database.close(), spans?.close()]);
      };
      try {
        await requireFitDatabase(database.reads);
        await requireSessions(database, config, log);
        const clock = await requireCorrectClock(database.reads, config, clockAlert(log));
        const copy = await CopyGuard.open(database, databaseUrl, log, isWorker);
        const metrics = new Metrics();
        registerClockMetrics(metrics, clock);
        registerCopyMetrics(metrics, copy);
        check('compare clocks', CLOCK_CHECK_INTERVAL_MS, async () => void (await clock.compare()));
        check('check for a declared copy', COPY_CHECK_INTERVAL_MS, () => copy.refresh());
        const running = await start({
          config,
          database,
          clock,
          policy,
          log,
          metrics,
          spans,
          origin: new Origin(config),
          isStaging: () => copy.isStaging,
          provider: exceptInCopies(openProvider(config) ?? noProvider, () => copy.isStaging),
          copy,
        });
        const { url, port, metricsUrl } = running;
        log.info({ version, url, port, metrics: metricsUrl }, 'started');
        const reload = async () => {
          log.info('SIGHUP: reading files again');
          await running.reload?.();
        };
        return {
          stop: async (signal) => {
            log.info({ signal }, 'stopping');
            try {
              await running.stop().finally(close);
              log.info('stopped');
            } finally {
              await flush();
            }
          },
          reload: () => reload().catch((error) => log.error({ err: error }, 'files could not be read again')),
        };
      } catch (error) {
        await close();
        await flush();
        throw error;
      }
    },
    { ...config, isReloadable: true },
  );
}

async function requireFitDatabase(db: Sql): Promise<void> {
  const kind = await installationKind(db);
  if (kind === 'sandbox')
    throw new CommandError('The database belongs to a sandbox; a production server does not touch it.');
  if (kind === undefined)
    throw new CommandError('The database has no schema yet; run cadastre migrate first.');
  const { fault } = await examineSchema(db);
  if (fault !== undefined) throw new CommandError(fault);
}

/** Refuses to start as the database owner or without timeouts; settings that only cost time are logged. */
async function requireSessions(database: Database, config: Config, log: Logger): Promise<void> {
  const faults = await checkSessions(database, config, policy.timeZone);
  if (faults.length === 0) return;
  const message = `The sessions on the database are not what they must be: ${describeFaults(faults)}. ${sessionRemedy(database)}`;
  if (faults.some(({ isFatal }) => isFatal)) throw new CommandError(message);
  log.warn(message);
}
