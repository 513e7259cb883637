import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wallClock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import { UnreadableStatement } from './bank-line.ts';
import { type BankParts, importStatement } from './import-statement.ts';

export type FolderParts = { readonly folder: string; readonly bank: BankParts; readonly log: Logger };

/** Whoever writes a file slowly has so long between two pieces of it. */
const QUIET_MS = 30_000;
/** What cannot be read by then will not become better. */
const HOPELESS_MS = 10 * 60_000;

/**
 * Takes in every statement that lies in the folder. A file is taken by renaming it, which only one of several workers
 * can do, under a name that no bank writes again; whatever a worker that died has left there the next one takes in,
 * since doing so twice changes nothing.
 */
export async function importFolder({ folder, bank, log }: FolderParts, now: Date): Promise<void> {
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
      log.info({ file: name, ...(await importStatement(bank, bytes, now)) }, 'bank statement taken in');
      await moveIfThere(file, path.join(done, name));
    } catch (error) {
      if (!(error instanceof UnreadableStatement)) throw error;
      log.warn({ file: name }, 'bank statement not taken in');
      await writeFile(path.join(failed, `${name}.txt`), `${error.message}\n`);
      await moveIfThere(file, path.join(failed, name));
    }
  }
}

/** Files have the times of the machine, also where the registry's clock was moved. */
const stamp = (): string =>
  `${wallClock
    .now()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')}-${randomUUID().slice(0, 8)}`;

/** A plain file with the ending of XML that nobody writes to any more. */
async function isReady(file: string): Promise<boolean> {
  if (!/^[^.].*\.xml$/i.test(path.basename(file))) return false;
  const found = await lstat(file).catch(unlessGone);
  if (!found?.isFile()) return false;
  const quietMs = wallClock.now().getTime() - found.mtimeMs;
  if (quietMs < QUIET_MS) return false;
  return quietMs >= HOPELESS_MS || (await isWhole(file));
}

/** Half a document is none. */
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

/** Somebody else may have moved it meanwhile. */
async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch(unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** The bytes of a statement; no bank's day fills more than this, and whatever does is not even read. */
export async function readStatementFile(file: string): Promise<Buffer> {
  const { size } = await lstat(file);
  if (size > MAX_FILE_BYTES)
    throw new UnreadableStatement(`It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  return readFile(file);
}
