import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome } from '../../private-files.ts';
import { type Account, canEnter, databaseAccount, giveTo } from './account.ts';
import { makeDirectory } from './directories.ts';
import { EmbeddedError } from './failures.ts';

/**
 * Everything the server keeps lies in `<home>/postgres`. When the database account cannot reach the home,
 * that name is a link to a directory elsewhere: so the data is found again, and removing the home is enough
 * to begin anew.
 */
export type Place = {
  readonly home: string;
  readonly directory: string;
  readonly data: string;
  readonly account: Account | undefined;
  readonly relocated: boolean;
  /** Names what has to lie outside the home, and finds it again. */
  readonly outsideName: string;
};

// /var/lib first: cleaners of old temporary files would eat a database in /var/tmp.
const basesOutsideHome = ['/var/lib', '/var/tmp'];

/** Where the data of this home lies, or would lie inside it; makes nothing. */
export function dataDirectoryOf(home: string): string {
  const link = join(home, 'postgres');
  return join(existsSync(link) ? realpathSync(link) : link, 'data');
}

export function openPlace(requestedHome: string): Place {
  makeHome(requestedHome);
  const home = realpathSync(requestedHome);
  const outsideName = `cadastre-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const account = databaseAccount(dataDirectoryOf(home));
  const inside = join(home, 'postgres');
  const known = existsSync(inside) ? realpathSync(inside) : undefined;
  if (known === undefined) rmSync(inside, { force: true }); // a link that leads nowhere any more
  const directory = known ?? (canHold(home, account) ? makePassage(inside) : makeOutside(home, outsideName));
  const place = { home, directory, data: join(directory, 'data'), account, outsideName };
  refuseUnlessReachable(place);
  return { ...place, relocated: directory !== inside };
}

export function isLinkedFromHome(place: Place): boolean {
  return existsSync(join(place.home, 'postgres'));
}

export function linkFromHome(place: Place): void {
  symlinkSync(place.directory, join(place.home, 'postgres'));
}

function refuseUnlessReachable({ directory, data, account }: Omit<Place, 'relocated'>): void {
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

/** Some shared file systems let root in but do not let it give files away. */
function canHold(home: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  if (!canEnter(account, home)) return false;
  const trial = mkdtempSync(join(home, 'trial-'));
  try {
    giveTo(account, trial);
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
      // Not there, read-only, or the name is taken by somebody else: the next one may do.
    }
  }
  throw new EmbeddedError(
    `The database account cannot reach ${home}, and its data finds no room in ${basesOutsideHome.join(' or ')}.`,
  );
}

/** The account passes through to what it owns inside; nobody else sees anything. */
function makePassage(directory: string): string {
  return makeDirectory(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
}
