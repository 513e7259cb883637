import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataDirectoryOf } from '../../src/embedded-postgres/cluster-location.ts';
import { locateEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { findPostmaster, shutDown } from '../../src/embedded-postgres/postmaster.ts';
import type { DatabaseTarget } from '../../src/platform/database/database.ts';
import { makeHome, placeOfHomes } from './prepared-home.ts';

export type SandboxProcess = {
  readonly url: string;
  readonly home: string;
  readonly pid: number;
  /** The database it works on, for a look behind the answers. */
  readonly database: DatabaseTarget;
  /** What it printed so far. */
  output(): string;
  /** Ends it as an operator would. A home that was made here goes with it. */
  stop(): Promise<void>;
  /** Ends it as a power cut would; its database lives on, for the next one on the same home to take over. */
  kill9(): Promise<void>;
};

type Options = { readonly env?: Readonly<Record<string, string>>; readonly home?: string };

const COMMAND = fileURLToPath(new URL('../../cadastre', import.meta.url));
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;

/** The real command in a process of its own, on a free port; resolves once it answers. */
export async function startSandboxProcess({ env = {}, home }: Options = {}): Promise<SandboxProcess> {
  const place = home ?? makeHome(placeOfHomes(), env.DATABASE_URL === undefined || 'certificates');
  const { PATH = '', TMPDIR, NODE_COMPILE_CACHE } = process.env; // nothing else of the surroundings may change what is started
  const child = spawn(COMMAND, ['sandbox'], {
    env: {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      PORT: '0',
      METRICS_PORT: '0',
      CADASTRE_HOME: place,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const ended = once(child, 'exit').then(() => process.off('exit', endWithUs));
  const stop = async () => {
    await endWithin(child, ended);
    await shutDownLeftDatabase(place);
    if (home === undefined) rmSync(place, { recursive: true, force: true });
  };
  try {
    const url = await untilItAnswers(child, () => printed);
    const database = env.DATABASE_URL ?? locateEmbeddedPostgres(place);
    if (!database || !child.pid) throw new Error('the sandbox answers, but has no database');
    const kill9 = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return { url, home: place, pid: child.pid, database, output: () => printed, stop, kill9 };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The port is its own choice (PORT=0), so the banner is where to learn it. */
async function untilItAnswers(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the sandbox ended at its start:\n${printed()}`);
    const url = /^ *health +(http:\/\/\S+)\/health$/m.exec(printed())?.[1];
    const health = url && (await fetch(`${url}/health`).catch(() => undefined));
    if (url && health && health.status === 200) return url;
    await sleep(20);
  }
  throw new Error(`the sandbox did not answer within ${START_LIMIT_MS / 1000} s:\n${printed()}`);
}

async function endWithin(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}

/** After kill -9 nobody but us knows of the database. */
async function shutDownLeftDatabase(home: string): Promise<void> {
  const data = dataDirectoryOf(home);
  const left = findPostmaster(data);
  if (left) await shutDown(data, left.pid);
}
