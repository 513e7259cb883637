import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { canEnter } from './account.ts';
import { makeDirectory } from './directories.ts';
import { EmbeddedError } from './failures.ts';
import type { Place } from './place.ts';

export const port = 5432;

const socketName = `.s.PGSQL.${port}`;

// The kernel allows 107 bytes, 103 on macOS.
const longestPath = 100;

/**
 * Where the socket of this place lies: where a running server says, if we could have chosen it, else inside
 * the place, else under a short name among the temporary files.
 */
export function socketDirectoryFor(place: Place, running?: string): string {
  const temporary = [tmpdir(), '/tmp', '/var/tmp'].map((base) => join(base, place.outsideName));
  const inside = join(place.directory, 'run');
  if (running !== undefined && (running === inside || isTemporary(place, running))) return running;
  const chosen = [inside, ...temporary].find(
    (directory) =>
      Buffer.byteLength(join(directory, socketName)) <= longestPath &&
      canEnter(place.account, dirname(directory)),
  );
  if (chosen === undefined)
    throw new EmbeddedError('There is no directory short enough for the socket of the database.');
  return chosen;
}

/**
 * The socket asks for no password: that nobody else may enter its directory is what guards it. A socket left
 * by a dead server goes, since its lock file may name a process that is somebody else by now.
 */
export function prepareSocketDirectory(place: Place, directory: string): void {
  makeDirectory(directory, 0o700, place.account);
  for (const left of [socketName, `${socketName}.lock`]) rmSync(join(directory, left), { force: true });
}

export function removeTemporarySocketDirectory(place: Place, directory: string): void {
  if (isTemporary(place, directory)) rmSync(directory, { recursive: true, force: true });
}

function isTemporary(place: Place, directory: string): boolean {
  return basename(directory) === place.outsideName;
}
