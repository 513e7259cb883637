import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { APPROVE_JOB } from '../installation/approve-job.ts';
import { forgetJob } from '../installation/forget-job.ts';
import { RUN_JOB } from '../installation/run-job.ts';
import { describeLoad, type StepLoad } from '../platform/jobs/job-limits.ts';
import { type JobRecord, listJobs } from '../platform/jobs/jobs.ts';
import { type Changing, changing, irreversible, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

export function jobCommand(): Command {
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
    .description('one job, with why it failed last or what it waits for')
    .addHelpText('after', '\nExample: cadastre job show "deliver mails"')
    .action((name: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const [job] = await listJobs(db, name);
        if (!job) throw new CommandError(`There is no job ${name}; see: cadastre job list`);
        const { failures, failedAt, lastFailure, stops, lastApproval } = job;
        printFields(
          json ? job : { ...forPeople(job), failures, failedAt, lastFailure, stops, lastApproval },
          json,
        );
      }),
    );
  changing(operating(command.command('run <name>'), RUN_JOB))
    .description('run a job now, in this process, due or not; a worker that runs it too does no harm')
    .addHelpText('after', '\nExample: cadastre job run "reconcile payments"')
    .action(async (name: string, options: Operating) => {
      const { runHere } = await import('./run-job.ts');
      const outcome = await withProgress(name, () => runHere(name, options));
      if (outcome.failure !== null) throw new CommandError(`${name} failed: ${outcome.failure}`);
      if (outcome.stops.length > 0)
        throw new CommandError(`${name} stopped. ${waitsFor(outcome.stops, name)}`);
      const durationMs = Math.round(outcome.seconds * 1000);
      printResult(options, options.dryRun ? `${name} ran.` : `${name} ran; it took ${took(durationMs)}.`, {
        ...{ name, ...(!options.dryRun && { durationMs }) },
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
      const { approve } = await import('./approve-job.ts');
      await approve(name, options);
    });
  return command;
}

const waitsFor = (stops: readonly StepLoad[], name: string): string =>
  `It would do more than policy allows (${stops.map(describeLoad).join('. ')}). If that is meant: cadastre job approve "${name}"`;

const forPeople = ({ name, everyMs, lastRun, durationMs, outcome, next }: JobRecord) => ({
  ...{ name, every: everyMs === null ? null : every(everyMs) },
  ...{ lastRun, took: durationMs === null ? null : took(durationMs), outcome, next },
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
