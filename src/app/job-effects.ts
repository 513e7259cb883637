import { checkDueDateLimits, DUE_DATE_JOB } from '../billing/invoices/process-due-dates.ts';
import type { CheckLimits, Limits } from '../installation/approve-job.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { describeLeap, readClockState, recordReading, TimeLeapt } from '../platform/clock/clock-readings.ts';
import { recordStops, reportStops } from '../platform/jobs/job-limits.ts';
import { checkPurges, type Purge, runPurge } from '../platform/jobs/run-purge.ts';
import type { Logger } from '../platform/logging.ts';
import type { Database } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { ARCHIVE_JOB, checkArchiveLimit } from '../registry/lifecycle/archive-contacts.ts';
import { checkLifecycleLimits, LIFECYCLE_JOB, stepContextOf } from '../registry/lifecycle/run-lifecycle.ts';
import { MAIL_RETENTION_DAYS, type PurgeJob, purgeJobs } from './purges.ts';

/**
 * What a job does for good because time has passed:
 * - nothing, or nothing that another time would make wrong;
 * - it writes the records of a period that is over;
 * - it ends something that is in force, within daily limits;
 * - it deletes what is over, within daily limits and a day late.
 */
export type LastingEffect =
  | 'none'
  | 'records of a period'
  | { readonly ends: CheckLimits }
  | { readonly purges: readonly Purge[] };

/** The limits of the jobs that end something. */
export const endingLimits = (policy: Policy) => ({
  [LIFECYCLE_JOB]: (db: Sql, now: Date) => checkLifecycleLimits(db, stepContextOf(now, policy)),
  [ARCHIVE_JOB]: (db: Sql, now: Date) => checkArchiveLimit(db, stepContextOf(now, policy)),
  [DUE_DATE_JOB]: (db: Sql, now: Date) => checkDueDateLimits(db, policy, now),
});

const purgeLimits =
  ({ name, purges }: PurgeJob, { purgeLimit }: Policy): CheckLimits =>
  async (db, now) => {
    const { settled } = await readClockState(db, now);
    return settled ? checkPurges(db, name, purges, { time: settled, now, limit: purgeLimit }) : [];
  };

/** The limits of every job that has some: those of a worker, since a sandbox has no limits. */
export const limitsOf = (policy: Policy): Limits =>
  new Map([
    ...Object.entries(endingLimits(policy)),
    ...purgeJobs(policy, MAIL_RETENTION_DAYS).map((job) => [job.name, purgeLimits(job, policy)] as const),
  ]);

/** The present; while the time has leapt, that before the leap: serials of zones cannot be taken back. */
export async function readSteadyTime(db: Sql, now: Date): Promise<Date> {
  const { leap } = await readClockState(db, now);
  return leap ? leap.from : now;
}

/** While the time has leapt a job with a lasting effect fails, and says why. */
export async function requireSteadyTime(db: Sql, now: Date): Promise<void> {
  await recordReading(db, now);
  const { leap } = await readClockState(db, now);
  if (leap) throw new TimeLeapt(describeLeap(leap));
}

type PurgeDependencies = {
  readonly database: Database;
  readonly policy: Policy;
  readonly log: Logger;
  readonly machineClock: Clock;
  readonly isLimited: boolean;
};

/** Deletes what was over a day ago, since a clock that is ahead may be noticed until then. The sandbox deletes at once. */
export async function runPurgeJob(
  { database: { writes, lists }, policy, log, machineClock, isLimited }: PurgeDependencies,
  job: PurgeJob,
  now: Date,
): Promise<void> {
  if (!isLimited) {
    for (const purge of job.purges)
      await runPurge(writes, purge, { time: purge.byWallClock ? machineClock.now() : now, now });
    return;
  }
  await recordReading(writes, now);
  const { settled: time } = await readClockState(writes, now);
  if (!time) return;
  const stops = await checkPurges(lists, job.name, job.purges, { time, now, limit: policy.purgeLimit });
  reportStops(log, await recordStops(writes, job.name, stops, now));
  if (stops.length > 0) return;
  for (const purge of job.purges) await runPurge(writes, purge, { time, now }, job.name);
}
