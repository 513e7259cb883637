import { chmodSync, chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type Lock = { release(): void };

/**
 * SQLite provides the kernel file lock that Node lacks: it is released however its process dies, and is not confused by
 * a reused pid. While the write lock is held others can still read the holder's pid.
 */
export function acquireLock(file: string): Lock | { readonly heldBy: number } {
  const lock = new DatabaseSync(file, { timeout: 100 });
  try {
    // Without a file descriptor of our own: closing one would release the locks of this whole process.
    chmodSync(file, 0o600);
    if (process.getuid?.() === 0) giveToOwnerOf(dirname(file), file);
    lock.exec('PRAGMA synchronous = OFF');
    lock.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
    return { release: () => lock.close() };
  } catch (error) {
    const heldBy = isBusy(error) ? holderOf(lock) : undefined;
    lock.close();
    if (heldBy === undefined) throw error;
    return { heldBy };
  }
}

/** Root may start on the data of an ordinary user, who must be able to take the lock afterwards. */
function giveToOwnerOf(directory: string, file: string): void {
  const { uid, gid } = statSync(directory);
  chownSync(file, uid, gid);
}

function holderOf(lock: DatabaseSync): number {
  return Number(lock.prepare('PRAGMA user_version').get()?.user_version);
}

function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
