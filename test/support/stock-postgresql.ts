import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseAccount, giveTo, identity } from '../../src/platform/database/embedded/account.ts';
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
  stop(): Promise<void>;
};

/** A cluster as initdb makes it, with no setting but where it listens. */
export async function startStockPostgres({
  folder,
  env,
}: Extract<Binaries, { folder: string }>): Promise<StockServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-stock-'));
  const account = databaseAccount(path.join(home, 'data'));
  chmodSync(home, 0o700);
  giveTo(account, home);
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(path.join(folder, program), ['-D', path.join(home, 'data'), ...args], {
      ...identity(account),
      cwd: home,
      env: { ...env, LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
  await run('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync');
  const port = 5432;
  const where = `-c listen_addresses= -c unix_socket_directories=${home} -p ${port} -c fsync=off`;
  await run('pg_ctl', '-w', '-l', path.join(home, 'log'), '-o', where, 'start');
  return {
    ...{ host: home, port, superuser: 'postgres' },
    stop: async () => {
      await run('pg_ctl', '-w', '-m', 'immediate', 'stop');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
