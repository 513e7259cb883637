import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkLedger } from '../ledger/check-ledger.ts';
import { PRIVATE_FILE } from '../platform/config/private-files.ts';
import { COPY_MIGRATION, describeRestored, markUnconfirmed } from '../platform/installation-copy.ts';
import { CHECKS_MIGRATION, forgetBeginnings } from '../platform/recorded-checks.ts';
import {
  type BulkTransaction,
  withBulkTransaction,
  withBulkTrial,
} from '../platform/sql/bulk-transaction.ts';
import type { DatabaseTarget } from '../platform/database/database.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { isEmpty, migrate } from '../platform/migrations/migrate.ts';
import { type Migration, programSchema } from '../platform/migrations/migration.ts';
import { type BackupKey, readArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { LAST_TABLE } from './create-backup.ts';
import { DUMP, dataTimeOf, FILES, type Manifest, readManifest, type Summary } from './manifest.ts';
import { findTool, restoreDatabase, toolAddress } from './postgres-tools.ts';
import { dropForeignKeys, setIdentities } from './schema-guards.ts';
import { loadRows, quoted, readTables, sumOf } from './read-tables.ts';
import { tableOf, type VerifiedBackup, verifyBackup } from './verify-backup.ts';

export type RestoreRequest = {
  readonly file: string;
  readonly key: BackupKey;
  readonly target: DatabaseTarget;
  readonly now: Date;
  /** Verifies the backup, and that the database is empty. */
  readonly dryRun?: boolean | undefined;
  /** Restores and verifies everything, and leaves the database empty. */
  readonly isDrill?: boolean | undefined;
};
export type Restored = VerifiedBackup & { readonly pending: readonly Migration[] };

/**
 * Makes an empty database a copy of the one that was backed up, and marks it as one. The backup is read as a whole
 * before anything is written; what was written is verified before it is committed.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const verified = await verifyBackup(request.file, request.key);
  const { manifest } = verified;
  const known = requireKnownMigrations(manifest);
  const pending = programSchema().migrations.filter(({ version }) => version > requiredVersion(manifest));
  if (request.dryRun) {
    await withBulkTransaction(request.target, ({ db }) => requireEmpty(db));
    return { ...verified, pending };
  }
  if (manifest.engine === 'pg_dump') await restoreDump(request, manifest);
  await (request.isDrill ? withBulkTrial : withBulkTransaction)(request.target, async (transaction) => {
    const { db } = transaction;
    if (manifest.engine === 'copy') {
      await requireEmpty(db);
      await migrate(db, manifest.kind, request.now, known);
    }
    await load(transaction, request, manifest);
    await setIdentities(db, verified.summary.identities);
    await requireSameRows(transaction, verified);
    await requireSoundLedger(db);
    if (manifest.schemaVersion >= CHECKS_MIGRATION) await forgetBeginnings(db);
    await markAsCopy(db, request, manifest);
    await analyze(db);
  });
  if (request.isDrill && manifest.engine === 'pg_dump') await emptySchema(request.target);
  return { ...verified, pending };
}

/** What pg_restore has committed in a database that was empty before. */
const emptySchema = (target: DatabaseTarget): Promise<void> =>
  withBulkTransaction(target, ({ db }) => db.script('drop schema public cascade; create schema public'));

/** The mark needs its columns, even where the backup is older than they are. */
const requiredVersion = ({ schemaVersion }: Manifest): number => Math.max(schemaVersion, COPY_MIGRATION);

function requireKnownMigrations({ migrations, program }: Manifest): Migration[] {
  const known = new Map(programSchema().migrations.map((migration) => [migration.version, migration]));
  return migrations.map(({ version, checksum }) => {
    const migration = known.get(version);
    if (migration?.checksum === checksum) return migration;
    throw new BackupError(
      `The backup was made by version ${program} of Cadastre with ${migration ? 'another' : 'a'} migration ${version}${migration ? '' : ', which this version does not know'}: restore it with that version.`,
    );
  });
}

async function requireEmpty(db: Sql): Promise<void> {
  if (!(await isEmpty(db)))
    throw new BackupError('The database is not empty; a backup is restored into an empty one only.');
}

/** The dump leaves out the row that makes a database an installation: until that is added, nothing works on it. */
async function restoreDump({ file, key, target }: RestoreRequest, { postgres }: Manifest): Promise<void> {
  const major = Number.parseInt(postgres, 10);
  const address = toolAddress(target);
  const tool = address && (await findTool('pg_restore', major));
  if (!tool)
    throw new BackupError(
      `The backup was made with pg_dump: restoring it needs pg_restore of version ${major} or later, and an address of one server without TLS.`,
    );
  await withBulkTransaction(target, async ({ db }) => {
    await requireEmpty(db);
    await db.script(CREATE_ROLE);
  });
  const args = ['--schema=public', '--no-owner', '--single-transaction', '--exit-on-error'];
  await restoreDatabase(tool, address, args, dumpIn(file, key));
  // The schema itself exists already, and its grants are not part of what is in it.
  await withBulkTransaction(target, ({ db }) => db.script('grant usage on schema public to cadastre_app'));
}

/** As the migration does that a dump replaces. */
const CREATE_ROLE = `do $$ begin
  if not exists (select from pg_roles where rolname = 'cadastre_app') then create role cadastre_app nologin; end if;
  if not pg_has_role(current_user, 'cadastre_app', 'MEMBER') then execute format('grant cadastre_app to %I', current_user); end if;
end $$`;

async function* dumpIn(file: string, key: BackupKey): AsyncGenerator<Buffer> {
  for await (const { name, content } of readArchive(file, key)) if (name.startsWith(DUMP)) yield content;
}

/** Foreign keys are checked as a whole when they are added again, and triggers do not see what they have seen before. */
async function load(
  transaction: BulkTransaction,
  { file, key }: RestoreRequest,
  { tables, engine }: Manifest,
): Promise<void> {
  const { db } = transaction;
  const loaded = engine === 'copy' ? tables : tables.filter(({ name }) => name === LAST_TABLE);
  const names = loaded.map(({ name }) => `public.${quoted(name)}`);
  const addForeignKeys = engine === 'copy' ? await dropForeignKeys(db) : '';
  await db.script(`truncate ${names.join(', ')}`);
  await db.script(names.map((name) => `alter table ${name} disable trigger user`).join('; '));
  const shapes = new Map(loaded.map((table) => [table.name, table]));
  for await (const { name, content } of readArchive(file, key)) {
    const shape = shapes.get(tableOf(name) ?? '');
    if (shape) await loadRows(transaction, shape, once(content));
  }
  await db.script(names.map((name) => `alter table ${name} enable trigger user`).join('; '));
  await db.script(addForeignKeys);
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function requireSameRows(
  transaction: BulkTransaction,
  { manifest, summary }: { readonly manifest: Manifest; readonly summary: Summary },
): Promise<void> {
  const here = await readTables(transaction.db);
  const names = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).join(', ');
  if (names(here) !== names(manifest.tables))
    throw new BackupError(`The restored database has other tables (${names(here)}) than the backup.`);
  for (const table of manifest.tables) {
    const [expected, found] = [summary.tables[table.name], await sumOf(transaction, table)];
    if (expected?.rows !== found.rows || expected.sha256 !== found.sha256)
      throw new BackupError(
        `The rows of ${table.name} are not those of the backup (${found.rows} instead of ${expected?.rows}); nothing was kept.`,
      );
  }
}

async function requireSoundLedger(db: Sql): Promise<void> {
  const findings = await checkLedger(db);
  if (findings.length > 0)
    throw new BackupError(
      `The ledger of the backup disagrees in ${findings.length} places, so nothing was kept; see them with cadastre ledger check on the original.`,
    );
}

async function markAsCopy(db: Pool, { now }: RestoreRequest, manifest: Manifest): Promise<void> {
  const { kind, schemaVersion, database } = manifest;
  if (schemaVersion < COPY_MIGRATION)
    await migrate(
      db,
      kind,
      now,
      programSchema().migrations.filter(({ version }) => version <= COPY_MIGRATION),
    );
  await markUnconfirmed(db, {
    since: now,
    reason: describeRestored(database, dataTimeOf(manifest)),
  });
}

/** Not all that there is: the catalogs that the databases of a server share may be locked by another one. */
async function analyze(db: Sql): Promise<void> {
  const tables = await readTables(db);
  await db.script(`analyze ${tables.map(({ name }) => `public.${quoted(name)}`).join(', ')}`);
}

/** Refuses before anything is restored where the files of a backup cannot be written into a folder. */
export async function requireFilesAbsent(
  { file, key }: Pick<RestoreRequest, 'file' | 'key'>,
  folder: string,
): Promise<void> {
  for (const { name } of (await manifestIn(file, key)).files) {
    const to = placeIn(folder, name);
    const code = await lstat(to).then(
      () => 'EEXIST',
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code === 'EEXIST')
      throw new BackupError(
        `${to} is there already, and files are never overwritten: name another folder with --files. Nothing was restored.`,
      );
    if (code !== 'ENOENT') throw new BackupError(`${to} cannot be written (${code}). Nothing was restored.`);
  }
}

async function manifestIn(file: string, key: BackupKey): Promise<Manifest> {
  for await (const entry of readArchive(file, key)) return readManifest(entry);
  throw new BackupError('The backup is empty.');
}

const placeIn = (folder: string, name: string): string =>
  path.join(folder, path.normalize(`/${name.slice(FILES.length)}`));

/** Writes the files from outside the database into a folder, from which an operator puts them in their places. */
export async function extractFiles(
  { file, key }: Pick<RestoreRequest, 'file' | 'key'>,
  folder: string,
): Promise<string[]> {
  const written: string[] = [];
  for await (const { name, content } of readArchive(file, key)) {
    if (!name.startsWith(FILES)) continue;
    const to = placeIn(folder, name);
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    await writeFile(to, content, { mode: PRIVATE_FILE, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new BackupError(`${to} cannot be written (${error.code}).`);
    });
    written.push(to);
  }
  return written;
}
