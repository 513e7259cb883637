import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import type { Address } from '../platform/database/address.ts';
import { addressesOf, type DatabaseTarget } from '../platform/database/database.ts';
import { BackupError } from './backup-error.ts';

export type Tool = { readonly file: string; readonly major: number };
type ToolName = 'pg_dump' | 'pg_restore';

/** Where packages put the programs of a version that is not on the path. */
const DEBIAN = '/usr/lib/postgresql';
const RED_HAT = /^pgsql-\d+$/;
const MAX_ERROR_LENGTH = 1_000;

/** The newest pg_dump or pg_restore of this machine that is not older than the given version. */
export async function findTool(name: ToolName, oldest: number): Promise<Tool | undefined> {
  const onPath = (commandEnvironment().env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '');
  const versioned = [
    ...(await foldersIn(DEBIAN)).map((version) => path.join(DEBIAN, version, 'bin')),
    ...(await foldersIn('/usr'))
      .filter((folder) => RED_HAT.test(folder))
      .map((folder) => path.join('/usr', folder, 'bin')),
  ];
  const found: Tool[] = [];
  for (const folder of new Set([...onPath, ...versioned])) {
    const file = path.join(folder, name);
    const major = await majorOf(file);
    if (major !== undefined && major >= oldest) found.push({ file, major });
  }
  return found.sort((a, b) => b.major - a.major)[0];
}

const foldersIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function majorOf(file: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version']);
    const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}

/**
 * The one server that both we and the tool connect to: a snapshot is known to no other. Undefined for several servers,
 * and over TLS, whose authorities libpq is configured with differently.
 */
export function toolAddress(target: DatabaseTarget): Address | undefined {
  const { servers } = addressesOf(target);
  const [address] = servers;
  return servers.length === 1 && address && !address.ssl ? address : undefined;
}

/** The output of pg_dump; fails where the program does. */
export async function* dumpDatabase(
  tool: Tool,
  address: Address,
  args: readonly string[],
): AsyncGenerator<Buffer> {
  const child = launch(tool, address, args);
  const ended = endOf(child);
  ended.catch(() => {});
  try {
    if (child.stdout) yield* child.stdout;
    await ended;
  } finally {
    child.kill();
  }
}

export async function restoreDatabase(
  tool: Tool,
  address: Address,
  args: readonly string[],
  dump: AsyncIterable<Uint8Array>,
): Promise<void> {
  const child = launch(tool, address, [...args, `--dbname=${address.database}`]);
  child.stdout?.resume();
  const ended = endOf(child);
  ended.catch(() => {});
  try {
    // A program that fails closes its input: its own message says why.
    if (child.stdin)
      await pipeline(Readable.from(dump), child.stdin).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      });
    await ended;
  } finally {
    child.kill();
  }
}

/** The password is in the environment, which other accounts cannot read, and not among the arguments. */
function launch({ file }: Tool, address: Address, args: readonly string[]): ChildProcess {
  const { host, port, user, password, database } = address;
  return spawn(file, args, {
    stdio: 'pipe',
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      PGHOST: host,
      PGPORT: String(port),
      PGDATABASE: database,
      PGSSLMODE: 'disable',
      PGAPPNAME: 'cadastre',
      // A login that also serves behind a pooler has the role and the timeouts of serving as its defaults.
      PGOPTIONS:
        '-c role=none -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0',
      ...(user !== undefined && { PGUSER: user }),
      ...(password !== undefined && { PGPASSWORD: password }),
      ...(commandEnvironment().env.LD_LIBRARY_PATH && {
        LD_LIBRARY_PATH: commandEnvironment().env.LD_LIBRARY_PATH,
      }),
    },
  });
}

async function endOf(child: ChildProcess): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (text) => {
    if (complaint.length < MAX_ERROR_LENGTH) complaint += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new BackupError(
      `${path.basename(child.spawnfile)} failed: ${complaint.trim().slice(0, MAX_ERROR_LENGTH) || `status ${code}`}`,
    );
}
