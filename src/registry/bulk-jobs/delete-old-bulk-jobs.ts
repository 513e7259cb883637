import type { Purge } from '../../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** History tells of every change for good. */
const KEPT_DAYS = 90;
/** Each has up to 10,000 rows. */
const MAX_DELETED_AT_ONCE = 10;

/** One that was stopped, and never let go on, too. */
const oldJobs = (now: Date): Fragment => sql`
  select id from bulk_jobs where created_at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}) and next_attempt_at is null`;

/** Bulk jobs of long ago, with their rows. */
export const bulkJobPurge: Purge = {
  step: 'delete bulk jobs',
  table: sql`bulk_jobs`,
  due: oldJobs,
  removeSome: (db, time) =>
    db.run(sql`
      delete from bulk_jobs where id = any(array(${oldJobs(time)} order by created_at limit ${MAX_DELETED_AT_ONCE}))`),
};
