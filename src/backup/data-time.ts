import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { BackupError } from './backup-error.ts';

type Source = {
  readonly isStandby: boolean;
  /** Whether it receives the log of another server, or reads its archive. */
  readonly follows: boolean;
  /** The newest thing that the database knows, without what a wrong clock has dated ahead; null if it was never used. */
  readonly newest: Date | null;
};

/**
 * `work` writes every thirty seconds, so that the data of a standby that follows the registry is never older. One that
 * follows a server which is itself cut off is found by this alone.
 */
const MAX_DATA_AGE_MS = 10 * 60_000;

/**
 * The time that the data of a backup is of: now, or on a standby that of its newest data. A standby that the registry has
 * left behind is refused unless its age is accepted.
 */
export async function requireFreshData(db: Sql, now: Date, isAgeAccepted: boolean): Promise<Date> {
  const { isStandby, follows, newest } = await readSource(db, now);
  if (!isStandby) return now;
  const at = newest ?? new Date(0);
  if (isAgeAccepted || (follows && now.getTime() - at.getTime() <= MAX_DATA_AGE_MS)) return at;
  const why = follows ? 'is behind' : 'follows no other server';
  throw new BackupError(
    `The server is a standby that ${why}: its newest data is of ${at.toISOString()}. Back up the server that takes writes, or add --stale for a backup of that time.`,
  );
}

const readSource = (db: Sql, now: Date): Promise<Source> =>
  db.one(sql<Source>`
    select pg_is_in_recovery() as "isStandby",
      current_setting('restore_command') <> '' or exists (select from pg_stat_get_wal_receiver() where pid is not null) as follows,
      greatest((select at from history where at <= ${now} order by id desc limit 1),
        (select max(finished_at) from jobs where finished_at <= ${now}),
        (select max(applied_at) from schema_migrations where applied_at <= ${now})) as newest`);
