import type { Purge } from '../../platform/jobs/run-purge.ts';
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
};
