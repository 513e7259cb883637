import { BackupExists } from '../../backup/backup-error.ts';
import { wallClock } from '../../platform/clock/clock.ts';
import { commandEnvironment } from '../../platform/config/command-environment.ts';
import {
  type CheckResult,
  type LongCheckKind,
  recordBeginning,
  recordCheck,
  withdrawBeginning,
} from '../../platform/recorded-checks.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { explain } from './explain.ts';
import { withDatabase } from './with-database.ts';

/** Records how a check ended. Where that is impossible, as on a standby, the check itself is as good, and alerts will tell. */
export const noteCheck = (db: Sql, result: CheckResult): Promise<void> =>
  recordCheck(db, result).catch(warnOfMissingRecord);

/** The same for a check that has no connection to the registry's own database. */
export const noteInRegistry = (result: Omit<CheckResult, 'at'>): Promise<void> =>
  withDatabase(({ sql: db, now }) => noteCheck(db, { ...result, at: now })).catch(warnOfMissingRecord);

/**
 * Runs a check beside a connection to the registry's database, and records that it began and how it ended: one that is
 * killed has no end.
 */
export async function withBeginning<T>(
  db: Sql,
  kind: LongCheckKind,
  run: () => Promise<T>,
  describe: (outcome: T) => Pick<CheckResult, 'succeeded' | 'detail'>,
): Promise<T> {
  await recordBeginning(db, kind, wallClock.now()).catch(warnOfMissingRecord);
  const outcome = await run().catch(async (error: unknown) => {
    await noteCheck(db, { kind, at: wallClock.now(), succeeded: false, detail: firstLine(error) });
    throw error;
  });
  await noteCheck(db, { kind, at: wallClock.now(), ...describe(outcome) });
  return outcome;
}

/** The same for a check that has no connection to that database: only its end says that it could not be recorded. */
export async function withNote<T>(
  kind: LongCheckKind,
  run: () => Promise<T>,
  describe: (outcome: T) => Pick<CheckResult, 'goodFor' | 'detail'>,
): Promise<T> {
  await withDatabase(({ sql: db, now }) => recordBeginning(db, kind, now)).catch(() => {});
  const outcome = await run().catch(async (error: unknown) => {
    if (error instanceof BackupExists)
      await withDatabase(({ sql: db }) => withdrawBeginning(db, kind)).catch(() => {});
    else await noteInRegistry({ kind, succeeded: false, detail: firstLine(error) });
    throw error;
  });
  await noteInRegistry({ kind, succeeded: true, ...describe(outcome) });
  return outcome;
}

function warnOfMissingRecord(error: unknown): void {
  commandEnvironment().stderr.write(
    `The result was not recorded, so that alerts do not see it: ${firstLine(error)}\n`,
  );
}

const firstLine = (error: unknown): string => explain(error).split('\n', 1)[0] ?? '';
