import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wallClock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import { UnreadableStatement } from './bank-line.ts';
import { type BankDependencies, importStatement } from './import-statement.ts';

export type FolderDependencies = {
  readonly folder: string;
  readonly bank: BankDependencies;
  readonly log: Logger;
};

/** A file unmodified for this long is considered completely written. */
const MIN_UNMODIFIED_MS = 30_000;
/** An incomplete file of this age is imported anyway, so that it ends up among the failed ones. */
const MAX_INCOMPLETE_MS = 10 * 60_000;

/**
 * Imports every statement in the folder. A file is claimed by renaming it, which succeeds for one worker only, to a
 * name that no bank reuses. Claims left by a crashed worker are imported by the next one, since the import is
 * idempotent.
 */
export async function importFolder({ folder, bank, log }: FolderDependencies, now: Date): Promise<void> {
  const [taken, done, failed] = ['taken', 'done', 'failed'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [taken, done, failed]) await mkdir(place, { recursive: true });
  for (const name of await readdir(folder))
    if (await isReady(path.join(folder, name)))
      await moveIfThere(path.join(folder, name), path.join(taken, `${stamp()}-${name}`));
  for (const name of (await readdir(taken)).toSorted()) {
    const file = path.join(taken, name);
    try {
      const bytes = await readIfThere(file);
      if (!bytes) continue;
      log.info({ file: name, ...(await importStatement(bank, bytes, now)) }, 'bank statement imported');
      await moveIfThere(file, path.join(done, name));
    } catch (error) {
      if (!(error instanceof UnreadableStatement)) throw error;
      log.warn({ file: name }, 'bank statement not imported');
      await writeFile(path.join(failed, `${name}.txt`), `${error.message}\n`);
      await moveIfThere(file, path.join(failed, name));
    }
  }
}

/** File times are those of the machine, also where the registry's clock was moved. */
const stamp = (): string =>
  `${wallClock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')}-${randomUUID().slice(0, 8)}`;

/** A regular XML file that is no longer being written. */
async function isReady(file: string): Promise<boolean> {
  if (!/^[^.].*\.xml$/i.test(path.basename(file))) return false;
  const found = await lstat(file).catch(unlessGone);
  if (!found?.isFile()) return false;
  const unmodifiedMs = wallClock.now().getTime() - found.mtimeMs;
  if (unmodifiedMs < MIN_UNMODIFIED_MS) return false;
  return unmodifiedMs >= MAX_INCOMPLETE_MS || (await isWhole(file));
}

/** A truncated document is not well-formed XML. */
async function isWhole(file: string): Promise<boolean> {
  const { readXml } = await import('./camt.ts');
  try {
    const bytes = await readIfThere(file);
    return bytes !== undefined && readXml(bytes) !== undefined;
  } catch (error) {
    if (error instanceof UnreadableStatement) return false;
    throw error;
  }
}

const readIfThere = (file: string): Promise<Buffer | undefined> => readStatementFile(file).catch(unlessGone);

/** Another worker may have moved it already. */
async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch(unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Reads a statement; files above the size limit, which no bank's day reaches, are refused unread. */
export async function readStatementFile(file: string): Promise<Buffer> {
  const { size } = await lstat(file);
  if (size > MAX_FILE_BYTES)
    throw new UnreadableStatement(`It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  return readFile(file);
}
