import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';

const PRIVATE_DIRECTORY = 0o700;
export const PRIVATE_FILE = 0o600;

/**
 * Logs and the files beside them are private to the account that runs Cadastre, even if an earlier version made them.
 */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  restrict(directory, PRIVATE_DIRECTORY);
}

/** The file may already exist. */
export const makePrivate = (file: string): void => restrict(file, PRIVATE_FILE);

/** Only our own files, and never through a link: root may work in a directory of an ordinary user. */
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
 * The data directory. As root the database runs under another account, which must be able to traverse but not list it.
 * An existing directory keeps its mode, since it may have another purpose.
 */
export function createHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : PRIVATE_DIRECTORY });
}
