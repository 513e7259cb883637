import type { Purge } from '../../platform/jobs/run-purge.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { beginEra } from '../../platform/event-eras.ts';

/** How long the feed shows an event. */
export const KEPT_DAYS = 30;

const isOver = (now: Date): Fragment => sql`at <= ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`;

/** The youngest mark that is older than what is kept: everything before it is older too. */
export const lastMark = (columns: Fragment, now: Date): Fragment => sql`
  select ${columns} from event_marks where ${isOver(now)} order by at desc limit 1`;

/**
 * Notes what has been written by now. A failover can lose transactions whose numbers are given again: what comes after
 * the last mark before it is of a new era then, so that no reader is ahead of it.
 */
export async function markEvents(db: Sql, now: Date): Promise<void> {
  // On the schema of 0.5.0 nothing reads marks yet.
  const { hasFeed } = await db.one(sql<{ hasFeed: boolean }>`
    select to_regproc('id_of_event') is not null as "hasFeed"`);
  if (!hasFeed) return;
  const timeline = await readTimeline(db);
  const last = await db.maybe(sql<{ timeline: number | null; sequence: number | null }>`
    select timeline, sequence from event_marks order by at desc limit 1`);
  const isMoved = timeline !== null && last && last.timeline !== null && last.timeline !== timeline;
  if (isMoved) return beginEra(db, now, last.sequence ?? undefined);
  await db.run(sql`
    insert into event_marks (at, era, transaction, sequence, timeline)
    select ${now}, coalesce(max(era), 1), pg_snapshot_xmin(pg_current_snapshot()), nextval('history_id_seq'), ${timeline}::bigint
    from event_eras on conflict do nothing`);
}

/** Another after each promotion of a standby. Some hosts of PostgreSQL do not tell it. */
async function readTimeline(db: Sql): Promise<number | null> {
  const row = await db
    .maybe(sql<{ timeline: number }>`
      select ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint as timeline`)
    .catch(() => undefined);
  return row?.timeline ?? null;
}

/** Of the marks that are over the last tells where the feed begins. */
const oldMarks = (now: Date): Fragment => sql`
  select at from event_marks where at < (${lastMark(sql`at`, now)})`;

const MAX_DELETED = 1_000;

export const markPurge: Purge = {
  step: 'delete event marks',
  table: sql`event_marks`,
  due: oldMarks,
  removeSome: (db, time) =>
    db.run(sql`delete from event_marks where at in (${oldMarks(time)} order by at limit ${MAX_DELETED})`),
};
