import type { Purge } from '../../platform/jobs/purge.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

const MAX_DELETED_AT_ONCE = 1_000;
/** The console shows why the last request was refused; history tells of every request for good. */
const KEPT_DAYS = 90;

const oldRequests = (now: Date): Fragment => sql`
  select id from certificate_requests where closed_at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`;

/** Certificate requests that ended long ago. One that waits is never deleted. */
export const requestPurge: Purge = {
  step: 'delete certificate requests',
  table: sql`certificate_requests`,
  due: oldRequests,
  removeSome: (db, time) =>
    db.run(sql`
      delete from certificate_requests where id = any(array(${oldRequests(time)} order by closed_at limit ${MAX_DELETED_AT_ONCE}))`),
  isPossible: canDeleteRequests,
};

/** The table came with a later schema than the one that the program still starts on, the right to delete later still. */
async function canDeleteRequests(db: Sql): Promise<boolean> {
  const { isAllowed } = await db.one(sql<{ isAllowed: boolean }>`
    select coalesce(has_table_privilege(to_regclass('certificate_requests'), 'delete'), false) as "isAllowed"`);
  return isAllowed;
}
