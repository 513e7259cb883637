import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { hasCallTable } from './call-counts.ts';

const MAX_DELETED_AT_ONCE = 5_000;
export const CALLS_KEPT_DAYS = 90;

/** Deletes one batch of counts; returns their number. */
export async function deleteOldCalls(db: Sql, now: Date): Promise<number> {
  if (!(await hasCallTable(db))) return 0;
  return db.run(sql`
    delete from api_calls where ctid = any(array(
      select ctid from api_calls where hour < ${now}::timestamptz - make_interval(days => ${CALLS_KEPT_DAYS})
      order by hour limit ${MAX_DELETED_AT_ONCE}))`);
}
