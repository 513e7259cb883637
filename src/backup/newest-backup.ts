import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-error.ts';

/** As backups in a folder are named: after the time of their data. */
const NAME = /^cadastre-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.gz(\.age)?$/;
const asTime = (name: string): Date => new Date(name.replace(NAME, '$1T$2:$3:$4Z'));

/** The file itself, or of a folder the backup with the newest data; a wrong clock has dated those that lie ahead. */
export async function findNewestBackup(place: string, now: Date): Promise<string> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup ${place} cannot be read (${error.code}).`);
  });
  if (!found.isDirectory()) return place;
  const backups = (await readdir(place)).filter((name) => NAME.test(name)).sort();
  const newest = backups.findLast((name) => asTime(name) <= now);
  if (newest === undefined)
    throw new BackupError(
      backups.length === 0
        ? `There is no backup in ${place}.`
        : `Every backup in ${place} is dated at a time that is still to come; name the file.`,
    );
  return path.join(place, newest);
}
