import { chmod, copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Account, setOwner } from '../../src/embedded-postgres/account.ts';

/**
 * Copies the files of a running server for the account that it runs under. What vanishes meanwhile is left out: a
 * backup is made whole by the WAL that is replayed over it.
 */
export async function copyTree(
  from: string,
  to: string,
  account: Account | undefined,
  isCopied: (relative: string) => boolean = () => true,
  relative = '',
): Promise<void> {
  const source = path.join(from, relative);
  const target = path.join(to, relative);
  try {
    const found = await lstat(source);
    if (found.isDirectory()) await mkdir(target, { recursive: true });
    else if (found.isFile()) await copyFile(source, target);
    else return;
    await chmod(target, found.mode & 0o777);
    setOwner(account, target);
    if (!found.isDirectory()) return;
    const below = (await readdir(source)).map((name) => path.join(relative, name)).filter(isCopied);
    // All at once: one after the other each would wait for its turn in a process that is busy with requests.
    await Promise.all(below.map((file) => copyTree(from, to, account, isCopied, file)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
