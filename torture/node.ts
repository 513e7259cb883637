import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { classifyDatabaseError } from '../src/platform/database/database-errors.ts';

export type NodeSettings = {
  readonly name: string;
  readonly home: string;
  readonly port: number;
  readonly eppPort: number;
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string>>;
};

/** One process, from its start to its end. */
export type Life = {
  readonly node: string;
  readonly pid: number | undefined;
  endedBy: 'nobody yet' | 'us' | 'itself';
  /** By the clock of this machine; undefined while it lives. */
  endedAt: number | undefined;
  /** What it printed last. */
  said: string;
};

const COMMAND = fileURLToPath(new URL('../cadastre', import.meta.url));
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const UNFORESEEN = 'unexpected error';
/** The simulated services of the sandbox may fail with the database. */
const PLAYED = ['a control failed', 'the simulated provider failed'];

/** One process of the product, which is killed and started again at the same address. */
export class ProductNode {
  readonly url: string;
  readonly eppPort: number;
  readonly #settings: NodeSettings;
  #child: ChildProcess | undefined;
  #printed = '';
  #isWanted = true;
  readonly lives: Life[] = [];

  constructor(settings: NodeSettings) {
    this.#settings = settings;
    this.url = `http://127.0.0.1:${settings.port}`;
    this.eppPort = settings.eppPort;
    mkdirSync(settings.home, { recursive: true });
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** The trusted certificate of its EPP: each home has its own authority. Undefined before the first start. */
  eppAuthority(): string | undefined {
    const file = path.join(this.#settings.home, 'epp', 'authority.crt');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  /** Resolves once it answers. A start that fails because the database died is repeated. */
  async start(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline) {
      const child = this.#launch();
      this.#isWanted = false; // the database may become unavailable while it starts
      while (child.exitCode === null && child.signalCode === null) {
        if (await this.#isHealthy()) {
          this.#isWanted = true;
          return;
        }
        await sleep(50);
      }
      await sleep(500);
    }
    throw new Error(`${this.#settings.name} does not start:\n${this.#printed.slice(-2000)}`);
  }

  #launch(): ChildProcess {
    const { home, port, eppPort, databaseUrl, env } = this.#settings;
    const { PATH = '', TMPDIR } = process.env;
    const child = spawn(COMMAND, ['sandbox'], {
      env: {
        PATH,
        ...(TMPDIR && { TMPDIR }),
        NODE_COMPILE_CACHE: path.join(home, '..', 'compiled'),
        PORT: String(port),
        EPP_PORT: String(eppPort),
        METRICS_PORT: '0',
        CADASTRE_HOME: home,
        DATABASE_URL: databaseUrl,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#printed = (this.#printed + chunk).slice(-10_000);
      });
    const { name: node } = this.#settings;
    const life: Life = { node, pid: child.pid, endedBy: 'nobody yet', endedAt: undefined, said: '' };
    this.lives.push(life);
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => {
      process.off('exit', endWithUs);
      if (this.#child === child) this.#child = undefined;
      life.endedBy = this.#isWanted ? 'itself' : 'us';
      life.endedAt = Date.now();
      life.said = this.#printed.slice(-1_500);
    });
    this.#child = child;
    return child;
  }

  async #isHealthy(): Promise<boolean> {
    const health = await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    await health?.body?.cancel();
    return health?.status === 200;
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** A graceful stop; true where it exited cleanly. */
  async stop(): Promise<boolean> {
    return (await this.#end('SIGTERM')) === 0;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#isWanted = false;
    if (!child) return 0;
    const ended = once(child, 'exit');
    child.kill(signal);
    const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timeout);
    return child.exitCode;
  }

  /** Unexpected errors in its log, each kind once. */
  unexpectedErrors(): string[] {
    const lines = readFileSync(path.join(this.#settings.home, 'logs', 'cadastre.log'), 'utf8').split('\n');
    return [...new Set(lines.flatMap(unexpectedErrorIn))];
  }
}

/** The last line of a process that was killed may be half written. */
function unexpectedErrorIn(line: string): string[] {
  if (![UNFORESEEN, ...PLAYED].some((message) => line.includes(message)) || !line.endsWith('}')) return [];
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { code?: string; stack?: string } };
  if (PLAYED.includes(msg) && classifyDatabaseError(err) !== undefined) return [];
  return [`${msg}: ${err?.code ?? ''} ${String(err?.stack).slice(0, 400)}`];
}
