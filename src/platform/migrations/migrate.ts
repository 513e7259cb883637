import type { Mode } from '../config/config.ts';
import type { Pool, Sql } from '../sql/executor.ts';
import { type Migration, MigrationError, programSchema } from './migration.ts';
import {
  holdingMigrationLock,
  inShortTransaction,
  type LockRetries,
  withLockRetries,
} from './migration-lock.ts';
import { runOnline, runOnlineAtOnce } from './online-migration.ts';
import { appliedMigrations, compareSchema, requireUnchanged } from './schema-fit.ts';
import { sql } from '../sql/statement.ts';

/** From this migration on, the compatibility of each one is recorded with it. */
const FIRST_WITH_COMPATIBILITY = 28;

/**
 * Migrates the schema and returns what was applied. An empty database becomes an installation of the given kind, in one
 * transaction; any other must already be one, and each migration is a step of its own, so that requests wait for none
 * of them for long. Concurrent processes wait for each other.
 */
export async function migrate(
  owner: Pool,
  kind: Mode,
  at: Date,
  migrations: readonly Migration[] = programSchema().migrations,
  retries: LockRetries = {},
): Promise<readonly Migration[]> {
  return holdingMigrationLock(owner, async () => {
    if (await isEmpty(owner)) return install(owner, kind, at, migrations);
    const pending = await pendingMigrations(owner, kind, migrations);
    for (const migration of pending) await apply(owner, migration, at, retries);
    return pending;
  });
}

/** What `migrate` would apply. Only reads, so no request waits for it. */
export async function pendingMigrations(
  owner: Sql,
  kind: Mode,
  migrations: readonly Migration[] = programSchema().migrations,
): Promise<readonly Migration[]> {
  if (await isEmpty(owner)) return migrations;
  await requireKind(owner, kind);
  const applied = await appliedMigrations(owner);
  requireUnchanged(applied, migrations);
  const { pending, unknown, fault } = compareSchema(applied, { migrations, oldest: 0 });
  if (fault !== undefined) throw new MigrationError(fault);
  const [newer] = unknown;
  if (newer && pending.length > 0)
    throw new MigrationError(
      `The database has migration ${newer.version} (${newer.name}), which this version does not know; nothing was changed.`,
    );
  return pending;
}

async function install(
  owner: Pool,
  kind: Mode,
  at: Date,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return owner.begin(async (db) => {
    await db.run(sql`create table schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`);
    for (const migration of migrations) {
      if (migration.isOnline) await runOnlineAtOnce(db, migration);
      else await db.script(migration.text);
      await record(db, migration, at);
    }
    await db.run(sql`insert into installation (kind, created_at) values (${kind}, ${at})`);
    return migrations;
  });
}

async function apply(owner: Pool, migration: Migration, at: Date, retries: LockRetries): Promise<void> {
  const what = `Migration ${migration.version} (${migration.name})`;
  retries.onProgress?.(what);
  if (migration.isOnline) {
    await runOnline(owner, migration, retries);
    return inShortTransaction(owner, migration, (db) => record(db, migration, at));
  }
  await withLockRetries(owner, what, retries, () =>
    inShortTransaction(owner, migration, async (db) => {
      await db.script(migration.text);
      await record(db, migration, at);
    }),
  );
}

async function record(db: Sql, { version, name, checksum, minProgramSchema }: Migration, at: Date) {
  const hasCompatibility = version >= FIRST_WITH_COMPATIBILITY;
  await db.run(sql`
    insert into schema_migrations (version, name, checksum, applied_at${hasCompatibility ? sql`, min_program_schema` : sql``})
    values (${version}, ${name}, ${checksum}, ${at}${hasCompatibility ? sql`, ${minProgramSchema ?? null}::int` : sql``})`);
}

export async function installationKind(db: Sql): Promise<Mode | undefined> {
  // Not from information_schema, whose views take 6 ms to plan: every command asks this.
  const table = await db.one(sql<{ found: boolean }>`
    select count(*) = 2 as found from pg_attribute
    where attrelid = to_regclass('public.installation') and attname in ('only_row', 'kind')
      and has_column_privilege(attrelid, attnum, 'select')`);
  if (!table.found) return undefined;
  const row = await db.maybe(sql<{ kind: Mode }>`select kind from installation`);
  return row?.kind;
}

/** Without any table or view of its own. */
export async function isEmpty(db: Sql): Promise<boolean> {
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
