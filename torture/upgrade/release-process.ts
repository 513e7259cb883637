import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

export type Settings = Readonly<Record<string, string>>;

/** A command of a release that runs in a process of its own. */
class ReleaseProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #printed = '';

  constructor(tree: string, command: string, settings: Settings) {
    const { PATH = '', TMPDIR, NODE_COMPILE_CACHE } = process.env; // nothing else of the environment may affect it
    const env = {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...settings,
    };
    this.#child = spawn(path.join(tree, 'cadastre'), [command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const endWithUs = () => this.#child.kill('SIGKILL');
    process.once('exit', endWithUs);
    this.#ended = once(this.#child, 'close').then(() => process.off('exit', endWithUs));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk) => {
        this.#printed += chunk;
      });
  }

  get printed(): string {
    return this.#printed;
  }

  async end(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.end();
  }

  async until(isDone: () => Promise<boolean> | boolean): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isDone())) {
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`a process does not start:\n${this.#printed.slice(-2000)}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

export type RunningProcess = Pick<ReleaseProcess, 'printed' | 'stop'>;
export type RunningServer = RunningProcess & { readonly url: string };

export async function startServer(
  tree: string,
  settings: Settings,
  isStarted: (url: string) => Promise<boolean> = isReady,
): Promise<RunningServer> {
  const port = await freePort();
  const server = new ReleaseProcess(tree, 'serve', { METRICS_PORT: '0', ...settings, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await server.until(() => isStarted(url));
  return Object.assign(server, { url });
}

export async function startWorker(tree: string, settings: Settings): Promise<RunningProcess> {
  const worker = new ReleaseProcess(tree, 'work', { ...settings, METRICS_PORT: '0' });
  await worker.until(() => worker.printed.includes('"msg":"started"'));
  return worker;
}

/** Runs a command to its end, which must be a success. */
export async function runCommand(tree: string, command: string, settings: Settings): Promise<string> {
  const running = new ReleaseProcess(tree, command, settings);
  if ((await running.end()) !== 0) throw new Error(`cadastre ${command} has failed:\n${running.printed}`);
  return running.printed;
}

export const isReady = (url: string): Promise<boolean> => isOk(`${url}/ready`);
export const isHealthy = (url: string): Promise<boolean> => isOk(`${url}/health`);

async function isOk(url: string): Promise<boolean> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await reply?.arrayBuffer();
  return reply?.status === 200;
}
