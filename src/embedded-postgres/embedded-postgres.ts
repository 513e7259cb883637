import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../platform/outbox/backoff.ts';
import { prepareBinaries } from './binaries.ts';
import { createCluster, createDatabase, database, superuser } from './cluster.ts';
import {
  type ClusterLocation,
  dataDirectoryOf,
  isLinkedFromHome,
  linkFromHome,
  openClusterLocation,
  port,
  removeTemporarySocketDirectory,
  socketDirectoryFor,
} from './cluster-location.ts';
import { EmbeddedError, hasCode, sentenceOf } from './errors.ts';
import { adoptOrLaunch, type Launch } from './launch.ts';
import { acquireLock, type Lock } from './lock.ts';
import { findPostmaster, isAlive, shutDown } from './postmaster.ts';

export { EmbeddedError };

/** `host` is the socket directory: the server listens nowhere else. */
export type EmbeddedAddress = {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly database: string;
};

export type EmbeddedServer = {
  readonly address: EmbeddedAddress;
  /** The real path of the cluster. */
  readonly dataDirectory: string;
  /** A running server of a killed process was adopted. */
  readonly adopted: boolean;
  /** The database account cannot reach the home, so the data is outside it. */
  readonly relocated: boolean;
  /** Fast shutdown; resolves when the server has ended. Safe to call twice. */
  stop(): Promise<void>;
};

type Note = (sentence: string) => void;

export type EmbeddedOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives sentences for the operator. */
  readonly note?: Note;
};

/** Starts the packaged PostgreSQL on the data of this home, which is created if missing. */
export async function startEmbeddedPostgres(
  home: string,
  { settings = {}, note = () => {} }: EmbeddedOptions = {},
): Promise<EmbeddedServer> {
  const location = openClusterLocation(home);
  const lock = lockLocation(location);
  try {
    if (location.relocated) {
      if (!isLinkedFromHome(location)) await setFormerDataAside(location, note);
      note(
        `The database account cannot reach ${location.home}, so the database lies in ${location.directory}.`,
      );
    }
    const binaries = prepareBinaries(location, note);
    await createCluster(location, binaries, settings.fsync !== 'off');
    // An adopted server keeps its socket, whatever the temporary directory was at its start.
    const socketDirectory = socketDirectoryFor(location, findPostmaster(location.data)?.socketDirectory);
    return await run({ location, binaries, socketDirectory, settings }, lock, note);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The address of the running server of this home, for other commands of the same user. */
export function locateEmbeddedPostgres(home: string): EmbeddedAddress | undefined {
  if (!existsSync(home)) return undefined;
  const postmaster = findPostmaster(dataDirectoryOf(realpathSync(home)));
  if (postmaster?.status !== 'ready') return undefined;
  return addressAt(postmaster.socketDirectory);
}

async function run(launch: Launch, lock: Lock, note: Note): Promise<EmbeddedServer> {
  const { location, socketDirectory } = launch;
  const { postmaster, adopted } = await serverWithDatabase(launch);
  const relaunch = async () => (await adoptOrLaunch(launch)).postmaster.pid;
  const supervision = supervise(postmaster.pid, relaunch, note);
  const stop = async () => {
    try {
      await shutDown(location.data, await supervision.end());
      removeTemporarySocketDirectory(location, socketDirectory);
    } finally {
      lock.release();
    }
  };
  let stopped: Promise<void> | undefined;
  return {
    address: addressAt(socketDirectory),
    dataDirectory: location.data,
    adopted,
    relocated: location.relocated,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

const ATTEMPTS = 3;
const PAUSE_MS = 200;
const LOST = ['CONNECTION_FAILED', 'CONNECTION_LOST', '57P01', '57P02'];

/** A server that was just killed may still accept a connection while it shuts down, hence the retries. */
async function serverWithDatabase(launch: Launch): ReturnType<typeof adoptOrLaunch> {
  let launched = false;
  for (let attempt = 1; ; attempt++) {
    const { postmaster, adopted } = await adoptOrLaunch(launch);
    launched ||= !adopted;
    try {
      await createDatabase(launch.socketDirectory, port);
      return { postmaster, adopted: !launched };
    } catch (error) {
      if (attempt === ATTEMPTS || !hasCode(error, ...LOST)) {
        await shutDown(launch.location.data, postmaster.pid);
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}

function lockLocation(location: ClusterLocation): Lock {
  const lock = acquireLock(join(location.directory, 'lock'));
  if ('heldBy' in lock) {
    throw new EmbeddedError(`The data directory ${location.home} is in use by process ${lock.heldBy}.`);
  }
  return lock;
}

/** Data that a removed home of the same path left outside is set aside, not adopted. */
async function setFormerDataAside(location: ClusterLocation, note: Note): Promise<void> {
  const left = findPostmaster(location.data);
  if (left !== undefined) await shutDown(location.data, left.pid);
  if (existsSync(location.data)) {
    const former = `${location.data}.former`;
    rmSync(former, { recursive: true, force: true });
    renameSync(location.data, former);
    note(`The database of a removed data directory was set aside in ${former}.`);
  }
  linkFromHome(location);
}

function addressAt(socketDirectory: string): EmbeddedAddress {
  return { host: socketDirectory, port, username: superuser, database };
}

const watchIntervalMs = 200;
const restartBackoff: Backoff = { firstMs: 100, maxMs: 10_000 };
const stableRunMs = 60_000;

type Supervision = {
  /** Ends the supervision and returns the pid of the running server. */
  end(): Promise<number>;
};

/**
 * Restarts the server whenever it ends unexpectedly. It is watched by its pid, since an adopted server is not our
 * child. The watch alone does not keep the process alive.
 */
function supervise(
  firstPid: number,
  relaunch: () => Promise<number>,
  note: (sentence: string) => void,
): Supervision {
  const ending = new AbortController();
  let pid = firstPid;
  const watching = watch();

  async function watch(): Promise<void> {
    let restarts = 1;
    for (;;) {
      const since = performance.now();
      while (isAlive(pid) && !ending.signal.aborted) await pauseFor(watchIntervalMs);
      if (ending.signal.aborted) return;
      note('PostgreSQL ended unexpectedly and is being started again.');
      try {
        pid = await relaunch();
      } catch (error) {
        note(sentenceOf(error));
      }
      await pauseFor(backoffMs(restartBackoff, restarts));
      restarts = performance.now() - since > stableRunMs ? 1 : restarts + 1;
    }
  }

  async function pauseFor(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { ref: false, signal: ending.signal }).catch(() => {});
  }

  return {
    async end() {
      ending.abort();
      await watching;
      return pid;
    },
  };
}
