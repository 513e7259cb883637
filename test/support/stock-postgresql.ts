import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseAccount, identity, setOwner } from '../../src/embedded-postgres/account.ts';
import { prepareBinaries } from '../../src/embedded-postgres/binaries.ts';
import { openClusterLocation } from '../../src/embedded-postgres/cluster-location.ts';
import { debianPackages, librariesIn } from './debian-packages.ts';

const INSTALLED = '/usr/lib/postgresql/15/bin';
/** What the server needs besides the libraries that every Debian has. */
const LIBRARIES = [
  'libicu72',
  'libldap-2.5-0',
  'libllvm14',
  'libxml2',
  'libxslt1.1',
  'libpq5',
  'libedit2',
  'libz3-4',
];

type Binaries =
  | { readonly folder: string; readonly env: Readonly<Record<string, string>> }
  | { readonly reason: string };

/** PostgreSQL 15 as Debian 12 has it: of this machine, or unpacked; or why there is none. */
export function findPostgres15(): Binaries {
  if (existsSync(INSTALLED)) return { folder: INSTALLED, env: {} };
  const found = debianPackages('bookworm', 'postgresql-15', LIBRARIES);
  if ('reason' in found) return found;
  const folder = path.join(found.root, 'usr/lib/postgresql/15/bin');
  const env = { LD_LIBRARY_PATH: librariesIn(found.root) };
  try {
    execFileSync(path.join(folder, 'postgres'), ['--version'], { env, stdio: 'pipe' });
    return { folder, env };
  } catch (error) {
    return { reason: `PostgreSQL 15 of Debian 12 does not run here (${(error as Error).message.trim()})` };
  }
}

export type StockServer = {
  readonly host: string;
  readonly port: number;
  readonly superuser: string;
  /** Writes a file of the data directory, which only the server can read. */
  write(name: string, text: string): void;
  stop(): Promise<void>;
};
export type Extras = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Of the server's processes. */
  readonly env?: Readonly<Record<string, string>>;
};

/** A cluster as initdb makes it, with no setting but where it listens and what is asked for. */
export async function startStockPostgres(
  binaries: Extract<Binaries, { folder: string }> | undefined,
  { settings = {}, files = {}, env: more = {} }: Extras = {},
): Promise<StockServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-stock-'));
  const data = path.join(home, 'data');
  const account = databaseAccount(data);
  chmodSync(home, 0o700);
  setOwner(account, home);
  const { folder, env } = binaries ?? embedded(home);
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(path.join(folder, program), ['-D', data, ...args], {
      ...identity(account),
      cwd: home,
      env: { ...env, LC_ALL: 'C', PATH: '/usr/bin:/bin', ...more },
    });
  const write = (name: string, text: string) => {
    const file = path.join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    setOwner(account, file);
  };
  await run('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync');
  for (const [name, text] of Object.entries(files)) write(name, text);
  const all = {
    listen_addresses: '',
    unix_socket_directories: home,
    port: '5432',
    fsync: 'off',
    ...settings,
  };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  await run('pg_ctl', '-w', '-l', path.join(home, 'log'), '-o', options.join(' '), 'start');
  return {
    host: home,
    port: Number(all.port),
    superuser: 'postgres',
    write,
    stop: async () => {
      await run('pg_ctl', '-w', '-m', 'immediate', 'stop');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The embedded one, within reach of the account that it runs as. */
const embedded = (home: string) => ({
  folder: path.join(
    prepareBinaries({ ...openClusterLocation(home), directory: home }, () => {}),
    'bin',
  ),
  env: {},
});
