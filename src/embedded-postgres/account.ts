import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedError, hasCode } from './errors.ts';

/** The account the server runs as if we are root; undefined means our own. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

const unprivilegedAccounts = ['postgres', 'nobody'];

/** PostgreSQL refuses to run as root, so root runs it as an account that every system has. */
export function databaseAccount(dataDirectory: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return ownerOf(dataDirectory) ?? unprivilegedAccount();
}

/** What `spawn` needs to run a program as the account; ids are signed there (macOS calls nobody -2). */
export function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
}

export function setOwner(account: Account | undefined, path: string): void {
  if (account !== undefined) chownSync(path, account.uid, account.gid);
}

/** Whether the account may traverse this directory and all of its parents. */
export function canEnter(account: Account | undefined, directory: string): boolean {
  if (account === undefined) return true;
  const { uid, gid, mode } = statSync(directory);
  const entry = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  const parent = dirname(directory);
  return (mode & entry) !== 0 && (parent === directory || canEnter(account, parent));
}

/** Data of an ordinary user keeps its owner when root starts the server on it later. */
function ownerOf(dataDirectory: string): Account | undefined {
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return undefined;
  const name = passwdEntries().find((entry) => entry.uid === owner.uid)?.name ?? `number ${owner.uid}`;
  return { name, uid: owner.uid, gid: owner.gid };
}

function unprivilegedAccount(): Account {
  const known = passwdEntries();
  for (const name of unprivilegedAccounts) {
    const account = known.find((entry) => entry.name === name);
    if (account !== undefined) return account;
  }
  throw new EmbeddedError(
    'PostgreSQL does not run as root and there is no account postgres or nobody. Start as an ordinary user or set DATABASE_URL.',
  );
}

function passwdEntries(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/**
 * Creates a directory, or accepts an existing one if it is ours or the account's: in a world-writable parent another
 * user could have planted it to read the data. One that the account owns is not changed, since the account could
 * replace it with a link while root changes it.
 */
export function makeDirectory(directory: string, mode: number, account?: Account): string {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const found = lstatSync(directory);
  if (found.isDirectory() && found.uid === account?.uid) return directory;
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new EmbeddedError(`${directory} belongs to another user. Remove it and start again.`);
  }
  chmodSync(directory, mode);
  setOwner(account, directory);
  return directory;
}
