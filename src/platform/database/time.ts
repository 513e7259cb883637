import { type Fragment, sql } from '../sql/statement.ts';

/** A moment as clients see it: ISO 8601 with milliseconds and the offset of the session's zone, which is the registry's. */
export const isoTime = (column: Fragment): Fragment =>
  sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;
