import { execFileSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './errors.ts';

/** The content of postmaster.pid. */
export type Postmaster = {
  readonly pid: number;
  readonly socketDirectory: string;
  readonly status: string;
};

export const pollInterval = 20;
const fastShutdownLimit = 60_000;

/** The running server of this data directory, whichever process started it. */
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
 * Prevents the pid file of a dead server from blocking a new one when its pid was reused. PostgreSQL ignores the pid of
 * its own parent, and still checks the shared memory named in the file for orphaned backends; removing the file would
 * lose that protection.
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

/** Fast shutdown: ends sessions and writes everything out. Resolves when the process is gone. */
export async function shutDown(data: string, pid: number): Promise<void> {
  if (!isPostmasterOf(data, pid)) return;
  signal(pid, 'SIGINT');
  const deadline = performance.now() + fastShutdownLimit;
  while (isAlive(pid) && performance.now() < deadline) await sleep(pollInterval);
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

/** The pid in a file may have been reused; the command line identifies the process. */
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

/** Without an init (in some containers) dead processes are not reaped and keep their pid. */
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
