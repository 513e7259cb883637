import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';

const PRIVATE_DIRECTORY = 0o700;
export const PRIVATE_FILE = 0o600;

/** Logs and whatever lies beside them are for the account that runs Cadastre alone, also where an earlier version made them. */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  restrict(directory, PRIVATE_DIRECTORY);
}

/** A file that may be there already. */
export const makePrivate = (file: string): void => restrict(file, PRIVATE_FILE);

/** Only what is our own, and never through a link: root may work in a directory of an ordinary user. */
function restrict(path: string, mode: number): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return;
  }
  try {
    const found = fstatSync(descriptor);
    if ((found.isFile() || found.isDirectory()) && found.uid === process.getuid?.())
      fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The data directory. As root the database runs under another account, which has to pass through to its own part;
 * it can list nothing here. One that is there already is left as its owner made it: it may be anything.
 */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : PRIVATE_DIRECTORY });
}
