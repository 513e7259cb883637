import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

type LateBulkJobs = { readonly waiting: number; readonly failing: number };

/** Jobs that were due before a time and that nobody claims, and those whose last batch failed. */
export async function countLateBulkJobs(db: Sql, before: Date): Promise<LateBulkJobs> {
  try {
    return await db.one(sql<LateBulkJobs>`
      select count(*) filter (where next_attempt_at < ${before}) as waiting, count(*) filter (where failures > 0) as failing
      from bulk_jobs where next_attempt_at is not null`);
  } catch (error) {
    // The schema of 0.5.0 has none.
    if (isNotInSchema(error)) return { waiting: 0, failing: 0 };
    throw error;
  }
}
