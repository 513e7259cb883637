import type { BulkJob } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { resumeBulkJob, stopBulkJob } from '../../../registry/bulk-jobs/stop-bulk-job.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { found } from '../form-context.ts';
import { jobPage, loadOwnJob } from './job-page.ts';
import { jobAddress } from './jobs-page.ts';

const OF_JOB = {
  right: 'objects',
  page: jobPage,
  load: loadOwnJob,
  to: (job: BulkJob) => jobAddress(job),
} as const;

/** What a button of the page of a job does. */
export const jobChanges = [
  defineAtOnce({
    ...OF_JOB,
    path: '/jobs/:job/stop',
    read: (_form, { id }) => ({ value: { id } }),
    run: ({ writes }, input, context) => found(stopBulkJob(writes, input, context)),
    done: 'jobStopped',
    undo: ({ id }) => ({ path: `/jobs/${id}/resume` }),
  }),
  defineAtOnce({
    ...OF_JOB,
    path: '/jobs/:job/resume',
    read: (_form, { id }) => ({ value: { id } }),
    run: ({ writes }, input, context) => found(resumeBulkJob(writes, input, context)),
    done: 'jobResumed',
    undo: ({ id }) => ({ path: `/jobs/${id}/stop` }),
  }),
];
