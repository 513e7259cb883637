import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mode } from '../config/config.ts';
import type { Pool, Sql } from './executor.ts';
import { sql } from './statement.ts';

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
};

const FOLDER = path.join(import.meta.dirname, '../../../migrations');
/** Arbitrary, but the same in every process. */
const MIGRATION_LOCK = 7_243_881;

export class MigrationError extends Error {
  override name = 'MigrationError';
}

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), text, checksum };
    });
}

/**
 * Migrates the schema and returns what was applied. An empty database becomes an installation of the given kind; any
 * other must already be one. Concurrent processes wait for each other.
 */
export async function migrate(
  owner: Pool,
  kind: Mode,
  at: Date,
  migrations = readMigrations(),
): Promise<Migration[]> {
  return owner.begin(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const fresh = await isEmpty(db);
    if (!fresh) await requireKind(db, kind);
    await db.run(sql`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`);
    const pending = await findPending(db, migrations);
    for (const migration of pending) {
      await db.script(migration.text);
      await db.run(sql`insert into schema_migrations (version, name, checksum, applied_at)
        values (${migration.version}, ${migration.name}, ${migration.checksum}, ${at})`);
    }
    if (fresh) await db.run(sql`insert into installation (kind, created_at) values (${kind}, ${at})`);
    return pending;
  }) as Promise<Migration[]>;
}

/** Whether a server of this version can work with the current schema. */
export async function isUpToDate(db: Sql, migrations = readMigrations()): Promise<boolean> {
  const row = await db.one(
    sql<{ version: number | null }>`select max(version) as version from schema_migrations`,
  );
  return row.version === migrations.at(-1)?.version;
}

export async function installationKind(db: Sql): Promise<Mode | undefined> {
  const table = await db.one(sql<{ found: boolean }>`
    select count(*) = 2 as found from information_schema.columns
    where table_schema = 'public' and table_name = 'installation' and column_name in ('only_row', 'kind')`);
  if (!table.found) return undefined;
  const row = await db.maybe(sql<{ kind: Mode }>`select kind from installation`);
  return row?.kind;
}

async function isEmpty(db: Sql): Promise<boolean> {
  const row = await db.one(sql<{ empty: boolean }>`
    select not exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'f')
    ) as empty`);
  return row.empty;
}

async function requireKind(db: Sql, kind: Mode): Promise<void> {
  const found = await installationKind(db);
  if (found === kind) return;
  throw new MigrationError(
    found === undefined
      ? 'The database is not empty and was not made by Cadastre; nothing was changed in it.'
      : found === 'sandbox'
        ? 'The database belongs to a sandbox; a production server does not touch it.'
        : 'The database belongs to a production installation; the sandbox does not touch it.',
  );
}

async function findPending(db: Sql, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await db.rows(sql<{ version: number; name: string; checksum: string }>`
    select version, name, checksum from schema_migrations`);
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, checksum } of applied) {
    const migration = known.get(version);
    if (!migration)
      throw new MigrationError(
        `The database has migration ${version} (${name}), which this version does not know.`,
      );
    if (migration.checksum !== checksum)
      throw new MigrationError(`Migration ${version} (${name}) was changed after it had been applied.`);
  }
  const done = new Set(applied.map((row) => row.version));
  return migrations.filter((migration) => !done.has(migration.version));
}
