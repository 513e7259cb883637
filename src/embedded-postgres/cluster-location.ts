import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createHome } from '../platform/config/private-files.ts';
import { type Account, canEnter, databaseAccount, makeDirectory, setOwner } from './account.ts';
import { EmbeddedError } from './errors.ts';

/**
 * All data of the server is in `<home>/postgres`. If the database account cannot reach the home, that name is a link to
 * a directory outside: so the data is found again, and removing the home is enough to start over.
 */
export type ClusterLocation = {
  readonly home: string;
  readonly directory: string;
  readonly data: string;
  readonly account: Account | undefined;
  readonly relocated: boolean;
  /** Identifies the data and socket outside the home. */
  readonly outsideName: string;
};

// /var/lib first: cleaners of old temporary files would delete a database in /var/tmp.
const basesOutsideHome = ['/var/lib', '/var/tmp'];

/** The data directory of this home, or the default inside it; creates nothing. */
export function dataDirectoryOf(home: string): string {
  const link = join(home, 'postgres');
  return join(existsSync(link) ? realpathSync(link) : link, 'data');
}

export function openClusterLocation(requestedHome: string): ClusterLocation {
  createHome(requestedHome);
  const home = realpathSync(requestedHome);
  const outsideName = `cadastre-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const account = databaseAccount(dataDirectoryOf(home));
  const inside = join(home, 'postgres');
  const known = existsSync(inside) ? realpathSync(inside) : undefined;
  if (known === undefined) rmSync(inside, { force: true }); // a dangling link
  const directory = known ?? (canHold(home, account) ? makePassage(inside) : makeOutside(home, outsideName));
  const location = { home, directory, data: join(directory, 'data'), account, outsideName };
  requireReachable(location);
  return { ...location, relocated: directory !== inside };
}

export function isLinkedFromHome(location: ClusterLocation): boolean {
  return existsSync(join(location.home, 'postgres'));
}

export function linkFromHome(location: ClusterLocation): void {
  symlinkSync(location.directory, join(location.home, 'postgres'));
}

function requireReachable({ directory, data, account }: Omit<ClusterLocation, 'relocated'>): void {
  if (account !== undefined && !canEnter(account, directory)) {
    throw new EmbeddedError(
      `The account ${account.name} cannot reach the database in ${directory}. Open the directories above it (chmod o+x) or move it.`,
    );
  }
  const owner = statSync(data, { throwIfNoEntry: false })?.uid;
  if (account === undefined && owner !== undefined && owner !== process.getuid?.()) {
    throw new EmbeddedError(
      `The database in ${directory} belongs to another account. Start as that account or as root.`,
    );
  }
}

/** On some shared file systems root has access but cannot change ownership. */
function canHold(home: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  if (!canEnter(account, home)) return false;
  const trial = mkdtempSync(join(home, 'trial-'));
  try {
    setOwner(account, trial);
    return statSync(trial).uid === account.uid;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true });
  }
}

function makeOutside(home: string, name: string): string {
  for (const base of basesOutsideHome) {
    try {
      return realpathSync(makePassage(join(base, name)));
    } catch {
      // Missing, read-only, or the name belongs to another user: try the next one.
    }
  }
  throw new EmbeddedError(
    `The database account cannot reach ${home}, and its data finds no room in ${basesOutsideHome.join(' or ')}.`,
  );
}

/** The account can traverse to its own files inside; no other user has access. */
function makePassage(directory: string): string {
  return makeDirectory(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
}

export const port = 5432;

const socketName = `.s.PGSQL.${port}`;

// The kernel allows 107 bytes, 103 on macOS.
const maxPathBytes = 100;

/**
 * The socket directory: that of a running server if we could have chosen it, else inside the location, else a short path
 * among the temporary files.
 */
export function socketDirectoryFor(location: ClusterLocation, running?: string): string {
  const temporary = [tmpdir(), '/tmp', '/var/tmp'].map((base) => join(base, location.outsideName));
  const inside = join(location.directory, 'run');
  if (running !== undefined && (running === inside || isTemporary(location, running))) return running;
  const chosen = [inside, ...temporary].find(
    (directory) =>
      Buffer.byteLength(join(directory, socketName)) <= maxPathBytes &&
      canEnter(location.account, dirname(directory)),
  );
  if (chosen === undefined)
    throw new EmbeddedError('There is no directory short enough for the socket of the database.');
  return chosen;
}

/**
 * The socket needs no password: it is protected by the mode of its directory. A stale socket is removed, since its lock
 * file may name a pid that was reused.
 */
export function prepareSocketDirectory(location: ClusterLocation, directory: string): void {
  makeDirectory(directory, 0o700, location.account);
  for (const left of [socketName, `${socketName}.lock`]) rmSync(join(directory, left), { force: true });
}

export function removeTemporarySocketDirectory(location: ClusterLocation, directory: string): void {
  if (isTemporary(location, directory)) rmSync(directory, { recursive: true, force: true });
}

function isTemporary(location: ClusterLocation, directory: string): boolean {
  return basename(directory) === location.outsideName;
}
