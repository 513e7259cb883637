import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { type Account, giveTo } from './account.ts';
import { EmbeddedError, hasCode } from './failures.ts';

/**
 * Makes a directory, or takes an existing one if it is ours or the account's: where everyone may write,
 * another user could have planted it to read along. One that already is the account's is left as it is,
 * since the account could put a link in its place while root changes it.
 */
export function makeDirectory(directory: string, mode: number, account?: Account): string {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = lstatSync(directory);
  if (found.isDirectory() && found.uid === account?.uid) return directory;
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new EmbeddedError(`${directory} belongs to another user. Remove it and start again.`);
  }
  chmodSync(directory, mode);
  giveTo(account, directory);
  return directory;
}
