import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';

/** OpenRDAP's client, of Debian 13. */
export const findOpenRdap = (): Unpacked => debianPackages('trixie', 'rdap', ['libc6']);

/** ICANN's client and checker. It is in no stable release so far, and needs the libraries that it was built with. */
export const findIcannRdap = (): Unpacked =>
  debianPackages('sid', 'icann-rdap-cli', ['libc6', 'libgcc-s1', 'libssl3t64', 'zlib1g', 'libzstd1']);

export type Run = { readonly code: number; readonly stdout: string; readonly stderr: string };

export async function runRdap(root: string, program: string, options: readonly string[]): Promise<Run> {
  const [command, ...before] = commandIn(root, program);
  const child = spawn(command, [...before, ...options], { env: { ...process.env, HOME: '/nonexistent' } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode ?? -1, stdout, stderr };
}
