import { access, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { type BulkTransaction, withSnapshot } from '../platform/sql/bulk-transaction.ts';
import type { DatabaseTarget } from '../platform/database/database.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { sql } from '../platform/sql/statement.ts';
import { chunksOf } from './age-encryption.ts';
import { type BackupKey, sha256, writeArchive } from './archive.ts';
import { BackupError, BackupExists } from './backup-error.ts';
import { requireFreshData } from './data-time.ts';
import {
  DUMP,
  dataTimeOf,
  type Engine,
  jsonEntry,
  MANIFEST,
  type Manifest,
  SUMMARY,
  type Summary,
  TABLES,
} from './manifest.ts';
import { type OutsideFile, readOutsideFiles } from './outside-files.ts';
import { dumpDatabase, findTool, type Tool, toolAddress } from './postgres-tools.ts';
import {
  copyRows,
  quoted,
  readIdentities,
  readTables,
  rowParts,
  sumOf,
  TableDigest,
  type TableShape,
  type TableSum,
} from './read-tables.ts';
import type { Entry } from './tar.ts';
import { type VerifiedBackup, verifyBackup } from './verify-backup.ts';

export type BackupRequest = {
  readonly target: DatabaseTarget;
  readonly config: Config;
  /** A folder, or a file that does not exist yet. */
  readonly output: string;
  readonly key: BackupKey;
  readonly now: Date;
  readonly program: string;
  /** Undefined: pg_dump where it can be used. */
  readonly engine?: Engine | undefined;
  readonly databaseOnly?: boolean | undefined;
  /** Also of a standby that the registry has left behind. */
  readonly stale?: boolean | undefined;
  /** Called while the snapshot is held, with its id. */
  readonly onSnapshot?: ((id: string) => Promise<void>) | undefined;
};

const PART_BYTES = 4 * 1024 * 1024;
/** Its row is what makes a database an installation: a restore writes it last, so that half of one is none. */
export const LAST_TABLE = 'installation';

/** Writes a backup, reads it back, and only then gives it its name. */
export async function createBackup(request: BackupRequest): Promise<VerifiedBackup & { file: string }> {
  const { target, config, key, now, databaseOnly } = request;
  const { folder, name } = await placeOf(request.output);
  const partial = path.join(folder, `.${name ?? 'cadastre'}.${process.pid}.partial`);
  const outside = databaseOnly ? [] : await readOutsideFiles(config);
  try {
    await withSnapshot(target, async (transaction) => {
      const tool = await chooseTool(request, transaction);
      await writeArchive(partial, entriesOf(transaction, request, outside, tool), key, now);
    });
    const verified = await verifyBackup(partial, key);
    const dataTime = dataTimeOf(verified.manifest);
    const file = path.join(folder, name ?? nameOf(dataTime, key));
    if (name === undefined && (await isThere(file)))
      throw new BackupExists(`The backup of ${dataTime} exists already: ${file}.`);
    await requireAbsent(file);
    await rename(partial, file);
    await syncFolder(folder);
    return { ...verified, file };
  } catch (error) {
    await rm(partial, { force: true });
    throw unwritable(error, partial) ?? error;
  }
}

/** A file that cannot be written; undefined for other errors. */
function unwritable(error: unknown, partial: string): BackupError | undefined {
  const { code, path: refused } = error as NodeJS.ErrnoException;
  const folder = path.dirname(partial);
  if (code === 'ENOSPC') return new BackupError(`There is no space left in ${folder}; no backup was kept.`);
  return refused === partial ? new BackupError(`${folder} cannot be written to (${code}).`) : undefined;
}

/** Without a name in a folder, where it is named after its data. */
async function placeOf(output: string): Promise<{ readonly folder: string; readonly name?: string }> {
  if (await isFolder(output)) return { folder: output };
  await requireAbsent(output);
  // A file would be made in place of the folder that the next backups are to go into.
  if (output.endsWith('/')) throw new BackupError(`There is no folder ${output}.`);
  const folder = path.dirname(output);
  if ((await isThere(folder)) && !(await isFolder(folder))) throw new BackupError(`${folder} is no folder.`);
  return { folder, name: path.basename(output) };
}

const nameOf = (dataTime: string, key: BackupKey): string =>
  `cadastre-${dataTime.slice(0, 19).replaceAll(':', '-')}Z.tar.gz${key ? '.age' : ''}`;

async function requireAbsent(file: string): Promise<void> {
  if (await isThere(file)) throw new BackupError(`${file} is there already; a backup is never overwritten.`);
}

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** pg_dump must not be older than the server. */
async function chooseTool(
  { engine, target }: BackupRequest,
  { db }: BulkTransaction,
): Promise<Tool | undefined> {
  if (engine === 'copy') return undefined;
  const { major, isStandby } = await db.one(sql<{ major: number; isStandby: boolean }>`
    select current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() as "isStandby"`);
  // A standby cannot share its snapshot with another session.
  const tool = !isStandby && toolAddress(target) ? await findTool('pg_dump', major) : undefined;
  if (!tool && engine === 'pg_dump')
    throw new BackupError(
      `pg_dump cannot be used: it must be of version ${major} or later, and DATABASE_OWNER_URL name one primary without TLS.`,
    );
  return tool;
}

async function* entriesOf(
  transaction: BulkTransaction,
  request: BackupRequest,
  outside: readonly OutsideFile[],
  tool: Tool | undefined,
): AsyncGenerator<Entry> {
  const sums: Record<string, string> = {};
  const noted = (entry: Entry): Entry => {
    sums[entry.name] = sha256(entry.content);
    return entry;
  };
  const manifest = await manifestOf(transaction, request, outside, tool ? 'pg_dump' : 'copy');
  yield noted(jsonEntry(MANIFEST, manifest));
  for (const { name, content } of outside) yield noted({ name, content });
  if (tool) for await (const entry of dumpEntries(transaction, request, tool)) yield noted(entry);
  const tables: Record<string, TableSum> = {};
  for (const table of manifest.tables) {
    if (tool && table.name !== LAST_TABLE) {
      tables[table.name] = await sumOf(transaction, table);
      continue;
    }
    const digest = new TableDigest();
    for await (const entry of tableEntries(transaction, table, digest)) yield noted(entry);
    tables[table.name] = digest.sum();
  }
  // Drawn values are not part of a snapshot: read last, they are never behind it.
  const summary: Summary = { tables, identities: await readIdentities(transaction.db), entries: sums };
  yield jsonEntry(SUMMARY, summary);
}

async function manifestOf(
  { db }: BulkTransaction,
  { now, program, stale = false, onSnapshot }: BackupRequest,
  outside: readonly OutsideFile[],
  engine: Engine,
): Promise<Manifest> {
  const kind = await installationKind(db);
  if (kind === undefined)
    throw new BackupError('The database has no schema of Cadastre; nothing was written.');
  const dataAt = (await requireFreshData(db, now, stale)).toISOString();
  const tables = await readTables(db);
  // A migration must not change a table before it was read.
  await db.script(
    `lock table ${tables.map(({ name }) => `public.${quoted(name)}`).join(', ')} in access share mode`,
  );
  const migrations = await db.rows(sql<{ version: number; checksum: string }>`
    select version, checksum from schema_migrations order by version`);
  const { database, postgres, snapshot } = await db.one(sql<{
    database: string;
    postgres: string;
    snapshot: string;
  }>`
    select current_database() as database, current_setting('server_version') as postgres,
      case when pg_is_in_recovery() then '' else pg_export_snapshot() end as snapshot`);
  await onSnapshot?.(snapshot);
  return {
    format: 1,
    program,
    createdAt: now.toISOString(),
    dataAt,
    kind,
    database,
    postgres,
    engine,
    schemaVersion: migrations.at(-1)?.version ?? 0,
    migrations,
    tables,
    files: outside.map(({ name, from }) => ({ name, from })),
  };
}

async function* tableEntries(
  transaction: BulkTransaction,
  table: TableShape,
  digest: TableDigest,
): AsyncGenerator<Entry> {
  let part = 0;
  for await (const content of rowParts(copyRows(transaction, table))) {
    digest.add(content);
    yield { name: partName(`${TABLES}${table.name}/`, ++part), content };
  }
}

async function* dumpEntries(
  { db }: BulkTransaction,
  { target }: BackupRequest,
  tool: Tool,
): AsyncGenerator<Entry> {
  const address = toolAddress(target);
  if (!address) throw new BackupError('pg_dump cannot be used with this address.');
  const { snapshot } = await db.one(sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`);
  const args = [
    '--format=custom',
    '--compress=0',
    '--schema=public',
    '--no-owner',
    `--snapshot=${snapshot}`,
    `--exclude-table-data=public.${LAST_TABLE}`,
  ];
  let part = 0;
  for await (const content of chunksOf(dumpDatabase(tool, address, args), PART_BYTES))
    yield { name: partName(DUMP, ++part), content };
}

const partName = (prefix: string, part: number): string => `${prefix}${String(part).padStart(6, '0')}`;

/** The new name survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
