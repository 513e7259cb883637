import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-error.ts';

/** As backups in a folder are named: after the time of their data. */
const NAME = /^cadastre-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz(\.age)?$/;

/** The file itself, or of a folder the backup with the newest data. */
export async function findNewestBackup(place: string): Promise<string> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${place} cannot be read (${error.code}).`);
  });
  if (!found.isDirectory()) return place;
  const newest = (await readdir(place))
    .filter((name) => NAME.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) throw new BackupError(`There is no backup in ${place}.`);
  return path.join(place, newest);
}
