import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { hasLookupTables } from './requesters.ts';

const MAX_DELETED_AT_ONCE = 1_000;

/** Deletes one batch of requesters' queries that are older than the policy keeps them, and returns their number. */
export async function deleteOldLookupRequests(
  db: Sql,
  now: Date,
  { lookup: { requestDays } }: Policy,
): Promise<number> {
  if (!(await hasLookupTables(db))) return 0;
  return db.run(sql`
    delete from lookup_requests where id = any(array(
      select id from lookup_requests where at <= ${now}::timestamptz - make_interval(days => ${requestDays}) order by at limit ${MAX_DELETED_AT_ONCE}))`);
}

/** The same for messages to registrants, whether or not they were confirmed. */
export async function deleteOldRegistrantMessages(
  db: Sql,
  now: Date,
  { lookup: { messageDays } }: Policy,
): Promise<number> {
  if (!(await hasLookupTables(db))) return 0;
  return db.run(sql`
    delete from registrant_messages where id = any(array(
      select id from registrant_messages where created_at <= ${now}::timestamptz - make_interval(days => ${messageDays})
      order by created_at limit ${MAX_DELETED_AT_ONCE}))`);
}
