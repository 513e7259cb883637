import { MAIL_RETENTION_DAYS } from '../app/job-definitions.ts';
import { limitsOf } from '../app/job-effects.ts';
import { approveJob } from '../installation/approve-job.ts';
import { describeLoad } from '../platform/jobs/job-limits.ts';
import { policy } from '../policy/installed.ts';
import { printResult, requireConfirmation } from './terminal/changing.ts';
import { type Operating, operate } from './terminal/operate.ts';

/**
 * Counts with the command's own checked clock, so that what a worker with a wrong clock found due is not approved. Only
 * the count that the operator has seen is approved.
 */
export async function approve(name: string, options: Operating): Promise<void> {
  const operation = approveJob(limitsOf(policy, MAIL_RETENTION_DAYS));
  const { loads } = await operate(operation, { job: name }, { ...options, dryRun: true });
  await requireConfirmation(options, `${name} goes on. ${loads.map(describeLoad).join('. ')}.`);
  await operate(operation, { job: name, loads }, options);
  const approved = loads.map(({ step, due }) => `${step}: ${due}`);
  printResult(options, `${name} goes on within seconds. Approved for 24 hours: ${approved.join(', ')}.`, {
    name,
    approved,
  });
}
