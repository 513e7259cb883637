import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { hasPeopleTables } from './people.ts';

const MAX_DELETED_AT_ONCE = 1_000;
/** A session lasts for hours at most, an invitation for two days; history tells of both for good. */
const KEPT_DAYS = 30;
/** Wrong codes are counted over an hour. */
const KEPT_STEP_DAYS = 1;

/** Deletes one batch each of sessions and invitations of long ago and of login steps of yesterday; returns their number. */
export async function deleteOldLogins(db: Sql, now: Date): Promise<number> {
  if (!(await hasPeopleTables(db))) return 0;
  const sessions = await db.run(sql`
    delete from person_sessions where id = any(array(
      select id from person_sessions where created_at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})
      order by created_at limit ${MAX_DELETED_AT_ONCE}))`);
  const invitations = await db.run(sql`
    delete from invitations where id = any(array(
      select id from invitations where created_at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})
      order by created_at limit ${MAX_DELETED_AT_ONCE}))`);
  const steps = await db.run(sql`
    delete from login_steps where id = any(array(
      select id from login_steps where expires_at <= ${now}::timestamptz - make_interval(days => ${KEPT_STEP_DAYS})
      order by expires_at limit ${MAX_DELETED_AT_ONCE}))`);
  return sessions + invitations + steps;
}
