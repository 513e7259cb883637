import type { OperatorDescription, OperatorOperation } from '../operations/operator-operation.ts';
import { insertHistory } from '../operations/record-history.ts';
import { type JobStop, listStops } from '../platform/jobs/job-limits.ts';
import type { JobOutcome, Jobs } from '../platform/jobs/run-jobs.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

export const RUN_JOB = {
  name: 'run job',
  right: 'operation',
  refusals: ['jobNotHere'],
} as const satisfies OperatorDescription;

export type Ran = JobOutcome & { readonly stops: readonly JobStop[] };

/**
 * Runs one of these jobs in this process, due or not, outside of any transaction; what became of it is on the record of
 * the job. A dry run only checks that there is the job.
 */
export const runJob = (jobs: Jobs): OperatorOperation<{ readonly job: string }, Ran> => ({
  ...RUN_JOB,
  variant:
    ({ job }, context) =>
    async ({ store: { writes } }) => {
      if (!jobs.names.includes(job)) refuse('jobNotHere', { job, known: jobs.names.join(', ') });
      const none = { name: job, failure: null, seconds: 0, stops: [] };
      if (context.dryRun) return { replayed: false, answer: none };
      const entry = {
        objectKind: 'job',
        objectId: 0,
        objectName: job,
        operation: 'run job',
        registrarId: null,
      };
      await writes.run(insertHistory(entry, context, sql``));
      const outcome = await jobs.runNow(job, context.now);
      return { replayed: false, answer: { ...none, ...outcome, stops: await listStops(writes, job) } };
    },
});
