import { Command } from 'commander';
import { APPROVE_JOB, approveJob, type Limits } from '../installation/approve-job.ts';
import { forgetJob } from '../installation/forget-job.ts';
import { type Ran, RUN_JOB } from '../installation/run-job.ts';
import { describeLoad, type StepLoad } from '../platform/jobs/job-limits.ts';
import { type JobRecord, listJobs } from '../platform/jobs/run-jobs.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './terminal/with-database.ts';

/** The jobs of a worker, which a command runs or lets go on. */
type WorkerJobs = {
  /** Runs one in this process, with its settings. */
  readonly run: (name: string, options: Operating) => Promise<Ran>;
  /** The limits of those that have some, by name. */
  readonly limits: () => Promise<Limits>;
  /** What a job does; null for one that is unknown here. */
  readonly describe: (name: string) => string | null;
};

export function jobCommand(jobs: WorkerJobs): Command {
  const command = new Command('job').description('the work that falls due by time: what ran, what failed');
  withJson(command.command('list'))
    .description('every job: how often it runs, when it ran, how that went, when it runs next')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const jobs = await listJobs(db);
        printRows(json ? jobs : jobs.map(forPeople), json);
      }),
    );
  withJson(command.command('show <name>'))
    .description('one job: what it does, why it failed last, what it waits for')
    .addHelpText('after', '\nExample: cadastre job show "deliver mails"')
    .action((name: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const [job] = await listJobs(db, name);
        if (!job) throw new CommandError(`There is no job ${name}; see: cadastre job list`);
        const { failures, failedAt, lastFailure, stops, lastApproval } = job;
        const does = jobs.describe(name);
        printFields(
          json
            ? { ...job, does }
            : { ...forPeople(job), does, failures, failedAt, lastFailure, stops, lastApproval },
          json,
        );
      }),
    );
  changing(operating(command.command('run <name>'), RUN_JOB))
    .description('run a job now, in this process, due or not; a worker that runs it too does no harm')
    .addHelpText('after', '\nExample: cadastre job run "reconcile payments"')
    .action(async (name: string, options: Operating) => {
      const outcome = await withProgress(name, () => jobs.run(name, options));
      if (outcome.failure !== null) throw new CommandError(`${name} failed: ${outcome.failure}`);
      if (outcome.stops.length > 0)
        throw new CommandError(`${name} stopped. ${waitsFor(outcome.stops, name)}`);
      const durationMs = Math.round(outcome.seconds * 1000);
      printResult(options, options.dryRun ? `${name} ran.` : `${name} ran; it took ${took(durationMs)}.`, {
        name,
        ...(!options.dryRun && { durationMs }),
      });
    });
  changing(operating(command.command('forget <name>'), forgetJob))
    .description('remove the record of a job that no worker runs any more; one that runs it adds it again')
    .addHelpText('after', '\nExample: cadastre job forget "import bank statements"')
    .action(async (name: string, options: Operating) => {
      await operate(forgetJob, { job: name }, options);
      printResult(options, `${name} is forgotten.`, { name });
    });
  irreversible(operating(command.command('approve <name>'), APPROVE_JOB, { about: 'kept with it' }))
    .description('let a job that has stopped do what is due, though policy allows less in a day')
    .addHelpText(
      'after',
      '\nExample: cadastre job approve "domain lifecycle" --reason "the landrush of 2025 ends"',
    )
    .action(async (name: string, options: Operating) => {
      await approve(name, await jobs.limits(), options);
    });
  return command;
}

/**
 * Counts with the command's own checked clock, so that what a worker with a wrong clock found due is not approved. Only
 * the count that the operator has seen is approved.
 */
async function approve(name: string, limits: Limits, options: Operating): Promise<void> {
  const operation = approveJob(limits);
  const { loads } = await operate(operation, { job: name }, { ...options, dryRun: true });
  await requireConfirmation(options, `${name} goes on. ${loads.map(describeLoad).join('. ')}.`);
  await operate(operation, { job: name, loads }, options);
  const approved = loads.map(({ step, due }) => `${step}: ${due}`);
  printResult(options, `${name} goes on within seconds. Approved for 24 hours: ${approved.join(', ')}.`, {
    name,
    approved,
  });
}

const waitsFor = (stops: readonly StepLoad[], name: string): string =>
  `It would do more than policy allows (${stops.map(describeLoad).join('. ')}). If that is meant: cadastre job approve "${name}"`;

const forPeople = ({ name, everyMs, lastRun, durationMs, outcome, next }: JobRecord) => ({
  name,
  every: everyMs === null ? null : every(everyMs),
  lastRun,
  took: durationMs === null ? null : took(durationMs),
  outcome,
  next,
});

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function every(ms: number): string {
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? [undefined, 1];
  if (unit === undefined) return 'at every check';
  return ms === length ? unit : `${ms / length} ${unit}s`;
}

const took = (ms: number): string => (ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`);
