import { execFileSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './errors.ts';

/** What a server writes about itself into postmaster.pid. */
export type Postmaster = {
  readonly pid: number;
  readonly socketDirectory: string;
  readonly status: string;
};

export const pollInterval = 20;
const fastShutdownLimit = 60_000;

/** The live server of this data directory, whoever started it. */
export function findPostmaster(data: string): Postmaster | undefined {
  const found = readPidFile(data);
  return found !== undefined && isPostmasterOf(data, found.pid) ? found : undefined;
}

export function readPidFile(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(pidFileIn(data), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [pid, , , , socketDirectory = '', , , status = ''] = lines;
  if (!Number(pid)) return undefined;
  return { pid: Number(pid), socketDirectory, status: status.trim() };
}

/**
 * Makes sure that the pid file of a dead server does not stop a new one when its number now belongs to another
 * process. PostgreSQL looks past the number of its own parent, and still checks the shared memory named
 * in the file for orphaned backends; removing the file would take that protection away.
 */
export function disownPidFile(data: string): void {
  if (readPidFile(data) === undefined) {
    rmSync(pidFileIn(data), { force: true });
    return;
  }
  // The directory belongs to the database account: root must not follow a link out of it.
  const file = openSync(pidFileIn(data), constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    ftruncateSync(file);
    writeSync(file, [process.pid, ...rest].join('\n'), 0);
  } finally {
    closeSync(file);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
  return !isZombie(pid);
}

/** Fast shutdown: sessions are ended, everything is written out. Resolves when the process is gone. */
export async function shutDown(data: string, pid: number): Promise<void> {
  if (!isPostmasterOf(data, pid)) return;
  signal(pid, 'SIGINT');
  const deadline = Date.now() + fastShutdownLimit;
  while (isAlive(pid) && Date.now() < deadline) await sleep(pollInterval);
  if (isPostmasterOf(data, pid)) signal(pid, 'SIGQUIT');
  while (isAlive(pid)) await sleep(pollInterval);
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error; // it ended by itself in the meantime
  }
}

/** A number in a file may have passed to another process; the command line tells. */
function isPostmasterOf(data: string, pid: number): boolean {
  return isAlive(pid) && commandLineOf(pid).includes(`-D ${data} `);
}

function commandLineOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Where nobody collects the dead (a container without an init), they keep their number. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

function pidFileIn(data: string): string {
  return join(data, 'postmaster.pid');
}
