import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blocksOf, readPage } from '../docs/markdown.ts';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { freePort } from './free-port.ts';

const LIBRARIES = [
  ...['libc6', 'libcap2', 'libcrypt1', 'liblua5.4-0', 'libpcre2-8-0', 'libssl3t64', 'zlib1g', 'libzstd1'],
  ...['libopentracing-c-wrapper0t64', 'libopentracing1', 'libstdc++6', 'libgcc-s1', 'libjemalloc2'],
];
const START_TIMEOUT_MS = 10_000;

/** haproxy of Debian 13 with the libraries that it was built with. */
export const findHaproxy = (): Unpacked => debianPackages('trixie', 'haproxy', LIBRARIES);

export type Haproxy = { readonly url: string; stop(): Promise<void> };

/** A haproxy before these ports, as docs/operations.md tells to set it up, except for its interval of checks. */
export async function startHaproxy(
  root: string,
  ports: readonly string[],
  interval: string,
): Promise<Haproxy> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-haproxy-'));
  const [file, port] = [path.join(home, 'haproxy.cfg'), await freePort()];
  const shown = blocksOf(readPage('docs/operations.md')).find(({ text }) =>
    text.includes('backend cadastre'),
  );
  const recipe = (shown?.text ?? '')
    .replace(/inter \w+/, `inter ${interval}`)
    .replace(/^ {2}server .*\n?/gm, '');
  const servers = ports.map((server, index) => `  server s${index} 127.0.0.1:${server}`);
  const front = ['frontend public', `  bind 127.0.0.1:${port}`, '  default_backend cadastre'];
  writeFileSync(file, `${[recipe.trimEnd(), ...servers, ...front].join('\n')}\n`);
  const [command, ...args] = commandIn(root, 'usr/sbin/haproxy');
  const child = spawn(command, [...args, '-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let report = '';
  child.stderr.on('data', (chunk) => (report += chunk));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`haproxy did not start:\n${report}`);
    await sleep(20);
  }
  return {
    url,
    stop: async () => {
      process.off('exit', endWithUs);
      child.kill('SIGKILL');
      await exited;
      rmSync(home, { recursive: true });
    },
  };
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );
