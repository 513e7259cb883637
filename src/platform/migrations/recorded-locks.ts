import { readFileSync } from 'node:fs';
import path from 'node:path';

/** From the weakest to the strongest. */
export const LOCK_MODES = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** What is done while the lock is held: only the catalogue changes, or the table is read, rewritten or indexed. */
export type TableWork = 'catalogue' | 'rows' | 'scan' | 'index' | 'rewrite';

/** What PostgreSQL did when it ran a statement of a migration on the schema before it. */
export type StatementLocks = {
  /** Nobody can wait for a table that is created by the same upgrade. */
  readonly creates?: readonly string[];
  readonly locks: readonly { readonly table: string; readonly lock: LockMode; readonly work: TableWork }[];
};

/** The statements of each migration, by its version. */
export type RecordedLocks = Readonly<Record<string, readonly StatementLocks[]>>;

const FILE = path.join(import.meta.dirname, '../../../migrations/locks.json');

export const readRecordedLocks = (): RecordedLocks => JSON.parse(readFileSync(FILE, 'utf8')) as RecordedLocks;
