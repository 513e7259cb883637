import type { Sql } from '../sql/executor.ts';
import type { Migration } from './migration.ts';
import { type LockMode, readRecordedLocks, type TableWork } from './recorded-locks.ts';
import { splitStatements } from '../sql/sql-text.ts';
import { sql } from '../sql/statement.ts';

/** One lock of one pending statement. */
export type PlannedLock = {
  readonly version: number;
  readonly statement: string;
  readonly table: string | null;
  readonly lock: string | null;
  readonly waiting: string;
  readonly work: string;
  readonly estimate: string;
};

type TableSize = { readonly bytes: number; readonly indexBytes: number; readonly rows: number };

/** Per second, below what two busy cores did with 200,000 domains in memory; a cold disk takes longer. */
const [SCANNED_BYTES, REWRITTEN_BYTES, INDEXED_ROWS] = [300e6, 30e6, 500_000];
const WORK: Readonly<Record<TableWork, string>> = {
  catalogue: 'changes the catalogue only',
  rows: 'changes rows',
  scan: 'reads the whole table',
  index: 'builds an index',
  rewrite: 'rewrites the table',
};

/** What the pending migrations lock, as it is recorded, and for how long in this database. Reads only the catalogue. */
export async function describeMigrations(
  db: Sql,
  pending: readonly Migration[],
): Promise<readonly PlannedLock[]> {
  const recorded = readRecordedLocks();
  const created = new Set<string>();
  const rows: PlannedLock[] = [];
  for (const { version, text } of pending)
    for (const [index, statement] of splitStatements(text).entries()) {
      const found = recorded[version]?.[index];
      const line = { version, statement: statement.text.replaceAll(/\s+/g, ' ').slice(0, 60) };
      for (const table of found?.creates ?? []) created.add(table);
      if (found === undefined) rows.push({ ...line, ...UNKNOWN });
      else if (found.locks.length === 0) rows.push({ ...line, ...NO_LOCK });
      else
        for (const { table, lock, work } of found.locks)
          rows.push({
            ...line,
            table,
            lock,
            work: WORK[work],
            waiting: created.has(table) ? 'nobody: a new table' : waitingFor(lock),
            estimate: estimate(work, await sizeOf(db, table)),
          });
    }
  return rows;
}

const UNKNOWN = {
  table: null,
  lock: 'unknown',
  waiting: 'unknown',
  work: 'unknown',
  estimate: 'unknown',
};
const NO_LOCK = { table: null, lock: null, waiting: 'nobody', work: WORK.catalogue, estimate: 'under 0.1 s' };

function waitingFor(lock: LockMode): string {
  if (lock === 'ACCESS EXCLUSIVE') return 'reads and writes';
  if (lock === 'ROW EXCLUSIVE') return 'writes of the same rows';
  return ['SHARE', 'SHARE ROW EXCLUSIVE', 'EXCLUSIVE'].includes(lock) ? 'writes' : 'nobody';
}

const sizeOf = (db: Sql, table: string): Promise<TableSize | undefined> =>
  db.maybe(sql<TableSize>`
    select pg_table_size(oid)::float8 as bytes, pg_indexes_size(oid)::float8 as "indexBytes",
      greatest(reltuples, 0)::float8 as rows
    from pg_class where oid = to_regclass(${table})`);

/** Deliberately coarse: what matters is whether it is a blink or a minute. */
function estimate(work: TableWork, size: TableSize | undefined): string {
  if (work === 'rows') return size ? `up to ${Math.round(size.rows)} rows` : 'no rows yet';
  const seconds = size === undefined ? 0 : secondsOf(work, size);
  if (seconds < 0.1) return 'under 0.1 s';
  return seconds < 10 ? `about ${seconds.toFixed(1)} s` : `about ${Math.round(seconds)} s`;
}

function secondsOf(work: TableWork, { bytes, indexBytes, rows }: TableSize): number {
  if (work === 'catalogue' || work === 'rows') return 0;
  if (work === 'scan') return bytes / SCANNED_BYTES;
  if (work === 'index') return bytes / SCANNED_BYTES + rows / INDEXED_ROWS;
  return (bytes + indexBytes) / REWRITTEN_BYTES;
}
