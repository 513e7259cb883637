import type { Purge } from '../../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

const MAX_DELETED_AT_ONCE = 5_000;
export const CALLS_KEPT_DAYS = 90;

const oldCalls = (now: Date): Fragment => sql`
  select ctid from api_calls where hour < ${now}::timestamptz - make_interval(days => ${CALLS_KEPT_DAYS})`;

export const callPurge: Purge = {
  step: 'delete call counts',
  table: sql`api_calls`,
  due: oldCalls,
  removeSome: (db, time) =>
    db.run(sql`
      delete from api_calls where ctid = any(array(${oldCalls(time)} order by hour limit ${MAX_DELETED_AT_ONCE}))`),
  byWallClock: true,
};
