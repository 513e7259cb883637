import type { Sql } from './sql/executor.ts';
import { type Statement, sql } from './sql/statement.ts';

/**
 * The numbers of transactions mean something within one database server: where another takes its place, a new era of
 * events begins. Everything above a sequence belongs to it; all that is written from now on, unless one is given. Eras are
 * numbered by the time in minutes, so that one that was lost with a database is not given again.
 */
export const insertEra = (now: Date, beginsAfter?: number): Statement => sql`
  insert into event_eras (era, begins_after)
  select greatest(coalesce(max(era), 1) + 1, ${Math.floor(now.getTime() / 60_000)}::int),
    greatest(max(begins_after), coalesce(${beginsAfter ?? null}::bigint, nextval('history_id_seq')))
  from event_eras`;

export async function beginEra(db: Sql, now: Date, beginsAfter?: number): Promise<void> {
  await db.run(sql`
    with begun as (${insertEra(now, beginsAfter)} returning era)
    insert into event_marks (at, era, transaction)
    select ${now}, era, pg_snapshot_xmin(pg_current_snapshot()) from begun on conflict do nothing`);
}
