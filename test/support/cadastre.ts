import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { run } from '../../src/app/program.ts';
import {
  type CommandEnvironment,
  runWithEnvironment,
} from '../../src/platform/config/command-environment.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { freePort } from './free-port.ts';
import { PRODUCTION_TEMPLATE } from './global-setup.ts';
import { createTestDatabase } from './registry.ts';
import { expect, onTestFinished } from './this-test.ts';

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type Environment = Readonly<Record<string, string>>;
type Options = {
  readonly env?: Environment;
  readonly stdin?: string;
};

const COMMAND = fileURLToPath(new URL('../../cadastre', import.meta.url));
/** Without it a command would look for the sandbox that a developer runs beside the tests. */
const NO_HOME = path.join(os.tmpdir(), 'cadastre-no-such-home');
const START_LIMIT_MS = 50_000;
/** No command takes this long; one that hangs must not outlive its test. */
const COMMAND_LIMIT_MS = 50_000;
/** What is under way in this process cannot be killed: it ends when its database is dropped. */
const KILL_PATIENCE_MS = 1_000;

/** Runs a command in this process, as src/main.ts does in its own: with its own environment, input and output. */
export async function cadastre(
  args: readonly string[],
  { env = {}, stdin = '' }: Options = {},
): Promise<Outcome> {
  const { ended, signals } = runHere(args, env, stdin);
  const timer = setTimeout(() => signals.emit('SIGTERM'), COMMAND_LIMIT_MS);
  return ended.finally(() => clearTimeout(timer));
}

function runHere(args: readonly string[], env: Environment, stdin: string) {
  const [stdout, stderr] = [new CollectedOutput(), new CollectedOutput()];
  const signals = new EventEmitter();
  const environment: CommandEnvironment = {
    env: environmentOf(env),
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    exit: (code) => {
      throw new Error(`${args.join(' ')} did not stop in time, and would have ended with status ${code}`);
    },
  };
  const end = async (): Promise<Outcome> => {
    const code = await runWithEnvironment(environment, () => run(['node', COMMAND, ...args]));
    await Promise.all([stdout, stderr].map((stream) => finished(stream.end())));
    note(args, code);
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
  return { ended: end(), signals, output: () => stdout.text + stderr.text };
}

class CollectedOutput extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** The executable itself, with nothing of the surroundings but the path. */
export async function spawnCadastre(
  args: readonly string[],
  { env = {}, stdin = '' }: Options = {},
): Promise<Outcome> {
  const child = launch(args, env);
  const outcome = collect(child);
  child.stdin?.on('error', () => {}); // a command that needs no input may end before it was read
  child.stdin?.end(stdin);
  const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_LIMIT_MS);
  await once(child, 'close');
  clearTimeout(timer);
  note(args, child.exitCode);
  return { code: child.exitCode, ...outcome };
}

/** After the whole run command-table.ts looks which commands nobody has tried. */
function note(words: readonly string[], code: number | null): void {
  const test = expect.getState().currentTestName ?? '';
  appendFileSync(
    path.join(inject('observations'), `${process.pid}.commands`),
    `${JSON.stringify({ words, code, test })}\n`,
  );
}

export type Server = {
  readonly url: string;
  output(): string;
  /** Ends it as an operator would and tells its exit code. */
  stop(): Promise<number | null>;
};

/** `cadastre serve` in this process; resolves once it answers. */
export const startServe = (
  databaseUrl: string,
  env?: Environment,
  options: readonly string[] = [],
): Promise<Server> => untilItAnswers(start, databaseUrl, env, options);

/** The same in a process of its own. */
export async function startServeProcess(
  databaseUrl: string,
  env?: Environment,
  options: readonly string[] = [],
): Promise<Server & Pick<Started, 'kill'> & { readonly pid: number }> {
  const { child, ...server } = await untilItAnswers(startProcess, databaseUrl, env, options);
  return { ...server, pid: child.pid ?? 0 };
}

async function untilItAnswers<S extends Started>(
  start: (args: readonly string[], env: Environment) => S,
  databaseUrl: string,
  env: Environment = {},
  options: readonly string[] = [],
): Promise<S & Server> {
  const port = env.PORT ?? String(await freePort());
  const started = start(['serve', ...options], {
    DATABASE_URL: databaseUrl,
    PORT: port,
    METRICS_PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    FAILED_LOGINS_PER_MINUTE: '100000',
    ...env,
  });
  const url = `${env.TLS_KEY_FILE === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const deadline = Date.now() + START_LIMIT_MS;
  let hasEnded = false;
  started.closed.then(() => {
    hasEnded = true;
  });
  while (Date.now() < deadline && !hasEnded) {
    if (await isHealthy(url)) return { ...started, url };
    await sleep(30);
  }
  await started.stop();
  throw new Error(`cadastre serve does not answer:\n${started.output()}`);
}

/** `cadastre work` in this process, ended with the test; resolves once it has started. */
export const startWork = (databaseUrl: string, env?: Environment) => untilItWorks(start, databaseUrl, env);

/** The same in a process of its own. */
export const startWorkProcess = (databaseUrl: string, env?: Environment) =>
  untilItWorks(startProcess, databaseUrl, env);

async function untilItWorks<S extends Started>(
  start: (args: readonly string[], env: Environment) => S,
  databaseUrl: string,
  env: Environment = {},
): Promise<S & { readonly metrics: string }> {
  const metricsPort = await freePort();
  const worker = start(['work'], { DATABASE_URL: databaseUrl, METRICS_PORT: String(metricsPort), ...env });
  onTestFinished(worker.kill);
  await expect.poll(worker.output, { timeout: START_LIMIT_MS }).toContain('"msg":"started"');
  return { ...worker, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
}

/** Over TLS too, with any certificate. */
async function isHealthy(url: string): Promise<boolean> {
  const { get } = url.startsWith('https:') ? https : http;
  return new Promise((resolve) => {
    get(`${url}/health`, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

type Started = {
  readonly closed: Promise<unknown>;
  stop(): Promise<number | null>;
  /** For the end of a test that is not about stopping: it waits for nothing that is still under way. */
  kill(): Promise<unknown>;
  output(): string;
};

/** A command that runs until it is told to stop, in this process. */
export function start(args: readonly string[], env: Environment): Started {
  const { ended, signals, output } = runHere(args, env, '');
  const stop = async () => {
    const isListening = signals.listenerCount('SIGTERM') > 0 || once(signals, 'newListener');
    await Promise.race([isListening, ended]);
    setImmediate(() => signals.emit('SIGTERM')); // a new listener is announced before it is added
    return (await ended).code;
  };
  return { closed: ended, stop, kill: () => Promise.race([stop(), sleep(KILL_PATIENCE_MS)]), output };
}

/** A command that runs until it is told to stop, in a process of its own, for what only a process can be tried with. */
export function startProcess(args: readonly string[], env: Environment): Started & { child: ChildProcess } {
  const child = launch(args, env);
  const outcome = collect(child);
  child.stdin?.end();
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const closed = once(child, 'close').then(() => process.off('exit', endWithUs));
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
    return child.exitCode;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  return { child, closed, stop, kill, output: () => outcome.stdout + outcome.stderr };
}

export type ProductionDatabase = { readonly name: string; readonly url: string; readonly sql: Pool };

export type DroppableDatabase = ProductionDatabase & { readonly drop: () => Promise<void> };

/** An empty database of one's own and the address that an operator would write for it; ended with the test. */
export async function emptyDatabase(template = 'template0'): Promise<ProductionDatabase> {
  const { drop, ...database } = await openDatabaseFrom(template);
  onTestFinished(drop);
  return database;
}

/** A production installation of one's own, ready for work; ended with the test. */
export async function productionDatabase(): Promise<ProductionDatabase> {
  return emptyDatabase(PRODUCTION_TEMPLATE);
}

/** The same for a whole file, which drops it itself. */
export async function openProductionDatabase(): Promise<DroppableDatabase> {
  return openDatabaseFrom(PRODUCTION_TEMPLATE);
}

async function openDatabaseFrom(template: string): Promise<DroppableDatabase> {
  const { name, drop } = await createTestDatabase(template);
  const db = await connectAsOwner({ ...inject('server'), database: name });
  return {
    name,
    url: databaseUrl(name),
    sql: db,
    drop: async () => {
      await db.close();
      await drop();
    },
  };
}

export function databaseUrl(name: string, { host, port, username } = inject('server')): string {
  return `postgres://${username}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}

function launch(args: readonly string[], env: Environment): ChildProcess {
  // Dozens of processes compile the same files: only the first one pays for it.
  const NODE_COMPILE_CACHE = path.join(inject('observations'), '../compiled');
  return spawn(COMMAND, args, { env: { NODE_COMPILE_CACHE, ...environmentOf(env) }, stdio: 'pipe' });
}

function environmentOf(env: Environment): Record<string, string> {
  const { PATH = '', TMPDIR } = process.env;
  return { PATH, ...(TMPDIR && { TMPDIR }), CADASTRE_HOME: NO_HOME, ...env };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const outcome = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (outcome.stdout += chunk));
  child.stderr?.on('data', (chunk) => (outcome.stderr += chunk));
  return outcome;
}
