import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, Sql } from '../../../src/platform/sql/executor.ts';
import type { Migration } from '../../../src/platform/migrations/migration.ts';
import {
  LOCK_MODES,
  type LockMode,
  type StatementLocks,
  type TableWork,
} from '../../../src/platform/migrations/recorded-locks.ts';
import { splitStatements } from '../../../src/platform/sql/sql-text.ts';
import { sql } from '../../support/sql.ts';

/** Two sessions of the owner: the second runs what cannot run in a transaction. */
export type Sessions = { readonly owner: Pool; readonly other: Pool };

type TableState = {
  readonly oid: number;
  readonly name: string;
  readonly file: string;
  readonly scans: number;
  readonly indexes: number;
};

/** The tables as they are, and how often this transaction has read each of them. */
const tablesNow = (db: Sql): Promise<TableState[]> =>
  db.rows(sql<TableState>`
    select c.oid::int as oid, c.relname as name, c.relfilenode::text as file,
      (pg_stat_get_xact_numscans(c.oid) + coalesce(i.scans, 0))::int as scans, coalesce(i.count, 0)::int as indexes
    from pg_class c left join (
      select indrelid, count(*) as count, sum(pg_stat_get_xact_numscans(indexrelid)) as scans from pg_index group by indrelid
    ) i on i.indrelid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by c.relname`);

/** The strongest lock of a session on each of the tables, of those that somebody may wait for. */
async function locksOf(db: Sql, pid: number, tables: readonly TableState[]) {
  const rows = await db.rows(sql<{ oid: number; lock: LockMode }>`
    select relation::int as oid, upper(trim(regexp_replace(regexp_replace(mode, 'Lock$', ''), '([A-Z])', ' \\1', 'g'))) as lock
    from pg_locks where pid = ${pid} and granted and relation = any(${tables.map(({ oid }) => oid)}::oid[])`);
  const strongest = new Map<number, LockMode>();
  for (const { oid, lock } of rows) {
    const known = strongest.get(oid) ?? 'ROW SHARE';
    if (LOCK_MODES.indexOf(lock) > LOCK_MODES.indexOf(known)) strongest.set(oid, lock);
  }
  return strongest;
}

const pidOf = async (db: Sql): Promise<number> =>
  (await db.one(sql<{ pid: number }>`select pg_backend_pid() as pid`)).pid;

function workOn(lock: LockMode, before: TableState, after: TableState | undefined): TableWork {
  if (lock === 'ROW EXCLUSIVE') return 'rows';
  if (!after) return 'catalogue';
  if (after.file !== before.file) return 'rewrite';
  if (after.indexes > before.indexes) return 'index';
  return after.scans > before.scans ? 'scan' : 'catalogue';
}

function describeStatement(
  locks: ReadonlyMap<number, LockMode>,
  before: readonly TableState[],
  after: readonly TableState[],
): StatementLocks {
  const known = new Set(before.map(({ oid }) => oid));
  const creates = after.filter(({ oid }) => !known.has(oid)).map(({ name }) => name);
  const found = before.flatMap((table) => {
    const lock = locks.get(table.oid);
    const next = after.find(({ oid }) => oid === table.oid);
    return lock ? [{ table: table.name, lock, work: workOn(lock, table, next) }] : [];
  });
  return { ...(creates.length > 0 && { creates }), locks: withReferenced(found) };
}

/** A foreign key that is checked reads both tables; the tables here are empty, so that nothing is looked up in the other. */
function withReferenced(locks: StatementLocks['locks']): StatementLocks['locks'] {
  const isOfKey = ({ lock }: { readonly lock: LockMode }) => lock === 'SHARE ROW EXCLUSIVE';
  const isChecked = locks.some((each) => isOfKey(each) && each.work === 'scan');
  return isChecked ? locks.map((each) => (isOfKey(each) ? { ...each, work: 'scan' } : each)) : locks;
}

/** What PostgreSQL itself does when it runs a statement in a transaction. */
export async function observeIn(db: Sql, statement: string): Promise<StatementLocks> {
  const before = await tablesNow(db);
  await db.script(statement);
  const locks = await locksOf(db, await pidOf(db), before);
  const found = describeStatement(locks, before, await tablesNow(db));
  return statement.toLowerCase().startsWith('analyze ') ? withScan(found) : found;
}

/** A sample of the rows is read, which no statistic counts. */
const withScan = ({ locks }: StatementLocks): StatementLocks => ({
  locks: locks.map((lock) => ({ ...lock, work: 'scan' })),
});

/** It takes its locks, and then waits for every older transaction: for this one. */
async function observeConcurrently({ owner, other }: Sessions, statement: string): Promise<StatementLocks> {
  const pid = await pidOf(other);
  const before = await tablesNow(owner);
  const isWaiting = async (db: Sql) =>
    (await db.maybe(sql`select from pg_locks where pid = ${pid} and not granted limit 1`)) !== undefined;
  let running: Promise<void> | undefined;
  const locks = await owner.begin(async (db) => {
    await db.script(`lock table ${before.map(({ name }) => name).join(', ')} in row exclusive mode`);
    running = other.script(statement);
    for (;;) {
      const found = await locksOf(db, pid, before);
      if (found.size > 0 && (await isWaiting(db))) return found;
      await sleep(1);
    }
  });
  await running;
  return describeStatement(locks, before, await tablesNow(owner));
}

/** Applies migrations, statement by statement. */
export async function recordLocks(
  sessions: Sessions,
  migrations: readonly Migration[],
): Promise<Record<string, StatementLocks[]>> {
  const recorded: Record<string, StatementLocks[]> = {};
  for (const { version, text, isOnline } of migrations) {
    const found: StatementLocks[] = [];
    for (const { text: statement, skeleton } of splitStatements(text))
      found.push(
        isOnline && / index concurrently /.test(skeleton)
          ? await observeConcurrently(sessions, statement)
          : await sessions.owner.begin((db) => observeIn(db, statement)),
      );
    recorded[version] = found;
  }
  return recorded;
}

/** A line for each statement. */
export function locksAsJson(recorded: Readonly<Record<string, readonly StatementLocks[]>>): string {
  const migrations = Object.entries(recorded).map(([version, statements]) => {
    const lines = statements.map((statement) => `    ${JSON.stringify(statement)}`);
    return `  "${version}": [\n${lines.join(',\n')}\n  ]`;
  });
  return `{\n${migrations.join(',\n')}\n}\n`;
}
