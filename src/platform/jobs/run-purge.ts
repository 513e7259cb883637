import type { Pool, Sql } from '../sql/executor.ts';
import type { Fragment } from '../sql/statement.ts';
import {
  checkLimit,
  type DailyLimit,
  type LimitedStep,
  recordStepCount,
  type StepLoad,
} from './job-limits.ts';

/** Rows that are deleted once their time is over. They have no effect any more, so that it may be done a day late. */
export type Purge = {
  /** In words, such as "delete mails". */
  readonly step: string;
  /** The table that the limit is a share of. */
  readonly table: Fragment;
  /** A query of the rows whose time is over, by an index. */
  readonly due: (time: Date) => Fragment;
  /** Deletes one batch of them; returns how many. */
  readonly removeSome: (db: Sql, time: Date) => Promise<number>;
  /** Whether its times are those of the machine, which a sandbox does not move. */
  readonly byWallClock?: boolean;
};

/** The time by which rows are over, and the present, by which the daily limit counts. */
type Times = { readonly time: Date; readonly now: Date };

const limitedStep = (job: string, { step, table, due }: Purge, time: Date): LimitedStep => ({
  job,
  step,
  table,
  due: [due(time)],
  isRemoval: true,
});

/** The purges of a job that exceed the limit. */
export async function checkPurges(
  db: Sql,
  job: string,
  purges: readonly Purge[],
  { time, now, limit }: Times & { readonly limit: DailyLimit },
): Promise<StepLoad[]> {
  const found: StepLoad[] = [];
  for (const purge of purges) {
    const load = await checkLimit(db, limitedStep(job, purge, time), limit, now);
    if (load) found.push(load);
  }
  return found;
}

/** Deletes all rows whose time is over, batch by batch. With a job's name they are counted for its daily limit. */
export async function runPurge(pool: Pool, purge: Purge, { time, now }: Times, job?: string): Promise<void> {
  const removeSome = (db: Sql) => purge.removeSome(db, time);
  if (job === undefined) {
    while ((await removeSome(pool)) > 0);
    return;
  }
  const counted = { job, step: purge.step };
  let removed: number;
  do
    removed = await pool.begin(async (db) => {
      const count = await removeSome(db);
      await recordStepCount(db, counted, count, now);
      return count;
    });
  while (removed > 0);
}
