import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './cadastre.ts';
import { onTestFinished } from './this-test.ts';

/** A clock that a process is started with, and that can be set while it runs. */
export type SettableClock = {
  readonly env: Environment;
  set(aheadMs: number, pid: number | undefined): void;
};

const SHIFT = new URL('shift-clock.ts', import.meta.url);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/faketime', import.meta.url));
const LIBRARY = 'libfaketimeMT.so.1';
const FETCH_LIMIT_MS = 30_000;

/** The process shifts its own Date. */
export function shiftedClock(aheadMs: number): SettableClock {
  const file = clockFile(String(aheadMs));
  return {
    env: { NODE_OPTIONS: `--import=${SHIFT.href}`, CLOCK_SHIFT_FILE: file },
    set: (ms, pid) => {
      writeFileSync(file, String(ms));
      if (pid !== undefined) process.kill(pid, 'SIGUSR2');
    },
  };
}

/** The system's clock as the process sees it, by libfaketime; a reason where that cannot be had. */
export function fakedClock(aheadMs: number): SettableClock | string {
  const library = findLibrary();
  if (!library.startsWith('/')) return library;
  const seconds = (ms: number) => `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}s`;
  const file = clockFile(seconds(aheadMs));
  // Beside the clock: the account of a database server may not reach the folder of the packages.
  const copy = path.join(path.dirname(file), LIBRARY);
  copyFileSync(library, copy);
  return {
    env: {
      LD_PRELOAD: copy,
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
      FAKETIME_TIMESTAMP_FILE: file,
    },
    set: (ms) => {
      // The process reads it at any time, and must not find half of it.
      writeFileSync(`${file}.next`, seconds(ms));
      renameSync(`${file}.next`, file);
    },
  };
}

function clockFile(text: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-clock-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'ahead');
  writeFileSync(file, text);
  return file;
}

function findLibrary(): string {
  const find = (root: string) => globSync(path.join(root, 'usr/lib/*/faketime', LIBRARY))[0];
  const found = find('/') ?? find(CACHE);
  if (found !== undefined) return found;
  if (!existsSync('/usr/bin/apt-get')) return 'libfaketime is not installed, and there is no apt-get';
  try {
    mkdirSync(CACHE, { recursive: true });
    const run = { cwd: CACHE, timeout: FETCH_LIMIT_MS, stdio: 'pipe' } as const;
    execFileSync('apt-get', ['download', 'libfaketime'], run);
    const [file = ''] = globSync(path.join(CACHE, 'libfaketime_*.deb'));
    execFileSync('dpkg', ['-x', file, CACHE], run);
  } catch (error) {
    return `libfaketime cannot be fetched (${error instanceof Error ? error.message.split('\n')[0] : error})`;
  }
  return find(CACHE) ?? 'libfaketime is not in its package';
}
