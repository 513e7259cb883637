import { stat } from 'node:fs/promises';
import { type BackupKey, readArchive, sha256 } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, readManifest, readSummary, SUMMARY, type Summary, TABLES } from './manifest.ts';
import { TableDigest } from './read-tables.ts';

export type VerifiedBackup = {
  readonly manifest: Manifest;
  readonly summary: Summary;
  readonly bytes: number;
  readonly rows: number;
};

/** Reads a backup from its first to its last byte and compares everything with its manifest and its summary. */
export async function verifyBackup(file: string, key: BackupKey): Promise<VerifiedBackup> {
  let manifest: Manifest | undefined;
  let summary: Summary | undefined;
  const found = new Map<string, string>();
  const digests = new Map<string, TableDigest>();
  for await (const entry of readArchive(file, key)) {
    manifest ??= readManifest(entry);
    if (entry.name === SUMMARY) summary = readSummary(entry);
    else if (summary || found.has(entry.name)) throw unexpected(entry.name);
    else found.set(entry.name, sha256(entry.content));
    const table = tableOf(entry.name);
    if (table === undefined) continue;
    const digest = digests.get(table) ?? new TableDigest();
    digests.set(table, digest);
    digest.add(entry.content);
  }
  if (!manifest || !summary) throw new BackupError('The backup is cut off: its end is missing.');
  requireEntries(found, summary);
  requireRows(manifest, summary, digests);
  const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0);
  return { manifest, summary, bytes: (await stat(file)).size, rows };
}

export const tableOf = (entry: string): string | undefined =>
  entry.startsWith(TABLES) ? entry.slice(TABLES.length, entry.lastIndexOf('/')) : undefined;

function requireEntries(found: ReadonlyMap<string, string>, { entries }: Summary): void {
  for (const [name, sum] of Object.entries(entries))
    if (found.get(name) !== sum)
      throw new BackupError(
        `The backup is damaged: ${name} is ${found.has(name) ? 'not as it was written' : 'missing'}.`,
      );
  for (const name of found.keys()) if (!(name in entries)) throw unexpected(name);
}

/** With pg_dump the rows of all tables but one are inside its own format. */
function requireRows(manifest: Manifest, summary: Summary, digests: ReadonlyMap<string, TableDigest>): void {
  for (const { name } of manifest.tables) {
    const expected = summary.tables[name];
    if (!expected) throw new BackupError(`The backup is damaged: it says nothing about the table ${name}.`);
    if (manifest.engine === 'pg_dump' && !digests.has(name)) continue;
    const { rows, sha256: sum } = (digests.get(name) ?? new TableDigest()).sum();
    if (rows !== expected.rows || sum !== expected.sha256)
      throw new BackupError(
        `The backup is damaged: ${name} has ${rows} rows that are not the ${expected.rows} that were read.`,
      );
  }
}

const unexpected = (name: string) => new BackupError(`The backup is damaged: ${name} does not belong to it.`);
