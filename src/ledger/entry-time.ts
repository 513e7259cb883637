import { type Fragment, sql } from '../platform/sql/statement.ts';

/**
 * The time of a registrar's next entry: never before its last one, whatever the order in which requests got its lock. A
 * last one that lies further ahead was written by a wrong clock and is not followed; entries are then ordered by their
 * ids. The database has the same as `entry_time`, which the schema of the release before does not know.
 */
export const entryTime = (last: Fragment, at: Fragment | Date): Fragment => sql`
  case when ${last} > ${at}::timestamptz + interval '15 minutes' then ${at}::timestamptz else greatest(${last}, ${at}) end`;
