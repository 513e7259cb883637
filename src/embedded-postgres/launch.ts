import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateDirectory, PRIVATE_FILE } from '../platform/config/private-files.ts';
import { identity } from './account.ts';
import { type ClusterLocation, port, prepareSocketDirectory } from './cluster-location.ts';
import { EmbeddedError } from './errors.ts';
import {
  disownPidFile,
  findPostmaster,
  isAlive,
  type Postmaster,
  pollInterval,
  readPidFile,
} from './postmaster.ts';

export type Launch = {
  readonly location: ClusterLocation;
  readonly binaries: string;
  readonly socketDirectory: string;
  readonly settings: Readonly<Record<string, string>>;
};

const startLimit = 300_000;
const orphanLimit = 10_000;

const smallMachineSettings = {
  shared_buffers: '512MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  max_connections: '100',
  min_wal_size: '80MB',
  max_wal_size: '512MB',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The supervisor of the server starts it again: PostgreSQL 18 that meets a full disk once more while it recovers by
  // itself is left without a startup process, and refuses connections until it is restarted.
  restart_after_crash: 'off',
};

/** Our own environment must not change how the server sorts, measures time or finds its files. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** Adopts the server of a killed process, or starts one; resolves when it accepts connections. */
export async function adoptOrLaunch(launch: Launch): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const left = findPostmaster(launch.location.data);
  const adopted = left && (await readiness(launch.location.data, left.pid, () => isAlive(left.pid)));
  if (adopted !== undefined) return { postmaster: adopted, adopted: true };
  return { postmaster: await launchWithRetries(launch), adopted: false };
}

/** Backends outlive a killed postmaster briefly, and a new one refuses to start beside them. */
async function launchWithRetries(launch: Launch): Promise<Postmaster> {
  const deadline = performance.now() + orphanLimit;
  for (;;) {
    const attempt = await launchOnce(launch);
    if ('postmaster' in attempt) return attempt.postmaster;
    const isHeldByOrphans = /is still in use|lock file .* already exists/.test(attempt.report);
    if (!isHeldByOrphans || performance.now() > deadline) {
      throw new EmbeddedError(`PostgreSQL did not start on ${launch.location.data}: ${attempt.report}`);
    }
    await sleep(5 * pollInterval);
  }
}

async function launchOnce(launch: Launch): Promise<{ postmaster: Postmaster } | { report: string }> {
  const { location, socketDirectory } = launch;
  disownPidFile(location.data);
  prepareSocketDirectory(location, socketDirectory);
  const log = openLog(location);
  try {
    const start = fstatSync(log.descriptor).size;
    const server = spawnServer(launch, log.descriptor);
    if (server.pid === undefined) return { report: String(await once(server, 'error')) };
    const isRunning = () => server.exitCode === null && server.signalCode === null;
    const postmaster = await readiness(location.data, server.pid, isRunning);
    return postmaster ? { postmaster } : { report: readLogFrom(log.path, start) };
  } finally {
    closeSync(log.descriptor);
  }
}

/** Detached, so that Ctrl-C does not reach it before our requests have drained. */
function spawnServer({ location, binaries, socketDirectory, settings }: Launch, log: number): ChildProcess {
  const configuration = {
    ...smallMachineSettings,
    ...settings,
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
  };
  const options = Object.entries(configuration).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'bin/postgres'), ['-D', location.data, ...options], {
    ...identity(location.account),
    cwd: location.directory,
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  server.unref();
  return server;
}

/** The server once it accepts connections; undefined if it ended before that. */
async function readiness(
  data: string,
  pid: number,
  isRunning: () => boolean,
): Promise<Postmaster | undefined> {
  const deadline = performance.now() + startLimit;
  while (isRunning()) {
    const postmaster = readPidFile(data);
    if (postmaster?.pid === pid && postmaster.status === 'ready') return postmaster;
    if (performance.now() > deadline)
      throw new EmbeddedError(`PostgreSQL on ${data} was not ready within five minutes.`);
    await sleep(pollInterval);
  }
  return undefined;
}

type Log = { readonly path: string; readonly descriptor: number };

const sizeToRotate = 10 * 1024 * 1024;
const longestReport = 2000;

/** The server inherits the log that we open: the database account needs no access to the home's logs. */
function openLog(location: ClusterLocation): Log {
  const logs = join(location.home, 'logs');
  try {
    makePrivateDirectory(logs);
    return openAt(join(logs, 'postgres.log'));
  } catch {
    return openAt(join(location.directory, 'postgres.log'));
  }
}

function readLogFrom(path: string, start: number): string {
  const report = readFileSync(path).subarray(start).toString('utf8').trim();
  return report === '' ? 'it left no message' : report.slice(-longestReport);
}

function openAt(path: string): Log {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > sizeToRotate) renameSync(path, `${path}.1`);
  // Without following links: root may be writing into a directory of an ordinary user.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  return { path, descriptor: openSync(path, flags, PRIVATE_FILE) };
}
