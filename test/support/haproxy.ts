import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { shownBlock } from '../docs/operator-pages.ts';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { freePort } from './free-port.ts';

const LIBRARIES = [
  'libc6',
  'libcap2',
  'libcrypt1',
  'liblua5.4-0',
  'libpcre2-8-0',
  'libssl3t64',
  'zlib1g',
  'libzstd1',
  'libopentracing-c-wrapper0t64',
  'libopentracing1',
  'libstdc++6',
  'libgcc-s1',
  'libjemalloc2',
];
const START_TIMEOUT_MS = 50_000;

/** haproxy of Debian 13 with the libraries that it was built with. */
export const findHaproxy = (): Unpacked => debianPackages('trixie', 'haproxy', LIBRARIES);

export type Haproxy = {
  readonly url: string;
  /** Whether requests are passed on to this one of its servers. */
  isUp(server: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** A haproxy before these ports, as docs/operate/restart.md tells to set it up, except for its interval of checks. */
export async function startHaproxy(
  root: string,
  ports: readonly string[],
  interval: string,
): Promise<Haproxy> {
  const port = await freePort();
  const shown = shownBlock('backend cadastre');
  const recipe = (shown?.text ?? '')
    .replace(/inter \w+/, `inter ${interval}`)
    .replace(/^ {2}server .*\n?/gm, '');
  const servers = ports.map((server, index) => `  server s${index} 127.0.0.1:${server}`);
  const front = ['frontend public', `  bind 127.0.0.1:${port}`, '  default_backend cadastre'];
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-haproxy-'));
  const socket = path.join(folder, 'socket');
  const control = ['global', `  stats socket ${socket}`];
  const lines = [...control, recipe.trimEnd(), ...servers, ...front];
  const stop = await runHaproxy(root, lines, () => answers(url));
  return {
    url,
    isUp: async (server) => {
      const fields = (await text(connect(socket).end('show stat\n')))
        .split('\n')
        .map((line) => line.split(','));
      const found = fields.find(([backend, name]) => backend === 'cadastre' && name === `s${server}`);
      return found?.[fields[0]?.indexOf('status') ?? -1] === 'UP';
    },
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A haproxy for EPP on this port, as docs/operate/epp.md tells to set it up, in front of a server on this machine. */
export async function startEppHaproxy(
  root: string,
  port: number,
  server: number,
): Promise<() => Promise<void>> {
  const shown = shownBlock('backend epp');
  const recipe = (shown?.text ?? '').replace('10.0.0.11:700', `127.0.0.1:${server}`);
  const front = ['frontend public', '  mode tcp', '  timeout client 10m', `  bind 127.0.0.1:${port}`];
  return runHaproxy(root, [recipe.trimEnd(), ...front, '  default_backend epp'], () => accepts(port));
}

/** A haproxy with the lines of a configuration; resolves once it is up. */
export async function runHaproxy(
  root: string,
  configuration: readonly string[],
  isUp: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-haproxy-'));
  const file = path.join(home, 'haproxy.cfg');
  writeFileSync(file, `${configuration.join('\n')}\n`);
  const [command, ...args] = commandIn(root, 'usr/sbin/haproxy');
  const child = spawn(command, [...args, '-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let report = '';
  child.stderr.on('data', (chunk) => (report += chunk));
  const exited = once(child, 'exit');
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isUp())) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`haproxy did not start:\n${report}`);
    await sleep(20);
  }
  return async () => {
    process.off('exit', endWithUs);
    child.kill('SIGKILL');
    await exited;
    rmSync(home, { recursive: true });
  };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
