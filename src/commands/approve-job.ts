import { MAIL_RETENTION_DAYS } from '../app/job-definitions.ts';
import { limitsOf } from '../app/job-effects.ts';
import { withDatabase } from '../app/with-database.ts';
import { approveSteps, describeLoad, type StepLoad } from '../platform/jobs/job-limits.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { policy } from '../policy/installed.ts';
import { type Changing, printResult, requireConfirmation } from './terminal/changing.ts';
import { CommandError } from './terminal/output.ts';

/**
 * Counts with the command's own checked clock, so that what a worker with a wrong clock found due is not approved. Only
 * the count that the operator has seen is approved.
 */
export async function approveJob(name: string, options: Changing): Promise<void> {
  const loads = await withDatabase(({ sql: db, now }) => requireTooMuch(db, name, now), options);
  await requireConfirmation(options, `${name} goes on. ${loads.map(describeLoad).join('. ')}.`);
  await withDatabase(async ({ sql: db, change }) => {
    const { actor, at, reason } = change(options.reason);
    await approveSteps(db, loads, { by: actor, at, reason });
    const approved = loads.map(({ step, due }) => `${step}: ${due}`);
    printResult(options, `${name} goes on within seconds. Approved for 24 hours: ${approved.join(', ')}.`, {
      name,
      approved,
    });
  }, options);
}

async function requireTooMuch(db: Sql, name: string, now: Date): Promise<StepLoad[]> {
  const limits = limitsOf(policy, MAIL_RETENTION_DAYS);
  const check = limits.get(name);
  if (!check)
    throw new CommandError(
      `There is no job ${name} with a limit; there are ${[...limits.keys()].join(', ')}.`,
    );
  const loads = await check(db, now);
  if (loads.length === 0)
    throw new CommandError(
      `Nothing of ${name} needs approval: what is due is within what policy allows, or approved.`,
    );
  return loads;
}
