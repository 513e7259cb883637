import { Writable } from 'node:stream';
import { assembleBilling } from '../app/billing.ts';
import { caKeys } from '../app/ca-keys.ts';
import { requireDeclared } from '../app/copy-guard.ts';
import { exportTime, lanesOf, MAIL_RETENTION_DAYS } from '../app/job-definitions.ts';
import { Origin } from '../app/origin.ts';
import { openMailer, openProvider, openSenders } from '../app/outside-services.ts';
import { simulatedServices } from '../app/sandbox-keys.ts';
import { simulatorAddresses } from '../app/simulator-addresses.ts';
import { openWebhookSender } from '../app/webhook-settings.ts';
import { withWholeDatabase } from '../app/with-database.ts';
import type { Senders } from '../billing/deliveries/deliver.ts';
import { noProvider } from '../billing/provider/unconfigured-provider.ts';
import { Faults } from '../doors/sandbox/faults.ts';
import { sandboxMailer } from '../doors/sandbox/mail.ts';
import { runJob } from '../installation/run-job.ts';
import { type Clock, wallClock } from '../platform/clock/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { readCopy } from '../platform/installation-copy.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createLog } from '../platform/logging.ts';
import type { Database } from '../platform/sql/database.ts';
import { policy } from '../policy/installed.ts';
import { statementFolder } from './bank.ts';
import { type Operating, runnerOn } from './terminal/operate.ts';

/** Log lines are the worker's; a single run prints its result instead. */
const silent = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));

/** Runs one job in this process with its settings. A dry run only checks that the job exists. */
export const runHere = (name: string, options: Operating) =>
  withWholeDatabase(async ({ database, rightClock, kind }) => {
    const [config, clock] = [readConfig(kind), await rightClock()];
    const copy = await readCopy(database.reads);
    requireDeclared(copy);
    const isStaging = copy.state !== undefined;
    await using open = new AsyncDisposableStack();
    const mailer = isStaging ? undefined : mailerOf(config, open);
    const webhooks = isStaging ? undefined : openWebhookSender({ config, database, log: silent });
    open.defer(async () => webhooks?.stop());
    const definitions = lanesOf({
      ...{ database, log: silent, policy, mailer, webhooks },
      machineClock: kind === 'sandbox' ? wallClock : clock,
      ...outsideOf(config, database, clock),
      ...(isStaging && { senders: {} }),
      isStaging,
      paymentLookupsPerSecond: config.paymentLookupsPerSecond,
      authorityKeys: caKeys(config).find,
      statements: isStaging ? undefined : statementFolder(config, policy, database.writes),
      accountingExportAt: isStaging ? undefined : exportTime(config),
      isLimited: kind === 'production',
      mailRetentionDays: kind === 'production' ? MAIL_RETENTION_DAYS : undefined,
    }).flat();
    const jobs = new Jobs(database.writes, definitions, silent, () => {});
    return runnerOn(database.writes, clock.now(), options)(runJob(jobs), { job: name });
  });

const mailerOf = (config: Config, open: AsyncDisposableStack) =>
  config.mode === 'sandbox' ? sandboxMailer(new Faults()) : openMailer(config, open);

/** The outside services of jobs: in the sandbox its own simulators, at the address where it listens. */
function outsideOf(
  config: Config,
  database: Database,
  clock: Clock,
): {
  readonly senders: Senders;
  readonly billing: ReturnType<typeof assembleBilling>;
} {
  const origin = new Origin(config);
  const sandbox = config.mode === 'sandbox';
  const provider = openProvider(config, sandbox ? simulatorAddresses(origin) : {}) ?? noProvider;
  return {
    senders: openSenders(config, sandbox ? simulatedServices(origin) : undefined),
    billing: assembleBilling({ config, database, clock, policy, log: silent, provider }, () => origin.url),
  };
}
