import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, Sql } from '../sql/executor.ts';
import { type Migration, MigrationError } from './migration.ts';
import {
  inShortTransaction,
  type LockRetries,
  MAX_LOCK_WAIT_MS,
  requireMigrationLock,
  withLockRetries,
} from './migration-lock.ts';
import { type ScriptStatement, splitStatements } from '../sql/sql-text.ts';
import { identifier, sql, text } from '../sql/statement.ts';

/** After a batch, requests have the database for themselves as long as it took, up to this time. */
const MAX_REST_MS = 1_000;

const CREATE_INDEX = /^create (?:unique )?index concurrently (?:if not exists )?([a-z0-9_.]+) on /;
const DROP_INDEX = /^drop index concurrently (?:if exists )?([a-z0-9_.]+)$/;
const BATCH = /^(with|insert|update|delete) /;
/** Doing these a second time changes nothing. */
const REPEATABLE = [
  /^alter table (only )?[a-z0-9_.]+ validate constraint [a-z0-9_]+$/,
  /^alter table (only )?[a-z0-9_.]+ alter (column )?[a-z0-9_]+ set not null$/,
  /^analyze( [a-z0-9_., ()]+)?$/,
];

/** Statements that an online migration cannot contain, because a second attempt could not continue after them. */
export function checkOnlineStatements(migration: Pick<Migration, 'text'>): string[] {
  return splitStatements(migration.text)
    .filter(
      ({ skeleton }) =>
        ![CREATE_INDEX, DROP_INDEX, ...REPEATABLE].some((known) => known.test(skeleton)) &&
        !(BATCH.test(skeleton) && / limit \d+/.test(skeleton)),
    )
    .map(({ skeleton }) => skeleton);
}

/**
 * Runs the statements one by one, each in its own transaction. Whatever an earlier attempt has done is found: valid
 * indexes are kept, invalid ones are removed first, and a batch is repeated until it affects no row.
 */
export async function runOnline(owner: Pool, migration: Migration, retries: LockRetries): Promise<void> {
  const [refused] = checkOnlineStatements(migration);
  const what = `Migration ${migration.version} (${migration.name})`;
  if (refused !== undefined)
    throw new MigrationError(`${what} cannot run online, since it could not be resumed after: ${refused}`);
  const run = { owner, migration, what, retries };
  for (const statement of splitStatements(migration.text)) await runStatement(run, statement);
}

/** The same in the transaction that installs an empty database, where nobody waits. */
export async function runOnlineAtOnce(db: Sql, migration: Migration): Promise<void> {
  for (const { text: written, skeleton } of splitStatements(migration.text))
    if (BATCH.test(skeleton)) while ((await db.run(text(written))) > 0);
    else await db.script(written.replace(/\bconcurrently\b/i, ''));
}

type OnlineRun = {
  readonly owner: Pool;
  readonly migration: Migration;
  readonly what: string;
  readonly retries: LockRetries;
};

async function runStatement(run: OnlineRun, { text: written, skeleton }: ScriptStatement): Promise<void> {
  const created = CREATE_INDEX.exec(skeleton)?.[1];
  if (created !== undefined) return createIndex(run, created, written);
  const dropped = DROP_INDEX.exec(skeleton)?.[1];
  if (dropped !== undefined) return dropIndex(run, dropped);
  if (BATCH.test(skeleton)) return runBatches(run, written);
  await inRepeatedTransaction(run, (db) => db.script(written));
}

async function createIndex({ owner, migration, what, retries }: OnlineRun, name: string, written: string) {
  await withLockRetries(owner, what, retries, async () => {
    await requireMigrationLock(owner, migration);
    const found = await findIndex(owner, name);
    if (found?.isValid) return;
    if (found) await runConcurrently(owner, dropStatement(name), retries);
    retries.onProgress?.(`${what} builds the index ${name}`);
    await runConcurrently(owner, written, retries);
  });
}

async function dropIndex({ owner, migration, what, retries }: OnlineRun, name: string): Promise<void> {
  await withLockRetries(owner, what, retries, async () => {
    await requireMigrationLock(owner, migration);
    if (await findIndex(owner, name)) await runConcurrently(owner, dropStatement(name), retries);
  });
}

async function runBatches(run: OnlineRun, written: string): Promise<void> {
  for (let total = 0; ; ) {
    const startedAt = performance.now();
    const count = await inRepeatedTransaction(run, (db) => db.run(text(written)));
    if (count === 0) return;
    total += count;
    run.retries.onProgress?.(`${run.what} has changed ${total} rows`);
    await sleep(Math.min(performance.now() - startedAt, MAX_REST_MS));
  }
}

const inRepeatedTransaction = <T>(
  { owner, migration, what, retries }: OnlineRun,
  work: (db: Sql) => Promise<T>,
): Promise<T> => withLockRetries(owner, what, retries, () => inShortTransaction(owner, migration, work));

const dropStatement = (index: string): string => sql`drop index concurrently ${identifier(index)}`.text;

/** It waits for every older transaction, but no request waits for it: it has the whole time. */
async function runConcurrently(
  owner: Sql,
  written: string,
  { maxLockWaitMs = MAX_LOCK_WAIT_MS }: LockRetries,
): Promise<void> {
  await owner.script(`set lock_timeout = ${maxLockWaitMs}`);
  try {
    await owner.script(written);
  } finally {
    await owner.script('reset lock_timeout').catch(() => {});
  }
}

const findIndex = (owner: Sql, name: string): Promise<{ isValid: boolean } | undefined> =>
  owner.maybe(sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`);
