import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseAccount, identity, setOwner } from '../../src/embedded-postgres/account.ts';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { freePort } from './free-port.ts';

const LIBRARIES = ['libc6', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64', 'libsystemd0'];
const START_TIMEOUT_MS = 50_000;

/** PgBouncer 1.24 of Debian 13 with the libraries that it was built with; Debian 12 has 1.18 only. */
export const findPgBouncer = (): Unpacked => debianPackages('trixie', 'pgbouncer', LIBRARIES);

type Target = { readonly host: string; readonly port: number; readonly database: string };

/** A PgBouncer of one's own before a PostgreSQL, as docs/operate/database.md tells to set it up. */
export class PgBouncer {
  readonly #root: string;
  readonly #home: string;
  /** It refuses to run as root. */
  readonly #account = databaseAccount('');
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(root: string, port: number) {
    this.#root = root;
    this.port = port;
    this.#home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-pooler-'));
    chmodSync(this.#home, 0o700);
    setOwner(this.#account, this.#home);
  }

  static async start(
    root: string,
    target: Target,
    passwords: Readonly<Record<string, string>>,
    settings = {},
  ) {
    const pooler = new PgBouncer(root, await freePort());
    pooler.#write(
      'users.txt',
      Object.entries(passwords).map(([login, password]) => `"${login}" "${password}"`),
    );
    const { host, port, database } = target;
    const chosen = {
      ...documentedSettings(),
      listen_port: pooler.port,
      auth_file: path.join(pooler.#home, 'users.txt'),
      ...settings,
    };
    pooler.#write('pgbouncer.ini', [
      '[databases]',
      `${database} = host=${host} port=${port} dbname=${database}`,
      '[pgbouncer]',
      ...Object.entries(chosen).map(([name, value]) => `${name} = ${value}`),
    ]);
    await pooler.launch();
    return pooler;
  }

  addressOf(login: string, password: string, database: string): string {
    return `postgres://${login}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  async launch(): Promise<void> {
    const [command, ...args] = commandIn(this.#root, 'usr/sbin/pgbouncer');
    const launched = spawn(command, [...args, path.join(this.#home, 'pgbouncer.ini')], {
      ...identity(this.#account),
      cwd: this.#home,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = launched;
    const endWithUs = () => launched.kill('SIGKILL');
    process.once('exit', endWithUs);
    launched.once('exit', () => process.off('exit', endWithUs));
    let report = '';
    launched.once('error', (error) => (report += error.message));
    launched.stderr?.on('data', (chunk) => (report += chunk));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.#listens())) {
      if (launched.exitCode !== null || Date.now() > deadline)
        throw new Error(`PgBouncer did not start:\n${report}`);
      await sleep(20);
    }
  }

  /** Without a word to anybody. */
  async kill(): Promise<void> {
    const dying = this.#process;
    this.#process = undefined;
    if (dying === undefined || dying.exitCode !== null) return;
    dying.kill('SIGKILL');
    await once(dying, 'exit');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #write(name: string, lines: readonly string[]): void {
    const file = path.join(this.#home, name);
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    setOwner(this.#account, file);
  }

  async #listens(): Promise<boolean> {
    const socket = net.connect(this.port, '127.0.0.1');
    return new Promise((resolve) => {
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    }).finally(() => socket.destroy()) as Promise<boolean>;
  }
}

/** The file that docs/operate/database.md shows, without what differs from place to place. */
function documentedSettings(): Record<string, string> {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/operate/database.md'), 'utf8');
  const [, shown = ''] = /```ini\n(\[databases\][^`]*)```/.exec(page) ?? [];
  const lines = shown.slice(shown.indexOf('[pgbouncer]')).split('\n').slice(1);
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^(\w+) = (.*)$/.exec(line.replace(/\s*;.*$/, '')) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
