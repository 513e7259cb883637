import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../platform/config/config.ts';
import type { BackupKey } from './archive.ts';
import { BackupError } from './backup-error.ts';

const MIN_LENGTH = 16;
const ANYBODY_ELSE = 0o007;

/** The content of BACKUP_KEY_FILE without its line end; undefined where no file is set. */
export async function readBackupKey({
  backupKeyFile: file,
}: Pick<Config, 'backupKeyFile'>): Promise<BackupKey> {
  if (file === undefined) return undefined;
  const failed = (error: NodeJS.ErrnoException): never => {
    throw new BackupError(`BACKUP_KEY_FILE names ${file}, which cannot be read (${error.code}).`);
  };
  const { mode } = await stat(file).catch(failed);
  if ((mode & ANYBODY_ELSE) !== 0)
    throw new BackupError(`${file} is accessible to every account of this machine; run: chmod 600 ${file}`);
  const text = (await readFile(file, 'utf8').catch(failed)).replace(/\r?\n$/, '');
  if (text.length < MIN_LENGTH)
    throw new BackupError(
      `The key in ${file} has fewer than ${MIN_LENGTH} characters; make one with: openssl rand -base64 32`,
    );
  return { bytes: Buffer.from(text) };
}
