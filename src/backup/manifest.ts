import type { Mode } from '../platform/config/config.ts';
import { BackupError } from './backup-error.ts';
import type { Identity, TableShape, TableSum } from './read-tables.ts';
import type { Entry } from './tar.ts';

/** How the rows were written: by COPY, table by table, or by pg_dump. */
export type Engine = 'copy' | 'pg_dump';

/** The first entry of an archive. */
export type Manifest = {
  readonly format: 1;
  readonly program: string;
  readonly createdAt: string;
  /** The time that the data is of, which on a standby is earlier. Backups of earlier versions have none. */
  readonly dataAt?: string;
  readonly kind: Mode;
  readonly database: string;
  readonly postgres: string;
  readonly engine: Engine;
  readonly schemaVersion: number;
  readonly migrations: readonly { readonly version: number; readonly checksum: string }[];
  readonly tables: readonly TableShape[];
  /** Files from outside the database, by their name in the archive and their place on the machine. */
  readonly files: readonly { readonly name: string; readonly from: string }[];
};

/** The last entry: without it an archive is not whole. */
export type Summary = {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly identities: readonly Identity[];
  /** SHA-256 of every other entry but this. */
  readonly entries: Readonly<Record<string, string>>;
};

export const MANIFEST = 'manifest.json';
export const SUMMARY = 'summary.json';
export const FILES = 'files/';
export const TABLES = 'tables/';
export const DUMP = 'database.dump/';

export const jsonEntry = (name: string, value: unknown): Entry => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
});

export function readManifest({ name, content }: Entry): Manifest {
  const manifest = name === MANIFEST ? (readJson(content) as Manifest) : undefined;
  if (manifest?.format === 1) return manifest;
  throw new BackupError(
    manifest
      ? `The backup has format ${String(manifest.format)}, which this version does not know.`
      : 'The file is no backup of Cadastre: it has no manifest.',
  );
}

export const dataTimeOf = ({ dataAt, createdAt }: Manifest): string => dataAt ?? createdAt;

export const readSummary = ({ content }: Entry): Summary => readJson(content) as Summary;

function readJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    throw new BackupError('The backup is damaged: its manifest cannot be read.');
  }
}
