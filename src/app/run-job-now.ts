import { Writable } from 'node:stream';
import type { Senders } from '../billing/deliveries/deliver.ts';
import { noProvider } from '../billing/provider/unconfigured-provider.ts';
import { type Operating, runnerOn } from '../commands/terminal/operate.ts';
import { withWholeDatabase } from '../commands/terminal/with-database.ts';
import { Faults } from '../doors/sandbox/faults.ts';
import { sandboxMailer } from '../doors/sandbox/sandbox-mails.ts';
import { runJob } from '../installation/run-job.ts';
import { type Clock, wallClock } from '../platform/clock/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { readCopy } from '../platform/installation-copy.ts';
import { Jobs } from '../platform/jobs/run-jobs.ts';
import { createLog } from '../platform/logging.ts';
import type { Database } from '../platform/database/database.ts';
import { policy } from '../policy/installed.ts';
import { assembleBilling } from './assemble-billing.ts';
import { requireDeclared } from './copy-guard.ts';
import { lanesOf } from './job-definitions.ts';
import { jobSettings } from './job-settings.ts';
import { openMailer, openSenders } from './open-outside-services.ts';
import { MAIL_RETENTION_DAYS } from './purges.ts';
import { simulatedServices } from './sandbox-keys.ts';
import { openOwnProvider } from './simulator-addresses.ts';
import { openWebhookSender } from './webhook-settings.ts';

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
      database,
      log: silent,
      policy,
      mailer,
      webhooks,
      machineClock: kind === 'sandbox' ? wallClock : clock,
      ...outsideOf(config, database, clock),
      ...(isStaging && { senders: {} }),
      isStaging,
      ...jobSettings({ config, policy, database }, isStaging),
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
  const provider = openOwnProvider(config) ?? noProvider;
  return {
    senders: openSenders(config, config.mode === 'sandbox' ? simulatedServices(origin) : undefined),
    billing: assembleBilling({ config, database, clock, policy, log: silent, provider }, () => origin.url),
  };
}
