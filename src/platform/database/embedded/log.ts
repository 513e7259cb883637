import { constants, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory, PRIVATE_FILE } from '../../private-files.ts';
import type { Place } from './place.ts';

type Log = { readonly path: string; readonly descriptor: number };

const sizeToRotate = 10 * 1024 * 1024;
const longestReport = 2000;

/** We open the log and the server inherits it: the database account needs no right to the home's logs. */
export function openLog(place: Place): Log {
  const logs = join(place.home, 'logs');
  try {
    makePrivateDirectory(logs);
    return openAt(join(logs, 'postgres.log'));
  } catch {
    return openAt(join(place.directory, 'postgres.log'));
  }
}

export function readLogFrom(path: string, start: number): string {
  const report = readFileSync(path).subarray(start).toString('utf8').trim();
  return report === '' ? 'it left no message' : report.slice(-longestReport);
}

function openAt(path: string): Log {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > sizeToRotate) renameSync(path, `${path}.1`);
  // No following of links: root may be writing into a directory of an ordinary user.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  return { path, descriptor: openSync(path, flags, PRIVATE_FILE) };
}
