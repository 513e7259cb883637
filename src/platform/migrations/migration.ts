import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Its statements run one by one outside a transaction, and can be resumed. */
  readonly isOnline: boolean;
  /** Programs whose newest migration is at least this one run after it; undefined if only programs that know it do. */
  readonly minProgramSchema: number | undefined;
};

/** A release, the newest migration that it contains, and the oldest schema that it runs on, if not that of the release before. */
export type Release = { readonly version: string; readonly schema: number; readonly oldest?: number };

/** What this program knows of the schema, and the oldest version of it that it runs on. */
export type ProgramSchema = { readonly migrations: readonly Migration[]; readonly oldest: number };

const FOLDER = path.join(import.meta.dirname, '../../../migrations');
const FILE = /^(\d{4})_([a-z0-9_]+)(\.online)?\.sql$/;
const MIN_PROGRAM_SCHEMA = /^-- min-program-schema: (\d+)$/m;

export class MigrationError extends Error {
  override name = 'MigrationError';
}

export function readMigrations(folder = FOLDER): Migration[] {
  const releases = readReleases(folder);
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, number, name, online] = FILE.exec(file) ?? [];
      if (number === undefined || name === undefined) return [];
      const text = readFileSync(path.join(folder, file), 'utf8');
      return migrationOf({ version: Number(number), name, text, isOnline: online !== undefined }, releases);
    });
}

export function migrationOf(
  parts: Pick<Migration, 'version' | 'name' | 'text' | 'isOnline'>,
  releases: readonly Release[],
): Migration {
  const declared = MIN_PROGRAM_SCHEMA.exec(parts.text)?.[1];
  return {
    ...parts,
    checksum: createHash('sha256').update(parts.text).digest('hex'),
    minProgramSchema:
      declared === undefined ? releaseBefore(parts.version, releases)?.schema : Number(declared),
  };
}

/** Oldest first; migrations above the last one belong to the release in preparation. */
export function readReleases(folder = FOLDER): Release[] {
  return JSON.parse(readFileSync(path.join(folder, 'releases.json'), 'utf8')) as Release[];
}

/** The last release without this migration. */
export const releaseBefore = (version: number, releases: readonly Release[]): Release | undefined =>
  releases.findLast(({ schema }) => schema < version);

/** A program runs on the schema of the release before its own, unless its release says otherwise. */
export function readProgramSchema(folder = FOLDER): ProgramSchema {
  const migrations = readMigrations(folder);
  const newest = migrations.at(-1)?.version ?? 0;
  const releases = readReleases(folder);
  const own = releases.find(({ schema }) => schema === newest);
  return { migrations, oldest: own?.oldest ?? releaseBefore(newest, releases)?.schema ?? newest };
}

let ownSchema: ProgramSchema | undefined;

/** The schema of this program; its files are read once. */
export function programSchema(): ProgramSchema {
  ownSchema ??= readProgramSchema();
  return ownSchema;
}
