import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../outbox/backoff.ts';
import { codeOf } from '../database/database-errors.ts';
import type { Pool, Sql } from '../sql/executor.ts';
import { type Migration, MigrationError } from './migration.ts';
import { sql } from '../sql/statement.ts';

/** Arbitrary, but the same in every process. */
const MIGRATION_LOCK = 7_243_881;
const POLL_INTERVAL_MS = 200;

/** A lock was not granted in time, or two transactions waited for each other. */
const LOCK_FAILURES: readonly (string | undefined)[] = ['55P03', '40P01'];

/**
 * A request for ACCESS EXCLUSIVE makes every later request on the table wait, even while it waits itself: it gives up
 * after this time, and is repeated.
 */
export const LOCK_TIMEOUT_MS = 250;
/** For how long the statements of a migration are repeated until they get their locks. */
export const MAX_LOCK_WAIT_MS = 10 * 60_000;
const BACKOFF: Backoff = { firstMs: 200, maxMs: 4_000, jitter: 0.25 };

/**
 * Lets one process migrate at a time. The lock belongs to the session, so it ends with the process; nobody waits for it
 * in a statement, since `create index concurrently` waits for all running ones.
 */
export async function holdingMigrationLock<T>(owner: Sql, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(owner))) await sleep(POLL_INTERVAL_MS);
  try {
    return await work();
  } finally {
    await owner.run(sql`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => {});
  }
}

async function tryLock(owner: Sql): Promise<boolean> {
  const { locked } = await owner.one(
    sql<{ locked: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`,
  );
  return locked;
}

/**
 * The pool replaces connections that were lost while idle, and old ones: the session may be another one, without the
 * lock. It goes on if nobody else has the lock, and nobody has applied the migration meanwhile.
 */
export async function requireMigrationLock(db: Sql, { version }: Pick<Migration, 'version'>): Promise<void> {
  const { held } = await db.one(sql<{ held: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      and classid = 0 and objid = ${MIGRATION_LOCK}::bigint::oid and granted) as held`);
  if (held) return;
  const isFree = await tryLock(db);
  const { applied } = await db.one(sql<{ applied: boolean }>`
    select exists (select from schema_migrations where version = ${version}) as applied`);
  if (!isFree || applied)
    throw new MigrationError('Another process has begun to migrate; run cadastre migrate again.');
}

/** Statements that hold up requests only shortly, because they give up waiting for their locks. */
export const inShortTransaction = <T>(
  owner: Pool,
  migration: Migration,
  work: (db: Sql) => Promise<T>,
): Promise<T> =>
  owner.begin(async (db) => {
    await requireMigrationLock(db, migration);
    await db.script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const result = await work(db);
    // It may be part of a longer transaction, whose later statements wait as long as they must.
    await db.script('set local lock_timeout to default');
    return result;
  });

export type LockRetries = {
  readonly maxLockWaitMs?: number;
  /** Called with a sentence when something is waited for, and as work proceeds. */
  readonly onProgress?: (state: string) => void;
};

/** Repeats work that did not get its locks, with jittered backoff; the work must undo itself where it fails. */
export async function withLockRetries<T>(
  owner: Sql,
  what: string,
  { maxLockWaitMs = MAX_LOCK_WAIT_MS, onProgress }: LockRetries,
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + maxLockWaitMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await work();
    } catch (error) {
      if (!LOCK_FAILURES.includes(codeOf(error))) throw error;
      const holders = await describeHolders(owner);
      const waitMs = backoffMs(BACKOFF, attempts);
      if (performance.now() + waitMs > giveUpAt)
        throw new MigrationError(
          `${what} did not get its locks within ${maxLockWaitMs / 1000} s (${holders}). What was applied before stays; run cadastre migrate again.`,
        );
      onProgress?.(`${what} waits for its locks (${holders})`);
      await sleep(waitMs);
    }
  }
}

/** The sessions that hold locks on tables, the longest transaction first; its age is visible to their own login only. */
async function describeHolders(owner: Sql): Promise<string> {
  const holders = await owner.rows(sql<{ pid: number; seconds: number | null }>`
    select l.pid, extract(epoch from clock_timestamp() - min(a.xact_start))::int as seconds
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'relation' and l.relation >= 16384 and l.granted and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())
    group by l.pid order by seconds desc nulls last limit 3`);
  if (holders.length === 0) return 'the sessions that held them have ended';
  const one = ({ pid, seconds }: (typeof holders)[number]) =>
    seconds === null ? `pid ${pid}` : `pid ${pid}, for ${seconds} s`;
  return `held by ${holders.map(one).join('; ')}`;
}
