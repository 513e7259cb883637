import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { dataDirectoryOf } from '../../src/embedded-postgres/cluster-location.ts';
import { findPostmaster, isAlive, shutDown } from '../../src/embedded-postgres/postmaster.ts';
import { placeOfData } from '../support/global-setup.ts';
import { makeHome } from '../support/prepared-home.ts';
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts';
import { onTestFinished } from '../support/this-test.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
type Environment = Readonly<Record<string, string>>;

/** A data directory that several processes use one after the other; remaining processes are ended with the test. */
export function homeForThisTest(isPrepared = true): string {
  const home = makeHome(placeOfData(), isPrepared);
  onTestFinished(() => removeHome(home));
  return home;
}

export async function removeHome(home: string): Promise<void> {
  const data = dataDirectoryOf(home);
  const left = findPostmaster(data);
  if (left) await shutDown(data, left.pid);
  rmSync(home, { recursive: true, force: true });
}

export const compiled = (): Environment => ({
  NODE_COMPILE_CACHE: path.join(inject('observations'), '../compiled'),
});

/** A sandbox on that home, stopped with the test if the test has not done so. */
export async function sandboxOn(home: string, env: Environment = {}): Promise<SandboxProcess> {
  const sandbox = await startSandboxProcess({ home, env: { ...compiled(), ...env } });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** The process id of the database server of that home, if it is running. */
export const postmasterOf = (home: string): number | undefined => findPostmaster(dataDirectoryOf(home))?.pid;

export type NpmStart = {
  readonly npm: number;
  /** The first child of npm that runs our code, and npm's other descendants. */
  readonly descendants: readonly number[];
  readonly url: string;
  readonly secondsToReady: number;
  readonly output: () => string;
  readonly ended: Promise<unknown>;
};

/** `npm start` in a process group of its own, like that of a terminal. */
export async function npmStart(env: Environment): Promise<NpmStart> {
  const started = performance.now();
  const { PATH = '', HOME = os.tmpdir(), TMPDIR } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      ...(TMPDIR && { TMPDIR }),
      npm_config_update_notifier: 'false',
      ...compiled(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'close');
  onTestFinished(async () => {
    for (const pid of [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)]) killIfAlive(pid);
    await ended;
  });
  const url = await readiness(
    () => printed,
    () => child.exitCode === null,
  );
  return {
    npm: child.pid ?? 0,
    descendants: descendantsOf(child.pid ?? 0),
    url,
    secondsToReady: (performance.now() - started) / 1000,
    output: () => printed,
    ended,
  };
}

async function readiness(printed: () => string, isRunning: () => boolean): Promise<string> {
  while (isRunning()) {
    const url = /^ *health +(http:\/\/\S+)\/health$/m.exec(printed())?.[1];
    const health = url && (await fetch(`${url}/health`).catch(() => undefined));
    if (url && health && health.status === 200) return url;
    await sleep(20);
  }
  throw new Error(`npm start ended:\n${printed()}`);
}

export function descendantsOf(pid: number): number[] {
  const pairs = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  const children = pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Freezes a server and its children (SIGSTOP), until the returned function is called. */
export function freeze(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  // The parent is frozen, so that it starts no more of them.
  const children = descendantsOf(pid).filter(isAlive);
  for (const child of children) process.kill(child, 'SIGSTOP');
  let isFrozen = true;
  const thaw = () => {
    if (isFrozen) for (const member of [pid, ...children]) process.kill(member, 'SIGCONT');
    isFrozen = false;
  };
  onTestFinished(thaw);
  return thaw;
}

/** True once none of these is alive any more. */
export const areGone = (pids: readonly (number | undefined)[]): boolean =>
  pids.every((pid) => pid !== undefined && !isAlive(pid));

function killIfAlive(pid: number): void {
  if (pid !== 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** The resident memory of the process, in MB; undefined where the system does not report it. */
export function residentMegabytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

export const credentials = { authorization: `Basic ${btoa('alpha:alpha-sandbox-password')}` };

/** Without the client of the other tests: it requests the API document, which a stopping server no longer serves. */
export const postContact = (url: string, code: string, headers: Environment = {}) =>
  fetch(`${url}/registry/v1/contacts`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      contact: {
        id: code,
        name: 'Mari Maasikas',
        email: 'mari@example.ee',
        phone: '+372.5551234',
        ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
      },
    }),
  });

export const getContact = (url: string, code: string) =>
  fetch(`${url}/registry/v1/contacts/${code}`, { headers: credentials });
