import type { Sql } from '../sql/executor.ts';
import { type Migration, MigrationError, type ProgramSchema, programSchema } from './migration.ts';
import { sql } from '../sql/statement.ts';

export type AppliedMigration = {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly minProgramSchema: number | null;
};

/** The schema of a database as seen by a program. */
export type SchemaFit = {
  /** Known to the program and not applied yet. */
  readonly pending: readonly Migration[];
  /** Applied by a newer program. */
  readonly unknown: readonly AppliedMigration[];
  /** Why the program cannot run on it; undefined if it can. */
  readonly fault: string | undefined;
};

/** Read as JSON, because the column is missing in the schema of the first release. */
export const appliedMigrations = (db: Sql): Promise<AppliedMigration[]> =>
  db.rows(sql<AppliedMigration>`
    select version, name, checksum, (to_jsonb(m) ->> 'min_program_schema')::int as "minProgramSchema"
    from schema_migrations m order by version`);

/**
 * A program runs on the schema of the release before its own, of its own, and of the release after it: no migration may
 * be missing that the release before had, and none may be applied that excludes it.
 */
export function compareSchema(
  applied: readonly AppliedMigration[],
  { migrations, oldest }: ProgramSchema,
): SchemaFit {
  const done = new Set(applied.map(({ version }) => version));
  const known = new Set(migrations.map(({ version }) => version));
  const newest = Math.max(0, ...known);
  const pending = migrations.filter(({ version }) => !done.has(version));
  const unknown = applied.filter(({ version }) => !known.has(version));
  const missing = pending.find(({ version }) => version <= oldest);
  const excluding = unknown.find(
    ({ minProgramSchema }) => minProgramSchema === null || minProgramSchema > newest,
  );
  const fault = missing
    ? `The database is too old for this program: migration ${missing.version} (${missing.name}) is missing; run cadastre migrate first.`
    : excluding
      ? `The database has migration ${excluding.version} (${excluding.name}), and this program cannot run after it; run the program of a newer version.`
      : undefined;
  return { pending, unknown, fault };
}

export const examineSchema = async (db: Sql, program = programSchema()): Promise<SchemaFit> =>
  compareSchema(await appliedMigrations(db), program);

/** Whether this program can work with the current schema. */
export const isSchemaFit = async (db: Sql): Promise<boolean> => (await examineSchema(db)).fault === undefined;

export function requireUnchanged(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const checksums = new Map(applied.map(({ version, checksum }) => [version, checksum]));
  for (const { version, name, checksum } of migrations)
    if (checksums.has(version) && checksums.get(version) !== checksum)
      throw new MigrationError(`Migration ${version} (${name}) was changed after it had been applied.`);
}
