import type { Purge } from '../../platform/jobs/run-purge.ts';
import { identifier, sql } from '../../platform/sql/statement.ts';

const MAX_DELETED_AT_ONCE = 1_000;
/** A session lasts for hours at most, an invitation for two days; history tells of both for good. */
const KEPT_DAYS = 30;
/** Wrong codes are counted over an hour. */
const KEPT_STEP_DAYS = 1;

/** Sessions and invitations of long ago, and login steps of yesterday. */
export const loginPurges: readonly Purge[] = [
  loginPurge('delete sessions', { table: 'person_sessions', column: 'created_at', days: KEPT_DAYS }),
  loginPurge('delete invitations', { table: 'invitations', column: 'created_at', days: KEPT_DAYS }),
  loginPurge('delete login steps', { table: 'login_steps', column: 'expires_at', days: KEPT_STEP_DAYS }),
];

type OldLogins = { readonly table: string; readonly column: string; readonly days: number };

function loginPurge(step: string, { table: name, column, days }: OldLogins): Purge {
  const [table, time] = [identifier(name), identifier(column)];
  const old = (now: Date) => sql`
    select id from ${table} where ${time} <= ${now}::timestamptz - make_interval(days => ${days})`;
  return {
    step,
    table: sql`${table}`,
    due: old,
    removeSome: (db, now) =>
      db.run(
        sql`delete from ${table} where id = any(array(${old(now)} order by ${time} limit ${MAX_DELETED_AT_ONCE}))`,
      ),
    byWallClock: true,
  };
}
