import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readPage } from '../docs/markdown.ts';
import { CACHE, debianPackages } from './debian-packages.ts';

type Architecture = { readonly node: string; readonly debian: string; readonly qemu: string };
const ARM64: Architecture = { node: 'arm64', debian: 'arm64', qemu: 'qemu-aarch64' };
const X64: Architecture = { node: 'x64', debian: 'amd64', qemu: 'qemu-x86_64' };
/** The one of the two that this machine does not have. */
export const other = process.arch === 'arm64' ? X64 : ARM64;
const FETCH_TIMEOUT_MS = 120_000;

/** How Node of the other architecture is run by emulation: qemu of Debian 13 is static, the libraries are Debian's. */
export function findEmulatedNode():
  | { readonly command: readonly [string, ...string[]] }
  | { readonly reason: string } {
  const qemu = debianPackages('trixie', 'qemu-user', []);
  if ('reason' in qemu) return qemu;
  const libraries = debianPackages(
    'trixie',
    'libc6',
    ['libstdc++6', 'libgcc-s1', 'libatomic1'],
    other.debian,
  );
  if ('reason' in libraries) return libraries;
  try {
    const node = packedNode();
    // With its compilers and its threads the emulation takes twice as long.
    return {
      command: [
        path.join(qemu.root, 'usr/bin', other.qemu),
        '-L',
        withLoader(libraries.root),
        node,
        '--single-threaded',
        '--no-opt',
      ],
    };
  } catch (error) {
    return {
      reason: `Node for ${other.node} cannot be fetched (${(error as Error).message.split('\n')[0]})`,
    };
  }
}

/** The version that package.json names, from the registry that npm uses. */
function packedNode(): string {
  const { optionalDependencies } = JSON.parse(readPage('package.json')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  const name = `node-linux-${other.node}`;
  const version = optionalDependencies[name];
  const kept = path.join(CACHE, `${name}-${version}`);
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true, mode: 0o755 });
    const folder = mkdtempSync(path.join(CACHE, 'unfinished-'));
    try {
      const run = (program: string, ...args: string[]) =>
        execFileSync(program, args, { cwd: folder, stdio: 'pipe', timeout: FETCH_TIMEOUT_MS });
      run('npm', 'pack', '--silent', `${name}@${version}`);
      run('tar', '-xzf', `${name}-${version}.tgz`);
      if (!existsSync(kept)) renameSync(path.join(folder, 'package'), kept);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return path.join(kept, 'bin/node');
}

/** Programs name their loader below /lib or /lib64, which on an installed system are links into /usr. */
function withLoader(root: string): string {
  for (const name of ['lib', 'lib64'])
    if (!existsSync(path.join(root, name)) && existsSync(path.join(root, 'usr', name)))
      execFileSync('ln', ['-sfn', `usr/${name}`, path.join(root, name)]);
  return root;
}
